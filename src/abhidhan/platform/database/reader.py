"""Read-only connections, which also provide the catalogue of the current data, and pools of connections."""

import sqlite3
from collections.abc import Callable, Iterator
from queue import Empty, LifoQueue
from typing import Any, TypeVar

import psycopg
from sqlalchemy import bindparam, select

from abhidhan import schema
from abhidhan.platform.database.compiled_queries import CompiledQuery, DriverConnection, Row, SqlValue, stream_rows
from abhidhan.records.catalogue import Catalogue

T = TypeVar("T")

CachedResults = dict[Callable[..., Any], tuple[Catalogue, Any]]
"""Cached results by the function that read them, each with the catalogue of the same data version."""

VERSION_QUERY = CompiledQuery(select(schema.state.c.data_version).where(schema.state.c.id == bindparam("id")))


class ReadConnection:
    """A read-only connection in autocommit mode, with the catalogue of the current data."""

    __slots__ = ("_cache", "_catalogue", "_connection", "_read_catalogue", "engine")

    def __init__(
        self,
        connection: DriverConnection,
        engine: str,
        read_catalogue: Callable[["ReadConnection"], Catalogue],
        cache: CachedResults | None = None,
    ) -> None:
        """Wrap a driver's connection; `engine` is `sqlite` or `postgresql`, `read_catalogue` reads the catalogue.

        `cache` holds the results of `cached()`, shared by the readers of one database.
        """
        self._connection = connection
        self._cache: CachedResults = {} if cache is None else cache
        self._read_catalogue = read_catalogue
        self._catalogue: Catalogue | None = None
        self.engine = engine

    def run(self, job: Callable[["ReadConnection"], T]) -> T:
        """Run a job; the catalogue does not change until it ends."""
        self._catalogue = None
        return job(self)

    def run_in_snapshot(self, job: Callable[["ReadConnection"], T]) -> T:
        """Run a job in one read transaction: all its statements see the same snapshot."""
        self._begin_transaction()
        try:
            return self.run(job)
        finally:
            self._connection.execute("COMMIT", ())

    def rows(self, query: CompiledQuery, /, **parameters: SqlValue) -> list[Row]:
        """Run a query and return all its rows."""
        return query.rows(self._connection, self.engine, parameters)

    def stream(self, query: CompiledQuery) -> Iterator[list[Row]]:
        """Run a query without parameters, and yield its rows in pages; requires `begin` before."""
        return stream_rows(self._connection, query)

    def row(self, query: CompiledQuery, /, **parameters: SqlValue) -> Row | None:
        """Run a query and return its first row; None if there is none."""
        rows = self.rows(query, **parameters)
        return rows[0] if rows else None

    @property
    def catalogue(self) -> Catalogue:
        """The current languages, lists and sources, read again only after a change."""
        if self._catalogue is None:
            self._catalogue = self._read_catalogue(self)
        return self._catalogue

    def cached(self, read: Callable[["ReadConnection", T | None], T]) -> T:
        """Return the cached result of `read` for the current data; call it again only after a change.

        `read` receives its previous result, or None.
        """
        entry: tuple[Catalogue, T] | None = self._cache.get(read)
        # There is a new catalogue whenever the data version has moved.
        if entry is None or entry[0] is not self.catalogue:
            entry = (self.catalogue, read(self, entry[1] if entry else None))
            self._cache[read] = entry
        return entry[1]

    def read_data_version(self) -> int:
        """Read the data version, which every change of public data increments."""
        row = self.row(VERSION_QUERY, id=1)
        return int(row[0]) if row else 0

    def check_integrity(self) -> list[str]:
        """Return the problems found by SQLite's integrity check; an empty list on PostgreSQL, which has none."""
        if self.engine != "sqlite":
            return []
        return [
            str(row[0]) for row in self._connection.execute("PRAGMA integrity_check", ()).fetchall() if row[0] != "ok"
        ]

    def begin(self) -> None:
        """Start a transaction with a snapshot of the current data."""
        self._begin_transaction()
        self.read_data_version()

    def _begin_transaction(self) -> None:
        sql = "BEGIN" if self.engine == "sqlite" else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        self._connection.execute(sql, ())

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class ReaderPool:
    """A pool of readers, which are opened on demand."""

    def __init__(self, open_reader: Callable[[], ReadConnection]) -> None:
        """`open_reader` opens another reader."""
        self._open = open_reader
        self._idle: LifoQueue[ReadConnection] = LifoQueue()

    def run(self, job: Callable[[ReadConnection], T]) -> T:
        """Run a job with an idle reader, or a new one.

        If an idle reader has lost its connection, the job is retried once with a new one.
        """
        try:
            reader = self._idle.get_nowait()
        except Empty:
            return self._run_with(self._open(), job)
        try:
            return self._run_with(reader, job)
        except psycopg.OperationalError:
            return self._run_with(self._open(), job)

    def close(self) -> None:
        """Close the idle readers."""
        while True:
            try:
                self._idle.get_nowait().close()
            except Empty:
                break

    def _run_with(self, connection: ReadConnection, job: Callable[[ReadConnection], T]) -> T:
        try:
            result = job(connection)
        except (psycopg.OperationalError, sqlite3.OperationalError):
            # If this connection is lost (a restarted server), the idle ones are lost too.
            connection.close()
            self.close()
            raise
        except BaseException:
            self._idle.put(connection)
            raise
        self._idle.put(connection)
        return result
