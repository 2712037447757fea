"""Checks that no other program uses a database, before an upgrade changes data that programs cache in memory."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text

from abhidhan.platform.database.leases import has_owner_ended
from abhidhan.records.errors import DatabaseError

MAX_CHECKS: Final = 20
POLL_INTERVAL_SECONDS: Final = 0.1
"""Interval between two checks: a connection disappears a moment after it was closed."""

STOP_PROGRAMS_MESSAGE: Final = (
    "This upgrade renumbers languages, and programs of older versions would confuse them. Stop every server and "
    "command that uses the database, then start this one again."
)

_SELECT_SESSIONS: Final = text(
    "SELECT DISTINCT coalesce(host(client_addr), 'this machine') FROM pg_stat_activity "
    "WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid() "
    "AND backend_type = 'client backend' "
    # Other servers of this version that wait for this upgrade do not count.
    "AND query NOT LIKE 'SELECT pg_advisory_xact_lock(%' ORDER BY 1"
)
_WAIT_QUERY: Final = text(f"SELECT pg_sleep({POLL_INTERVAL_SECONDS}), pg_stat_clear_snapshot()")
_SELECT_LEASES: Final = text(
    "SELECT name, owner FROM lease WHERE expires > extract(epoch FROM clock_timestamp()) * 1000"
)


def require_unopened_file(file: Path) -> None:
    """Ensure that no other process has an SQLite file open. Raises DatabaseError.

    Only the sole user of a file can leave WAL mode; the next writer turns it on again.
    """
    with closing(sqlite3.connect(file, timeout=0)) as connection:
        for _ in range(MAX_CHECKS):
            if _is_sole_user(connection):
                return
            time.sleep(POLL_INTERVAL_SECONDS)
    raise DatabaseError(f"Another program has {file} open. {STOP_PROGRAMS_MESSAGE}")


def _is_sole_user(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def refuse_used_database(connection: Connection) -> None:
    """Ensure that no other program is connected to a PostgreSQL database or holds a lease. Raises DatabaseError.

    Only connections of the same role count, so that monitoring tools may stay connected.
    """
    for _ in range(MAX_CHECKS):
        machines = connection.execute(_SELECT_SESSIONS).scalars().all()
        if not machines:
            break
        connection.execute(_WAIT_QUERY)
    if machines:
        raise DatabaseError(
            f"Other programs are connected to the database (from {', '.join(machines)}). {STOP_PROGRAMS_MESSAGE}"
        )
    lease_names = [name for name, owner in connection.execute(_SELECT_LEASES) if not has_owner_ended(owner)]
    if lease_names:
        raise DatabaseError(
            f"Another server is working in the database ({', '.join(lease_names)}). {STOP_PROGRAMS_MESSAGE}"
        )
