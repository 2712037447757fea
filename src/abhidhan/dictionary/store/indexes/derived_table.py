"""Tables whose rows are all derived from records: updated for some records, and compared for all."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, Connection, Integer, Select, Table, bindparam, delete, select

from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import RebuildCursor, StaleRecord, StepResult, TransactionRows
from abhidhan.platform.database.bulk import BulkTransaction, build_staging_table
from abhidhan.platform.database.compiled_queries import (
    CompiledQuery,
    Row,
    SqlValue,
    chunks,
    in_list,
    list_params,
    per_list_size,
)
from abhidhan.records.errors import pluralize
from abhidhan.records.ids import MAX_ID

BATCH_SIZE: Final = 2000
"""Number of records compared in one batch."""


class DerivationSource(NamedTuple):
    """Select of the rows of records, to which conditions are added, and the column that has the record's ID."""

    rows: Select[Any]
    record_id: Column[int]
    postgresql: Select[Any] | None = None
    """An equivalent select that is faster on PostgreSQL."""


class RowDifference(NamedTuple):
    """Rows of one record that its table lacks, and superfluous ones."""

    record_id: int
    missing: tuple[Row, ...]
    stray: tuple[Row, ...]


_AFTER: Final = bindparam("after", type_=Integer)
_LAST: Final = bindparam("last", type_=Integer)
_LIMIT: Final = bindparam("limit", type_=Integer)


class DerivedRows:
    """Rows of a table that are derived from the records of another one, each from one record.

    `owner` is the column with the ID of that record. `derive` is a pure function that computes the rows, in the order
    of the table's columns, from the rows of the source. `stored_query` selects the current rows of records.
    """

    def __init__(  # noqa: PLR0913  # each describes a part of the table
        self,
        table: Table,
        owner: str,
        records: Table,
        *,
        source: DerivationSource,
        derive: Callable[[Iterable[Row]], Iterable[Row]],
        stored: DerivationSource,
    ) -> None:
        """Build the statements; each is compiled when it is first run."""
        self.table = table
        self.derive = derive
        self._records = records
        self._owner = table.columns.keys().index(owner)
        self._derived_query = _build_id_query(source)
        self.stored_query = _build_id_query(stored)
        self._next_query = CompiledQuery(
            select(records.c.id).where(records.c.id > _AFTER).order_by(records.c.id).limit(_LIMIT)
        )

    def stage(self, bulk: BulkTransaction, rows: Iterable[Row]) -> None:
        """Stage derived rows of new records until the end of the load."""
        bulk.insert(build_staging_table(self.table), list(rows))

    def update_rows(self, connection: Connection, record_ids: Iterable[int], before: Iterable[Row] = ()) -> None:
        """Write the missing rows of any number of records, and remove superfluous ones.

        `before` are rows stored for an earlier state of the records, which the current state no longer selects.
        """
        former_rows = self._group_by_record(before)
        for batch in chunks(sorted({*record_ids})):
            self.update_batch(connection, batch, [row for record_id in batch for row in former_rows.get(record_id, ())])

    def update_batch(
        self, connection: Connection, record_ids: Sequence[int], before: Iterable[Row] = ()
    ) -> list[RowDifference]:
        """Update the rows of records, at most as many as an IN list accepts; return the differences."""
        bulk = BulkTransaction(connection)
        parameters = list_params("id", record_ids)
        derived, stored = (
            bulk.rows(statement(len(record_ids)), parameters) for statement in (self._derived_query, self.stored_query)
        )
        changed = [*self._find_differences(derived, chain(stored, before))]
        self._write(bulk, changed)
        return changed

    def load_stored_rows(self, connection: Connection, record_ids: Iterable[int]) -> list[Row]:
        """Return the stored rows of records, before they change."""
        return [*BulkTransaction(connection).rows_for_values(self.stored_query, "id", sorted({*record_ids}))]

    def derive_rows(self, connection: Connection, record_ids: Iterable[int]) -> list[Row]:
        """Return the rows that records should have."""
        return [
            *self.derive(BulkTransaction(connection).rows_for_values(self._derived_query, "id", sorted({*record_ids})))
        ]

    def find_next_range(self, tables: RowSource, after: int) -> tuple[int, int]:
        """Return the last ID of the range of the next records, and their number.

        The last range has no end, so that rows of deleted records belong to a range, too.
        """
        rows = tables.rows(self._next_query, after=after, limit=BATCH_SIZE)
        return (rows[-1][0] if len(rows) == BATCH_SIZE else MAX_ID), len(rows)

    def _find_differences(self, source: Iterable[Row], stored: Iterable[Row]) -> Iterator[RowDifference]:
        derived, existing = {*self.derive(source)}, {*map(tuple, stored)}
        missing, stray = self._group_by_record(derived - existing), self._group_by_record(existing - derived)
        for record_id in sorted(missing.keys() | stray.keys()):
            yield RowDifference(record_id, tuple(missing[record_id]), tuple(stray[record_id]))

    def _group_by_record(self, rows: Iterable[Row]) -> defaultdict[int, list[Row]]:
        rows_by_record: defaultdict[int, list[Row]] = defaultdict(list)
        for row in rows:
            rows_by_record[row[self._owner]].append(row)
        return rows_by_record

    def _write(self, bulk: BulkTransaction, changed: Sequence[RowDifference]) -> None:
        names = self.table.columns.keys()
        stray = [_prefix_names(names, row) for difference in changed for row in difference.stray]
        missing = [dict(zip(names, row, strict=True)) for difference in changed for row in difference.missing]
        if stray:
            is_stray = (column == bindparam(f"old_{column.name}") for column in self.table.primary_key)
            bulk.connection.execute(delete(self.table).where(*is_stray), stray)
        if missing:
            bulk.connection.execute(bulk.build_insert(self.table).on_conflict_do_nothing(), missing)


