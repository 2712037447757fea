"""Tables whose rows are all derived from those of records: renewed for some records, and compared for all of them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, Connection, Integer, Select, Table, bindparam, delete, select

from abhidhan.domain.counted import counted
from abhidhan.domain.ids import GREATEST_ID
from abhidhan.storage.engine.bulk import Bulk, staged
from abhidhan.storage.engine.queries import Query, Row, Value, by_size, chunks, in_list, padded
from abhidhan.storage.idea_details import Tables
from abhidhan.storage.indexes.index import OpenTransaction, Place, Stale, Step

AT_ONCE: Final = 2000
"""How many records are compared at once."""


class Source(NamedTuple):
    """What rows are derived from: a select without conditions, and the column of it that holds the record's ID."""

    rows: Select[Any]
    record_id: Column[int]


class Difference(NamedTuple):
    """The rows of one record that its table lacks, and those that it should not have."""

    record_id: int
    lacking: tuple[Row, ...]
    stray: tuple[Row, ...]


class _Statements(NamedTuple):
    """A select, for the records of a range and for some records by their IDs."""

    of_range: Query
    of_some: Callable[[int], Query]


_AFTER: Final = bindparam("after", type_=Integer)
_LAST: Final = bindparam("last", type_=Integer)
_LIMIT: Final = bindparam("limit", type_=Integer)


class DerivedTable:
    """A table whose rows are derived from the records of another one, each row from one record.

    `owner` is its column with the ID of that record. `derive` makes its rows, in the order of its columns, of the rows
    of the source; it is a pure function.
    """

    def __init__(
        self,
        table: Table,
        owner: str,
        records: Table,
        source: Source,
        derive: Callable[[Iterable[Row]], Iterable[Row]],
    ) -> None:
        """Prepare the statements; each is compiled when it is first run."""
        self.table = table
        self.derive = derive
        self._records = records
        self._owner = table.columns.keys().index(owner)
        self._derived = _statements(source.rows, source.record_id)
        self._stored = _statements(select(*table.columns), table.c[owner])
        self._next = Query(select(records.c.id).where(records.c.id > _AFTER).order_by(records.c.id).limit(_LIMIT))

    # --- for some records ---------------------------------------------------------------------------------------------

    def stage(self, bulk: Bulk, rows: Iterable[Row]) -> None:
        """Let rows that `derive` has made of new records wait until the load settles what is staged."""
        bulk.insert(staged(self.table), list(rows))

    def renew(self, connection: Connection, record_ids: Iterable[int]) -> None:
        """Write what records lack and remove what they should not have; there may be very many of them."""
        for some in chunks(sorted({*record_ids})):
            self.renew_some(connection, some)

    def renew_some(self, connection: Connection, record_ids: Sequence[int]) -> list[Difference]:
        """Write what as many records lack as an IN list holds, and remove what is stray; return what that was."""
        bulk = Bulk(connection)
        self._lock(connection, record_ids)
        chosen = padded("id", record_ids)
        derived, stored = (each.of_some(len(record_ids)) for each in (self._derived, self._stored))
        changed = [*self._differences(bulk.rows(derived, chosen), bulk.rows(stored, chosen))]
        self._write(bulk, changed)
        return changed

    def remove(self, connection: Connection, record_id: int) -> None:
        """Remove what leads to a record, before it goes itself."""
        owner = list(self.table.columns)[self._owner]
        connection.execute(delete(self.table).where(owner == record_id))

    # --- for all records ----------------------------------------------------------------------------------------------

    def compare(self, tables: Tables) -> Iterator[Difference]:
        """Compare what is stored with what it is derived from, for all records in their order."""
        after = 0
        while after < GREATEST_ID:
            last, _ = self._range(tables, after)
            yield from self._differences_of_range(tables, after, last)
            after = last

    def stale(self, tables: Tables) -> Iterator[Stale]:
        """List the records with which the table does not agree."""
        for one in self.compare(tables):
            detail = f"{counted(len(one.lacking), 'row')} of {self.table.name} missing, {len(one.stray):,} too many"
            yield Stale(f"{self._records.name}:{one.record_id}", detail)

    def renew_next(self, connection: Connection, after: Place) -> Step:
        """Renew what differs among the next records."""
        tables = OpenTransaction(connection)
        last, seen = self._range(tables, after[1])
        stale = [one.record_id for one in self._differences_of_range(tables, after[1], last)]
        self.renew(connection, stale)
        return Step(seen, len(stale), ("", last) if last < GREATEST_ID else None)

    def _range(self, tables: Tables, after: int) -> tuple[int, int]:
        """Return where the range of the next records ends, and how many they are.

        The last range has no end, so that rows of records that are gone belong to a range, too.
        """
        found = tables.rows(self._next, after=after, limit=AT_ONCE)
        return (found[-1][0] if len(found) == AT_ONCE else GREATEST_ID), len(found)

    def _differences_of_range(self, tables: Tables, after: int, last: int) -> Iterator[Difference]:
        return self._differences(
            tables.rows(self._derived.of_range, after=after, last=last),
            tables.rows(self._stored.of_range, after=after, last=last),
        )

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

    def _lock(self, connection: Connection, record_ids: Sequence[int]) -> None:
        """Let others who derive rows of these records wait, as SQLite does by nature: each would miss what both do."""
        if connection.dialect.name != "sqlite":
            table = self._records
            chosen = select(table.c.id).where(table.c.id.in_(record_ids)).order_by(table.c.id)
            connection.execute(chosen.with_for_update(key_share=True))

    def _write(self, bulk: Bulk, changed: Sequence[Difference]) -> None:
        names = self.table.columns.keys()
        stray = [_prefixed(names, row) for one in changed for row in one.stray]
        lacking = [dict(zip(names, row, strict=True)) for one in changed for row in one.lacking]
        if stray:
            is_stray = (column == bindparam(f"old_{column.name}") for column in self.table.primary_key)
            bulk.connection.execute(delete(self.table).where(*is_stray), stray)
        if lacking:
            bulk.connection.execute(bulk.insert_into(self.table).on_conflict_do_nothing(), lacking)


def _statements(chosen: Select[Any], record_id: Column[int]) -> _Statements:
    return _Statements(
        Query(chosen.where(record_id > _AFTER, record_id <= _LAST)),
        by_size(lambda size: chosen.where(in_list(record_id, "id", size))),
    )


def _prefixed(names: Sequence[str], row: Row) -> dict[str, Value]:
    """Name the values of a row: a statement may not name its parameters like the columns that it changes."""
    return {f"old_{name}": value for name, value in zip(names, row, strict=True)}
