"""Which words in plain letters may be read as the sound of a stored word, kept with every change of either.

What a word may be read as was found out by some version of the frames. Where others have come since, it is found out
anew of each text that is looked up, until somebody has gone through all words again.
"""

from collections.abc import Collection, Iterator
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, select

from abhidhan.domain.matching import frames, readable
from abhidhan.domain.matching.readable import RULES, UNKNOWN, Readable, is_plain, number_of, numbers_of_readable
from abhidhan.domain.matching.sorted_numbers import Numbers
from abhidhan.storage.engine.bulk import Bulk
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.idea_details import Tables
from abhidhan.storage.indexes.index import OpenTransaction, Place, Stale, Step, be_the_only_writer
from abhidhan.storage.indexes.sounds import SOUND_FRAMES
from abhidhan.storage.indexes.stored_pages import AT_ONCE, StoredPages
from abhidhan.storage.schema import readable_word, word

_NEXT = Query(
    select(word.c.id, word.c.exact_key)
    .where(word.c.id > bindparam("after", type_=Integer))
    .order_by(word.c.id)
    .limit(bindparam("limit", type_=Integer))
)


class ReadableWords(StoredPages[Numbers, Readable]):
    """The numbers of the words that may be read, and of some that may not: all that editors have written since."""

    def _mark(self, tables: Tables) -> bytes | None:
        """Return the frames and the rules by which words are read now; None while not all frames are known."""
        version = SOUND_FRAMES.version(tables)
        return None if version is None else f"{frames.PAGING.form}.{version}.{RULES}".encode()

    def is_lacking(self, tables: Tables) -> bool:
        """Return whether somebody is to go through all words, and can."""
        return not self.is_whole(tables) and self._mark(tables) is not None

    def add(self, connection: Connection, exact_key: str) -> None:
        """Add a word that is new or spelled otherwise, in the transaction that writes it; of one it is not found out.

        So whoever goes through all words at the same time need not see it.
        """
        if is_plain(exact_key):
            self.add_numbers(connection, {number_of(exact_key)})

    def add_loaded(self, connection: Connection, exact_keys: Collection[str]) -> None:
        """Add those of very many new words that may be read, behind their sounds, in the transaction that loads them.

        While they are loaded, nobody else writes to this table.
        """
        tables = OpenTransaction(connection)
        # Otherwise somebody is to go through all words, and goes through these too.
        if exact_keys and self.is_whole(tables):
            self.add_numbers(connection, numbers_of_readable(SOUND_FRAMES.read(tables), exact_keys))

    def stale(self, tables: Tables) -> Iterator[Stale]:
        """List the words that may be read and whose number is missing, where none should be."""
        if not self.is_whole(tables):
            return
        known, after = SOUND_FRAMES.read(tables), 0
        while rows := tables.rows(_NEXT, after=after, limit=AT_ONCE):
            after = rows[-1][0]
            lacking = self._lacking(tables, numbers_of_readable(known, (key for _, key in rows)))
            for word_id, key in rows if lacking else ():
                if is_plain(key) and number_of(key) in lacking:
                    yield Stale(f"word:{word_id}", key)

    def renew_next(self, connection: Connection, after: Place, at_once: int = AT_ONCE) -> Step:
        """Add those of the next words that may be read; behind the last, note it, unless frames have come meanwhile.

        The place has the frames and rules by which the first words were gone through. Until it is noted, nobody goes by
        what is added, and it counts for nothing.
        """
        # Who loads words, or adds one, holds it until they are there to be seen: no word is passed over.
        be_the_only_writer(connection, self.table.name)
        tables = OpenTransaction(connection)
        mark = (self._mark(tables) or b"").decode()
        begun_with = after[0] or mark
        if not mark or mark != begun_with:
            return Step(0, 0, None)
        rows = Bulk(connection).rows(_NEXT, {"after": after[1], "limit": at_once})
        lacking = self.add_numbers(connection, numbers_of_readable(SOUND_FRAMES.read(tables), (key for _, key in rows)))
        changed = len(lacking) if self.is_whole(tables) else 0
        if len(rows) == at_once:
            return Step(len(rows), changed, (begun_with, rows[-1][0]))
        return Step(len(rows), changed + self._note_whole(connection), None)


READABLE_WORDS: Final = ReadableWords(readable_word, readable.PAGING, Readable.of_pages, lambda: UNKNOWN)
