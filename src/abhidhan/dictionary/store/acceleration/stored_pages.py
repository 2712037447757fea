"""Sets of numbers (hashes of words) stored in pages, of which only the changed ones are read again after a change.

The number of a deleted word may stay, and at times costs a look-up without results. Once all words have been processed,
the number of a stored word is never missing; until then, results are None (unknown).
"""

import sys
from abc import ABC, abstractmethod
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import Connection, Integer, Table, bindparam, delete, func, insert, literal_column, select, update

from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import REBUILD_START, RebuildCursor, StepResult, TransactionRows
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.data_version import increment_data_version
from abhidhan.platform.database.reader import ReadConnection

P = TypeVar("P")
"""A page in memory."""

T = TypeVar("T")
"""The value built from the numbers of all pages."""

PAGE_COUNT: Final = 256


class PageFormat(NamedTuple, Generic[P]):
    """Format of pages; `version` must be raised when the number of any word changes."""

    version: int
    position_bits: int
    """Number of low bits of a number that are its position within a page; the higher bits are the page number."""
    empty_page: P
    find_missing: Callable[[P, Collection[int]], set[int]]
    """Returns the numbers that a page lacks."""
    add: Callable[[P, Collection[int]], P]
    pack: Callable[[P], bytes]
    """Encodes a page for storage."""
    unpack: Callable[[bytes], P]

    def group_by_page(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """Group numbers by page."""
        pages: dict[int, list[int]] = {}
        for number in numbers:
            pages.setdefault(number >> self.position_bits, []).append(number)
        return pages


WORD_BATCH_SIZE: Final = 10_000
"""Number of words processed in one transaction, for which other writers wait a tenth of a second."""

FILL_BATCH_SIZE: Final = 20_000
"""Number of words per transaction of an import or a first start; each writes nearly all pages."""

HEAD_PAGE: Final = PAGE_COUNT
"""Number of the head page, which marks the numbers of all words as present and has the version of the newest page.

Its column `numbers` may contain metadata, such as that the other pages are not valid yet.
"""


class HeadPage(NamedTuple):
    """Content of the head page."""

    version: int
    numbers: bytes


class VersionedValue(NamedTuple, Generic[T]):
    """Value built from all pages, with the version of the newest page."""

    version: int
    value: T | None
    """None if unknown."""


class StoredPages(ABC, Generic[P, T]):
    """Numbers stored in a table, which look-ups read and writers of words update."""

    def __init__(self, table: Table, page_format: PageFormat[P]) -> None:
        """Build the statements for a table and its page format."""
        self.table, self._format = table, page_format
        self._has_format = table.c.form == literal_column(str(page_format.version), Integer)
        self._is_head = table.c.page == literal_column(str(HEAD_PAGE), Integer)
        self._head_query = CompiledQuery(
            select(table.c.version, table.c.numbers).where(self._has_format, self._is_head)
        )
        self._changed_query = CompiledQuery(
            select(table.c.page, table.c.numbers).where(
                self._has_format, table.c.page < HEAD_PAGE, table.c.version > bindparam("after", type_=Integer)
            )
        )
        self._pages_query = per_list_size(
            lambda size: select(table.c.page, table.c.numbers).where(
                self._has_format, in_list(table.c.page, "page", size)
            )
        )
        self._last_version_query = select(func.coalesce(func.max(table.c.version), 0)).where(self._has_format)

    # --- reading ------------------------------------------------------------------------------------------------------

    def current(self, connection: ReadConnection) -> T | None:
        """Return the value built from the current pages; None until all words have been processed."""
        return connection.cached(self._read_changed).value

    def load(self, tables: RowSource) -> T | None:
        """Return the value built from all pages as seen by a transaction; None until all words have been processed."""
        return self._read_changed(tables, None).value

    def _read_changed(self, tables: RowSource, before: VersionedValue[T] | None) -> VersionedValue[T]:
        """Read the pages that have changed; most changes of the data affect none, as the head page shows."""
        head = self._load_head(tables)
        if head is None or not self._is_valid(head.numbers):
            return VersionedValue(0, None)
        version = head.version
        if before and before.version == version:
            return before
        previous = before if before and 0 < before.version < version else None
        # A page newer than the head is read again with the next one, as versions rise in transaction order.
        rows = tables.rows(self._changed_query, after=previous.version if previous else 0)
        changed = {page: self._format.unpack(numbers) for page, numbers in rows}
        return VersionedValue(version, self._build(previous.value if previous else None, changed, head.numbers))

    def _load_head(self, tables: RowSource) -> HeadPage | None:
        rows: list[Row] = tables.rows(self._head_query)
        return HeadPage(int(rows[0][0]), bytes(rows[0][1])) if rows else None

    def _is_valid(self, head: bytes) -> bool:  # noqa: ARG002  # for subclasses
        """Return whether the head page marks all words as processed."""
        return True

    @abstractmethod
    def _build(self, before: T | None, changed: Mapping[int, P], head: bytes) -> T:
        """Build the value from the previous one, if any, the changed pages, and the content of the head page."""

    def is_complete(self, tables: RowSource) -> bool:
        """Return whether all words have been processed."""
        head = self._load_head(tables)
        return head is not None and self._is_valid(head.numbers)

    def needs_full_pass(self, tables: RowSource) -> bool:
        """Return whether a full pass over the words is necessary and possible."""
        return not self.is_complete(tables)

    # --- writing ------------------------------------------------------------------------------------------------------

    def add_numbers(self, connection: Connection, numbers: Collection[int]) -> set[int]:
        """Add the numbers of words; return those that were missing."""
        missing = self._find_missing(TransactionRows(connection), numbers)
        if missing:
            self._write(connection, self._format.group_by_page(missing))
        return missing

    def _find_missing(self, tables: RowSource, numbers: Iterable[int]) -> set[int]:
        numbers_by_page = self._format.group_by_page(numbers)
        stored = self._load_pages(tables, numbers_by_page.keys())
        missing: set[int] = set()
        for page, page_numbers in numbers_by_page.items():
            missing |= self._format.find_missing(stored.get(page, self._format.empty_page), page_numbers)
        return missing

    def _load_pages(self, tables: RowSource, pages: Collection[int]) -> dict[int, P]:
        if not pages:
            return {}
        rows = tables.rows(self._pages_query(len(pages)), **list_params("page", sorted(pages)))
        return {page: self._format.unpack(numbers) for page, numbers in rows}

    def _write(self, connection: Connection, missing: Mapping[int, Collection[int]]) -> None:
        stored = self._load_pages(TransactionRows(connection), missing.keys())
        version = connection.execute(self._last_version_query).scalar_one() + 1
        for batch in chunks(list(stored)):
            connection.execute(delete(self.table).where(self._has_format, self.table.c.page.in_(batch)))
        packed_pages = (
            (page, self._format.pack(self._format.add(stored.get(page, self._format.empty_page), page_numbers)))
            for page, page_numbers in missing.items()
        )
        BulkTransaction(connection).insert(
            self.table, [(self._format.version, page, version, numbers) for page, numbers in packed_pages]
        )
        connection.execute(update(self.table).where(self._has_format, self._is_head).values(version=version))

    def _insert(self, connection: Connection, page: int, version: int, numbers: bytes) -> None:
        row = {"form": self._format.version, "page": page, "version": version, "numbers": numbers}
        connection.execute(insert(self.table).values(row))

    # --- all words ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def rebuild_next(
        self, connection: Connection, after: RebuildCursor, batch_size: int = WORD_BATCH_SIZE
    ) -> StepResult:
        """Add the missing numbers of the next words; after the last, mark the pages as complete."""

    def fill(self, connection: Connection) -> None:
        """Add the numbers of all words unless complete, in separate transactions; no transaction may be open."""
        with connection.begin():
            cursor = REBUILD_START if self.needs_full_pass(TransactionRows(connection)) else None
        while cursor is not None:
            with connection.begin():
                result = self.rebuild_next(connection, cursor, FILL_BATCH_SIZE)
                if result.changed:
                    increment_data_version(connection)
            cursor = result.next_cursor

    def _mark_complete(self, connection: Connection) -> bool:
        """Mark the pages as complete and remove other formats; return False if already done."""
        if self.is_complete(TransactionRows(connection)):
            return False
        self._remove_other_formats(connection)
        self._write_head(connection, b"")
        return True

    def _write_head(self, connection: Connection, numbers: bytes) -> None:
        version = connection.execute(self._last_version_query).scalar_one() + 1
        connection.execute(delete(self.table).where(self._has_format, self._is_head))
        self._insert(connection, HEAD_PAGE, version, numbers)

    def _remove_other_formats(self, connection: Connection) -> None:
        connection.execute(delete(self.table).where(self.table.c.form != self._format.version))


