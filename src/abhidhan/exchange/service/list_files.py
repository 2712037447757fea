"""Anki decks of card sets and shared lists, and shared lists as CSV."""

import asyncio
import csv
import hashlib
import io
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from abhidhan.dictionary.service.views.listings import GlossedWord
from abhidhan.dictionary.service.views.word_lists import WordListView, list_sources, read_word_list
from abhidhan.exchange.service import exporting
from abhidhan.formats.formula_injection import escape_formula
from abhidhan.formats.writers.export_source import (
    MAX_CARD_RECORDINGS,
    DeckRecording,
    SpokenText,
    format_credit,
    get_sound_name,
)
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import RetryAfter, UnavailableError, sentence
from abhidhan.records.kinds import CardRecord, CardSetRecord
from abhidhan.records.language_preferences import LanguagePreferences
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.recordings import Audio, parse_recording_name
from assamese.romanize import romanize

CSV_COLUMNS: Final = ("id", "word", "language", "roman", "meaning", "meaning_language")
LIST_SOURCE_CODE: Final = "list"
"""The code that decks of lists have as their source, to distinguish them from card sets."""
ANY_LANGUAGE: Final = ""
"""The language code of a deck of a list, whose words may be of several languages."""
MAX_DECK_AUDIO_BYTES: Final = 8 * 1024 * 1024
"""Maximum total size of the recordings in the deck of a list; further words have none."""
MAX_WAITING_DECKS: Final = 8


MAX_CACHE_BYTES: Final = 16 * 1024 * 1024
ReadRecording = Callable[[int], Awaitable[bytes | None]]
"""Returns an approved recording by its ID, or None if it is unavailable."""


async def read_no_recording(_: int) -> None:
    """Return None for every recording, for dictionaries without recordings."""


class CardSetDecks:
    """Anki decks of card sets, cached until the dictionary changes."""

    def __init__(
        self,
        database: Database,
        read_recording: ReadRecording = read_no_recording,
        max_cache_bytes: int = MAX_CACHE_BYTES,
    ) -> None:
        """Initialise with a database, a function that reads recordings, and the cache limit in bytes."""
        self._database = database
        self._read_recording = read_recording
        self._max_cache_bytes = max_cache_bytes
        self._cache: dict[int, bytes] = {}
        self._version: int | None = None
        self._lock = asyncio.Lock()

    async def get_deck(self, set_id: int) -> bytes:
        """Return the deck of a card set from the cache, or build it. Raises NotFoundError."""
        async with self._lock:
            version = await self._database.version()
            if version != self._version:
                self._cache.clear()
                self._version = version
            if set_id not in self._cache:
                deck = await self._build_deck(set_id)
                if sum(map(len, self._cache.values())) + len(deck) > self._max_cache_bytes:
                    self._cache.clear()
                self._cache[set_id] = deck
            return self._cache[set_id]

    async def _build_deck(self, set_id: int) -> bytes:
        audio_by_text = await self._database.read(partial(exporting.find_card_audio, set_id=set_id), long=True)
        sounds = {text: await self._read_recordings(audio) for text, audio in audio_by_text.items()}
        job = partial(exporting.build_card_set_deck, set_id=set_id, sounds=sounds)
        return await self._database.read(job, long=True)

    async def _read_recordings(self, audio: Sequence[Audio]) -> list[DeckRecording]:
        recordings = []
        for recording in audio[:MAX_CARD_RECORDINGS]:
            number = parse_recording_name(recording.url.rpartition("/")[2]) or 0
            body = await self._read_recording(number)
            if body is not None:
                credit = format_credit(recording.speaker, recording.place, recording.licence)
                recordings.append(DeckRecording(get_sound_name(number), partial(bytes, body), credit))
        return recordings


class ListRow(NamedTuple):
    """A word of a list, with a short meaning; languages are codes."""

    id: int
    word: str
    language: str
    roman: str
    meaning: str
    meaning_language: str


class SharedList(NamedTuple):
    """A list requested by a link: the IDs of its words, its name, and the reader's language preferences."""

    word_ids: tuple[int, ...]
    name: str
    preferences: LanguagePreferences


class _ListContent(NamedTuple):
    """The words of a list, and the text about their sources."""

    word_list: WordListView
    sources: str


