"""Reads of the database: short and long jobs, the cached catalogue, and the data version."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import psycopg
from sqlalchemy import Connection

from abhidhan.platform.database.catalogue import read_catalogue
from abhidhan.platform.database.compiled_queries import DriverConnection
from abhidhan.platform.database.connections import (
    LONG_READER_CACHE_KIB,
    MAX_LONG_READERS,
    create_sqlite_reader_engine,
    create_sqlite_writer_engine,
    display_url,
    open_read_connection,
    parse_url,
    sqlite_file,
)
from abhidhan.platform.database.data_version import CachedVersion
from abhidhan.platform.database.driver_errors import DriverErrorTranslator, OutageTracker
from abhidhan.platform.database.postgresql import ConnectionPool, ShortReadConnection, open_postgresql
from abhidhan.platform.database.reader import CachedResults, ReadConnection, ReaderPool
from abhidhan.platform.database.thread_pool import ThreadPool
from abhidhan.records.catalogue import Catalogue

T = TypeVar("T")

INLINE_READER_CACHE_KIB = 16_000
"""SQLite's page cache in KiB for the reader of most requests; small, as it is part of each worker's memory."""


class ReadableDatabase:
    """The reading side of the database, for SQLite and PostgreSQL.

    Short jobs run inline on SQLite, where switching threads would take longer than the job. On PostgreSQL they have
    their own threads and connections, so that long jobs do not delay them.
    """

    def __init__(self, url: str, *, outage_lock_file: Path | None, max_connections: int) -> None:
        """Create connection pools, which open on first use; `outage_lock_file` elects the process that logs outages.

        `max_connections` is for PostgreSQL: half of them for short reads, the others for long reads and writes.
        """
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.outage = OutageTracker(display_url(self.url), outage_lock_file)
        self.cached_catalogue: tuple[int, Catalogue] | None = None
        """The cached catalogue and its data version."""
        self._engine_name = "sqlite" if self.is_sqlite else "postgresql"
        self._error_translator = DriverErrorTranslator(self.url)
        self._pool: ConnectionPool | None = None
        short_readers = max_connections // 2
        if self.is_sqlite:
            self.engine = create_sqlite_writer_engine(self.url)
            self._read_only_engine = create_sqlite_reader_engine(self.url)
        else:
            self._pool = ConnectionPool(self.url, max_connections - short_readers, self.outage)
            self.engine = self._pool.engine
            self._read_only_engine = self._pool.get_read_only_engine()
        self._short_threads = ThreadPool("short reading", short_readers)
        self._long_threads = ThreadPool(
            "reading", MAX_LONG_READERS if self.is_sqlite else max_connections - short_readers
        )
        self._inline_reader: ReadConnection | None = None
        self._short_readers = ReaderPool(self._open_short_reader)
        self._long_readers = ReaderPool(partial(self._open_reader, LONG_READER_CACHE_KIB))
        self._version_check: asyncio.Task[int] | None = None
        self._cached_version = CachedVersion()
        self._cache: CachedResults = {}

    async def read(self, job: Callable[[ReadConnection], T], *, long: bool = False) -> T:
        """Run a reading job without side effects: it is retried once if its connection was lost.

        A short job runs inline on SQLite, and does not wait for long jobs on PostgreSQL. A long job runs in a thread,
        in one transaction with one snapshot.
        """
        if long:
            return await self._long_threads.run(self._read_with_long_reader, job)
        if self.is_sqlite:
            return self.read_now(job)
        return await self._short_threads.run(self._read_with_short_reader, job)

    async def read_transaction(self, job: Callable[[Connection], T]) -> T:
        """Run a job that needs an SQLAlchemy connection but only reads, in a thread, in a snapshot transaction.

        It neither waits for writers nor blocks them.
        """
        return await self._long_threads.run(self._read_in_transaction, job)

    def read_now(self, job: Callable[[ReadConnection], T]) -> T:
        """Run a reading job in the calling thread. Raises DatabaseError or UnavailableError."""
        if not self.is_sqlite:
            return self._read_with_long_reader(job)
        if self._inline_reader is None:
            self._inline_reader = self._open_reader(INLINE_READER_CACHE_KIB)
        try:
            return self._inline_reader.run(job)
        except Exception:
            # Enter the translation only for errors, which saves time for all others.
            with self._error_translator:
                raise

    @contextmanager
    def snapshot(self) -> Iterator[ReadConnection]:
        """Open a separate reader with a snapshot of the current data."""
        with self._error_translator:
            reader = self._open_reader(LONG_READER_CACHE_KIB, sorts_on_disk=True)
            try:
                reader.begin()
                yield reader
            finally:
                reader.close()

    async def version(self) -> int:
        """Return the data version; as long as it stays the same, no public response changes."""
        if self.is_sqlite:
            return self._cached_version.read(self._read_version)
        check = self._version_check
        if check is None or check.done():
            check = self._version_check = asyncio.create_task(self._short_threads.run(self._check_version))
        return await asyncio.shield(check)

    def _check_version(self) -> int:
        # A check serves the callers that came before it is sent; later callers need another one.
        self._version_check = None
        return self._read_with_short_reader(ReadConnection.read_data_version)

    def version_now(self) -> int:
        """Return the data version, read in the calling thread."""
        return self._cached_version.read(self._read_version)

    def _read_version(self) -> int:
        return self.read_now(ReadConnection.read_data_version)

    def watch_commits(self) -> None:
        """Cache the data version until the next commit, for a process that keeps the database open.

        Has no effect on PostgreSQL.
        """
        file = sqlite_file(self.url)
        if file is not None:
            # The wal-index exists after the first read.
            self.version_now()
            self._cached_version.watch(file)

    @property
    def last_catalogue(self) -> Catalogue | None:
        """The cached catalogue, which may be slightly out of date; None before the first read."""
        return None if self.cached_catalogue is None else self.cached_catalogue[1]

    def get_catalogue(self, connection: ReadConnection) -> Catalogue:
        """Return the catalogue of the data that the reader sees."""
        cached = self.cached_catalogue
        # Other readers run in threads or see an older snapshot, so they cannot use the cached version.
        is_inline = connection is self._inline_reader
        version = (
            self._cached_version.read(connection.read_data_version) if is_inline else connection.read_data_version()
        )
        if cached is None or cached[0] != version:
            cached = (version, read_catalogue(connection.rows))
            self.cached_catalogue = cached
        return cached[1]

    def close(self) -> None:
        """Wait for running jobs and close all connections."""
        self._short_threads.close()
        self._long_threads.close()
        self._cached_version.unwatch()
        if self._inline_reader is not None:
            self._inline_reader.close()
            self._inline_reader = None
        self._short_readers.close()
        self._long_readers.close()
        self.outage.close()
        self._read_only_engine.dispose()
        self.engine.dispose()

    def _read_in_transaction(self, job: Callable[[Connection], T]) -> T:
        with self._error_translator, self._read_only_engine.begin() as connection:
            return job(connection)

    def _read_with_short_reader(self, job: Callable[[ReadConnection], T]) -> T:
        with self._error_translator:
            return self._short_readers.run(partial(ReadConnection.run, job=job))

    def _read_with_long_reader(self, job: Callable[[ReadConnection], T]) -> T:
        snapshot_job = partial(ReadConnection.run_in_snapshot, job=job)
        with self._error_translator:
            if self._pool is None:
                return self._long_readers.run(snapshot_job)
            with self._pool.acquire_reader(self._wrap_connection) as reader:
                return snapshot_job(reader)

    def _wrap_connection(self, connection: DriverConnection) -> ReadConnection:
        return ReadConnection(connection, self._engine_name, self.get_catalogue, self._cache)

    def _open_short_reader(self) -> ReadConnection:
        return self._wrap_connection(ShortReadConnection(self._connect(partial(open_postgresql, self.url))))

    def _open_reader(self, cache_kib: int, *, sorts_on_disk: bool = False) -> ReadConnection:
        connect = partial(open_read_connection, self.url, cache_kib, sorts_on_disk=sorts_on_disk)
        return self._wrap_connection(self._connect(connect))

    def _connect(self, connect: Callable[[], T]) -> T:
        with self._error_translator:
            try:
                connection = connect()
            except psycopg.OperationalError as error:
                self.outage.begin(error)
                raise
        self.outage.end()
        return connection