Numbers: TypeAlias = "array[int]"
"""The numbers of a page in ascending order."""

POSITION_BITS: Final = 24
"""Number of low bits that are a position within a page; the highest 8 of 32 bits are the number of the page."""

_IS_LITTLE_ENDIAN: Final = sys.byteorder == "little"
_EMPTY: Final = array("I")


def has_number(pages: Sequence[Numbers], number: int) -> bool:
    """Return whether a number is in its page."""
    page = pages[number >> POSITION_BITS]
    index = bisect_left(page, number)
    return index < len(page) and page[index] == number


def replace_pages(before: Sequence[Numbers] | None, changed: Mapping[int, Numbers]) -> list[Numbers]:
    """Replace the changed pages in the previous ones, or in empty ones."""
    return [changed.get(page, numbers) for page, numbers in enumerate(before or [_EMPTY] * PAGE_COUNT)]


def sorted_page_format(version: int) -> PageFormat[Numbers]:
    """Return the page format of sorted numbers, with its version."""
    return PageFormat(
        version, POSITION_BITS, _EMPTY, find_missing=_find_missing, add=_add_to_page, pack=_pack, unpack=_unpack
    )


def _find_missing(page: Numbers, numbers: Collection[int]) -> set[int]:
    return {*numbers}.difference(page)


def _add_to_page(page: Numbers, numbers: Collection[int]) -> Numbers:
    return array("I", sorted({*page, *numbers}))


def _pack(page: Numbers) -> bytes:
    """Encode a page for storage: four bytes for each number, in ascending order."""
    return _to_little_endian(page[:]).tobytes()


def _unpack(stored: bytes) -> Numbers:
    numbers = array("I")
    numbers.frombytes(stored)
    return _to_little_endian(numbers)


def _to_little_endian(numbers: Numbers) -> Numbers:
    """Convert numbers in place to or from little-endian order, in which they are stored."""
    if not _IS_LITTLE_ENDIAN:
        numbers.byteswap()
    return numbers
