"""Common interface of indexes: comparison with their sources, and stepwise rebuilding."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from sqlalchemy import Connection

from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.catalogue import read_catalogue
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, SqlValue
from abhidhan.records.catalogue import Catalogue

RebuildCursor = Row
"""Cursor of a rebuild: "" and the ID of a record, or the key of a row for scans by key."""

REBUILD_START: Final[RebuildCursor] = ("", 0)


class StaleRecord(NamedTuple):
    """Record for which an index has wrong rows, such as `word:12`, and a description of the difference."""

    record: str
    detail: str


class StepResult(NamedTuple):
    """Result of one rebuild step: the numbers of records seen and changed, and the next cursor."""

    seen: int
    changed: int
    next_cursor: RebuildCursor | None
    """None at the end."""


class Index(NamedTuple):
    """Derived data that `abhidhan check` compares with their source and `abhidhan reindex` rebuilds."""

    code: str
    """Code of the finding that a record is stale."""
    repaired_codes: frozenset[str]
    """Codes of the findings that rebuilding repairs."""
    compare: Callable[[RowSource], Iterator[StaleRecord]]
    steps: tuple[Callable[[Connection, RebuildCursor], StepResult], ...]
    """Steps, each repeated in transactions of its own until its end."""
    is_compared_first: bool = False
    """True if comparing is much cheaper than rebuilding, which is then done only if needed."""


class TransactionRows:
    """Source of rows as seen by a writer's open transaction."""

    def __init__(self, connection: Connection) -> None:
        """Initialise with a connection that has an open transaction."""
        self._bulk = BulkTransaction(connection)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The catalogue of the data, read on first use."""
        return read_catalogue(self.rows)

    def rows(self, query: CompiledQuery, /, **parameters: SqlValue) -> list[Row]:
        """Run a query and return all its rows."""
        return self._bulk.rows(query, parameters)
