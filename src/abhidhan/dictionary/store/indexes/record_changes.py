"""Which records of the API a transaction has changed: noted by whoever changes them, for those who keep copies.

What is noted has no version yet; raising the data version, the last step of a transaction, gives it one.
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
    """Note records as changed at a time; each once, whatever the same transaction has noted before."""
    if not noted:
        return
    runs = _with_earlier(connection, noted).runs()
    bulk = Bulk(connection)
    while rows := list(islice(_rows(runs, at), AT_ONCE)):
        bulk.insert(table, rows)


def _with_earlier(connection: Connection, noted: Noted) -> Noted:
    """Take back what the transaction has noted before, and join it with what it notes now."""
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
    """Write runs in the order of the columns."""
    for kind, (first, last), became in runs:
        yield (None, at, str(kind), first, last, str(became))
