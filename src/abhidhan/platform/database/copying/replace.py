"""Everything in a PostgreSQL database replaced by what another one holds, in one transaction: all of it, or nothing."""

from contextlib import nullcontext
from typing import Final

from sqlalchemy import Connection, text

from abhidhan.platform.database.bulk_connections import set_for_bulk
from abhidhan.platform.database.connections import shown_address
from abhidhan.platform.database.copying import copy_mark, sequences
from abhidhan.platform.database.copying.copy_rows import fill
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import is_of_newest, migrate, revision_of, told_in_words
from abhidhan.platform.database.schema_guard import POSTGRESQL_LOCK
from abhidhan.records.errors import DatabaseError
from abhidhan.schema.schema_revisions import REVISIONS

LOOKS: Final = 20
"""How often it is looked for connections: one that was just closed goes a moment later."""

_LATER: Final = text("SELECT pg_sleep(0.1), pg_stat_clear_snapshot()")
_OTHERS: Final = text(
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def replace_all(source: Database, replaced: Database) -> None:
    """Make all tables of a PostgreSQL database that nobody uses what they are in `source`, which is of this version.

    Raises DatabaseError, and then the database is as it was.
    """
    name = shown_address(replaced.url)
    with told_in_words(name), replaced.long_write(made=False) as connection, source.snapshot() as reader:
        last = sequences.given(reader)
        with set_for_bulk(connection), connection.begin():
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": POSTGRESQL_LOCK})
            _make_tables(connection, name)
            fill(reader, connection, nullcontext, lambda _table, _rows: None)
            sequences.go_on(connection, last)
            copy_mark.finish(connection)
    copy_mark.tidy(replaced)


def _make_tables(connection: Connection, name: str) -> None:
    """Let a database have the tables of this version, whatever it held."""
    found = revision_of(connection)
    if found is not None and _is_in_use(connection):
        raise DatabaseError(f"{name} is in use: stop the server first, and whatever else is connected to it.")
    if found is not None and is_of_newest(found):
        return
    if found is not None and found not in REVISIONS:
        raise DatabaseError(f"{name} is of another version of Abhidhan: restore into an empty database.")
    migrate(connection)


def _is_in_use(connection: Connection) -> bool:
    for _ in range(LOOKS):
        if not connection.execute(_OTHERS).scalar_one():
            return False
        connection.execute(_LATER)
    return True
