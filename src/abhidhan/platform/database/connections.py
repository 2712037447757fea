"""Opening connections: database URLs, the SQLite engines, and their PRAGMA settings."""

import sqlite3
import sys
from pathlib import Path
from urllib.parse import parse_qsl

import psycopg
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from abhidhan.platform.database.compiled_queries import DriverConnection
from abhidhan.platform.database.postgresql import READ_ONLY_OPTION, open_postgresql
from abhidhan.records.errors import SettingError, quoted
from abhidhan.records.setting_values import DATABASE_URL_FORMATS, check_database_url, hide_password

BUSY_TIMEOUT_SECONDS = 10
"""Timeout of a writer that waits for another process's transaction, on either engine."""

LONG_READER_CACHE_KIB = 4_000
"""SQLite's page cache in KiB for each long reader.

With half of it, a search for 1,000 of a million words took 150 ms instead of 90.
"""

MMAP_BYTES = 2**40 if sys.maxsize > 2**32 else 0
"""Bytes of the database that each reader maps into memory: as many as SQLite allows, usually 2 GB.

Pages are then read from the kernel's cache without copying, which saves a tenth of a worker's processor time for a
look-up or a search. Turned off on 32-bit systems, which lack the address space.
"""

MAX_WAL_BYTES = 64 * 1024 * 1024

MAX_LONG_READERS = 4
"""Maximum number of concurrent long reads (searches, long lists) of one process on SQLite."""


def parse_url(url: str, setting: str = "ABHIDHAN_DATABASE") -> URL:
    """Parse a database URL: `sqlite:///folder/file` or `postgresql://user@host/name`.

    Raises SettingError, which names the setting and contains no part of the URL.
    """
    try:
        check_database_url(url)
    except ValueError as error:
        raise SettingError(f"{setting} {error}.") from None
    if not url.startswith("sqlite"):
        _check_parameters(url, setting)
    try:
        parsed = _parse_hosts(url) if _has_several_hosts(url) else make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, ValueError, psycopg.Error):
        # The original messages may contain the password.
        raise SettingError(f"{setting} must be {DATABASE_URL_FORMATS}.") from None
    return parsed.set(drivername="sqlite" if backend == "sqlite" else "postgresql+psycopg")


def _check_parameters(url: str, setting: str) -> None:
    """Check that PostgreSQL knows the parameters of a URL. Raises SettingError."""
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    unknown = [name for name, _ in parse_qsl(url.partition("?")[2], keep_blank_values=True) if name not in known]
    if unknown:
        raise SettingError(f"{setting} has the parameter {quoted(unknown[0])}, which PostgreSQL does not know.")


def _has_several_hosts(url: str) -> bool:
    hosts = url.partition("://")[2].partition("?")[0].rpartition("@")[2].partition("/")[0]
    return "," in hosts and not url.startswith("sqlite")


def _parse_hosts(url: str) -> URL:
    """Parse a PostgreSQL URL with several hosts, whose ports SQLAlchemy does not accept. Raises psycopg.Error."""
    options = conninfo_to_dict(f"postgresql://{url.partition('://')[2]}")
    parts = {name: str(value) for name, value in options.items()}
    return URL.create(
        "postgresql",
        username=parts.pop("user", None),
        password=parts.pop("password", None),
        database=parts.pop("dbname", None),
        query=parts,
    )


def sqlite_file(url: URL) -> Path | None:
    """Return the file of an SQLite database; None for PostgreSQL."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def create_sqlite_writer_engine(url: URL) -> Engine:
    """Create the engine for write transactions."""
    engine = create_engine(
        url, poolclass=QueuePool, pool_size=1, max_overflow=1, connect_args={"check_same_thread": False}
    )
    event.listen(engine, "connect", _prepare_sqlite_writer)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def create_sqlite_reader_engine(url: URL) -> Engine:
    """Create the engine for read-only transactions."""
    reader = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=1,
        max_overflow=MAX_LONG_READERS - 1,
        connect_args={"check_same_thread": False},
        execution_options={READ_ONLY_OPTION: True},
    )
    event.listen(reader, "connect", _prepare_sqlite_reader)
    event.listen(reader, "begin", _begin_read)
    return reader


def _prepare_sqlite_reader(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000}")
    cursor.execute(f"PRAGMA cache_size = -{LONG_READER_CACHE_KIB}")
    cursor.execute("PRAGMA query_only = ON")
    cursor.close()


def _begin_read(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _prepare_sqlite_writer(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # Without isolation_level=None the driver begins transactions itself, and BEGIN IMMEDIATE comes too late:
    # two processes that read and then write silently lose each other's updates.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    # Otherwise the WAL file would keep its size after a large import.
    cursor.execute(f"PRAGMA journal_size_limit = {MAX_WAL_BYTES}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def open_read_connection(url: URL, cache_kib: int, *, sorts_on_disk: bool) -> DriverConnection:
    """Open a read-only connection of the driver."""
    if url.get_backend_name() != "sqlite":
        return open_postgresql(url)
    connection = _open_sqlite_reader(url, cache_kib)
    if not sorts_on_disk:
        # The sorts of a request are small, and must not fail where there is no room for temporary files.
        connection.execute("PRAGMA temp_store = MEMORY", ())
    return connection


def _open_sqlite_reader(url: URL, cache_kib: int) -> sqlite3.Connection:
    connection = sqlite3.connect(
        str(url.database),
        isolation_level=None,
        check_same_thread=False,
        timeout=BUSY_TIMEOUT_SECONDS,
        cached_statements=512,
    )
    connection.execute("PRAGMA query_only = ON")
    connection.execute(f"PRAGMA cache_size = -{cache_kib}")
    connection.execute(f"PRAGMA mmap_size = {MMAP_BYTES}")
    return connection


def display_url(url: URL) -> str:
    """Return the URL without its password and driver name, for logs and messages."""
    return hide_password(url.set(drivername=url.get_backend_name()).render_as_string(hide_password=False))
