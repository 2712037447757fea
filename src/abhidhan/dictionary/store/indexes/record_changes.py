"""Log of the records of the API that each transaction changes, for clients that keep copies.

Entries have no version until the last step of the transaction, which raises the data version.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from sqlalchemy import Connection, delete, select

from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import SqlValue
from abhidhan.records.change_feed import Became, ChangedRun, Followed, TransactionChanges
from abhidhan.records.id_bitmap import IdRun
from abhidhan.schema import record_change as table

BATCH_SIZE: Final = 10_000


def save_changes(connection: Connection, changed_records: TransactionChanges, changed_at: int) -> None:
    """Record changes made at a time, each record once per transaction."""
    if not changed_records:
        return
    runs = _merge_pending(connection, changed_records).iter_runs()
    bulk = BulkTransaction(connection)
    while rows := list(islice(_iter_rows(runs, changed_at), BATCH_SIZE)):
        bulk.insert(table, rows)


def _merge_pending(connection: Connection, changed_records: TransactionChanges) -> TransactionChanges:
    """Delete the changes that the transaction has recorded before, and merge them with the new ones."""
    pending = table.c.version.is_(None)
    columns = (table.c.kind, table.c.first_id, table.c.last_id, table.c.became)
    earlier = connection.execute(select(*columns).where(pending).order_by(table.c.id)).all()
    if not earlier:
        return changed_records
    connection.execute(delete(table).where(pending))
    merged = TransactionChanges()
    for kind, first, last, became in earlier:
        merged.apply_run(ChangedRun(Followed(kind), IdRun(first, last), Became(became)))
    for run in changed_records.iter_runs():
        merged.apply_run(run)
    return merged


def _iter_rows(runs: Iterator[ChangedRun], changed_at: int) -> Iterator[tuple[SqlValue, ...]]:
    """Yield runs as rows, in the order of the columns."""
    for kind, (first, last), became in runs:
        yield (None, changed_at, str(kind), first, last, str(became))
