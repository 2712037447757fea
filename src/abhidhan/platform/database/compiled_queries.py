"""Statements that are built by SQLAlchemy once and then run by the driver itself.

A look-up of two statements runs three times as often a second this way as through SQLAlchemy's own execution
(measured inside the server), and the statement is still written once for both engines.
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
"""A row as the driver gives it; each storage function turns it into a typed value at once."""

Value = str | int | float | bytes | None

Arrange = Callable[[dict[str, Value]], tuple[Value, ...]]
"""Puts parameters given by name into the order in which a statement takes them."""

LAST_CHARACTER = "\U0010ffff"
"""Above every character of a key, so that `prefix + LAST_CHARACTER` ends the range of a prefix."""

LIST_SIZES = (1, 4, 16, 64, 256, 1024, 4096)
"""How many members an IN list is padded to: so few forms of a statement that all stay compiled and prepared."""


class DriverCursor(Protocol):
    """The rows of a statement that a driver has run."""

    def fetchall(self) -> list[Row]:
        """Read all rows."""
        ...


class DriverConnection(Protocol):
    """What sqlite3 and psycopg connections have in common."""

    def execute(self, sql: str, parameters: Sequence[Value], /) -> DriverCursor:
        """Run one statement."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


DIALECTS: dict[str, Dialect] = {
    "sqlite": SQLiteDialect_pysqlite(paramstyle="qmark"),
    "postgresql": PGDialect_psycopg(paramstyle="format"),  # type: ignore[no-untyped-call]
}


class Query:
    """A select whose SQL text is made once for each engine. Its parameters are `bindparam`s, given by name."""

    __slots__ = ("_compiled", "_statements")

    def __init__(self, statement: SelectBase, *, postgresql: SelectBase | None = None) -> None:
        """Keep the statement, and one that says the same better to PostgreSQL; it is compiled when it is first run."""
        self._statements = {"sqlite": statement, "postgresql": statement if postgresql is None else postgresql}
        self._compiled: dict[str, tuple[str, Arrange]] = {}

    def rows(self, connection: DriverConnection, engine: str, parameters: dict[str, Value]) -> list[Row]:
        """Run it on `engine` (`sqlite` or `postgresql`) and read all rows."""
        sql, arrange = self._compiled.get(engine) or self.compile(engine)
        return connection.execute(sql, arrange(parameters)).fetchall()

    def compile(self, engine: str) -> tuple[str, Arrange]:
        """Make the SQL text for `engine`, which takes milliseconds and is kept."""
        compiled = self._statements[engine].compile(dialect=DIALECTS[engine])
        if not isinstance(compiled, SQLCompiler):
            raise TypeError("only statements with parameters by position can be kept")
        fixed = {name: bind.effective_value for name, bind in compiled.binds.items() if not bind.required}
        self._compiled[engine] = (str(compiled), _arranger(tuple(compiled.positiontup or ()), fixed))
        return self._compiled[engine]


def _arranger(names: tuple[str, ...], fixed: dict[str, Value]) -> Arrange:
    """Arrange parameters as `names` are, with the values fixed in the statement (twice as fast as a loop)."""
    if len(names) < 2:  # noqa: PLR2004  # of a single name, itemgetter gives the value alone
        return lambda parameters: tuple([(fixed | parameters)[name] for name in names])
    pick = itemgetter(*names)
    return (lambda parameters: pick(fixed | parameters)) if fixed else pick


def padded(name: str, values: Sequence[Value], count: int = 0) -> dict[str, Value]:
    """Name the members of an IN list, the last one repeated up to the next of LIST_SIZES from `count` on."""
    names = _member_names(name, list_size(count or len(values)))
    return dict(zip(names, chain(values, repeat(values[-1])), strict=False))


@cache
def _member_names(name: str, size: int) -> tuple[str, ...]:
    return tuple(f"{name}_{place}" for place in range(size))


def list_size(count: int) -> int:
    """Return how many members a list of `count` is padded to."""
    return LIST_SIZES[bisect_left(LIST_SIZES, count)]


def in_list(column: ColumnElement[T], name: str, size: int) -> ColumnElement[bool]:
    """Say that a column is one of `size` parameters, named as `padded` names them."""
    return column.in_([bindparam(member, type_=column.type) for member in _member_names(name, size)])


def by_size(
    build: Callable[[int], SelectBase], *, postgresql: Callable[[int], SelectBase] | None = None
) -> Callable[[int], Query]:
    """Keep one compiled query for each list size: `build` makes the statement for a size, and `postgresql` its own."""

    @cache
    def query(size: int) -> Query:
        return Query(build(size), postgresql=postgresql(size) if postgresql else None)

    return lambda count: query(list_size(count))


def chunks(values: Sequence[T], size: int = LIST_SIZES[-1]) -> Iterable[Sequence[T]]:
    """Cut a sequence into pieces that an IN list can hold."""
    return (values[start : start + size] for start in range(0, len(values), size))


def insert_new(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Begin an INSERT that can say ON CONFLICT, which SQLAlchemy writes for each engine apart."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


PAGE: Final = 2_000
"""How many rows are in memory at once."""


class _PagedCursor(Protocol):
    """The rows of a statement of which some are read at a time."""

    def fetchmany(self, size: int, /) -> list[Row]:
        """Read the next rows."""
        ...


def stream_rows(connection: DriverConnection, query: Query) -> Iterator[list[Row]]:
    """Run a query without parameters in the transaction that is open, and read its rows in pages of the same size."""
    if isinstance(connection, psycopg.Connection):
        sql, _ = query.compile("postgresql")
        # A cursor without a name would bring all rows at once.
        with connection.cursor(name="stream_rows") as named:
            named.execute(sql.encode())
            yield from _read_pages(cast("_PagedCursor", named))
    else:
        sql, _ = query.compile("sqlite")
        yield from _read_pages(cast("_PagedCursor", connection.execute(sql, ())))


def _read_pages(cursor: _PagedCursor) -> Iterator[list[Row]]:
    while rows := cursor.fetchmany(PAGE):
        yield rows
