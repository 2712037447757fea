"""Keys of records, in tables without an index on the record, which would double their size.

To update the keys of a record, the former ones are derived from its former data. To compare all keys, one scan in the
order of the table sums their hashes by range of records.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from sqlalchemy import Integer, Table, Text, bindparam, exists, func, select, tuple_
from sqlalchemy.schema import CreateTable, DropTable

from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import RebuildCursor, StaleRecord
from abhidhan.dictionary.store.indexes.derived_table import DerivationSource
from abhidhan.platform.database.bulk import BulkTransaction, build_staging_table, flush_staging_table
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row

RECORDS_PER_CHECKSUM: Final = 4096
"""Number of consecutive record IDs for which the hashes of keys are summed for comparison."""

ROW_BATCH_SIZE: Final = 20_000

RecordKey = tuple[str, int]
"""A key and the ID of its record."""

_FIRST: Final = bindparam("first", type_=Integer)
_LAST: Final = bindparam("last", type_=Integer)


class RecordKeys:
    """Table of two columns, a key and the ID of its record, which are the primary key.

    `derive` is a pure function that computes its rows, each once, from those of the source.
    """

    def __init__(
        self,
        table: Table,
        records: Table,
        source: DerivationSource,
        derive: Callable[[Iterable[Row]], Iterable[RecordKey]],
    ) -> None:
        """Prepare the statements; each is compiled when it is first run."""
        self._table = table
        self._records = records
        self._derive = derive
        key, owner = table.columns
        self._key, self._owner = key, owner
        self._max_id = CompiledQuery(select(func.max(records.c.id)))
        self._source_range_query = CompiledQuery(source.rows.where(source.record_id.between(_FIRST, _LAST)))
        self._stored_range_query = CompiledQuery(select(key, owner).where(owner.between(_FIRST, _LAST)))
        self._next_query = CompiledQuery(
            select(key, owner)
            .where(tuple_(key, owner) > tuple_(bindparam("key", type_=Text), bindparam("after", type_=Integer)))
            .order_by(key, owner)
            .limit(bindparam("limit", type_=Integer))
        )

    def find_stale(self, tables: RowSource) -> Iterator[StaleRecord]:
        """Yield the records with wrong keys, and deleted ones that still have keys."""
        derived_sums, stored_sums = self._sum_derived_hashes(tables), self._sum_stored_hashes(tables)
        for range_number in sorted(derived_sums.keys() | stored_sums.keys()):
            if derived_sums[range_number] != stored_sums[range_number]:
                yield from self._find_stale_in_range(tables, range_number)

    def _find_stale_in_range(self, tables: RowSource, range_number: int) -> Iterator[StaleRecord]:
        stored_keys = {
            _to_record_key(row) for row in tables.rows(self._stored_range_query, **_range_bounds(range_number))
        }
        keys_by_record: defaultdict[int, list[str]] = defaultdict(list)
        for key, record_id in sorted(stored_keys.symmetric_difference(self._derive_keys(tables, range_number))):
            keys_by_record[record_id].append(key)
        for record_id in sorted(keys_by_record):
            yield StaleRecord(f"{self._records.name}:{record_id}", ", ".join(keys_by_record[record_id]))

    def _derive_keys(self, tables: RowSource, range_number: int) -> Iterable[RecordKey]:
        return self._derive(tables.rows(self._source_range_query, **_range_bounds(range_number)))

    def _sum_derived_hashes(self, tables: RowSource) -> defaultdict[int, int]:
        """Sum the hashes of the keys of each range: equal sums mean equal keys in any order."""
        ((max_id,),) = tables.rows(self._max_id)
        range_numbers = range((max_id or 0) // RECORDS_PER_CHECKSUM + 1)
        return defaultdict(
            int,
            {
                range_number: sum(map(_hash_row, self._derive_keys(tables, range_number)))
                for range_number in range_numbers
            },
        )

    def _sum_stored_hashes(self, tables: RowSource) -> defaultdict[int, int]:
        sums: defaultdict[int, int] = defaultdict(int)
        cursor: RebuildCursor | None = ("", 0)
        while cursor is not None:
            rows, cursor = self.load_next(tables, cursor, ROW_BATCH_SIZE)
            for row in rows:
                sums[row[1] // RECORDS_PER_CHECKSUM] += _hash_row(row)
        return sums

    def load_next(
        self, tables: RowSource, after: RebuildCursor, limit: int
    ) -> tuple[list[RecordKey], RebuildCursor | None]:
        """Load the next rows in the order of the table, and the cursor for the rows after them, None at the end."""
        rows = [_to_record_key(row) for row in tables.rows(self._next_query, key=after[0], after=after[1], limit=limit)]
        return rows, rows[-1] if len(rows) == limit else None

    def add_missing(self, bulk: BulkTransaction, rows: Iterable[RecordKey]) -> int:
        """Write the missing rows; return the number of records that had any."""
        staging = build_staging_table(self._table)
        bulk.connection.execute(CreateTable(staging))
        bulk.insert(staging, list(rows))
        is_stored = exists().where(self._key == staging.c[self._key.name], self._owner == staging.c[self._owner.name])
        missing_count = select(func.count(staging.c[self._owner.name].distinct())).where(~is_stored)
        missing = int(bulk.connection.execute(missing_count).scalar_one())
        if missing:
            flush_staging_table(bulk, self._table)
        bulk.connection.execute(DropTable(staging))
        return missing


def _range_bounds(range_number: int) -> dict[str, int]:
    return {"first": range_number * RECORDS_PER_CHECKSUM, "last": (range_number + 1) * RECORDS_PER_CHECKSUM - 1}


def _hash_row(row: RecordKey) -> int:
    """Hash a row as one text; in sums of tuple hashes, two rows that swap their halves would go unnoticed."""
    return hash(f"{row[1]} {row[0]}")


def _to_record_key(row: Row) -> RecordKey:
    return row[0], row[1]
