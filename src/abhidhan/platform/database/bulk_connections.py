"""A connection set up for loading in bulk, and set back at the end."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ProgrammingError

from abhidhan.platform.database.connections import shown_address
from abhidhan.platform.database.postgresql import is_pooled
from abhidhan.records.errors import DatabaseError

BULK_CACHE_KIB = 40_000
"""SQLite's page cache while rows are loaded in bulk; it takes as much again to sort, and so does PostgreSQL."""

SQLITE_IN_BULK = {
    "cache_size": -BULK_CACHE_KIB,
    # Debian's SQLite overwrites what it frees with zeros: all pages of each index that is dropped to be built anew.
    "secure_delete": 0,
    # Every ID that loading writes was given out or read in the same transaction, which is the only one that writes.
    "foreign_keys": 0,
}
"""How a connection to SQLite is set while it loads in bulk. Readers have connections of their own."""

_TRUST: Final = text("SET LOCAL session_replication_role = replica")


@contextmanager
def set_for_bulk(connection: Connection) -> Iterator[None]:
    """Set up a connection that has no transaction open for loading in bulk, and set it back at the end.

    Raises DatabaseError where it comes from a pooler.
    """
    if connection.dialect.name == "sqlite":
        with _set_sqlite(connection):
            yield
    else:
        refuse_pooler(connection)
        with _trusting(connection):
            yield


@contextmanager
def _set_sqlite(connection: Connection) -> Iterator[None]:
    driver: DBAPIConnection = connection.connection.driver_connection  # type: ignore[assignment]
    before = {name: driver.execute(f"PRAGMA {name}").fetchone()[0] for name in SQLITE_IN_BULK}
    _set(driver, SQLITE_IN_BULK)
    try:
        yield
    finally:
        # Whoever presses Ctrl+C in the middle of a statement has closed the connection by it.
        if not connection.invalidated:
            _set(driver, before)


@contextmanager
def _trusting(connection: Connection) -> Iterator[None]:
    """Let PostgreSQL write IDs without looking up each of them, if its role may say so: superusers may.

    Foreign keys take half of its time, and every ID was given out or read in the same transaction, while no one else
    writes. It is said in each transaction for that one alone: what stays set might be met by somebody else.
    """
    try:
        with connection.begin():
            _trust(connection)
    except ProgrammingError:
        yield
        return
    event.listen(connection, "begin", _trust)
    try:
        yield
    finally:
        event.remove(connection, "begin", _trust)


def _trust(connection: Connection) -> None:
    connection.execute(_TRUST)


def refuse_pooler(connection: Connection) -> None:
    """Make sure that a connection is one to PostgreSQL itself, not to a pooler. Raises DatabaseError."""
    if connection.dialect.name != "sqlite" and is_pooled(connection):
        raise DatabaseError(
            f"{shown_address(connection.engine.url)} is a pooler of connections, and this needs the database itself: "
            "give its own address, as ABHIDHAN_DATABASE_DIRECT where it is that of the settings."
        )


def _set(driver: DBAPIConnection, settings: Mapping[str, int]) -> None:
    for name, value in settings.items():
        driver.execute(f"PRAGMA {name} = {value}")
