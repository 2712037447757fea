"""The database: how it is opened, read and written, on SQLite and on PostgreSQL."""

import asyncio
import random
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

import psycopg
from sqlalchemy import Connection, event
from sqlalchemy.exc import DBAPIError

from abhidhan.background import PeriodicTask, run_tasks
from abhidhan.disk import refuse_unwritable
from abhidhan.domain.catalogue import Catalogue
from abhidhan.errors import ReadOnlyError, UnwritableError
from abhidhan.storage.engine import newer
from abhidhan.storage.engine.catalogue import read_catalogue
from abhidhan.storage.engine.connections import (
    LONG_READER_CACHE_KIB,
    LONG_READERS,
    make_sqlite_engine,
    make_sqlite_reading_engine,
    open_for_reading,
    parse_url,
    sqlite_file,
)
from abhidhan.storage.engine.data_version import raise_data_version, write_the_same
from abhidhan.storage.engine.failures import DriverErrors, may_succeed_again
from abhidhan.storage.engine.on_loop import LoopReader, NotOnLoopError
from abhidhan.storage.engine.outage import Outage
from abhidhan.storage.engine.postgresql import Connections
from abhidhan.storage.engine.queries import DriverConnection
from abhidhan.storage.engine.reader import Kept, Reader
from abhidhan.storage.engine.reader_pool import ReaderPool
from abhidhan.storage.engine.seen_version import SeenVersion
from abhidhan.storage.engine.threads import Threads

T = TypeVar("T")

Writer = Connection
"""A transaction that is open: what a writing job is given, and in `Database.read_transaction` one that only reads."""

READER_CACHE_KIB = 16_000
"""SQLite's page cache for the reader that answers most requests; part of a worker's memory, so kept small."""

FEW_CONNECTIONS = 3
"""How many connections to PostgreSQL one process has at most, unless the operator lets it have more."""

IS_IN_RECOVERY: Final = "SELECT pg_is_in_recovery()"

RECOVERY_SECONDS: Final = 2.0
"""Interval in seconds between two questions to PostgreSQL whether it is a standby: one may be promoted at any time."""

TRIES = 5
"""How often a transaction is begun that PostgreSQL cannot serialize."""

_DELAYS = tuple(0.02 * 2**count for count in range(TRIES - 1))  # seconds at most after each try but the last