class DerivedTable(DerivedRows):
    """Table whose rows are derived from the records of another one, with an index on the ID of the record."""

    def __init__(
        self,
        table: Table,
        owner: str,
        records: Table,
        source: DerivationSource,
        derive: Callable[[Iterable[Row]], Iterable[Row]],
    ) -> None:
        """Prepare the statements; each is compiled when it is first run."""
        stored = DerivationSource(select(*table.columns), table.c[owner])
        super().__init__(table, owner, records, source=source, derive=derive, stored=stored)
        self._derived_range_query, self._stored_range_query = _build_range_query(source), _build_range_query(stored)

    def remove(self, connection: Connection, record_id: int) -> None:
        """Remove the rows of a record, before its deletion."""
        owner = list(self.table.columns)[self._owner]
        connection.execute(delete(self.table).where(owner == record_id))

    # --- all records --------------------------------------------------------------------------------------------------

    def compare(self, tables: RowSource) -> Iterator[RowDifference]:
        """Compare the stored rows with their source, for all records in order."""
        after = 0
        while after < MAX_ID:
            last, _ = self.find_next_range(tables, after)
            yield from self._find_differences_in_range(tables, after, last)
            after = last

    def find_stale(self, tables: RowSource) -> Iterator[StaleRecord]:
        """Yield the records whose rows in the table are wrong."""
        for difference in self.compare(tables):
            missing = pluralize(len(difference.missing), "row")
            detail = f"{missing} of {self.table.name} missing, {len(difference.stray):,} too many"
            yield StaleRecord(f"{self._records.name}:{difference.record_id}", detail)

    def rebuild_next(self, connection: Connection, after: RebuildCursor) -> StepResult:
        """Correct the rows of the next records."""
        tables = TransactionRows(connection)
        last, seen = self.find_next_range(tables, after[1])
        stale = [difference.record_id for difference in self._find_differences_in_range(tables, after[1], last)]
        self.update_rows(connection, stale)
        return StepResult(seen, len(stale), ("", last) if last < MAX_ID else None)

    def _find_differences_in_range(self, tables: RowSource, after: int, last: int) -> Iterator[RowDifference]:
        return self._find_differences(
            tables.rows(self._derived_range_query, after=after, last=last),
            tables.rows(self._stored_range_query, after=after, last=last),
        )


def _build_id_query(source: DerivationSource) -> Callable[[int], CompiledQuery]:
    rows, record_id, postgresql = source
    return per_list_size(
        lambda size: rows.where(in_list(record_id, "id", size)),
        postgresql=None if postgresql is None else lambda size: postgresql.where(in_list(record_id, "id", size)),
    )


def _build_range_query(source: DerivationSource) -> CompiledQuery:
    return CompiledQuery(source.rows.where(source.record_id > _AFTER, source.record_id <= _LAST))


def _prefix_names(names: Sequence[str], row: Row) -> dict[str, SqlValue]:
    """Map the column names of a row, prefixed with `old_`, to its values; parameters must not be named like columns."""
    return {f"old_{name}": value for name, value in zip(names, row, strict=True)}
