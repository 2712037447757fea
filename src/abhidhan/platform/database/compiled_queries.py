"""Queries that SQLAlchemy compiles once and the driver runs directly.

For a look-up of two statements this gives three times the throughput of SQLAlchemy's own execution (measured inside
the server), and each query is still written once for both engines.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, repeat
from operator import itemgetter
from typing import Any, Final, Protocol, TypeVar, cast

import psycopg
from sqlalchemy import ColumnElement, Connection, Dialect, Table, bindparam
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.selectable import SelectBase

T = TypeVar("T")

Row = tuple[Any, ...]
"""A row as returned by the driver; each store function converts it to a typed value immediately."""

SqlValue = str | int | float | bytes | None

ParameterArranger = Callable[[dict[str, SqlValue]], tuple[SqlValue, ...]]
"""Converts parameters by name to the positional order of a statement."""

MAX_CODE_POINT = "\U0010ffff"
"""The highest code point: texts that start with `prefix` sort before `prefix + MAX_CODE_POINT`."""

LIST_SIZES = (1, 4, 16, 64, 256, 1024, 4096)
"""Sizes to which IN lists are padded, few enough that all variants of a statement stay compiled and prepared."""


class DriverCursor(Protocol):
    """The result of a statement that a driver has run."""

    def fetchall(self) -> list[Row]:
        """Read all rows."""
        ...


class DriverConnection(Protocol):
    """The common interface of sqlite3 and psycopg connections."""

    def execute(self, sql: str, parameters: Sequence[SqlValue], /) -> DriverCursor:
        """Run one statement."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


DIALECTS: dict[str, Dialect] = {
    "sqlite": SQLiteDialect_pysqlite(paramstyle="qmark"),
    "postgresql": PGDialect_psycopg(paramstyle="format"),  # type: ignore[no-untyped-call]
}


class CompiledQuery:
    """A select that is compiled once for each engine. Its parameters are `bindparam`s, passed by name."""

    __slots__ = ("_compiled", "_statements")

    def __init__(self, statement: SelectBase, *, postgresql: SelectBase | None = None) -> None:
        """Wrap a statement, optionally with an equivalent one optimised for PostgreSQL; compiled on first use."""
        self._statements = {"sqlite": statement, "postgresql": statement if postgresql is None else postgresql}
        self._compiled: dict[str, tuple[str, ParameterArranger]] = {}

    def rows(self, connection: DriverConnection, engine: str, parameters: dict[str, SqlValue]) -> list[Row]:
        """Run the query on `engine` (`sqlite` or `postgresql`) and return all rows."""
        sql, arrange = self._compiled.get(engine) or self.compile(engine)
        return connection.execute(sql, arrange(parameters)).fetchall()

    def compile(self, engine: str) -> tuple[str, ParameterArranger]:
        """Compile and cache the SQL text for `engine`, which takes milliseconds."""
        compiled = self._statements[engine].compile(dialect=DIALECTS[engine])
        if not isinstance(compiled, SQLCompiler):
            raise TypeError("only statements with positional parameters can be cached")
        fixed = {name: bind.effective_value for name, bind in compiled.binds.items() if not bind.required}
        self._compiled[engine] = (str(compiled), _build_arranger(tuple(compiled.positiontup or ()), fixed))
        return self._compiled[engine]


def _build_arranger(names: tuple[str, ...], fixed: dict[str, SqlValue]) -> ParameterArranger:
    """Return a function that orders parameters by `names` and adds the fixed values; twice as fast as a loop."""
    if len(names) < 2:  # noqa: PLR2004  # of a single name, itemgetter gives the value alone
        return lambda parameters: tuple([(fixed | parameters)[name] for name in names])
    pick = itemgetter(*names)
    return (lambda parameters: pick(fixed | parameters)) if fixed else pick


def list_params(name: str, values: Sequence[SqlValue], count: int = 0) -> dict[str, SqlValue]:
    """Return the parameters of an IN list; the last value is repeated up to the list size for `count`."""
    names = _parameter_names(name, list_size(count or len(values)))
    return dict(zip(names, chain(values, repeat(values[-1])), strict=False))


@cache
def _parameter_names(name: str, size: int) -> tuple[str, ...]:
    return tuple(f"{name}_{index}" for index in range(size))


def list_size(count: int) -> int:
    """Return the size to which a list of `count` members is padded."""
    return LIST_SIZES[bisect_left(LIST_SIZES, count)]


def in_list(column: ColumnElement[T], name: str, size: int) -> ColumnElement[bool]:
    """Build the condition that a column is in a list of `size` parameters, named as by `list_params`."""
    return column.in_([bindparam(member, type_=column.type) for member in _parameter_names(name, size)])


def per_list_size(
    build: Callable[[int], SelectBase], *, postgresql: Callable[[int], SelectBase] | None = None
) -> Callable[[int], CompiledQuery]:
    """Return a function that maps a number of values to the cached query for its list size.

    `build` and `postgresql` build the statement for a size, the latter for PostgreSQL only.
    """

    @cache
    def build_query(size: int) -> CompiledQuery:
        return CompiledQuery(build(size), postgresql=postgresql(size) if postgresql else None)

    return lambda count: build_query(list_size(count))


def chunks(values: Sequence[T], size: int = LIST_SIZES[-1]) -> Iterable[Sequence[T]]:
    """Split a sequence into chunks that fit an IN list."""
    return (values[start : start + size] for start in range(0, len(values), size))


def dialect_insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return the engine's own INSERT construct, which supports ON CONFLICT."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


PAGE_SIZE: Final = 2_000
"""Number of rows per page."""


class _PagedCursor(Protocol):
    """A cursor that is read page by page."""

    def fetchmany(self, size: int, /) -> list[Row]:
        """Read the next `size` rows."""
        ...


def stream_rows(connection: DriverConnection, query: CompiledQuery) -> Iterator[list[Row]]:
    """Run a query without parameters in the open transaction, and yield its rows in pages of `PAGE_SIZE`."""
    if isinstance(connection, psycopg.Connection):
        sql, _ = query.compile("postgresql")
        # A cursor without a name would load all rows into memory.
        with connection.cursor(name="stream_rows") as cursor:
            cursor.execute(sql.encode())
            yield from _read_pages(cast("_PagedCursor", cursor))
    else:
        sql, _ = query.compile("sqlite")
        yield from _read_pages(cast("_PagedCursor", connection.execute(sql, ())))


def _read_pages(cursor: _PagedCursor) -> Iterator[list[Row]]:
    while rows := cursor.fetchmany(PAGE_SIZE):
        yield rows
