"""Which words in plain letters others may be meant by, kept with every change of either.

A word in Indic letters that has come since all words were last gone through is known by its sound: of each text that is
looked up it is found out whether it may be read so, until somebody goes through all words again.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Final

import msgspec
from sqlalchemy import Connection, Integer, bindparam, select

from abhidhan.domain.matching import readable
from abhidhan.domain.matching.frames import number_of_sound, numbers_of_word
from abhidhan.domain.matching.readable import (
    RULES,
    UNKNOWN,
    FoundOut,
    Readable,
    is_plain,
    may_mean,
    number_of,
    sounds_of_plain,
)
from abhidhan.domain.matching.sorted_numbers import Numbers
from abhidhan.storage import indic_words
from abhidhan.storage.engine.queries import Query, chunks
from abhidhan.storage.idea_details import Tables
from abhidhan.storage.indexes.index import START, OpenTransaction, Place, Stale, Step
from abhidhan.storage.indexes.sounds import SOUND_FRAMES
from abhidhan.storage.indexes.stored_pages import AT_ONCE, FILLED_AT_ONCE, StoredPages
from abhidhan.storage.schema import readable_word, word

MOST_SINCE: Final = 2000
"""The sounds of so many words are kept at most; where more have come, all words are to be gone through."""

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

    def add(self, connection: Connection, text: str, exact_key: str, sound_key: str) -> None:
        """Add a word that is new or spelled otherwise, in the transaction that writes it; nothing is found out of it.

        So whoever goes through all words at the same time need not see it. A number in Indic digits is both a plain
        word, by its exact key, and one that others may mean.
        """
        if is_plain(exact_key):
            self.add_numbers(connection, {number_of(exact_key)})
        self._add_sounds(connection, numbers_of_word(text, sound_key)[1:])

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
            for some in chunks(exact_keys, FILLED_AT_ONCE):
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
        while rows := tables.rows(_NEXT, after=after, limit=AT_ONCE):
            after = rows[-1][0]
            lacking = self._lacking(tables, _meaning_others(tables, (key for _, key in rows), since))
            for word_id, key in rows if lacking else ():
                if is_plain(key) and number_of(key) in lacking:
                    yield Stale(f"word:{word_id}", key)

    def renew_next(self, connection: Connection, after: Place, at_once: int = AT_ONCE) -> Step:
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
    sounds_of_words = sounds_of_plain(SOUND_FRAMES.read(tables), exact_keys)
    sounds = {*chain.from_iterable(sounds_of_words.values())}
    sounding = indic_words.by_sound(tables, [sound for sound in sounds if number_of_sound(sound) not in but_for])
    return {
        number_of(key)
        for key, read in sounds_of_words.items()
        if any(may_mean(key, *meant) for sound in read for meant in sounding.get(sound, ()))
    }


READABLE_WORDS: Final = ReadableWords(readable_word, readable.PAGING, lambda: UNKNOWN)
