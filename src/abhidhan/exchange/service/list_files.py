"""Decks for Anki of sets of flashcards and of shared lists, and shared lists as CSV."""

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
from abhidhan.records.recordings import Audio, read_recording_name

COLUMNS: Final = ("id", "word", "language", "roman", "meaning", "meaning_language")
SOURCE: Final = "list"
"""What decks of lists are known by, among those of sets of flashcards."""
OF_ALL: Final = ""
"""The language of a list: its words may be of several."""
MOST_SOUND: Final = 8 * 1024 * 1024
"""So many bytes of recordings go into a deck, from its first words on: one speaker for each word."""
MOST_WAITING: Final = 8


MOST_KEPT: Final = 16 * 1024 * 1024
Listen = Callable[[int], Awaitable[bytes | None]]
"""Reads the bytes of an approved recording by its ID; None where they are not to be had."""


async def nothing_heard(_: int) -> None:
    """Read no recording."""


class CardPackages:
    """Sets of flashcards written for Anki, kept until the dictionary changes."""

    def __init__(self, database: Database, listen: Listen = nothing_heard, limit: int = MOST_KEPT) -> None:
        """Read from a database and the recordings, and keep at most so many bytes."""
        self._database = database
        self._listen = listen
        self._limit = limit
        self._kept: dict[int, bytes] = {}
        self._version: int | None = None
        self._one_by_one = asyncio.Lock()

    async def read(self, set_id: int) -> bytes:
        """Return a set as Anki reads it; it is written once, in a thread. Raises NotFoundError."""
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
    """A word of a list, with what it means in a few words; languages by their codes."""

    id: int
    word: str
    language: str
    roman: str
    meaning: str
    meaning_language: str


class SharedList(NamedTuple):
    """A list that is asked for: the IDs of its words, its name, and who reads it."""

    word_ids: tuple[int, ...]
    name: str
    readers: ReadersLanguages


class _Read(NamedTuple):
    """The words of a list, and what is to be said of their sources."""

    listed: ListedWords
    sources: str


class ListFiles:
    """Files of lists, made for each who asks; decks one at a time, in a thread."""

    def __init__(
        self, database: Database, listen: Listen = nothing_heard, clock: Callable[[], float] = time.time
    ) -> None:
        """Read from a database and the recordings. `clock` tells the seconds since 1970."""
        self._database = database
        self._listen = listen
        self._clock = clock
        self._one_by_one = asyncio.Lock()
        self._waiting = 0

    async def csv(self, asked: SharedList) -> bytes:
        """Write a list as CSV."""
        read = await self._database.read(partial(_read, asked=asked), long=True)
        return write_word_list(_row(each, read.listed) for each in read.listed.words)

    async def deck(self, asked: SharedList) -> bytes:
        """Write a list as a deck for Anki, with what is heard with its words. Raises UnavailableError."""
        if self._waiting >= MOST_WAITING:
            raise UnavailableError(sentence("Many decks are being made. Please try again soon."), RetryAfter.LONG_JOB)
        self._waiting += 1
        try:
            async with self._one_by_one:
                read = await self._database.read(partial(_read, asked=asked), long=True)
                sounds = await self._sounds(read.listed.words)
                return await asyncio.to_thread(_deck, asked.name, read, sounds, int(self._clock()))
        finally:
            self._waiting -= 1

    async def _sounds(self, words: Sequence[Gloss]) -> Mapping[Spoken, Sequence[Sound]]:
        """Read a recording of each word, until there are as many bytes as a deck may have."""
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
    """Write the deck. The same words under the same name are the same deck and notes: it is learnt on, not anew."""
    from abhidhan.formats.writers.anki import write_decks  # noqa: PLC0415  # writers are imported when used

    cards = tuple(
        CardRecord(each.word.word, each.text, each.word.roman, idea=f"word:{each.word.id}")
        for each in read.listed.words
        if each.text
    )
    key = hashlib.sha256(name.encode()).hexdigest()
    # Two colons would make a deck within a deck.
    title = " ".join(name.replace(":", " ").split())
    record = CardSetRecord(SOURCE, key, title, OF_ALL, OF_ALL, cards=cards)
    with TemporaryDirectory() as folder:
        target = Path(folder) / "list.apkg"
        write_decks([record], {SOURCE: read.sources}, now, target, lambda _: sounds)
        return target.read_bytes()


def write_word_list(rows: Iterable[ListRow]) -> bytes:
    """Write a list of words (UTF-8 with a byte order mark, by which Excel knows it)."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    writer.writerows([shielded(str(cell)) for cell in row] for row in rows)
    return stream.getvalue().encode("utf-8-sig")
