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

from abhidhan.dictionary.service.views.listings import Gloss
from abhidhan.dictionary.service.views.word_lists import ListedWords, read_listed_words, sources_of
from abhidhan.exchange.service import exporting
from abhidhan.formats.formula_injection import shielded
from abhidhan.formats.writers.export_source import MOST_HEARD, Sound, Spoken, credit_of, sound_name
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import RetryAfter, UnavailableError, sentence
from abhidhan.records.kinds import CardRecord, CardSetRecord
from abhidhan.records.language_preferences import ReadersLanguages
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.recordings import Audio, read_recording_name
from assamese.romanize import romanize

COLUMNS: Final = ("id", "word", "language", "roman", "meaning", "meaning_language")
SOURCE: Final = "list"
"""The source code of decks made from lists, which keeps them apart from card sets."""
OF_ALL: Final = ""
"""The language of a list, which may have words of several."""
MOST_SOUND: Final = 8 * 1024 * 1024
"""Maximum number of bytes of recordings in a deck, filled from its first words, with one speaker per word."""
MOST_WAITING: Final = 8


MOST_KEPT: Final = 16 * 1024 * 1024
Listen = Callable[[int], Awaitable[bytes | None]]
"""Reads an approved recording by its ID; returns None if it is unavailable."""


async def nothing_heard(_: int) -> None:
    """Return no recording."""


class CardPackages:
    """Anki decks of card sets, cached until the dictionary changes."""

    def __init__(self, database: Database, listen: Listen = nothing_heard, limit: int = MOST_KEPT) -> None:
        """Initialise with a database, a reader of recordings, and the cache limit in bytes."""
        self._database = database
        self._listen = listen
        self._limit = limit
        self._kept: dict[int, bytes] = {}
        self._version: int | None = None
        self._one_by_one = asyncio.Lock()

    async def read(self, set_id: int) -> bytes:
        """Return the deck of a card set, built once in a thread. Raises NotFoundError."""
        async with self._one_by_one:
            version = await self._database.version()
            if version != self._version:
                self._kept.clear()
                self._version = version
            if set_id not in self._kept:
                made = await self._made(set_id)
                if sum(map(len, self._kept.values())) + len(made) > self._limit:
                    self._kept.clear()
                self._kept[set_id] = made
            return self._kept[set_id]

    async def _made(self, set_id: int) -> bytes:
        spoken = await self._database.read(partial(exporting.audio_of_cards, set_id=set_id), long=True)
        sounds = {text: await self._heard(audio) for text, audio in spoken.items()}
        job = partial(exporting.card_set_package, set_id=set_id, sounds=sounds)
        return await self._database.read(job, long=True)

    async def _heard(self, heard: Sequence[Audio]) -> list[Sound]:
        sounds = []
        for each in heard[:MOST_HEARD]:
            number = read_recording_name(each.url.rpartition("/")[2]) or 0
            body = await self._listen(number)
            if body is not None:
                credit = credit_of(each.speaker, each.place, each.licence)
                sounds.append(Sound(sound_name(number), partial(bytes, body), credit))
        return sounds


class ListRow(NamedTuple):
    """A word of a list, with a short meaning; languages are codes."""

    id: int
    word: str
    language: str
    roman: str
    meaning: str
    meaning_language: str


class SharedList(NamedTuple):
    """A requested list: the IDs of its words, its name, and the reader's languages."""

    word_ids: tuple[int, ...]
    name: str
    readers: ReadersLanguages


class _Read(NamedTuple):
    """The words of a list, and the text about their sources."""

    listed: ListedWords
    sources: str


class ListFiles:
    """Files of shared lists, built per request; decks one at a time, in a thread."""

    def __init__(
        self, database: Database, listen: Listen = nothing_heard, clock: Callable[[], float] = time.time
    ) -> None:
        """Initialise with a database and a reader of recordings; `clock` returns seconds since 1970."""
        self._database = database
        self._listen = listen
        self._clock = clock
        self._one_by_one = asyncio.Lock()
        self._waiting = 0

    async def csv(self, asked: SharedList) -> bytes:
        """Build the CSV file of a list."""
        read = await self._database.read(partial(_read, asked=asked), long=True)
        return write_word_list(_row(each, read.listed) for each in read.listed.words)

    async def deck(self, asked: SharedList) -> bytes:
        """Build the Anki deck of a list, with recordings of its words. Raises UnavailableError."""
        if self._waiting >= MOST_WAITING:
            raise UnavailableError(
                sentence("Too many decks are being created. Please try again soon."), RetryAfter.LONG_JOB
            )
        self._waiting += 1
        try:
            async with self._one_by_one:
                read = await self._database.read(partial(_read, asked=asked), long=True)
                sounds = await self._sounds(read.listed.words)
                return await asyncio.to_thread(_deck, asked.name, read, sounds, int(self._clock()))
        finally:
            self._waiting -= 1

    async def _sounds(self, words: Sequence[Gloss]) -> Mapping[Spoken, Sequence[Sound]]:
        """Read one recording per word, up to the size limit of a deck."""
        found: dict[Spoken, Sequence[Sound]] = {}
        room = MOST_SOUND
        for word in (each.word for each in words if each.word.audio):
            first = word.audio[0]
            number = read_recording_name(first.url.rpartition("/")[2]) or 0
            body = await self._listen(number)
            if body is not None and len(body) <= room:
                credit = credit_of(first.speaker, first.place, first.licence)
                found[Spoken(OF_ALL, word.word)] = [Sound(sound_name(number), partial(bytes, body), credit)]
                room -= len(body)
        return found


def _read(reader: Reader, asked: SharedList) -> _Read:
    listed = read_listed_words(reader, asked.word_ids, asked.readers)
    told = (f"{source.name}. {source.licence}" for source in sources_of(reader, listed))
    return _Read(listed, "; ".join(told))


def _row(each: Gloss, listed: ListedWords) -> ListRow:
    word = each.word
    code = listed.languages[word.language_id].code
    return ListRow(word.id, word.word, code, word.roman or "", each.text, each.language.code if each.language else "")


def _deck(name: str, read: _Read, sounds: Mapping[Spoken, Sequence[Sound]], now: int) -> bytes:
    """Build the deck. The same words and name give the same deck and notes, so Anki keeps the learning progress."""
    from abhidhan.formats.writers.anki import write_decks  # noqa: PLC0415  # writers are imported when used

    cards = tuple(
        CardRecord(each.word.word, each.text, each.word.roman, idea=f"word:{each.word.id}")
        for each in read.listed.words
        if each.text
    )
    key = hashlib.sha256(name.encode()).hexdigest()
    # Anki reads two colons as a subdeck.
    title = " ".join(name.replace(":", " ").split())
    record = CardSetRecord(SOURCE, key, title, OF_ALL, OF_ALL, cards=cards)
    with TemporaryDirectory() as folder:
        target = Path(folder) / "list.apkg"
        write_decks([record], {SOURCE: read.sources}, now, target, lambda _: sounds, _romans(read.listed.words))
        return target.read_bytes()


def _romans(words: Iterable[Gloss]) -> dict[str, str]:
    """Romanize the Assamese meanings of a list, since the answers of a deck may be of several languages."""
    return {each.text: romanize(each.text) for each in words if each.language and each.language.id == ASSAMESE}


def write_word_list(rows: Iterable[ListRow]) -> bytes:
    """Encode a list of words as CSV (UTF-8 with the byte order mark that Excel needs)."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    writer.writerows([shielded(str(cell)) for cell in row] for row in rows)
    return stream.getvalue().encode("utf-8-sig")
