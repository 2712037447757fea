"""Words in plain letters that may also stand for words in Indic letters: a set of their checksums.

Whether Roman letters may be read as the sound of any word takes 20 µs to find out, and which words are meant where they
may, 300 to 400. What is looked up in Roman letters is mostly a word of the dictionary, of which that was found out
before: of the English words in WordNet, beside the starter dictionary, one in eighteen may mean another, too.

A word in Indic letters that has come since all words were last gone through is known by its sound: of each text that is
looked up it is found out whether it may be read so, until somebody goes through all words again.
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
            1,  # for what these do not tell of the functions: raise it when reading or comparing changes otherwise
            (WAYS_TO_READ, by_group(lambda readings, _begins, _ends: readings), roman_sound_keys(_SAMPLE)),
            (COSTS, units_of(_EASTERN), exact_key(_EASTERN), eastern_from_devanagari(_DEVANAGARI)),
            (ranking.TYPED_FREELY, ranking.FOREIGN_TYPED_FREELY, ranking.TYPED_FREELY_A_LETTER),
        )
    )
)
"""Names the rules by which letters are read and compared: what was found out by others is not to be relied on."""


MOST_SINCE: Final = 2000
"""The sounds of so many words are kept at most; where more have come, all words are to be gone through."""


def number_of(plain: str) -> int:
    """Return the number of a plain word, in whatever letter case."""
    return crc32(plain.lower().encode())


class FoundOut(msgspec.Struct, frozen=True, array_like=True):
    """By which rules all words were gone through, and what has come since."""

    rules: int
    times: int
    """Another number each time that all were gone through, or that they have to be."""
    is_whole: bool = False
    """Whether they were: until then nobody goes by the numbers, and what comes is noted for who goes through them."""
    since: tuple[int, ...] = ()
    """The numbers of the sounds of words in Indic letters that have come since, in the order in which they came."""

    @property
    def is_valid(self) -> bool:
        """Say whether the numbers are to be gone by, now that these are the rules."""
        return self.is_whole and self.rules == RULES

    @classmethod
    def read(cls, stored: bytes) -> Self:
        """Read what is stored."""
        return msgspec.msgpack.decode(stored, type=cls)

    def write(self) -> bytes:
        """Write it as it is stored."""
        return msgspec.msgpack.encode(self)


class Readable:
    """The numbers of the stored words that may mean others (and maybe of some that may not), and what came since."""

    __slots__ = ("pages", "since")

    def __init__(self, pages: Sequence[Numbers], since: Collection[int] = ()) -> None:
        """Build from all pages and the numbers of new sounds."""
        self.pages, self.since = pages, frozenset(since)

    @classmethod
    def of_pages(cls, before: Self | None, changed: Mapping[int, Numbers], since: Collection[int] = ()) -> Self:
        """Take the pages that were there before, or none, but for those that have changed, and all new sounds."""
        return cls(pages.replace_pages(before.pages if before is not None else None, changed), since)

    def may_mean_others(self, stored: str, sounds_of: Callable[[str], Iterable[str]]) -> bool:
        """Return whether what is spelled like a stored word may mean a word in Indic letters; if not, it cannot.

        `sounds_of` reads Roman letters; that is only needed after words in Indic letters have come.
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
    """The numbers of the words that may mean others, and of some that may not: those that editors have written."""

    # --- reading ------------------------------------------------------------------------------------------------------

    def _is_valid(self, head: bytes) -> bool:
        return FoundOut.read(head).is_valid

    def _made(self, before: Readable | None, changed: Mapping[int, Numbers], head: bytes) -> Readable:
        return Readable.of_pages(before, changed, FoundOut.read(head).since)

    def is_lacking(self, tables: Tables) -> bool:
        """Return whether look-ups would be faster if somebody went through all words, and that can be done."""
        found_out = self._found_out(tables)
        is_done = found_out is not None and found_out.is_valid and not found_out.since
        return not is_done and SOUND_FRAMES.is_whole(tables)

    def _found_out(self, tables: Tables) -> FoundOut | None:
        """Read what was found out, by whatever rules."""
        head = self._head(tables)
        return FoundOut.read(head.numbers) if head else None

    # --- writing ------------------------------------------------------------------------------------------------------

    def renew(self, connection: Connection, gone: Sequence[KeyedWord], come: Sequence[KeyedWord]) -> None:
        """Add words that are new or spelled otherwise, in the transaction that writes them; none is read.

        So whoever goes through all words at the same time need not see them. A number in Indic digits is both a plain
        word, by its exact key, and one that others may mean.
        """
        before = {one._replace(frequency=None) for one in gone}
        some = [one for one in come if one._replace(frequency=None) not in before]
        self.add_numbers(connection, {number_of(one.exact_key) for one in some if is_plain(one.exact_key)})
        self._add_sounds(connection, [*chain(*(numbers_of_word(one.text, one.sound_key)[1:] for one in some))])

    def add_loaded(self, connection: Connection, exact_keys: Sequence[str], sounds: Collection[int]) -> None:
        """Add very many new words in the transaction that loads them: the exact keys of plain ones, sounds of others.

        Exact keys are needed where the list was valid before.
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
        """Note the sounds of words that have come, behind all others: what was there is maybe gone through just now.

        So it is noted too for a server of another version, which goes by other rules.
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
        """Note that all words are to be gone through; whoever does so just now has passed some, and gives up."""
        self._write_head(connection, FoundOut(found_out.rules, found_out.times + 1).write())

    # --- for all words ------------------------------------------------------------------------------------------------

    def stale(self, tables: Tables) -> Iterator[Stale]:
        """List the words that may mean others and whose number is missing, where none should be."""
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
        """Add those of the next words that may mean others; behind the last, forget the sounds that had come before.

        The place says what had been found out when the first words were gone through. Where somebody else has gone
        through all words meanwhile, or very many have come, it ends there.
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
        # What may mean a word that has come since may well be lacking.
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
        """Begin to go through all words for the first time, or by other rules: what comes from now on is noted."""
        begun = FoundOut(RULES, before.times + 1 if before else 0)
        self._remove_other_forms(connection)
        self._write_head(connection, begun.write())
        return begun


def _meaning_others(tables: Tables, exact_keys: Iterable[str], but_for: AbstractSet[int] = frozenset()) -> set[int]:
    """Return the numbers of the plain words that may mean words in Indic letters, but for those of some sounds."""
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
    """Return whether what is spelled like a stored word may mean a word in Indic letters; True where it is unknown."""
    readable = READABLE_WORDS.held(reader)
    return readable is None or readable.may_mean_others(stored, partial(_sounds_of, reader))


def _sounds_of(reader: Reader, text: str) -> Sequence[str]:
    sounds = known_sounds(reader, text)
    return roman_sound_keys(text, WAYS_TO_READ) if sounds is None else sounds
