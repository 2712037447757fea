"""Keys of records, in tables without an index on the record, which would double their size.

The keys of a record are found by their source. All are compared by checksums in one scan of the table in its own order.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from sqlalchemy import Integer, Table, Text, bindparam, exists, func, select, tuple_
from sqlalchemy.schema import CreateTable, DropTable

from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import Place, Stale
from abhidhan.dictionary.store.indexes.derived_table import Source
from abhidhan.platform.database.bulk import Bulk, settle, staged
from abhidhan.platform.database.compiled_queries import Query, Row

RECORDS_OF_A_SUM: Final = 4096
"""Number of consecutive record IDs whose keys are summed for comparison."""

ROWS_AT_ONCE: Final = 20_000

RecordKey = tuple[str, int]
"""A key and the ID of its record."""

_FIRST: Final = bindparam("first", type_=Integer)
_LAST: Final = bindparam("last", type_=Integer)


class RecordKeys:
    """Table of two columns, a key and the ID of its record, which are the primary key.

    `derive` is a pure function that computes its rows, each once, from those of the source.
    """

    def __init__(
        self, table: Table, records: Table, source: Source, derive: Callable[[Iterable[Row]], Iterable[RecordKey]]
    ) -> None:
        """Prepare the statements; each is compiled when it is first run."""
        self._table = table
        self._records = records
        self._derive = derive
        key, owner = table.columns
        self._key, self._owner = key, owner
        self._greatest = Query(select(func.max(records.c.id)))
        self._source_of_stretch = Query(source.rows.where(source.record_id.between(_FIRST, _LAST)))
        self._stored_of_stretch = Query(select(key, owner).where(owner.between(_FIRST, _LAST)))
        self._next = Query(
            select(key, owner)
            .where(tuple_(key, owner) > tuple_(bindparam("key", type_=Text), bindparam("after", type_=Integer)))
            .order_by(key, owner)
            .limit(bindparam("limit", type_=Integer))
        )

    def stale(self, tables: Tables) -> Iterator[Stale]:
        """Yield the records with wrong keys, and deleted ones that still have keys."""
        wanted, there = self._wanted_sums(tables), self._stored_sums(tables)
        for stretch in sorted(wanted.keys() | there.keys()):
            if wanted[stretch] != there[stretch]:
                yield from self._stale_of(tables, stretch)

    def _stale_of(self, tables: Tables, stretch: int) -> Iterator[Stale]:
        there = {_pair(row) for row in tables.rows(self._stored_of_stretch, **_ends(stretch))}
        found: defaultdict[int, list[str]] = defaultdict(list)
        for key, record_id in sorted(there.symmetric_difference(self._wanted(tables, stretch))):
            found[record_id].append(key)
        for record_id in sorted(found):
            yield Stale(f"{self._records.name}:{record_id}", ", ".join(found[record_id]))

    def _wanted(self, tables: Tables, stretch: int) -> Iterable[RecordKey]:
        return self._derive(tables.rows(self._source_of_stretch, **_ends(stretch)))

    def _wanted_sums(self, tables: Tables) -> defaultdict[int, int]:
        """Sum the hashes of the keys of each range: equal sums mean equal keys in any order."""
        ((greatest,),) = tables.rows(self._greatest)
        stretches = range((greatest or 0) // RECORDS_OF_A_SUM + 1)
        return defaultdict(int, {stretch: sum(map(_hash, self._wanted(tables, stretch))) for stretch in stretches})

    def _stored_sums(self, tables: Tables) -> defaultdict[int, int]:
        sums: defaultdict[int, int] = defaultdict(int)
        place: Place | None = ("", 0)
        while place is not None:
            rows, place = self.next(tables, place, ROWS_AT_ONCE)
            for row in rows:
                sums[row[1] // RECORDS_OF_A_SUM] += _hash(row)
        return sums

    def next(self, tables: Tables, after: Place, limit: int) -> tuple[list[RecordKey], Place | None]:
        """Return the next rows in the order of the table, and the cursor."""
        rows = [_pair(row) for row in tables.rows(self._next, key=after[0], after=after[1], limit=limit)]
        return rows, rows[-1] if len(rows) == limit else None

    def add(self, bulk: Bulk, rows: Iterable[RecordKey]) -> int:
        """Write the missing rows; return the number of records with any."""
        waiting = staged(self._table)
        bulk.connection.execute(CreateTable(waiting))
        bulk.insert(waiting, list(rows))
        there = exists().where(self._key == waiting.c[self._key.name], self._owner == waiting.c[self._owner.name])
        counted = select(func.count(waiting.c[self._owner.name].distinct())).where(~there)
        lacking = int(bulk.connection.execute(counted).scalar_one())
        if lacking:
            settle(bulk, self._table)
        bulk.connection.execute(DropTable(waiting))
        return lacking


def _ends(stretch: int) -> dict[str, int]:
    return {"first": stretch * RECORDS_OF_A_SUM, "last": (stretch + 1) * RECORDS_OF_A_SUM - 1}


def _hash(row: RecordKey) -> int:
    """Hash a row as one text; in sums of tuple hashes, two rows that swap their halves would go unnoticed."""
    return hash(f"{row[1]} {row[0]}")


def _pair(row: Row) -> RecordKey:
    return row[0], row[1]
