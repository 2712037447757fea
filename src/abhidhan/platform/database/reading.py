"""How the database is read: short jobs, long ones, and the catalogue and version of the data as they are now."""

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
    LONG_READERS,
    make_sqlite_engine,
    make_sqlite_reading_engine,
    open_for_reading,
    parse_url,
    shown_address,
    sqlite_file,
)
from abhidhan.platform.database.data_version import CachedVersion
from abhidhan.platform.database.driver_errors import DriverErrors, Outage
from abhidhan.platform.database.postgresql import Connections, ShortReadConnection, open_postgresql
from abhidhan.platform.database.reader import Kept, Reader, ReaderPool
from abhidhan.platform.database.thread_pool import Threads
from abhidhan.records.catalogue import Catalogue

T = TypeVar("T")

READER_CACHE_KIB = 16_000
"""SQLite's page cache for the reader that answers most requests; part of a worker's memory, so kept small."""


class ReadableDatabase:
    """One dictionary's database as it is read. A job runs its statements one after the other, on either engine.

    Short jobs run at once on SQLite, where a change of threads would take longer than they do. On PostgreSQL they have
    threads and connections of their own, so that no long job holds them up.
    """

    def __init__(self, url: str, *, outages: Path | None, connections: int) -> None:
        """Take the address of the database, which is opened when it is used, and the file for its `Outage`.

        Of PostgreSQL it has so many connections at most: a half is for short reads, the rest for long ones and writing.
        """
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.outage = Outage(shown_address(self.url), outages)
        self.kept_catalogue: tuple[int, Catalogue] | None = None
        """The catalogue that was read last, with its data version."""
        self._engine_name = "sqlite" if self.is_sqlite else "postgresql"
        self._translating = DriverErrors(self.url)
        self._connections: Connections | None = None
        short_readers = connections // 2
        if self.is_sqlite:
            self.engine = make_sqlite_engine(self.url)
            self._reading_engine = make_sqlite_reading_engine(self.url)
        else:
            self._connections = Connections(self.url, connections - short_readers, self.outage)
            self.engine = self._connections.engine
            self._reading_engine = self._connections.reading()
        self._short_threads = Threads("short reading", short_readers)
        self._threads = Threads("reading", LONG_READERS if self.is_sqlite else connections - short_readers)
        self._inline_reader: Reader | None = None
        self._short_readers = ReaderPool(self._open_short_reader)
        self._long_readers = ReaderPool(partial(self._open_reader, LONG_READER_CACHE_KIB))
        self._version_check: asyncio.Task[int] | None = None
        self._cached_version = CachedVersion()
        self._kept: Kept = {}

    async def read(self, job: Callable[[Reader], T], *, long: bool = False) -> T:
        """Run a reading job, which has no effect but its answer: it may run once more where a connection was lost.

        A short one runs at once on SQLite, and does not wait for long ones on PostgreSQL. A long one runs in a thread,
        and all its statements see the data as the first does.
        """
        if long:
            return await self._threads.run(self._read_with_long_reader, job)
        if self.is_sqlite:
            return self.read_now(job)
        return await self._short_threads.run(self._read_with_short_reader, job)

    async def read_transaction(self, job: Callable[[Connection], T]) -> T:
        """Run a job that reads what another would change, in a thread, seeing one moment.

        It waits for no writer and holds up none: nothing could be written.
        """
        return await self._threads.run(self._read_in_transaction, job)

    def read_now(self, job: Callable[[Reader], T]) -> T:
        """Run a reading job here and now. Raises DatabaseError or UnavailableError."""
        if not self.is_sqlite:
            return self._read_with_long_reader(job)
        if self._inline_reader is None:
            self._inline_reader = self._open_reader(READER_CACHE_KIB)
        try:
            return self._inline_reader.run(job)
        except Exception:
            # Only what has failed passes through the translation.
            with self._translating:
                raise

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """Open a reader of its own that sees the data as they are at one moment."""
        with self._translating:
            reader = self._open_reader(LONG_READER_CACHE_KIB, sorts_on_disk=True)
            try:
                reader.begin()
                yield reader
            finally:
                reader.close()

    async def version(self) -> int:
        """Return the data version: the same number means that no public answer has changed."""
        if self.is_sqlite:
            return self._cached_version.read(self._read_version)
        check = self._version_check
        if check is None or check.done():
            check = self._version_check = asyncio.create_task(self._short_threads.run(self._check_version))
        return await asyncio.shield(check)

    def _check_version(self) -> int:
        # One check answers all who asked before it is sent; who asks from now on needs another one.
        self._version_check = None
        return self._read_with_short_reader(Reader.data_version)

    def version_now(self) -> int:
        """Return the data version here and now."""
        return self._cached_version.read(self._read_version)

    def _read_version(self) -> int:
        return self.read_now(Reader.data_version)

    def watch_commits(self) -> None:
        """Read the data version only after a commit, from now on; for a process that keeps the database open.

        On PostgreSQL nothing changes.
        """
        file = sqlite_file(self.url)
        if file is not None:
            # There is a wal-index when something has been read.
            self.version_now()
            self._cached_version.watch(file)

    @property
    def catalogue_read_last(self) -> Catalogue | None:
        """The catalogue that the last reader needed, for what may be a moment out of date; None before the first."""
        return None if self.kept_catalogue is None else self.kept_catalogue[1]

    def catalogue(self, reader: Reader) -> Catalogue:
        """Return the catalogue of the data as they are now."""
        kept = self.kept_catalogue
        # Other readers run in threads, or see an earlier moment.
        is_inline = reader is self._inline_reader
        version = self._cached_version.read(reader.data_version) if is_inline else reader.data_version()
        if kept is None or kept[0] != version:
            kept = (version, read_catalogue(reader.rows))
            self.kept_catalogue = kept
        return kept[1]

    def close(self) -> None:
        """Finish what runs and close every connection."""
        self._short_threads.close()
        self._threads.close()
        self._cached_version.forget()
        if self._inline_reader is not None:
            self._inline_reader.close()
            self._inline_reader = None
        self._short_readers.close()
        self._long_readers.close()
        self.outage.close()
        self._reading_engine.dispose()
        self.engine.dispose()

    def _read_in_transaction(self, job: Callable[[Connection], T]) -> T:
        with self._translating, self._reading_engine.begin() as connection:
            return job(connection)

    def _read_with_short_reader(self, job: Callable[[Reader], T]) -> T:
        with self._translating:
            return self._short_readers.run(partial(Reader.run, job=job))

    def _read_with_long_reader(self, job: Callable[[Reader], T]) -> T:
        at_one_moment = partial(Reader.run_at_one_moment, job=job)
        with self._translating:
            if self._connections is None:
                return self._long_readers.run(at_one_moment)
            with self._connections.reader(self._reader) as reader:
                return at_one_moment(reader)

    def _reader(self, connection: DriverConnection) -> Reader:
        return Reader(connection, self._engine_name, self.catalogue, self._kept)

    def _open_short_reader(self) -> Reader:
        return self._reader(ShortReadConnection(self._opened(partial(open_postgresql, self.url))))

    def _open_reader(self, cache_kib: int, *, sorts_on_disk: bool = False) -> Reader:
        opening = partial(open_for_reading, self.url, cache_kib, sorts_on_disk=sorts_on_disk)
        return self._reader(self._opened(opening))

    def _opened(self, opening: Callable[[], T]) -> T:
        with self._translating:
            try:
                connection = opening()
            except psycopg.OperationalError as error:
                self.outage.begin(error)
                raise
        self.outage.end()
        return connection
