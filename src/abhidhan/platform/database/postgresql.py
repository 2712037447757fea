"""Connections to PostgreSQL, with no state beyond a transaction, so that they may come from a pooler.

A pooler such as PgBouncer may run each transaction on another server connection: session settings leak to the next
client, and prepared statements are missing there.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, NamedTuple, cast

import psycopg
from psycopg import adapt, pq
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from abhidhan.platform.database.compiled_queries import Row, SqlValue
from abhidhan.platform.database.driver_errors import OutageTracker
from abhidhan.platform.database.reader import ReadConnection

READ_ONLY_OPTION: Final = "only_reads"
"""Execution option of a connection whose transactions are read-only, so that reads need no row locks."""

BEGIN_SQL: Final = "BEGIN"
BEGIN_READ_ONLY_SQL: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

CONNECT_TIMEOUT_SECONDS: Final = 10
"""Timeout for opening a connection, unless the URL sets `connect_timeout`."""

POOL_TIMEOUT_SECONDS: Final = 10
"""Timeout of a job that waits for a free connection of the pool."""

DISABLE_JIT_SQL: Final = "SET jit = off"
"""SQL that turns off JIT compilation, which the PostgreSQL packages of distributions enable.

It takes tens of milliseconds for each statement that the planner considers expensive: importing WordNet took twice the
processor time with it. Not sent through a pooler, whose connections are shared with other clients.
"""

_POOLER_KEY: Final = "is from a pooler"


def postgresql_url(url: URL) -> str:
    """Return the URL in the form that psycopg accepts, with its password."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def connect_arguments(url: URL) -> dict[str, Any]:
    """Return the connection timeout as a driver argument; empty if the URL sets one."""
    return {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_TIMEOUT_SECONDS}


def open_postgresql(url: URL) -> psycopg.Connection:
    """Open a connection in autocommit mode: transactions begin explicitly. Raises psycopg.OperationalError."""
    connection = psycopg.connect(postgresql_url(url), autocommit=True, **connect_arguments(url))
    row = connection.execute("SELECT pg_backend_pid()").fetchone()
    # A pooler reports an invented process ID when it connects, before a server connection is assigned.
    if row is not None and row[0] != connection.info.backend_pid:
        connection.prepare_threshold = None
    else:
        connection.execute(DISABLE_JIT_SQL)
    return connection


def is_pooled(connection: Connection) -> bool:
    """Return whether a connection of the engine comes from a pooler."""
    return bool(connection.info.get(_POOLER_KEY))


class _Result(NamedTuple):
    """Result of a statement, with all rows in memory."""

    rows: list[Row]

    def fetchall(self) -> list[Row]:
        """Return all rows."""
        return self.rows


class ShortReadConnection:
    """A connection that runs short statements through libpq directly, five times as fast as a psycopg cursor."""

    def __init__(self, connection: psycopg.Connection) -> None:
        """Wrap a connection that is not used otherwise."""
        self._connection = connection
        self._libpq = connection.pgconn
        self._can_prepare = connection.prepare_threshold is not None
        self._statement_names: dict[str, bytes] = {}
        self._transformer = adapt.Transformer(connection)

    def execute(self, sql: str, parameters: Sequence[SqlValue], /) -> _Result:
        """Run a statement whose parameter types the server can infer. Raises psycopg.Error."""
        values: list[Any] = [_encode_text(value) for value in parameters]
        if self._can_prepare:
            result = self._libpq.exec_prepared(self._prepare(sql), values, result_format=pq.Format.BINARY)
        else:
            result = self._libpq.exec_params(_number_placeholders(sql), values, result_format=pq.Format.BINARY)
        self._check_status(pq.ExecStatus.TUPLES_OK, result)
        self._transformer.set_pgresult(result)
        return _Result(self._transformer.load_rows(0, result.ntuples, tuple))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _prepare(self, sql: str) -> bytes:
        name = self._statement_names.get(sql)
        if name is None:
            name = b"statement_%d" % len(self._statement_names)
            self._check_status(pq.ExecStatus.COMMAND_OK, self._libpq.prepare(name, _number_placeholders(sql)))
            self._statement_names[sql] = name
        return name

    def _check_status(self, status: pq.ExecStatus, result: pq.abc.PGresult) -> None:
        if self._connection.closed:
            raise psycopg.OperationalError("the connection to the database was lost")
        if result.status != status:
            raise psycopg.errors.error_from_result(result)


def _encode_text(value: SqlValue) -> bytes | None:
    """Encode a value in PostgreSQL's text format. Raises psycopg.DataError."""
    if value is None:
        return None
    text = f"\\x{value.hex()}" if isinstance(value, bytes) else str(value)
    if "\0" in text:
        raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
    return text.encode()


@cache
def _number_placeholders(sql: str) -> bytes:
    """Convert the parameters of a statement to the server's form: `$1`, `$2` for `%s`, `%s`."""
    first, *parts = sql.split("%s")
    numbered = "".join(f"${number}{part}" for number, part in enumerate(parts, 1))
    return (first + numbered).replace("%%", "%").encode()


class ConnectionPool:
    """The connection pool of one process, shared by long reads and writes."""

    def __init__(self, url: URL, size: int, outage: OutageTracker) -> None:
        """Create an empty pool; `outage` records whether connections can be opened."""
        self._url = url
        self._outage = outage
        self.engine: Engine = create_engine(
            url,
            pool_size=size,
            max_overflow=0,
            pool_timeout=POOL_TIMEOUT_SECONDS,
            pool_use_lifo=True,
            pool_pre_ping=True,
            use_native_hstore=False,
        )
        event.listen(self.engine, "do_connect", self._open)
        event.listen(self.engine, "connect", _record_pooler)
        event.listen(self.engine, "begin", _begin)

    def get_read_only_engine(self) -> Engine:
        """Return the pool's engine for read-only transactions, each of which sees one snapshot."""
        return self.engine.execution_options(**{READ_ONLY_OPTION: True})

    @contextmanager
    def acquire_reader(self, open_reader: Callable[[psycopg.Connection], ReadConnection]) -> Iterator[ReadConnection]:
        """Provide a reader outside any transaction, on a connection of the pool."""
        connection = self.engine.raw_connection()
        try:
            yield open_reader(cast("psycopg.Connection", connection.driver_connection))
        except psycopg.OperationalError:
            connection.invalidate()
            raise
        finally:
            connection.close()

    def _open(self, *_: object) -> psycopg.Connection:
        try:
            connection = open_postgresql(self._url)
        except psycopg.OperationalError as error:
            self._outage.begin(error)
            raise
        self._outage.end()
        return connection


def _record_pooler(connection: psycopg.Connection, entry: ConnectionPoolEntry) -> None:
    entry.info[_POOLER_KEY] = connection.prepare_threshold is None


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(
        BEGIN_READ_ONLY_SQL if connection.get_execution_options().get(READ_ONLY_OPTION) else BEGIN_SQL
    )