class Database:
    """One dictionary's database. Reads run inline or in a thread; writes always in a thread, one transaction each."""

    def __init__(self, url: str, *, outages: Path | None = None, connections: int = FEW_CONNECTIONS) -> None:
        """Take the address of the database, which is opened when it is used, and the file for its `Outage`.

        Of PostgreSQL it has so many connections at most: one on the event loop, and all others for reading and writing
        in threads.
        """
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._engine_name = "sqlite" if self.is_sqlite else "postgresql"
        self._translating = DriverErrors(self.url)
        self._is_unwritable = False
        self.is_read_only = False
        """Whether the database is a standby, as it said last: then it is only read."""
        self.outage = Outage(self.url.render_as_string(), outages)
        self._connections: Connections | None = None
        if self.is_sqlite:
            self.engine = make_sqlite_engine(self.url)
            self._reading_engine = make_sqlite_reading_engine(self.url)
        else:
            self._connections = Connections(self.url, connections - 1, self.outage)
            self.engine = self._connections.engine
            self._reading_engine = self._connections.reading()
        self._threads = Threads("reading", LONG_READERS if self.is_sqlite else connections - 1)
        # One writes at a time anyway; those who wait for it take no thread from readers.
        self._writing_thread = Threads("writing", 1)
        self._long_readers = ReaderPool(partial(self._open_reader, LONG_READER_CACHE_KIB))
        self._inline_reader: Reader | None = None
        self.kept_catalogue: tuple[int, Catalogue] | None = None
        """The catalogue that was read last, with its data version."""
        self._kept: Kept = {}
        self._write_lock = threading.Lock()
        self._seen = SeenVersion()
        self._on_loop: LoopReader | None = None
        if not self.is_sqlite:
            self._on_loop = LoopReader(self.url, lambda: self.kept_catalogue, self._kept, connected=self.outage.end)

    def ask_recovery(self) -> bool:
        """Ask the database whether it is a standby, and remember the answer. Raises UnavailableError."""
        if not self.is_sqlite:
            with self._translating, self._reading_engine.connect() as connection:
                self.is_read_only = bool(connection.exec_driver_sql(IS_IN_RECOVERY).scalar_one())
        return self.is_read_only

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Notice within seconds, while the application runs, when the database is promoted or becomes a standby."""
        if self._on_loop is None:
            yield
            return
        ask = partial(self._ask_recovery_on, self._on_loop)
        await ask()
        async with run_tasks([PeriodicTask("watching the standby", ask, RECOVERY_SECONDS)]):
            yield

    async def _ask_recovery_on(self, on_loop: LoopReader) -> None:
        # A database that is away is asked again soon; whoever needs it says so.
        with suppress(psycopg.Error, OSError):
            self.is_read_only = bool((await on_loop.ask(IS_IN_RECOVERY))[0][0])

    async def read(self, job: Callable[[Reader], T], *, long: bool = False) -> T:
        """Run a reading job: on SQLite at once unless it is long, else in a thread."""
        if self.is_sqlite and not long:
            return self.read_now(job)
        return await self._in_thread(self._read_with_long_reader, job)

    async def read_promptly(self, job: Callable[[Reader], T]) -> T:
        """Run a reading job of a few statements: on the event loop on either engine, unless that turns out to fail.

        On PostgreSQL it may be begun several times, and so has no effect but its answer.
        """
        if self._on_loop is None:
            return self.read_now(job)
        try:
            return await self._on_loop.read(job)
        except (NotOnLoopError, psycopg.Error):
            return await self._in_thread(self._read_with_long_reader, job)

    async def read_transaction(self, job: Callable[[Connection], T]) -> T:
        """Run a job that reads what another would change, in a thread, seeing one moment.

        It waits for no writer and holds up none: nothing could be written.
        """
        return await self._in_thread(self._read_in_transaction, job)

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

    async def write(self, job: Callable[[Connection], T], *, public: bool = True) -> T:
        """Run a writing job in a thread, in one transaction. Not `public`: no public answer changes by it."""
        return await self._writing_thread.run(partial(self.write_now, job, public=public))

    async def write_aside(self, job: Callable[[Connection], T]) -> T:
        """Run a writing job that does not wait for other writers on PostgreSQL: it locks the rows that it changes.

        No public answer changes by it.
        """
        if self.is_sqlite:
            return await self.write(job, public=False)
        return await self._in_thread(self._write_aside, job)

    def write_now(self, job: Callable[[Connection], T], *, public: bool = True) -> T:
        """Run a writing job here and now, in one transaction, and raise the data version if it is public.

        One transaction writes at a time; a job may wait for `BUSY_SECONDS`. PostgreSQL may end a transaction that it
        cannot serialize, and the job is run again. So a job has no effect but what it writes. Raises UnavailableError.
        """
        try:
            with self._translating:
                result = self._write_until_kept(job, public=public)
        except ReadOnlyError:
            self.is_read_only = True
            raise
        except UnwritableError:
            self._is_unwritable = True
            raise
        self._is_unwritable = self.is_read_only = False
        return result

    def _write_until_kept(self, job: Callable[[Connection], T], *, public: bool) -> T:
        for delay in _DELAYS:
            try:
                return self._write_once(job, public=public)
            except (DBAPIError, psycopg.Error) as error:
                if not may_succeed_again(error):
                    raise
            # Not all who met once shall meet again. Nothing secret hangs on it.
            time.sleep(random.uniform(delay / 2, delay))  # noqa: S311
        return self._write_once(job, public=public)

    async def refuse_unwritable(self) -> None:
        """Make sure that a transaction could be written now; nobody waits for it. Raises UnwritableError.

        PostgreSQL is asked only after it has refused to write something: its disk is not this machine's.
        """
        await self._in_thread(self._read_with_long_reader, newer.refuse_newer_now)
        file = sqlite_file(self.url)
        if file is not None:
            await asyncio.to_thread(refuse_unwritable, file)
        elif self._is_unwritable:
            await self.write(write_the_same, public=False)

    def _write_once(self, job: Callable[[Connection], T], *, public: bool) -> T:
        with self._write_lock, self.engine.begin() as connection:
            newer.begin_writing(connection)
            result = job(connection)
            if public:
                raise_data_version(connection)
            return result

    def _write_aside(self, job: Callable[[Connection], T]) -> T:
        with self._translating, self.engine.begin() as connection:
            newer.refuse_newer(connection)
            return job(connection)

    def _read_in_transaction(self, job: Callable[[Connection], T]) -> T:
        with self._translating, self._reading_engine.begin() as connection:
            return job(connection)

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

    @contextmanager
    def long_write(
        self, *, made: bool = True, at_end: Callable[[Connection], None] | None = None
    ) -> Iterator[Connection]:
        """Open a connection for a job that begins and ends several transactions itself, with `connection.begin()`.

        Not `made`: the database has no tables yet, or is being filled, and nobody serves it. What is done `at_end`
        of each transaction may refuse to let it count.
        """
        with self._translating, self.engine.connect() as connection:
            if made:
                event.listen(connection, "begin", newer.begin_writing)
            if at_end is not None:
                event.listen(connection, "commit", at_end)
            yield connection

    async def version(self) -> int:
        """Return the data version: the same number means that no public answer has changed."""
        if self._on_loop is None:
            return self.version_now()
        try:
            return await self._on_loop.version()
        except psycopg.Error:
            # The connection is lost, maybe since the server was restarted: another one tells what is wrong.
            return await self._in_thread(self._read_with_long_reader, Reader.data_version)

    def version_now(self) -> int:
        """Return the data version here and now. On SQLite it is read anew only after some process has written."""
        return self._seen.number if self._seen.is_newest() else self.read_now(self._version_of)

    def watch_commits(self) -> None:
        """See in memory from now on whether anybody has written; for a process that keeps the database open.

        On PostgreSQL nothing changes.
        """
        file = sqlite_file(self.url)
        if file is not None:
            # There is a wal-index when something has been read.
            self.version_now()
            self._seen.watch(file)

    @property
    def catalogue_read_last(self) -> Catalogue | None:
        """The catalogue that the last reader needed, for what may be a moment out of date; None before the first."""
        return None if self.kept_catalogue is None else self.kept_catalogue[1]

    def catalogue(self, reader: Reader) -> Catalogue:
        """Return the catalogue of the data as they are now."""
        kept = self.kept_catalogue
        version = self._version_of(reader)
        if kept is None or kept[0] != version:
            kept = (version, read_catalogue(reader.rows))
            self.kept_catalogue = kept
        return kept[1]

    def close(self) -> None:
        """Finish what runs and close every connection."""
        if self._on_loop is not None:
            self._on_loop.close()
        self._threads.close()
        self._writing_thread.close()
        self._seen.forget()
        if self._inline_reader is not None:
            self._inline_reader.close()
            self._inline_reader = None
        self._long_readers.close()
        self.outage.close()
        self._reading_engine.dispose()
        self.engine.dispose()

    def __enter__(self) -> Self:
        """Use the database in a `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def _version_of(self, reader: Reader) -> int:
        if not self.is_sqlite or reader is not self._inline_reader:
            return reader.data_version()
        return self._seen.renew(reader)

    async def _in_thread(self, work: Callable[[Callable[..., T]], T], job: Callable[..., T]) -> T:
        return await self._threads.run(work, job)

    def _read_with_long_reader(self, job: Callable[[Reader], T]) -> T:
        with self._translating, self._borrowed() as reader:
            return reader.run_at_one_moment(job)

    def _borrowed(self) -> AbstractContextManager[Reader]:
        return self._connections.reader(self._reader) if self._connections else self._long_readers.borrowed()

    def _reader(self, connection: DriverConnection) -> Reader:
        return Reader(connection, self._engine_name, self.catalogue, self._kept)

    def _open_reader(self, cache_kib: int, *, sorts_on_disk: bool = False) -> Reader:
        with self._translating:
            try:
                connection = open_for_reading(self.url, cache_kib, sorts_on_disk=sorts_on_disk)
            except psycopg.OperationalError as error:
                self.outage.begin(error)
                raise
        self.outage.end()
        return self._reader(connection)
