"""Connections to PostgreSQL. Nothing in them outlives its transaction, so that they may come from a pooler.

A pooler, such as PgBouncer, lends each transaction another connection to the server: what one sets for its session,
the next one finds set, and what one has prepared, the next one lacks.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final, cast

import psycopg
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from abhidhan.storage.engine.outage import Outage
from abhidhan.storage.engine.reader import Reader

ONLY_READS: Final = "only_reads"
"""The option of a connection's that tells those who would lock what they read that nothing will be written."""

BEGIN: Final = "BEGIN"
BEGIN_READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

CONNECT_SECONDS: Final = 10
"""How long it is tried to open a connection, unless the address says otherwise."""

BUSY_SECONDS: Final = 10
"""How long a job waits for one of the connections that this process may have."""

SURE_SECONDS: Final = 1.0
"""For so long after its last use, a connection is believed to be there still."""

WHO_SERVES: Final = "SELECT pg_backend_pid()"

NO_COMPILING: Final = "SET jit = off"
"""PostgreSQL as distributions have it compiles statements that it believes to be dear, for tens of milliseconds each:
it took twice the processor time to import WordNet. A pooler's connections are others' too, and stay as they are."""

_POOLED: Final = "is from a pooler"
_USED: Final = "was used"


def postgresql_address(url: URL) -> str:
    """Return the address as the driver takes it."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def patience(url: URL) -> dict[str, Any]:
    """Return for how long the driver is to try to connect; nothing where the address says so."""
    return {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_SECONDS}


def open_postgresql(url: URL) -> psycopg.Connection:
    """Open a connection in which transactions begin only where it is said. Raises psycopg.OperationalError."""
    connection = psycopg.connect(postgresql_address(url), autocommit=True, **patience(url))
    row = connection.execute(WHO_SERVES).fetchone()
    if row is not None and is_other_session(connection, row[0]):
        connection.prepare_threshold = None
    else:
        connection.execute(NO_COMPILING)
    return connection


def is_other_session(connection: psycopg.Connection | psycopg.AsyncConnection, served_by: int) -> bool:
    """Say whether another process of the server answers than was promised when the connection was made.

    A pooler promises one of its own invention: it does not know yet which will answer.
    """
    return served_by != connection.info.backend_pid


def is_pooled(connection: Connection) -> bool:
    """Say whether a connection of the engine's comes from a pooler."""
    return bool(connection.info.get(_POOLED))


class Connections:
    """The connections of one process for all that does not run on the event loop: reading and writing share them."""

    def __init__(self, url: URL, size: int, outage: Outage) -> None:
        """Open none yet. Of an outage it is told when one cannot be opened, and when it can again."""
        self._url = url
        self._outage = outage
        self._doubted = 0.0
        self.engine: Engine = create_engine(
            url, pool_size=size, max_overflow=0, pool_timeout=BUSY_SECONDS, pool_use_lifo=True, use_native_hstore=False
        )
        event.listen(self.engine, "do_connect", self._open)
        event.listen(self.engine, "connect", _note_pooler)
        event.listen(self.engine, "checkout", self._make_sure)
        event.listen(self.engine, "checkin", _note_use)
        event.listen(self.engine, "begin", _begin)

    def reading(self) -> Engine:
        """Return the engine of transactions that only read, and see one moment."""
        return self.engine.execution_options(**{ONLY_READS: True})

    @contextmanager
    def reader(self, of: Callable[[psycopg.Connection], Reader]) -> Iterator[Reader]:
        """Lend a reader outside any transaction."""
        lent = self.engine.raw_connection()
        try:
            yield of(cast("psycopg.Connection", lent.driver_connection))
        except psycopg.OperationalError:
            # If the server was restarted, all are lost.
            self._doubted = monotonic()
            lent.invalidate()
            raise
        finally:
            lent.close()

    def close(self) -> None:
        """Close those that nobody uses."""
        self.engine.dispose()

    def _open(self, *_: object) -> psycopg.Connection:
        try:
            connection = open_postgresql(self._url)
        except psycopg.OperationalError as error:
            self._outage.begin(error)
            raise
        self._outage.end()
        return connection

    def _make_sure(
        self, connection: psycopg.Connection, entry: ConnectionPoolEntry, _lent: PoolProxiedConnection
    ) -> None:
        used = entry.info.get(_USED, 0.0)
        if used > self._doubted and monotonic() - used < SURE_SECONDS:
            return
        try:
            connection.execute("SELECT 1")
        except psycopg.Error as error:
            raise DisconnectionError from error


def _note_pooler(connection: psycopg.Connection, entry: ConnectionPoolEntry) -> None:
    entry.info[_POOLED] = connection.prepare_threshold is None
    entry.info[_USED] = monotonic()


def _note_use(_connection: psycopg.Connection | None, entry: ConnectionPoolEntry) -> None:
    entry.info[_USED] = monotonic()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(BEGIN_READING if connection.get_execution_options().get(ONLY_READS) else BEGIN)
