"""Checksums of stored words in plain letters that may also mean words in Indic letters.

Checking whether Roman letters can be read as the sound of any word takes 20 µs, and finding the words meant takes 300
to 400 µs. Most look-ups in Roman letters are stored words, for which the result is computed in advance: of the English
words in WordNet, along with the starter dictionary, one in eighteen may mean another word too.

A word in Indic letters added since the last full pass is known by its sound: each look-up checks whether its text can
be read as such a sound, until the next full pass.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain
from typing import Final, Self
from zlib import crc32

import msgspec
from sqlalchemy import Connection, Integer, bindparam, select

from abhidhan.dictionary.model import ranking
from abhidhan.dictionary.model.query import WAYS_TO_READ
from abhidhan.dictionary.model.ranking import is_plain, may_mean
from abhidhan.dictionary.model.sound_frames import number_of_sound, numbers_of_word
from abhidhan.dictionary.store import keyed_words
from abhidhan.dictionary.store.acceleration import pages
from abhidhan.dictionary.store.acceleration.pages import (
    FILL_BATCH_SIZE,
    WORD_BATCH_SIZE,
    Numbers,
    StoredPages,
    has_number,
)
from abhidhan.dictionary.store.acceleration.sound_frames import SOUND_FRAMES, known_sounds, sounds_of_plain
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import START, OpenTransaction, Place, Stale, Step
from abhidhan.dictionary.store.keyed_words import KeyedWord
from abhidhan.platform.database.compiled_queries import Query, chunks
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import readable_word, word
from assamese.keys import by_group, eastern_from_devanagari, roman_sound_keys
from assamese.letters import units_of
from assamese.normalization import exact_key
from assamese.weighted_distance import COSTS

PAGING: Final = pages.sorted_paging(form=1)

_SAMPLE: Final = "kkhongshyatraa"
_EASTERN: Final = "".join(map(chr, range(0x980, 0xA00)))
_DEVANAGARI: Final = "".join(map(chr, range(0x900, 0x980)))

RULES: Final = crc32(
    msgspec.msgpack.encode(
        (
            1,  # raise it when reading or comparing changes in a way that the values below do not show
            (WAYS_TO_READ, by_group(lambda readings, _begins, _ends: readings), roman_sound_keys(_SAMPLE)),
            (COSTS, units_of(_EASTERN), exact_key(_EASTERN), eastern_from_devanagari(_DEVANAGARI)),
            (ranking.TYPED_FREELY, ranking.FOREIGN_TYPED_FREELY, ranking.TYPED_FREELY_A_LETTER),
        )
    )
)
"""Checksum of the rules by which letters are read and compared; results of other rules are invalid."""


MOST_SINCE: Final = 2000
"""Maximum number of recorded new sounds; if there are more, a full pass is needed."""


def number_of(plain: str) -> int:
    """Return the number of a plain word, ignoring case."""
    return crc32(plain.lower().encode())


class FoundOut(msgspec.Struct, frozen=True, array_like=True):
    """State of the last full pass: its rules, and the sounds added since."""

    rules: int
    times: int
    """Counter, raised by every full pass, and whenever one becomes necessary."""
    is_whole: bool = False
    """True once the full pass is complete; until then the numbers are not used, and new sounds are recorded for it."""
    since: tuple[int, ...] = ()
    """Numbers of the sounds of words in Indic letters added since, in the order of addition."""

    @property
    def is_valid(self) -> bool:
        """Return whether the numbers are valid by the current rules."""
        return self.is_whole and self.rules == RULES

    @classmethod
    def read(cls, stored: bytes) -> Self:
        """Decode the stored state."""
        return msgspec.msgpack.decode(stored, type=cls)

    def write(self) -> bytes:
        """Encode the state for storage."""
        return msgspec.msgpack.encode(self)


class Readable:
    """Numbers of stored words that may mean others (and maybe of some that may not), and of new sounds."""

    __slots__ = ("pages", "since")

    def __init__(self, pages: Sequence[Numbers], since: Collection[int] = ()) -> None:
        """Build from all pages and the numbers of new sounds."""
        self.pages, self.since = pages, frozenset(since)

    @classmethod
    def of_pages(cls, before: Self | None, changed: Mapping[int, Numbers], since: Collection[int] = ()) -> Self:
        """Replace the changed pages in the previous ones, or in empty ones, and set the new sounds."""
        return cls(pages.replace_pages(before.pages if before is not None else None, changed), since)

    def may_mean_others(self, stored: str, sounds_of: Callable[[str], Iterable[str]]) -> bool:
        """Return whether a stored spelling may mean a word in Indic letters; False is certain.

        `sounds_of` reads Roman letters, which is needed only after words in Indic letters were added.
        """
        if not is_plain(stored) or has_number(self.pages, number_of(stored)):
            return True
        return bool(self.since) and not self.since.isdisjoint(map(number_of_sound, sounds_of(stored)))


_NEXT = Query(
    select(word.c.id, word.c.exact_key)
    .where(word.c.id > bindparam("after", type_=Integer))
    .order_by(word.c.id)
    .limit(bindparam("limit", type_=Integer))
)


class ReadableWords(StoredPages[Numbers, Readable]):
    """Numbers of the words that may mean others, and of some written by editors that may not."""

    # --- reading ------------------------------------------------------------------------------------------------------

    def _is_valid(self, head: bytes) -> bool:
        return FoundOut.read(head).is_valid

    def _made(self, before: Readable | None, changed: Mapping[int, Numbers], head: bytes) -> Readable:
        return Readable.of_pages(before, changed, FoundOut.read(head).since)

    def is_lacking(self, tables: Tables) -> bool:
        """Return whether a full pass would make look-ups faster, and is possible."""
        found_out = self._found_out(tables)
        is_done = found_out is not None and found_out.is_valid and not found_out.since
        return not is_done and SOUND_FRAMES.is_whole(tables)

    def _found_out(self, tables: Tables) -> FoundOut | None:
        """Return the state of the last full pass, regardless of its rules."""
        head = self._head(tables)
        return FoundOut.read(head.numbers) if head else None

    # --- writing ------------------------------------------------------------------------------------------------------

    def renew(self, connection: Connection, gone: Sequence[KeyedWord], come: Sequence[KeyedWord]) -> None:
        """Add new and respelled words in the transaction that writes them, without reading any word.

        A concurrent full pass thus need not see them. A number in Indic digits is both a plain word, by its exact key,
        and one that others may mean.
        """
        before = {one._replace(frequency=None) for one in gone}
        some = [one for one in come if one._replace(frequency=None) not in before]
        self.add_numbers(connection, {number_of(one.exact_key) for one in some if is_plain(one.exact_key)})
        self._add_sounds(connection, [*chain(*(numbers_of_word(one.text, one.sound_key)[1:] for one in some))])

    def add_loaded(self, connection: Connection, exact_keys: Sequence[str], sounds: Collection[int]) -> None:
        """Add many new words in the transaction that loads them: exact keys of plain words, sounds of others.

        Exact keys are needed only if the numbers were valid before.
        """
        self._add_sounds(connection, sounds)
        tables = OpenTransaction(connection)
        found_out = self._found_out(tables)
        if found_out is not None and found_out.rules != RULES:
            self._void(connection, found_out)
        elif found_out is not None and found_out.is_valid:
            for some in chunks(exact_keys, FILL_BATCH_SIZE):
                self.add_numbers(connection, _meaning_others(tables, some))

    def _add_sounds(self, connection: Connection, sounds: Collection[int]) -> None:
        """Append the sounds of new words to those recorded, which a concurrent full pass may be reading.

        They are also recorded for a server of another version with other rules.
        """
        if not sounds:
            return
        found_out = self._found_out(OpenTransaction(connection))
        if found_out is None:
            return
        since = (*found_out.since, *sounds)
        if len(since) > MOST_SINCE:
            self._void(connection, found_out)
        else:
            self._write_head(connection, msgspec.structs.replace(found_out, since=since).write())

    def _void(self, connection: Connection, found_out: FoundOut) -> None:
        """Require a full pass; a running one, which has passed some words already, is abandoned."""
        self._write_head(connection, FoundOut(found_out.rules, found_out.times + 1).write())

    # --- all words ----------------------------------------------------------------------------------------------------

    def stale(self, tables: Tables) -> Iterator[Stale]:
        """Yield the words that may mean others and whose number is missing, if the numbers are valid."""
        found_out = self._found_out(tables)
        if found_out is None or not found_out.is_valid:
            return
        since, after = frozenset(found_out.since), 0
        while rows := tables.rows(_NEXT, after=after, limit=WORD_BATCH_SIZE):
            after = rows[-1][0]
            lacking = self._lacking(tables, _meaning_others(tables, (key for _, key in rows), since))
            for word_id, key in rows if lacking else ():
                if is_plain(key) and number_of(key) in lacking:
                    yield Stale(f"word:{word_id}", key)

    def renew_next(self, connection: Connection, after: Place, at_once: int = WORD_BATCH_SIZE) -> Step:
        """Add those of the next words that may mean others; after the last, drop the sounds recorded before the pass.

        The cursor holds the state at the start of the pass, which ends early if another one was completed in the
        meantime, or if too many words were added.
        """
        tables = OpenTransaction(connection)
        if not SOUND_FRAMES.is_whole(tables):
            return Step(0, 0, None)
        found_out = self._found_out(tables)
        if after == START:
            if found_out is None or found_out.rules != RULES:
                found_out = self._begin(connection, found_out)
            after = (f"{found_out.times}.{len(found_out.since)}", 0)
        times, gone_through = map(int, after[0].split("."))
        if found_out is None or (found_out.rules, found_out.times) != (RULES, times):
            return Step(0, 0, None)
        rows = tables.rows(_NEXT, after=after[1], limit=at_once)
        lacking = self.add_numbers(connection, _meaning_others(tables, (key for _, key in rows)))
        # Numbers that are missing because of a word added since are no error.
        changed = len(lacking) if found_out.is_whole and not gone_through else 0
        if len(rows) == at_once:
            return Step(len(rows), changed, (after[0], rows[-1][0]))
        if found_out.is_whole and not gone_through:
            return Step(len(rows), changed, None)
        self._write_head(
            connection, FoundOut(RULES, times + 1, is_whole=True, since=found_out.since[gone_through:]).write()
        )
        return Step(len(rows), changed + 1, None)

    def _begin(self, connection: Connection, before: FoundOut | None) -> FoundOut:
        """Start the first full pass, or one by other rules; from now on, new sounds are recorded."""
        begun = FoundOut(RULES, before.times + 1 if before else 0)
        self._remove_other_forms(connection)
        self._write_head(connection, begun.write())
        return begun


def _meaning_others(tables: Tables, exact_keys: Iterable[str], but_for: AbstractSet[int] = frozenset()) -> set[int]:
    """Return the numbers of plain words that may mean words in Indic letters, ignoring some sounds."""
    frames = SOUND_FRAMES.read(tables)
    if frames is None:
        return set()
    sounds_of_words = sounds_of_plain(frames, {key for key in exact_keys if is_plain(key)})
    sounds = {*chain.from_iterable(sounds_of_words.values())}
    sounding = keyed_words.indic_words_by_sound(
        tables, [sound for sound in sounds if number_of_sound(sound) not in but_for]
    )
    return {
        number_of(key)
        for key, read in sounds_of_words.items()
        if any(may_mean(key, *meant) for sound in read for meant in sounding.get(sound, ()))
    }


READABLE_WORDS: Final = ReadableWords(readable_word, PAGING)


def may_mean_others(reader: Reader, stored: str) -> bool:
    """Return whether a stored spelling may mean a word in Indic letters; True if unknown."""
    readable = READABLE_WORDS.held(reader)
    return readable is None or readable.may_mean_others(stored, partial(_sounds_of, reader))


def _sounds_of(reader: Reader, text: str) -> Sequence[str]:
    sounds = known_sounds(reader, text)
    return roman_sound_keys(text, WAYS_TO_READ) if sounds is None else sounds
