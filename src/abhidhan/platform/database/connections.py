"""How connections are opened: addresses, the engines of SQLite, and what each is told before its first statement."""

import sqlite3
import sys
from pathlib import Path

from psycopg import pq
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from abhidhan.platform.database.compiled_queries import DriverConnection
from abhidhan.platform.database.postgresql import ONLY_READS, open_postgresql
from abhidhan.records.errors import SettingError, quoted
from abhidhan.records.setting_values import DATABASE_FORMS, check_database_address, without_password

BUSY_SECONDS = 10
"""How long a writer waits for another process's transaction before it gives up, on either engine."""

LONG_READER_CACHE_KIB = 4_000
"""The same for each long reader: with half of it a search for 1,000 of a million words took 150 ms instead of 90."""

MAPPED_BYTES = 2**40 if sys.maxsize > 2**32 else 0
"""How much of a database each reader maps into memory: all that SQLite lets it, 2 GB as it is usually built.

A page is then where the kernel has it, and is not copied: a tenth of what a worker computes for a look-up or a search.
Where addresses have 32 bits, no room is left for that.
"""

WAL_BYTES = 64 * 1024 * 1024

LONG_READERS = 4
"""How many long reads (searches, long lists) one process runs at once on SQLite."""


def parse_url(url: str, setting: str = "ABHIDHAN_DATABASE") -> URL:
    """Read a database's address: `sqlite:///folder/file` or `postgresql://user@host/name`.

    Raises SettingError, which names the setting, and holds no part of the address.
    """
    try:
        check_database_address(url)
    except ValueError as error:
        raise SettingError(f"{setting} {error}.") from None
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, ValueError):
        # What they say of the address may hold its password.
        raise SettingError(f"{setting} must be {DATABASE_FORMS}.") from None
    if backend == "sqlite":
        return parsed.set(drivername="sqlite")
    unknown = sorted(parsed.query.keys() - {option.keyword.decode() for option in pq.Conninfo.get_defaults()})
    if unknown:
        raise SettingError(f"{setting} has the parameter {quoted(unknown[0])}, which PostgreSQL does not know.")
    return parsed.set(drivername="postgresql+psycopg")


def sqlite_file(url: URL) -> Path | None:
    """Return the file of an SQLite database; None for another engine."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def make_sqlite_engine(url: URL) -> Engine:
    """Make the engine by which transactions are written."""
    engine = create_engine(
        url, poolclass=QueuePool, pool_size=1, max_overflow=1, connect_args={"check_same_thread": False}
    )
    event.listen(engine, "connect", _prepare_sqlite_writer)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def make_sqlite_reading_engine(url: URL) -> Engine:
    """Make the engine of transactions that read what another would change."""
    reader = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=1,
        max_overflow=LONG_READERS - 1,
        connect_args={"check_same_thread": False},
        execution_options={ONLY_READS: True},
    )
    event.listen(reader, "connect", _prepare_sqlite_reader)
    event.listen(reader, "begin", _begin_reading)
    return reader


def _prepare_sqlite_reader(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    cursor.execute(f"PRAGMA cache_size = -{LONG_READER_CACHE_KIB}")
    cursor.execute("PRAGMA query_only = ON")
    cursor.close()


def _begin_reading(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _prepare_sqlite_writer(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # Without isolation_level=None the driver begins transactions itself, and BEGIN IMMEDIATE comes too late:
    # two processes that read and then write lose each other's updates without a word.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    # After a large import the file beside the database would stay as large as all that was written.
    cursor.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def open_for_reading(url: URL, cache_kib: int, *, sorts_on_disk: bool) -> DriverConnection:
    """Open a driver's connection that only reads."""
    if url.get_backend_name() != "sqlite":
        return open_postgresql(url)
    connection = _open_sqlite_reader(url, cache_kib)
    if not sorts_on_disk:
        # What an answer sorts is small, and must not fail where there is no room for temporary files.
        connection.execute("PRAGMA temp_store = MEMORY", ())
    return connection


def _open_sqlite_reader(url: URL, cache_kib: int) -> sqlite3.Connection:
    connection = sqlite3.connect(
        str(url.database),
        isolation_level=None,
        check_same_thread=False,
        timeout=BUSY_SECONDS,
        cached_statements=512,
    )
    connection.execute("PRAGMA query_only = ON")
    connection.execute(f"PRAGMA cache_size = -{cache_kib}")
    connection.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
    return connection


def shown_address(url: URL) -> str:
    """Return the address as people may see it: without its password, and as they write it."""
    return without_password(url.set(drivername=url.get_backend_name()).render_as_string(hide_password=False))
