"""Records of the API changed by a transaction, recorded by its writer for clients with copies.

They have no version until the last step of the transaction, which raises the data version.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from sqlalchemy import Connection, delete, select

from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Value
from abhidhan.records.change_feed import Became, Followed, Noted, NotedRun
from abhidhan.records.id_bitmap import IdRun
from abhidhan.schema import record_change as table

AT_ONCE: Final = 10_000


def note(connection: Connection, noted: Noted, at: int) -> None:
    """Record changes at a time; each record once per transaction."""
    if not noted:
        return
    runs = _with_earlier(connection, noted).runs()
    bulk = Bulk(connection)
    while rows := list(islice(_rows(runs, at), AT_ONCE)):
        bulk.insert(table, rows)


def _with_earlier(connection: Connection, noted: Noted) -> Noted:
    """Delete the changes that the transaction has recorded before, and merge them with the new ones."""
    pending = table.c.version.is_(None)
    of_run = (table.c.kind, table.c.first_id, table.c.last_id, table.c.became)
    earlier = connection.execute(select(*of_run).where(pending).order_by(table.c.id)).all()
    if not earlier:
        return noted
    connection.execute(delete(table).where(pending))
    joined = Noted()
    for kind, first, last, became in earlier:
        joined.then(NotedRun(Followed(kind), IdRun(first, last), Became(became)))
    for run in noted.runs():
        joined.then(run)
    return joined


def _rows(runs: Iterator[NotedRun], at: int) -> Iterator[tuple[Value, ...]]:
    """Yield runs as rows, in the order of the columns."""
    for kind, (first, last), became in runs:
        yield (None, at, str(kind), first, last, str(became))
