"""One standby: a database that is only read, has its own caches, and once lost is not connected to again."""

import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

import psycopg
from sqlalchemy import URL

from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.on_loop import LoopReader, NotOnLoopError
from abhidhan.storage.engine.pipeline import LOST
from abhidhan.storage.engine.reader import Reader

T = TypeVar("T")

REPLAYED: Final = (
    "SELECT pg_is_in_recovery(), CAST(coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0'::pg_lsn AS BIGINT)"
)


class Standby(Database):
    """A standby. A server that was restarted may hold less than before, so that another object is made for it."""

    def __init__(self, url: URL, *, connections: int) -> None:
        """Take its address, and how many connections it may be given."""
        super().__init__(url.render_as_string(hide_password=False), connections=connections)
        self._loop_reader = self._on_loop = LoopReader(
            self.url, lambda: self.kept_catalogue, self._kept, connected=self.outage.end, again=False
        )
        self._is_given_up = False

    @property
    def is_there(self) -> bool:
        """Whether it is connected, and was so all the time."""
        return not self._is_given_up and self._loop_reader.is_connected

    async def replayed(self) -> int:
        """Return how far it has come. Raises psycopg.Error also where it is no standby any more."""
        is_standby, position = (await self._loop_reader.ask(REPLAYED))[0]
        if not is_standby:
            raise psycopg.OperationalError("the server is no standby")
        return int(position)

    async def version(self) -> int:
        """Return the data version of what it holds. Raises psycopg.Error."""
        return await self._loop_reader.version()

    async def read_promptly(self, job: Callable[[Reader], T]) -> T:
        """Run a reading job of a few statements on the event loop, if that can be. Raises psycopg.Error."""
        try:
            return await self._loop_reader.read(job)
        except NotOnLoopError:
            return await self.read(job)

    async def read(self, job: Callable[[Reader], T], *, long: bool = False) -> T:
        """Run a reading job in a thread. Raises psycopg.Error."""
        if not self.is_there:
            raise psycopg.OperationalError(LOST)
        return await super().read(job, long=long)

    def abandon(self) -> None:
        """Let go of it: whoever waits for its answers is told at once that there will be none."""
        self._is_given_up = True
        self._loop_reader.close()
        if self._connections is not None:
            for connection in self._connections.opened:
                _cut(connection)
        # A thread may wait for a machine that is away.
        threading.Thread(target=self.close, daemon=True).start()


def _cut(connection: psycopg.Connection) -> None:
    with suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.pgconn.socket)) as own:
        own.shutdown(socket.SHUT_RDWR)
