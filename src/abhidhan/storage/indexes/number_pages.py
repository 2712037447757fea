"""Numbers of what words have, in pages: there right after every change, read anew only where they changed.

One that no word has any more may stay, and costs an empty look-up at times; one that a word has is never missing, once
all words have been gone through. Until then everything is looked for.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, Generic, NamedTuple, TypeVar

from sqlalchemy import (
    Connection,
    Integer,
    Table,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    update,
)

from abhidhan.domain.matching.paging import PAGES, P, Paging
from abhidhan.storage.engine.bulk import Bulk
from abhidhan.storage.engine.data_version import raise_data_version
from abhidhan.storage.engine.queries import Query, Row, by_size, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.idea_details import Tables
from abhidhan.storage.indexes.index import START, OpenTransaction, Place, Stale, Step, be_the_only_writer
from abhidhan.storage.schema import word

T = TypeVar("T")
"""What the numbers of all pages are to those who ask."""

AT_ONCE: Final = 20_000
"""How many words are gone through at once: less than a tenth of a second."""

HEAD: Final = PAGES
"""The page, empty, that stands there when no word's number is missing. It has the version of the newest page."""

_NEXT = Query(
    select(word.c.id, word.c.text, word.c.sound_key)
    .where(word.c.id > bindparam("after", type_=Integer))
    .order_by(word.c.id)
    .limit(AT_ONCE)
)


class Stored(NamedTuple, Generic[T]):
    """What is known of the pages of some version."""

    version: int
    held: T


