"""The database: how it is opened, read and written, on SQLite and on PostgreSQL."""

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
from abhidhan.platform.database.data_version import raise_data_version, write_the_same
from abhidhan.platform.database.driver_errors import may_succeed_again
from abhidhan.platform.database.reading import ReadableDatabase
from abhidhan.platform.database.thread_pool import Threads
from abhidhan.platform.database.write_guard import RECOVERY_SECONDS, WriteState
from abhidhan.platform.runtime.files import refuse_unwritable
from abhidhan.platform.runtime.task_scope import PeriodicTask, run_tasks
from abhidhan.records.errors import AbhidhanError

T = TypeVar("T")

Writer = Connection
"""A transaction that is open: what a writing job is given, and in `Database.read_transaction` one that only reads."""

FEW_CONNECTIONS = 3
"""How many connections to PostgreSQL one process has at most, unless the operator lets it have more."""

TRIES = 5
"""How often a transaction is begun that PostgreSQL cannot serialize."""

_DELAYS = tuple(0.02 * 2**count for count in range(TRIES - 1))  # seconds at most after each try but the last


class Database(ReadableDatabase):
    """One dictionary's database, read and written. What is written is written in threads, in one transaction each."""

    def __init__(self, url: str, *, outages: Path | None = None, connections: int = FEW_CONNECTIONS) -> None:
        """Take the address of the database, the file for its `Outage`, and the most connections to PostgreSQL."""
        super().__init__(url, outages=outages, connections=connections)
        self.write_state = WriteState()
        # One writes at a time anyway; those who wait for it take no thread from readers.
        self._writing_thread = Threads("writing", 1)
        self._write_lock = threading.Lock()

    @property
    def is_read_only(self) -> bool:
        """Return whether the database is a standby, as it said last: then it is only read."""
        return self.write_state.is_read_only

    def ask_recovery(self) -> bool:
        """Ask the database whether it is a standby, and remember the answer. Raises UnavailableError."""
        if not self.is_sqlite:
            self.read_now(self.write_state.ask)
        return self.is_read_only

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Notice within seconds, while the application runs, when the database is promoted or becomes a standby."""
        if self.is_sqlite:
            yield
            return
        await self._ask_recovery()
        async with run_tasks([PeriodicTask("watching the standby", self._ask_recovery, RECOVERY_SECONDS)]):
            yield

    async def _ask_recovery(self) -> None:
        # A database that is away is asked again soon; whoever needs it says so.
        with suppress(AbhidhanError):
            await self.read(self.write_state.ask)

    async def write(self, job: Callable[[Connection], T], *, public: bool = True) -> T:
        """Run a writing job in a thread, in one transaction. Not `public`: no public answer changes by it."""
        return await self._writing_thread.run(partial(self.write_now, job, public=public))

    async def write_aside(self, job: Callable[[Connection], T]) -> T:
        """Run a writing job that does not wait for other writers on PostgreSQL: it locks the rows that it changes.

        No public answer changes by it.
        """
        if self.is_sqlite:
            return await self.write(job, public=False)
        return await self._threads.run(self._write_aside, job)

    def write_now(self, job: Callable[[Connection], T], *, public: bool = True) -> T:
        """Run a writing job here and now, in one transaction, and raise the data version if it is public.

        One transaction writes at a time; a job may wait for `BUSY_SECONDS`. PostgreSQL may end a transaction that it
        cannot serialize, and the job is run again. So a job has no effect but what it writes. Raises UnavailableError.
        """
        with self.write_state.noting(), self._translating:
            return self._write_until_kept(job, public=public)

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
        await self.read(write_guard.refuse_newer_now, long=True)
        file = sqlite_file(self.url)
        if file is not None:
            await asyncio.to_thread(refuse_unwritable, file)
        elif self.write_state.is_unwritable:
            await self.write(write_the_same, public=False)

    def _write_once(self, job: Callable[[Connection], T], *, public: bool) -> T:
        with self._write_lock, self.engine.begin() as connection:
            write_guard.begin_writing(connection)
            result = job(connection)
            if public:
                raise_data_version(connection)
            return result

    def _write_aside(self, job: Callable[[Connection], T]) -> T:
        with self._translating, self.engine.begin() as connection:
            write_guard.refuse_newer(connection)
            return job(connection)

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
                event.listen(connection, "begin", write_guard.begin_writing)
            if at_end is not None:
                event.listen(connection, "commit", at_end)
            yield connection

    def close(self) -> None:
        """Finish what runs and close every connection."""
        self._writing_thread.close()
        super().close()

    def __enter__(self) -> Self:
        """Use the database in a `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()
