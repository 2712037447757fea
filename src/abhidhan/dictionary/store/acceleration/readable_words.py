"""Checksums of stored words in plain letters that may also mean words in Indic letters.

Checking whether Roman letters can be read as the sound of any word takes 20 µs, and finding the words meant takes 300
to 400 µs. Most look-ups in Roman letters are stored words, for which the result is computed in advance: of the English
words in WordNet, along with the starter dictionary, one in eighteen may mean another word too.

The sounds of words in Indic letters added since the last full pass are recorded: until the next full pass, each look-up
checks whether its text can be read as one of them.
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
from abhidhan.dictionary.model.query import MAX_ROMAN_READINGS
from abhidhan.dictionary.model.ranking import is_plain, may_be_roman_spelling
from abhidhan.dictionary.model.sound_frames import hash_frame_and_sound, hash_sound
from abhidhan.dictionary.store import keyed_words
from abhidhan.dictionary.store.acceleration import stored_pages
from abhidhan.dictionary.store.acceleration.sound_frames import SOUND_FRAMES, find_known_sounds, find_sounds_by_word
from abhidhan.dictionary.store.acceleration.stored_pages import (
    FILL_BATCH_SIZE,
    WORD_BATCH_SIZE,
    Numbers,
    StoredPages,
    has_number,
)
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import REBUILD_START, RebuildCursor, StaleRecord, StepResult, TransactionRows
from abhidhan.dictionary.store.keyed_words import KeyedWord
from abhidhan.platform.database.compiled_queries import CompiledQuery, chunks
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import readable_word, word
from assamese.keys import build_group_table, eastern_from_devanagari, roman_sound_keys
from assamese.letters import split_units
from assamese.normalization import exact_key
from assamese.weighted_distance import COSTS

PAGE_FORMAT: Final = stored_pages.sorted_page_format(version=1)

_SAMPLE: Final = "kkhongshyatraa"
_EASTERN: Final = "".join(map(chr, range(0x980, 0xA00)))
_DEVANAGARI: Final = "".join(map(chr, range(0x900, 0x980)))

RULES_CHECKSUM: Final = crc32(
    msgspec.msgpack.encode(
        (
            1,  # raise it when reading or comparing changes in a way that the values below do not show
            (
                MAX_ROMAN_READINGS,
                build_group_table(lambda readings, _begins, _ends: readings),
                roman_sound_keys(_SAMPLE),
            ),
            (COSTS, split_units(_EASTERN), exact_key(_EASTERN), eastern_from_devanagari(_DEVANAGARI)),
            (ranking.MAX_TYPED_DISTANCE, ranking.MAX_FOREIGN_TYPED_DISTANCE, ranking.TYPED_DISTANCE_PER_LETTER),
        )
    )
)
"""Checksum of the rules by which letters are read and compared; results of other rules are invalid."""


MAX_NEW_SOUNDS: Final = 2000
"""Maximum number of recorded new sounds; if there are more, a full pass is needed."""


def hash_plain_word(plain: str) -> int:
    """Return the number (CRC-32) of a plain word, ignoring case."""
    return crc32(plain.lower().encode())


class PassState(msgspec.Struct, frozen=True, array_like=True):
    """State of the last full pass: its rules, and the sounds added since."""

    rules: int
    pass_count: int
    """Counter, raised by every full pass, and whenever one becomes necessary."""
    is_complete: bool = False
    """True once the full pass is complete; until then the numbers are not used, and new sounds are recorded for it."""
    since: tuple[int, ...] = ()
    """Numbers of the sounds of words in Indic letters added since, in the order of addition."""

    @property
    def is_valid(self) -> bool:
        """Return whether the numbers are valid by the current rules."""
        return self.is_complete and self.rules == RULES_CHECKSUM

    @classmethod
    def read(cls, stored: bytes) -> Self:
        """Decode the stored state."""
        return msgspec.msgpack.decode(stored, type=cls)

    def write(self) -> bytes:
        """Encode the state for storage."""
        return msgspec.msgpack.encode(self)


class ReadableNumbers:
    """Numbers of plain words that may also mean words in Indic letters (or of some that may not), and of new sounds."""

    __slots__ = ("pages", "since")

    def __init__(self, pages: Sequence[Numbers], since: Collection[int] = ()) -> None:
        """Initialise with all pages and the numbers of new sounds."""
        self.pages, self.since = pages, frozenset(since)

    @classmethod
    def from_pages(cls, before: Self | None, changed: Mapping[int, Numbers], since: Collection[int] = ()) -> Self:
        """Replace the changed pages in the previous ones, or in empty ones, and set the new sounds."""
        return cls(stored_pages.replace_pages(before.pages if before is not None else None, changed), since)

    def may_mean_others(self, stored: str, find_sounds: Callable[[str], Iterable[str]]) -> bool:
        """Return whether a stored spelling may mean a word in Indic letters; False is certain.

        `find_sounds` reads Roman letters; it is called only if words in Indic letters were added since the full pass.
        """
        if not is_plain(stored) or has_number(self.pages, hash_plain_word(stored)):
            return True
        return bool(self.since) and not self.since.isdisjoint(map(hash_sound, find_sounds(stored)))


_NEXT = CompiledQuery(
    select(word.c.id, word.c.exact_key)
    .where(word.c.id > bindparam("after", type_=Integer))
    .order_by(word.c.id)
    .limit(bindparam("limit", type_=Integer))
)


class ReadableWords(StoredPages[Numbers, ReadableNumbers]):
    """Stored numbers of plain words that may also mean words in Indic letters, and of some new words that may not."""

    # --- reading ------------------------------------------------------------------------------------------------------

    def _is_valid(self, head: bytes) -> bool:
        return PassState.read(head).is_valid

    def _build(self, before: ReadableNumbers | None, changed: Mapping[int, Numbers], head: bytes) -> ReadableNumbers:
        return ReadableNumbers.from_pages(before, changed, PassState.read(head).since)

    def needs_full_pass(self, tables: RowSource) -> bool:
        """Return whether a full pass would make look-ups faster, and is possible."""
        pass_state = self._load_state(tables)
        is_done = pass_state is not None and pass_state.is_valid and not pass_state.since
        return not is_done and SOUND_FRAMES.is_complete(tables)

    def _load_state(self, tables: RowSource) -> PassState | None:
        """Return the state of the last full pass, regardless of its rules."""
        head = self._load_head(tables)
        return PassState.read(head.numbers) if head else None

    # --- writing ------------------------------------------------------------------------------------------------------

    def update(self, connection: Connection, removed: Sequence[KeyedWord], added: Sequence[KeyedWord]) -> None:
        """Add new and respelled words in the transaction that writes them, without reading any word.

        A concurrent full pass thus need not see them. A numeral in Indic digits is both a plain word, by its exact key,
        and a word that plain words may mean.
        """
        before = {keyed_word._replace(frequency=None) for keyed_word in removed}
        new_words = [keyed_word for keyed_word in added if keyed_word._replace(frequency=None) not in before]
        self.add_numbers(
            connection,
            {hash_plain_word(keyed_word.exact_key) for keyed_word in new_words if is_plain(keyed_word.exact_key)},
        )
        self._add_sounds(
            connection,
            [*chain(*(hash_frame_and_sound(keyed_word.text, keyed_word.sound_key)[1:] for keyed_word in new_words))],
        )

    def add_new_words(self, connection: Connection, exact_keys: Sequence[str], sounds: Collection[int]) -> None:
        """Add many new words in the transaction that loads them: exact keys of plain words, sounds of others.

        Exact keys are needed only if the numbers were valid before.
        """
        self._add_sounds(connection, sounds)
        tables = TransactionRows(connection)
        pass_state = self._load_state(tables)
        if pass_state is not None and pass_state.rules != RULES_CHECKSUM:
            self._invalidate(connection, pass_state)
        elif pass_state is not None and pass_state.is_valid:
            for batch in chunks(exact_keys, FILL_BATCH_SIZE):
                self.add_numbers(connection, _find_ambiguous_numbers(tables, batch))

    def _add_sounds(self, connection: Connection, sounds: Collection[int]) -> None:
        """Append the sounds of new words to those recorded, which a concurrent full pass may be reading.

        They are also recorded for a server of another version with other rules.
        """
        if not sounds:
            return
        pass_state = self._load_state(TransactionRows(connection))
        if pass_state is None:
            return
        since = (*pass_state.since, *sounds)
        if len(since) > MAX_NEW_SOUNDS:
            self._invalidate(connection, pass_state)
        else:
            self._write_head(connection, msgspec.structs.replace(pass_state, since=since).write())

    def _invalidate(self, connection: Connection, pass_state: PassState) -> None:
        """Require a new full pass; a running one, which may have passed affected words already, is abandoned."""
        self._write_head(connection, PassState(pass_state.rules, pass_state.pass_count + 1).write())

    # --- all words ----------------------------------------------------------------------------------------------------

    def find_stale(self, tables: RowSource) -> Iterator[StaleRecord]:
        """Yield the plain words that may mean words in Indic letters but have no number, if the numbers are valid."""
        pass_state = self._load_state(tables)
        if pass_state is None or not pass_state.is_valid:
            return
        since, after = frozenset(pass_state.since), 0
        while rows := tables.rows(_NEXT, after=after, limit=WORD_BATCH_SIZE):
            after = rows[-1][0]
            missing = self._find_missing(tables, _find_ambiguous_numbers(tables, (key for _, key in rows), since))
            for word_id, key in rows if missing else ():
                if is_plain(key) and hash_plain_word(key) in missing:
                    yield StaleRecord(f"word:{word_id}", key)

    def rebuild_next(
        self, connection: Connection, after: RebuildCursor, batch_size: int = WORD_BATCH_SIZE
    ) -> StepResult:
        """Add the numbers of the next words that may mean others; finally, drop the sounds recorded before the pass.

        The cursor holds the state at the start of the pass, which ends early if another one was completed in the
        meantime, or if too many words were added.
        """
        tables = TransactionRows(connection)
        if not SOUND_FRAMES.is_complete(tables):
            return StepResult(0, 0, None)
        pass_state = self._load_state(tables)
        if after == REBUILD_START:
            if pass_state is None or pass_state.rules != RULES_CHECKSUM:
                pass_state = self._start_pass(connection, pass_state)
            after = (f"{pass_state.pass_count}.{len(pass_state.since)}", 0)
        pass_count, sounds_seen = map(int, after[0].split("."))
        if pass_state is None or (pass_state.rules, pass_state.pass_count) != (RULES_CHECKSUM, pass_count):
            return StepResult(0, 0, None)
        rows = tables.rows(_NEXT, after=after[1], limit=batch_size)
        missing = self.add_numbers(connection, _find_ambiguous_numbers(tables, (key for _, key in rows)))
        # Numbers that are missing because words were added since the last full pass are not an error.
        changed = len(missing) if pass_state.is_complete and not sounds_seen else 0
        if len(rows) == batch_size:
            return StepResult(len(rows), changed, (after[0], rows[-1][0]))
        if pass_state.is_complete and not sounds_seen:
            return StepResult(len(rows), changed, None)
        self._write_head(
            connection,
            PassState(RULES_CHECKSUM, pass_count + 1, is_complete=True, since=pass_state.since[sounds_seen:]).write(),
        )
        return StepResult(len(rows), changed + 1, None)

    def _start_pass(self, connection: Connection, before: PassState | None) -> PassState:
        """Start the first full pass, or one by new rules; from now on, new sounds are recorded."""
        pass_state = PassState(RULES_CHECKSUM, before.pass_count + 1 if before else 0)
        self._remove_other_formats(connection)
        self._write_head(connection, pass_state.write())
        return pass_state


def _find_ambiguous_numbers(
    tables: RowSource, exact_keys: Iterable[str], ignored_sounds: AbstractSet[int] = frozenset()
) -> set[int]:
    """Return the numbers of plain words that may mean words in Indic letters, ignoring some sounds."""
    frames = SOUND_FRAMES.load(tables)
    if frames is None:
        return set()
    sounds_of_words = find_sounds_by_word(frames, {key for key in exact_keys if is_plain(key)})
    sounds = {*chain.from_iterable(sounds_of_words.values())}
    words_by_sound = keyed_words.load_indic_words_by_sound(
        tables, [sound for sound in sounds if hash_sound(sound) not in ignored_sounds]
    )
    return {
        hash_plain_word(key)
        for key, readings in sounds_of_words.items()
        if any(
            may_be_roman_spelling(key, *indic_word)
            for sound in readings
            for indic_word in words_by_sound.get(sound, ())
        )
    }


READABLE_WORDS: Final = ReadableWords(readable_word, PAGE_FORMAT)


def may_mean_others(connection: ReadConnection, stored: str) -> bool:
    """Return whether a stored spelling may mean a word in Indic letters; True if unknown."""
    readable = READABLE_WORDS.current(connection)
    return readable is None or readable.may_mean_others(stored, partial(_find_sounds, connection))


def _find_sounds(connection: ReadConnection, text: str) -> Sequence[str]:
    sounds = find_known_sounds(connection, text)
    return roman_sound_keys(text, MAX_ROMAN_READINGS) if sounds is None else sounds
