"""Database access: reads and write transactions, on SQLite or PostgreSQL."""

import asyncio
import random
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import psycopg
from sqlalchemy import Connection, event
from sqlalchemy.exc import DBAPIError

from abhidhan.platform.database import write_guard
from abhidhan.platform.database.connections import sqlite_file
from abhidhan.platform.database.data_version import increment_data_version, probe_write
from abhidhan.platform.database.driver_errors import is_serialization_failure
from abhidhan.platform.database.reading import ReadableDatabase
from abhidhan.platform.database.thread_pool import ThreadPool
from abhidhan.platform.database.write_guard import STANDBY_CHECK_INTERVAL_SECONDS, WriteState
from abhidhan.platform.runtime.files import ensure_writable
from abhidhan.platform.runtime.task_scope import PeriodicTask, run_tasks
from abhidhan.records.errors import AbhidhanError

T = TypeVar("T")

WriteConnection = Connection
"""An open transaction, passed to writing jobs; read-only in `Database.read_transaction`."""

DEFAULT_MAX_CONNECTIONS = 3
"""Default maximum number of connections to PostgreSQL per process."""

MAX_ATTEMPTS = 5
"""Number of attempts for a transaction that PostgreSQL cannot serialize."""

_RETRY_DELAYS_SECONDS = tuple(
    0.02 * 2**count for count in range(MAX_ATTEMPTS - 1)
)  # maximum seconds after each attempt but the last


class Database(ReadableDatabase):
    """The database of a dictionary. Each writing job runs in a thread, in one transaction."""

    def __init__(
        self, url: str, *, outage_lock_file: Path | None = None, max_connections: int = DEFAULT_MAX_CONNECTIONS
    ) -> None:
        """`outage_lock_file` elects the process that logs outages; `max_connections` is for PostgreSQL only."""
        super().__init__(url, outage_lock_file=outage_lock_file, max_connections=max_connections)
        self.write_state = WriteState()
        # Writers run one at a time anyway; with a thread of their own, waiting writers take none from readers.
        self._writing_thread = ThreadPool("writing", 1)
        self._write_lock = threading.Lock()

    @property
    def is_read_only(self) -> bool:
        """Return whether the database was a read-only standby at the last check."""
        return self.write_state.is_read_only

    def check_standby(self) -> bool:
        """Check whether the database is a standby, and store the result. Raises UnavailableError."""
        if not self.is_sqlite:
            self.read_now(self.write_state.refresh)
        return self.is_read_only

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Check every few seconds, for the application's lifetime, whether the database is a standby."""
        if self.is_sqlite:
            yield
            return
        await self._check_standby()
        async with run_tasks(
            [PeriodicTask("watching the standby", self._check_standby, STANDBY_CHECK_INTERVAL_SECONDS)]
        ):
            yield

    async def _check_standby(self) -> None:
        # During an outage the check is repeated soon; requests report the error themselves.
        with suppress(AbhidhanError):
            await self.read(self.write_state.refresh)

    async def write(self, job: Callable[[Connection], T], *, public: bool = True) -> T:
        """Run a writing job in a thread, in one transaction; `public` if it changes public responses."""
        return await self._writing_thread.run(partial(self.write_now, job, public=public))

    async def write_concurrently(self, job: Callable[[Connection], T]) -> T:
        """Run a writing job that on PostgreSQL does not wait for other writers: it locks only the rows it changes.

        It must not change public responses.
        """
        if self.is_sqlite:
            return await self.write(job, public=False)
        return await self._long_threads.run(self._write_concurrently, job)

    def write_now(self, job: Callable[[Connection], T], *, public: bool = True) -> T:
        """Run a writing job in the calling thread, in one transaction; if `public`, increment the data version.

        Transactions are written one at a time; a job waits for at most `BUSY_TIMEOUT_SECONDS`. A job is retried if
        PostgreSQL cannot serialize its transaction, so it must have no other side effects. Raises UnavailableError.
        """
        with self.write_state.record_outcome(), self._error_translator:
            return self._write_with_retries(job, public=public)

    def _write_with_retries(self, job: Callable[[Connection], T], *, public: bool) -> T:
        for delay in _RETRY_DELAYS_SECONDS:
            try:
                return self._write_once(job, public=public)
            except (DBAPIError, psycopg.Error) as error:
                if not is_serialization_failure(error):
                    raise
            # Random, so that conflicting transactions do not collide again. Not security-relevant.
            time.sleep(random.uniform(delay / 2, delay))  # noqa: S311
        return self._write_once(job, public=public)

    async def ensure_writable(self) -> None:
        """Check, without blocking the event loop, that transactions can be written. Raises UnwritableError.

        On PostgreSQL, whose disk is elsewhere, a test write is made only after a failed one.
        """
        await self.read(write_guard.refuse_newer_schema_for_reader, long=True)
        file = sqlite_file(self.url)
        if file is not None:
            await asyncio.to_thread(ensure_writable, file)
        elif self.write_state.is_unwritable:
            await self.write(probe_write, public=False)

    def _write_once(self, job: Callable[[Connection], T], *, public: bool) -> T:
        with self._write_lock, self.engine.begin() as connection:
            write_guard.begin_writing(connection)
            result = job(connection)
            if public:
                increment_data_version(connection)
            return result

    def _write_concurrently(self, job: Callable[[Connection], T]) -> T:
        with self._error_translator, self.engine.begin() as connection:
            write_guard.refuse_newer_schema(connection)
            return job(connection)

    @contextmanager
    def long_write(
        self, *, check_writable: bool = True, before_commit: Callable[[Connection], None] | None = None
    ) -> Iterator[Connection]:
        """Open a connection for a job that begins and ends several transactions itself, with `connection.begin()`.

        With `check_writable=False` nothing is checked, for a database without tables or an unfinished copy.
        `before_commit` is called before each commit and may raise an error to prevent it.
        """
        with self._error_translator, self.engine.connect() as connection:
            if check_writable:
                event.listen(connection, "begin", write_guard.begin_writing)
            if before_commit is not None:
                event.listen(connection, "commit", before_commit)
            yield connection

    def close(self) -> None:
        """Wait for running jobs and close all connections."""
        self._writing_thread.close()
        super().close()

    def __enter__(self) -> Self:
        """Use the database in a `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the database."""
        self.close()
