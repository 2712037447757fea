"""Numbers in pages, as they are stored: there right after every change, read anew only where they changed.

One that no word has any more may stay, and costs an empty look-up at times; one that a word has is never missing, once
all words have been gone through. Until then nothing is known of any.
"""

import sys
from abc import ABC, abstractmethod
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import Connection, Integer, Table, bindparam, delete, func, insert, literal_column, select, update

from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import START, OpenTransaction, Place, Step
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Query, Row, by_size, chunks, in_list, padded
from abhidhan.platform.database.data_version import raise_data_version
from abhidhan.platform.database.reader import Reader

P = TypeVar("P")
"""A page in memory."""

T = TypeVar("T")
"""The value built from the numbers of all pages."""

PAGES: Final = 256


class Paging(NamedTuple, Generic[P]):
    """The format of pages; `form` is its version, raised when the number of any word changes."""

    form: int
    within_page: int
    """How many of the lowest bits of a number tell its place within its page; those above name the page."""
    empty: P
    lacking: Callable[[P, Collection[int]], set[int]]
    """Choose the numbers that a page lacks."""
    with_more: Callable[[P, Collection[int]], P]
    pack: Callable[[P], bytes]
    """Write a page as it is stored."""
    unpack: Callable[[bytes], P]

    def by_page(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """Sort numbers into their pages."""
        pages: dict[int, list[int]] = {}
        for number in numbers:
            pages.setdefault(number >> self.within_page, []).append(number)
        return pages


WORD_BATCH_SIZE: Final = 10_000
"""How many words are gone through at once while others write: a tenth of a second, for which they wait."""

FILL_BATCH_SIZE: Final = 20_000
"""How many by who loads words or begins to serve: each time nearly all pages are written."""

HEAD: Final = PAGES
"""The page, without numbers, that says that no word's number is missing. It has the version of the newest page; in the
place of numbers there may be what else is known of all of them, also that they are not to be gone by yet."""


class Head(NamedTuple):
    """What stands in the head."""

    version: int
    numbers: bytes


class Stored(NamedTuple, Generic[T]):
    """What is known of the pages of some version."""

    version: int
    held: T | None
    """None: unknown."""


class StoredPages(ABC, Generic[P, T]):
    """The numbers that a table holds: read by those who look words up, and kept by those who write words."""

    def __init__(self, table: Table, paging: Paging[P]) -> None:
        """Prepare the statements for a table and its format of pages."""
        self.table, self._paging = table, paging
        self._of_form = table.c.form == literal_column(str(paging.form), Integer)
        self._is_head = table.c.page == literal_column(str(HEAD), Integer)
        self._read_head = Query(select(table.c.version, table.c.numbers).where(self._of_form, self._is_head))
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

    def held(self, reader: Reader) -> T | None:
        """Return the numbers of stored words, as they are now; None until all words have been indexed."""
        return reader.kept(self._read_changed).held

    def read(self, tables: Tables) -> T | None:
        """Read all numbers, as the transaction of a writer sees them; None until all words have been indexed."""
        return self._read_changed(tables, None).held

    def _read_changed(self, tables: Tables, before: Stored[T] | None) -> Stored[T]:
        """Read the pages that have changed: most changes of the data change none, and one row tells so."""
        head = self._head(tables)
        if head is None or not self._is_valid(head.numbers):
            return Stored(0, None)
        version = head.version
        if before and before.version == version:
            return before
        known = before if before and 0 < before.version < version else None
        # A page that is newer than the head was is read once more after it: versions rise in the order of transactions.
        rows = tables.rows(self._changed, after=known.version if known else 0)
        changed = {page: self._paging.unpack(numbers) for page, numbers in rows}
        return Stored(version, self._made(known.held if known else None, changed, head.numbers))

    def _head(self, tables: Tables) -> Head | None:
        rows: list[Row] = tables.rows(self._read_head)
        return Head(int(rows[0][0]), bytes(rows[0][1])) if rows else None

    def _is_valid(self, head: bytes) -> bool:  # noqa: ARG002  # of those whose head says more
        """Return whether what the head says is that every word has been gone through."""
        return True

    @abstractmethod
    def _made(self, before: T | None, changed: Mapping[int, P], head: bytes) -> T:
        """Make what is known of what was before, if anything, the pages that have changed, and what the head says."""

    def is_whole(self, tables: Tables) -> bool:
        """Return whether every word has been gone through."""
        head = self._head(tables)
        return head is not None and self._is_valid(head.numbers)

    def is_lacking(self, tables: Tables) -> bool:
        """Return whether somebody is to go through all words, and can."""
        return not self.is_whole(tables)

    # --- writing ------------------------------------------------------------------------------------------------------

    def add_numbers(self, connection: Connection, numbers: Collection[int]) -> set[int]:
        """Add the numbers of words; return those that were not there."""
        lacking = self._lacking(OpenTransaction(connection), numbers)
        if lacking:
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
        for some in chunks(list(stored)):
            connection.execute(delete(self.table).where(self._of_form, self.table.c.page.in_(some)))
        written = (
            (page, self._paging.pack(self._paging.with_more(stored.get(page, self._paging.empty), more)))
            for page, more in lacking.items()
        )
        Bulk(connection).insert(self.table, [(self._paging.form, page, version, numbers) for page, numbers in written])
        connection.execute(update(self.table).where(self._of_form, self._is_head).values(version=version))

    def _insert(self, connection: Connection, page: int, version: int, numbers: bytes) -> None:
        row = {"form": self._paging.form, "page": page, "version": version, "numbers": numbers}
        connection.execute(insert(self.table).values(row))

    # --- for all words ------------------------------------------------------------------------------------------------

    @abstractmethod
    def renew_next(self, connection: Connection, after: Place, at_once: int = WORD_BATCH_SIZE) -> Step:
        """Add the numbers that the next words lack; behind the last of them, note that none is missing."""

    def fill(self, connection: Connection) -> None:
        """Add the numbers of all words, unless all are there, in transactions of their own; none may be open."""
        with connection.begin():
            place = START if self.is_lacking(OpenTransaction(connection)) else None
        while place is not None:
            with connection.begin():
                done = self.renew_next(connection, place, FILL_BATCH_SIZE)
                if done.changed:
                    raise_data_version(connection)
            place = done.next

    def _note_whole(self, connection: Connection) -> bool:
        """Note that no number is missing, and remove those of other forms; tell whether that was to be done."""
        if self.is_whole(OpenTransaction(connection)):
            return False
        self._remove_other_forms(connection)
        self._write_head(connection, b"")
        return True

    def _write_head(self, connection: Connection, numbers: bytes) -> None:
        version = connection.execute(self._last_version).scalar_one() + 1
        connection.execute(delete(self.table).where(self._of_form, self._is_head))
        self._insert(connection, HEAD, version, numbers)

    def _remove_other_forms(self, connection: Connection) -> None:
        connection.execute(delete(self.table).where(self.table.c.form != self._paging.form))


Numbers: TypeAlias = "array[int]"
"""The numbers of a page, the lowest first."""

WITHIN_PAGE: Final = 24
"""The first eight of the 32 bits of a number name its page."""

_IS_LITTLE_ENDIAN: Final = sys.byteorder == "little"
_EMPTY: Final = array("I")


def has_number(pages: Sequence[Numbers], number: int) -> bool:
    """Return whether a number stands in its page."""
    page = pages[number >> WITHIN_PAGE]
    place = bisect_left(page, number)
    return place < len(page) and page[place] == number


def replace_pages(before: Sequence[Numbers] | None, changed: Mapping[int, Numbers]) -> list[Numbers]:
    """Take the pages that were there before, or empty ones, but for those that have changed."""
    return [changed.get(page, numbers) for page, numbers in enumerate(before or [_EMPTY] * PAGES)]


def sorted_paging(form: int) -> Paging[Numbers]:
    """Return how such numbers stand in pages; `form` names what they mean."""
    return Paging(form, WITHIN_PAGE, _EMPTY, lacking=_lacking, with_more=_with_more, pack=_pack, unpack=_unpack)


def _lacking(page: Numbers, numbers: Collection[int]) -> set[int]:
    return {*numbers}.difference(page)


def _with_more(page: Numbers, numbers: Collection[int]) -> Numbers:
    return array("I", sorted({*page, *numbers}))


def _pack(page: Numbers) -> bytes:
    """Write a page as it is stored: four bytes for each number, the lowest first."""
    return _in_stored_order(page[:]).tobytes()


def _unpack(stored: bytes) -> Numbers:
    numbers = array("I")
    numbers.frombytes(stored)
    return _in_stored_order(numbers)


def _in_stored_order(numbers: Numbers) -> Numbers:
    """Swap the bytes of numbers where the machine has the greatest first."""
    if not _IS_LITTLE_ENDIAN:
        numbers.byteswap()
    return numbers
