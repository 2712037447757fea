"""A database with standbys: what anybody may read is read from one of them, all else where it is written."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from operator import itemgetter
from pathlib import Path
from typing import Final, TypeVar

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.figures import Figure
from abhidhan.errors import DatabaseError, SettingError, UnavailableError
from abhidhan.storage.engine.database import FEW_CONNECTIONS, Database
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.engine.standby import Standby
from abhidhan.storage.engine.standbys import Standbys, addresses_of

T = TypeVar("T")

WRITTEN: Final = (
    "SELECT CAST(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END "
    "- '0/0'::pg_lsn AS BIGINT)"
)

FAILURES: Final = (UnavailableError, DatabaseError, psycopg.Error, SQLAlchemyError)
"""What may be wrong with a standby: the server itself answers then."""

_STANDBY: ContextVar[Standby | None] = ContextVar("standby", default=None)
"""The standby that this request reads."""


class RoutedDatabase(Database):
    """A PostgreSQL server with standbys.

    Each standby has its caches, so that what was read of one is never mixed with what was read of another. A request
    keeps to one from its beginning; where that fails, or the request writes, it goes on with the server itself.
    """

    def __init__(  # each is a setting, named where it is called
        self,
        url: str,
        *,
        standbys: str,
        allowed_lag: float,
        connections: int = FEW_CONNECTIONS,
        outages: Path | None = None,
    ) -> None:
        """Take the address of the server, those of its standbys, and how many seconds these may be behind.

        Raises SettingError.
        """
        super().__init__(url, outages=outages, connections=connections)
        if self._on_loop is None:
            raise SettingError("ABHIDHAN_DATABASE_READ is for PostgreSQL: SQLite has no standbys.")
        self._server = self._on_loop
        self._newest = 0
        self._standbys = Standbys(
            addresses_of(standbys), allowed=allowed_lag, connections=connections, written=self._written
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look after the standbys while the application runs."""
        async with self._standbys.running():
            yield

    def choose(self, *, for_anybody: bool) -> None:
        """Choose what this request reads: what is the same for anybody may come from a standby that has kept up."""
        _STANDBY.set(self._standbys.read_now() if for_anybody else None)

    async def version(self) -> int:
        """Return the data version of what this request reads; never an older one than was seen here before."""
        standby = _STANDBY.get()
        if standby is not None:
            try:
                version = await standby.version()
            except FAILURES:
                version = -1
            if version >= self._newest:
                self._newest = version
                return version
            _STANDBY.set(None)
        self._newest = await super().version()
        return self._newest

    async def read(self, job: Callable[[Reader], T], *, long: bool = False) -> T:
        """Run a reading job in a thread."""
        standby = _STANDBY.get()
        if standby is not None:
            try:
                return await standby.read(job, long=long)
            except FAILURES:
                _STANDBY.set(None)
        return await super().read(job, long=long)

    async def read_promptly(self, job: Callable[[Reader], T]) -> T:
        """Run a reading job of a few statements, on the event loop unless that turns out to fail."""
        standby = _STANDBY.get()
        if standby is not None:
            try:
                return await standby.read_promptly(job)
            except FAILURES:
                _STANDBY.set(None)
        return await super().read_promptly(job)

    async def write(self, job: Callable[[Connection], T], *, public: bool = True) -> T:
        """Run a writing job; what this request reads from now on shows what it has written."""
        _STANDBY.set(None)
        return await super().write(job, public=public)

    @property
    def catalogue_read_last(self) -> Catalogue | None:
        """The catalogue that was read last, here or of the standby."""
        standby = self._standbys.followed
        either = (self.kept_catalogue, standby.kept_catalogue if standby else None)
        kept = [one for one in either if one is not None]
        return max(kept, key=itemgetter(0))[1] if kept else None

    def figures(self) -> list[Figure]:
        """Return what is done now, what has failed, and whether a standby is read."""
        return [*super().figures(), *self._standbys.figures()]

    async def _written(self) -> int:
        return int((await self._server.ask(WRITTEN))[0][0])