class ListFiles:
    """Builder of the files of shared lists; it builds one deck at a time, in a thread."""

    def __init__(
        self,
        database: Database,
        read_recording: ReadRecording = read_no_recording,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Initialise with a database and a function that reads recordings; `clock` returns seconds since 1970."""
        self._database = database
        self._read_recording = read_recording
        self._clock = clock
        self._lock = asyncio.Lock()
        self._waiting_decks = 0

    async def build_csv(self, request: SharedList) -> bytes:
        """Build the CSV file of a list."""
        content = await self._database.read(partial(_read_list, request=request), long=True)
        return encode_csv(_build_row(gloss, content.word_list) for gloss in content.word_list.words)

    async def build_deck(self, request: SharedList) -> bytes:
        """Build the Anki deck of a list, with recordings of its words. Raises UnavailableError."""
        if self._waiting_decks >= MAX_WAITING_DECKS:
            raise UnavailableError(
                sentence("Too many decks are being created. Please try again soon."), RetryAfter.LONG_JOB
            )
        self._waiting_decks += 1
        try:
            async with self._lock:
                content = await self._database.read(partial(_read_list, request=request), long=True)
                sounds = await self._read_recordings(content.word_list.words)
                return await asyncio.to_thread(_build_deck, request.name, content, sounds, int(self._clock()))
        finally:
            self._waiting_decks -= 1

    async def _read_recordings(self, words: Sequence[GlossedWord]) -> Mapping[SpokenText, Sequence[DeckRecording]]:
        """Read the first recording of each word, until the size limit of a deck is reached."""
        sounds: dict[SpokenText, Sequence[DeckRecording]] = {}
        remaining_bytes = MAX_DECK_AUDIO_BYTES
        for word in (gloss.word for gloss in words if gloss.word.audio):
            first = word.audio[0]
            number = parse_recording_name(first.url.rpartition("/")[2]) or 0
            body = await self._read_recording(number)
            if body is not None and len(body) <= remaining_bytes:
                credit = format_credit(first.speaker, first.place, first.licence)
                sounds[SpokenText(ANY_LANGUAGE, word.word)] = [
                    DeckRecording(get_sound_name(number), partial(bytes, body), credit)
                ]
                remaining_bytes -= len(body)
        return sounds


def _read_list(connection: ReadConnection, request: SharedList) -> _ListContent:
    words = read_word_list(connection, request.word_ids, request.preferences)
    source_lines = (f"{source.name}. {source.licence}" for source in list_sources(connection, words))
    return _ListContent(words, "; ".join(source_lines))


def _build_row(gloss: GlossedWord, words: WordListView) -> ListRow:
    word = gloss.word
    code = words.languages[word.language_id].code
    return ListRow(
        word.id, word.word, code, word.roman or "", gloss.text, gloss.language.code if gloss.language else ""
    )


def _build_deck(
    name: str, content: _ListContent, sounds: Mapping[SpokenText, Sequence[DeckRecording]], now: int
) -> bytes:
    """Build an Anki deck. The same name and words give the same notes, so that Anki keeps the learning progress."""
    from abhidhan.formats.writers.anki import write_decks  # noqa: PLC0415  # writers are imported when used

    cards = tuple(
        CardRecord(gloss.word.word, gloss.text, gloss.word.roman, idea=f"word:{gloss.word.id}")
        for gloss in content.word_list.words
        if gloss.text
    )
    key = hashlib.sha256(name.encode()).hexdigest()
    # Anki reads two colons as a subdeck.
    title = " ".join(name.replace(":", " ").split())
    record = CardSetRecord(LIST_SOURCE_CODE, key, title, ANY_LANGUAGE, ANY_LANGUAGE, cards=cards)
    with TemporaryDirectory() as folder:
        target = Path(folder) / "list.apkg"
        write_decks(
            [record],
            {LIST_SOURCE_CODE: content.sources},
            now,
            target,
            lambda _: sounds,
            _romanize_meanings(content.word_list.words),
        )
        return target.read_bytes()


def _romanize_meanings(words: Iterable[GlossedWord]) -> dict[str, str]:
    """Romanize the Assamese meanings of a list, since the answers of a deck may be of several languages."""
    return {gloss.text: romanize(gloss.text) for gloss in words if gloss.language and gloss.language.id == ASSAMESE}


def encode_csv(rows: Iterable[ListRow]) -> bytes:
    """Encode a list of words as CSV (UTF-8 with the byte order mark that Excel needs)."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(CSV_COLUMNS)
    writer.writerows([escape_formula(str(cell)) for cell in row] for row in rows)
    return stream.getvalue().encode("utf-8-sig")