class NumberPages(Generic[P, T]):
    """The numbers of words that a table holds: read by those who look words up, and kept by those who write words."""

    def __init__(
        self,
        table: Table,
        paging: Paging[P],
        numbers_of: Callable[[str, str], tuple[int, ...]],
        of_pages: Callable[[T | None, Mapping[int, P]], T],
        unknown: Callable[[], T],
    ) -> None:
        """Take how numbers stand in pages, and what is made of them.

        `numbers_of` makes the numbers of a word from its text and its sound key; `of_pages` takes what there was
        before, if anything, and the pages that have changed since; `unknown` is asked for until all words were gone
        through.
        """
        self.table, self.numbers_of, self._paging = table, numbers_of, paging
        self._of_pages, self._unknown = of_pages, unknown
        self._of_form = table.c.form == literal_column(str(paging.form), Integer)
        self._is_head = table.c.page == literal_column(str(HEAD), Integer)
        self._head = Query(select(table.c.version).where(self._of_form, self._is_head))
        self._changed = Query(
            select(table.c.page, table.c.numbers).where(
                self._of_form, table.c.page < HEAD, table.c.version > bindparam("after", type_=Integer)
            )
        )
        self._pages = by_size(
            lambda size: select(table.c.page, table.c.numbers).where(self._of_form, in_list(table.c.page, "page", size))
        )
        self._last_version = select(func.coalesce(func.max(table.c.version), 0)).where(self._of_form)

    # --- reading ------------------------------------------------------------------------------------------------------

    def held(self, reader: Reader) -> T:
        """Return what is known of the numbers of stored words, as they are now."""
        return reader.kept(self._read_changed).held

    def _read_changed(self, reader: Tables, before: Stored[T] | None) -> Stored[T]:
        """Read the pages that have changed: most changes of the data change none, and one row tells so."""
        head = reader.rows(self._head)
        if not head:
            return Stored(0, self._unknown())
        version = int(head[0][0])
        if before and before.version == version:
            return before
        known = before if before and 0 < before.version < version else None
        # A page that is newer than the head was is read once more after it: versions rise in the order of transactions.
        rows = reader.rows(self._changed, after=known.version if known else 0)
        changed = {page: self._paging.unpack(numbers) for page, numbers in rows}
        return Stored(version, self._of_pages(known.held if known else None, changed))

    # --- writing ------------------------------------------------------------------------------------------------------

    def add(self, connection: Connection, text: str, sound_key: str) -> None:
        """Add the numbers of a word that is new or spelled otherwise, in the transaction that writes it."""
        numbers = self.numbers_of(text, sound_key)
        if numbers:
            self.add_numbers(connection, numbers)

    def add_numbers(self, connection: Connection, numbers: Collection[int]) -> set[int]:
        """Add the numbers of words; return those that were not there."""
        lacking = self._lacking(OpenTransaction(connection), numbers)
        if lacking:
            # Two who write to one page at once would each write it without what the other adds.
            be_the_only_writer(connection, self.table.name)
            self._write(connection, self._paging.by_page(lacking))
        return lacking

    def _lacking(self, tables: Tables, numbers: Iterable[int]) -> set[int]:
        wanted = self._paging.by_page(numbers)
        stored = self._stored(tables, wanted.keys())
        lacking: set[int] = set()
        for page, some in wanted.items():
            lacking |= self._paging.lacking(stored.get(page, self._paging.empty), some)
        return lacking

    def _stored(self, tables: Tables, pages: Collection[int]) -> dict[int, P]:
        if not pages:
            return {}
        rows = tables.rows(self._pages(len(pages)), **padded("page", sorted(pages)))
        return {page: self._paging.unpack(numbers) for page, numbers in rows}

    def _write(self, connection: Connection, lacking: Mapping[int, Collection[int]]) -> None:
        stored = self._stored(OpenTransaction(connection), lacking.keys())
        version = connection.execute(self._last_version).scalar_one() + 1
        for page, more in lacking.items():
            numbers = self._paging.pack(self._paging.with_more(stored.get(page, self._paging.empty), more))
            if page in stored:
                chosen = update(self.table).where(self._of_form, self.table.c.page == page)
                connection.execute(chosen.values(version=version, numbers=numbers))
            else:
                self._insert(connection, page, version, numbers)
        connection.execute(update(self.table).where(self._of_form, self._is_head).values(version=version))

    def _insert(self, connection: Connection, page: int, version: int, numbers: bytes) -> None:
        row = {"form": self._paging.form, "page": page, "version": version, "numbers": numbers}
        connection.execute(insert(self.table).values(row))

    # --- for all words ------------------------------------------------------------------------------------------------

    def is_whole(self, tables: Tables) -> bool:
        """Return whether every word has been gone through."""
        return bool(tables.rows(self._head))

    def stale(self, tables: Tables) -> Iterator[Stale]:
        """List the words one of whose numbers is missing, where none should be."""
        if not self.is_whole(tables):
            return
        after = 0
        while rows := tables.rows(_NEXT, after=after):
            after = rows[-1][0]
            numbers = self._numbers(rows)
            lacking = self._lacking(tables, chain.from_iterable(numbers))
            for (word_id, text, _), of_word in zip(rows, numbers, strict=True) if lacking else ():
                if not lacking.isdisjoint(of_word):
                    yield Stale(f"word:{word_id}", text)

    def renew_next(self, connection: Connection, after: Place) -> Step:
        """Add the numbers that the next words lack; behind the last of them, note that none is missing."""
        rows = Bulk(connection).rows(_NEXT, {"after": after[1]})
        numbers = self._numbers(rows)
        lacking = self.add_numbers(connection, {*chain.from_iterable(numbers)})
        changed = sum(not lacking.isdisjoint(of_word) for of_word in numbers)
        if len(rows) == AT_ONCE:
            return Step(len(rows), changed, ("", rows[-1][0]))
        return Step(len(rows), changed + self._note_whole(connection), None)

    def _numbers(self, rows: Iterable[Row]) -> list[tuple[int, ...]]:
        return [self.numbers_of(text, sound_key) for _, text, sound_key in rows]

    def _note_whole(self, connection: Connection) -> bool:
        """Note that no number is missing, and remove those of other forms; tell whether that was to be done."""
        be_the_only_writer(connection, self.table.name)
        if self.is_whole(OpenTransaction(connection)):
            return False
        connection.execute(delete(self.table).where(self.table.c.form != self._paging.form))
        self._insert(connection, HEAD, connection.execute(self._last_version).scalar_one() + 1, b"")
        return True

    def fill(self, connection: Connection) -> None:
        """Add the numbers of all words, where that was never done, in transactions of their own; none may be open."""
        with connection.begin():
            place = None if self.is_whole(OpenTransaction(connection)) else START
        while place is not None:
            with connection.begin():
                done = self.renew_next(connection, place)
                if done.changed:
                    raise_data_version(connection)
            place = done.next
