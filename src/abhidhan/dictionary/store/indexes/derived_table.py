"""Tables whose rows are all derived from records: updated for some records, and compared for all."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, Connection, Integer, Select, Table, bindparam, delete, select

from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import OpenTransaction, Place, Stale, Step
from abhidhan.platform.database.bulk import Bulk, staged
from abhidhan.platform.database.compiled_queries import Query, Row, Value, by_size, chunks, in_list, padded
from abhidhan.records.errors import counted
from abhidhan.records.ids import GREATEST_ID

AT_ONCE: Final = 2000
"""Number of records compared in one batch."""


class Source(NamedTuple):
    """Select of the rows of records, to which conditions are added, and its column with the ID of the record."""

    rows: Select[Any]
    record_id: Column[int]
    postgresql: Select[Any] | None = None
    """An equivalent select that is faster on PostgreSQL."""


class Difference(NamedTuple):
    """Missing rows of one record in its table, and superfluous ones."""

    record_id: int
    lacking: tuple[Row, ...]
    stray: tuple[Row, ...]


_AFTER: Final = bindparam("after", type_=Integer)
_LAST: Final = bindparam("last", type_=Integer)
_LIMIT: Final = bindparam("limit", type_=Integer)


class RowsOfRecords:
    """Rows of a table that are derived from the records of another one, each from one record.

    `owner` is the column with the ID of that record. `derive` is a pure function that computes the rows, in the order
    of the table's columns, from the rows of the source. `stored` selects the current rows of records.
    """

    def __init__(  # noqa: PLR0913  # each describes a part of the table
        self,
        table: Table,
        owner: str,
        records: Table,
        *,
        source: Source,
        derive: Callable[[Iterable[Row]], Iterable[Row]],
        stored: Source,
    ) -> None:
        """Prepare the statements; each is compiled when it is first run."""
        self.table = table
        self.derive = derive
        self._records = records
        self._owner = table.columns.keys().index(owner)
        self._derived = _of_some(source)
        self.stored = _of_some(stored)
        self._next = Query(select(records.c.id).where(records.c.id > _AFTER).order_by(records.c.id).limit(_LIMIT))

    def stage(self, bulk: Bulk, rows: Iterable[Row]) -> None:
        """Stage derived rows of new records until the end of the load."""
        bulk.insert(staged(self.table), list(rows))

    def renew(self, connection: Connection, record_ids: Iterable[int], before: Iterable[Row] = ()) -> None:
        """Write the missing rows of any number of records, and remove superfluous ones.

        `before` are the rows from before a change that `stored` no longer finds.
        """
        had = self._by_record(before)
        for some in chunks(sorted({*record_ids})):
            self.renew_some(connection, some, [row for record_id in some for row in had.get(record_id, ())])

    def renew_some(
        self, connection: Connection, record_ids: Sequence[int], before: Iterable[Row] = ()
    ) -> list[Difference]:
        """Update the rows of at most as many records as fit in an IN list; return the differences."""
        bulk = Bulk(connection)
        chosen = padded("id", record_ids)
        derived, stored = (bulk.rows(each(len(record_ids)), chosen) for each in (self._derived, self.stored))
        changed = [*self._differences(derived, chain(stored, before))]
        self._write(bulk, changed)
        return changed

    def rows_of(self, connection: Connection, record_ids: Iterable[int]) -> list[Row]:
        """Return the stored rows of records, before they change."""
        return [*Bulk(connection).rows_among(self.stored, "id", sorted({*record_ids}))]

    def derived_of(self, connection: Connection, record_ids: Iterable[int]) -> list[Row]:
        """Return the rows that records should have."""
        return [*self.derive(Bulk(connection).rows_among(self._derived, "id", sorted({*record_ids})))]

    def next_range(self, tables: Tables, after: int) -> tuple[int, int]:
        """Return the end of the range of the next records, and their number.

        The last range has no end, so that rows of deleted records belong to a range, too.
        """
        found = tables.rows(self._next, after=after, limit=AT_ONCE)
        return (found[-1][0] if len(found) == AT_ONCE else GREATEST_ID), len(found)

    def _differences(self, source: Iterable[Row], stored: Iterable[Row]) -> Iterator[Difference]:
        wanted, there = {*self.derive(source)}, {*map(tuple, stored)}
        lacking, stray = self._by_record(wanted - there), self._by_record(there - wanted)
        for record_id in sorted(lacking.keys() | stray.keys()):
            yield Difference(record_id, tuple(lacking[record_id]), tuple(stray[record_id]))

    def _by_record(self, rows: Iterable[Row]) -> defaultdict[int, list[Row]]:
        found: defaultdict[int, list[Row]] = defaultdict(list)
        for row in rows:
            found[row[self._owner]].append(row)
        return found

    def _write(self, bulk: Bulk, changed: Sequence[Difference]) -> None:
        names = self.table.columns.keys()
        stray = [_prefixed(names, row) for one in changed for row in one.stray]
        lacking = [dict(zip(names, row, strict=True)) for one in changed for row in one.lacking]
        if stray:
            is_stray = (column == bindparam(f"old_{column.name}") for column in self.table.primary_key)
            bulk.connection.execute(delete(self.table).where(*is_stray), stray)
        if lacking:
            bulk.connection.execute(bulk.insert_into(self.table).on_conflict_do_nothing(), lacking)


class DerivedTable(RowsOfRecords):
    """Table whose rows are derived from the records of another one, with an index on the ID of the record."""

    def __init__(
        self,
        table: Table,
        owner: str,
        records: Table,
        source: Source,
        derive: Callable[[Iterable[Row]], Iterable[Row]],
    ) -> None:
        """Prepare the statements; each is compiled when it is first run."""
        stored = Source(select(*table.columns), table.c[owner])
        super().__init__(table, owner, records, source=source, derive=derive, stored=stored)
        self._derived_of_range, self._stored_of_range = _of_range(source), _of_range(stored)

    def remove(self, connection: Connection, record_id: int) -> None:
        """Remove the rows of a record, before its deletion."""
        owner = list(self.table.columns)[self._owner]
        connection.execute(delete(self.table).where(owner == record_id))

    # --- all records --------------------------------------------------------------------------------------------------

    def compare(self, tables: Tables) -> Iterator[Difference]:
        """Compare the stored rows with their source, for all records in order."""
        after = 0
        while after < GREATEST_ID:
            last, _ = self.next_range(tables, after)
            yield from self._differences_of_range(tables, after, last)
            after = last

    def stale(self, tables: Tables) -> Iterator[Stale]:
        """Yield the records that the table disagrees with."""
        for one in self.compare(tables):
            detail = f"{counted(len(one.lacking), 'row')} of {self.table.name} missing, {len(one.stray):,} too many"
            yield Stale(f"{self._records.name}:{one.record_id}", detail)

    def renew_next(self, connection: Connection, after: Place) -> Step:
        """Correct the rows of the next records."""
        tables = OpenTransaction(connection)
        last, seen = self.next_range(tables, after[1])
        stale = [one.record_id for one in self._differences_of_range(tables, after[1], last)]
        self.renew(connection, stale)
        return Step(seen, len(stale), ("", last) if last < GREATEST_ID else None)

    def _differences_of_range(self, tables: Tables, after: int, last: int) -> Iterator[Difference]:
        return self._differences(
            tables.rows(self._derived_of_range, after=after, last=last),
            tables.rows(self._stored_of_range, after=after, last=last),
        )


def _of_some(chosen: Source) -> Callable[[int], Query]:
    rows, record_id, postgresql = chosen
    return by_size(
        lambda size: rows.where(in_list(record_id, "id", size)),
        postgresql=None if postgresql is None else lambda size: postgresql.where(in_list(record_id, "id", size)),
    )


def _of_range(chosen: Source) -> Query:
    return Query(chosen.rows.where(chosen.record_id > _AFTER, chosen.record_id <= _LAST))


def _prefixed(names: Sequence[str], row: Row) -> dict[str, Value]:
    """Map prefixed names to the values of a row, since parameters may not be named like the columns to change."""
    return {f"old_{name}": value for name, value in zip(names, row, strict=True)}
