"""Settings of a connection for bulk loading, restored at the end."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ProgrammingError

from abhidhan.platform.database.connections import display_url
from abhidhan.platform.database.postgresql import is_pooled
from abhidhan.records.errors import DatabaseError

BULK_CACHE_KIB = 40_000
"""Size in KiB of SQLite's page cache during bulk loading, and of the memory for sorting, on PostgreSQL too."""

SQLITE_BULK_SETTINGS = {
    "cache_size": -BULK_CACHE_KIB,
    # Debian's SQLite overwrites freed pages with zeros, such as those of every index that is dropped and rebuilt.
    "secure_delete": 0,
    # Every ID that loading writes was allocated or read in the same transaction, which is the only writer.
    "foreign_keys": 0,
}
"""PRAGMA settings of the SQLite connection that loads in bulk; readers have their own connections."""

_DISABLE_FOREIGN_KEYS: Final = text("SET LOCAL session_replication_role = replica")


@contextmanager
def configure_for_bulk(connection: Connection) -> Iterator[None]:
    """Configure a connection without an open transaction for bulk loading, and restore it at the end.

    Raises DatabaseError if it comes from a pooler.
    """
    if connection.dialect.name == "sqlite":
        with _configure_sqlite(connection):
            yield
    else:
        refuse_pooler(connection)
        with _skip_foreign_keys(connection):
            yield


@contextmanager
def _configure_sqlite(connection: Connection) -> Iterator[None]:
    driver: DBAPIConnection = connection.connection.driver_connection  # type: ignore[assignment]
    previous = {name: driver.execute(f"PRAGMA {name}").fetchone()[0] for name in SQLITE_BULK_SETTINGS}
    _set_pragmas(driver, SQLITE_BULK_SETTINGS)
    try:
        yield
    finally:
        # Ctrl+C in the middle of a statement closes the connection.
        if not connection.invalidated:
            _set_pragmas(driver, previous)


@contextmanager
def _skip_foreign_keys(connection: Connection) -> Iterator[None]:
    """Disable PostgreSQL's foreign key checks, if the role may (superusers may).

    They take half of the loading time, and every ID was allocated or read in the same transaction, which is the only
    writer. The setting is local to each transaction, so that it never leaks to other users of the connection.
    """
    try:
        with connection.begin():
            _disable_foreign_keys(connection)
    except ProgrammingError:
        yield
        return
    event.listen(connection, "begin", _disable_foreign_keys)
    try:
        yield
    finally:
        event.remove(connection, "begin", _disable_foreign_keys)


def _disable_foreign_keys(connection: Connection) -> None:
    connection.execute(_DISABLE_FOREIGN_KEYS)


def refuse_pooler(connection: Connection) -> None:
    """Ensure that a connection is to PostgreSQL itself, not to a pooler. Raises DatabaseError."""
    if connection.dialect.name != "sqlite" and is_pooled(connection):
        raise DatabaseError(
            f"{display_url(connection.engine.url)} is a connection pooler, but this command needs the database "
            "itself: give the URL of the database, in ABHIDHAN_DATABASE_DIRECT if it is the one of the settings."
        )


def _set_pragmas(driver: DBAPIConnection, settings: Mapping[str, int]) -> None:
    for name, value in settings.items():
        driver.execute(f"PRAGMA {name} = {value}")
