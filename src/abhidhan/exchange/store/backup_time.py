"""The time of the last backup, which all servers of a database report."""

from typing import Final

from sqlalchemy import Connection, select, update

from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import state

_QUERY: Final = CompiledQuery(select(state.c.backed_up_at).where(state.c.id == 1))


def read_backup_time(connection: ReadConnection) -> int | None:
    """Return the Unix time of the last backup by any server; None if there is none."""
    row = connection.row(_QUERY)
    return None if row is None else row[0]


def write_backup_time(connection: Connection, now: int) -> None:
    """Store the time of a backup."""
    connection.execute(update(state).where(state.c.id == 1).values(backed_up_at=now))
