"""Many rows at once, on either engine: inserting, giving out IDs, and staging rows that are put in order at the end."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Protocol

import psycopg
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    exists,
    insert,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateTable, DropTable

from abhidhan import schema
from abhidhan.platform.database.compiled_queries import (
    DIALECTS,
    DriverConnection,
    Query,
    Row,
    Value,
    chunks,
    padded,
    stream_rows,
)
from abhidhan.records.id_bitmap import IdRun

Insert = sqlite.Insert | postgresql.Insert

VALUES_AT_ONCE = 256
"""How many values one query asks for: to compile a statement of 4,096 takes a fifth of a second, and saves nothing."""


class BulkConnection(DriverConnection, Protocol):
    """What bulk loading needs of the sqlite3 driver besides `execute`."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Value]], /) -> object:
        """Run one statement for each row."""
        ...


class Bulk:
    """The open transaction of a connection, for statements that the driver runs itself."""

    def __init__(self, connection: Connection) -> None:
        """Wrap a connection whose transaction has begun."""
        self.connection = connection
        self.engine = connection.dialect.name
        self._driver: BulkConnection | psycopg.Connection = connection.connection.driver_connection  # type: ignore[assignment]

    @property
    def is_sqlite(self) -> bool:
        """Return whether the engine is SQLite."""
        return self.engine == "sqlite"

    def rows(self, query: Query, parameters: dict[str, Value]) -> list[Row]:
        """Run a query and read all its rows."""
        return query.rows(self._driver, self.engine, parameters)

    def stream(self, query: Query) -> Iterator[list[Row]]:
        """Run a query without parameters, and read its rows a page at a time."""
        return stream_rows(self._driver, query)

    def insert(self, table: Table, rows: Sequence[tuple[Value, ...]]) -> None:
        """Insert rows whose values stand in the order of the table's columns; a left-out ID is made by the engine."""
        if not rows:
            return
        with_id = len(rows[0]) == len(table.columns)
        if isinstance(self._driver, psycopg.Connection):
            with self._driver.cursor() as cursor, cursor.copy(_copy_sql(table, with_id=with_id)) as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            self._driver.executemany(_insert_sql(table, with_id=with_id), rows)

    def merge(self, table: Table, chosen: Select[Any], *, all_new: bool = False) -> int:
        """Insert the rows that a select chooses, sorted by the table's key; return how many were new.

        Those that are there already are left out, unless there can be none: then PostgreSQL need not look.
        """
        rows = chosen if self.is_sqlite or all_new else _not_there(table, chosen)
        in_order = rows.order_by(*_key_of(table, list(rows.selected_columns)))
        statement = self.insert_into(table).from_select(table.columns.keys(), in_order)
        if self.is_sqlite:
            statement = statement.on_conflict_do_nothing()
        return self.connection.execute(statement, execution_options={"preserve_rowcount": True}).rowcount

    def look_at(self, table: Table) -> None:
        """Let PostgreSQL see what is in a temporary table, of which it knows nothing; SQLite plans without."""
        if not self.is_sqlite:
            self.connection.execute(text(f"ANALYZE {table.name}"))

    def look_at_all(self) -> None:
        """Let PostgreSQL see what is in its tables. No transaction is open."""
        self._driver.execute("ANALYZE", ())

    def empty(self, table: Table) -> None:
        """Remove all rows of a temporary table. PostgreSQL would go on reading those that are only deleted."""
        self.connection.execute(table.delete() if self.is_sqlite else text(f"TRUNCATE {table.name}"))

    def insert_into(self, table: Table) -> Insert:
        """Begin an INSERT that can say ON CONFLICT, which SQLAlchemy writes for each engine apart."""
        return sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)

    def rows_among(
        self, query: Callable[[int], Query], name: str, values: Sequence[Value], **others: Value
    ) -> Iterator[Row]:
        """Run a query of `by_size` for any number of values, and read all its rows."""
        for chunk in chunks(values, VALUES_AT_ONCE):
            yield from self.rows(query(len(chunk)), padded(name, chunk) | others)


class Ids:
    """Hand out IDs of new rows of one table. None is ever given twice, not even after a deletion.

    The caller is the only writer until its transaction ends, and says `keep` before.
    """

    def __init__(self, connection: Connection, table: Table) -> None:
        """Find the highest ID that was ever given."""
        self._connection = connection
        self._table = table
        statement = _LAST_ID_SQLITE if connection.dialect.name == "sqlite" else _LAST_ID_POSTGRESQL
        given = connection.execute(statement, {"name": table.name}).scalar()
        self._last = self._given = int(given or 0)

    def take(self) -> int:
        """Return the next ID."""
        self._last += 1
        return self._last

    @property
    def last_before(self) -> int:
        """The highest ID that had ever been given when this began; 0 where none had."""
        return self._given

    @property
    def taken(self) -> IdRun | None:
        """The IDs that were handed out, if any were."""
        return IdRun(self._given + 1, self._last) if self._last > self._given else None

    def keep(self) -> None:
        """Register with the engine which IDs are used. SQLite sees that for itself."""
        if self._last > self._given and self._connection.dialect.name != "sqlite":
            self._connection.execute(_KEEP_IDS_POSTGRESQL, {"name": self._table.name, "last": self._last})


_LAST_ID_SQLITE = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
_LAST_ID_POSTGRESQL = text("SELECT pg_sequence_last_value(pg_get_serial_sequence(:name, 'id')::regclass)")
_KEEP_IDS_POSTGRESQL = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")


@cache
def staged(table: Table) -> Table:
    """Make the temporary table where rows of `table` wait: the same columns, no keys."""
    return Table(
        f"staged_{table.name}",
        MetaData(),
        *(Column(column.name, column.type) for column in table.columns),
        prefixes=["TEMPORARY"],
    )


staged_relation = Table(
    "staged_relation",
    MetaData(),
    Column("file", Text),
    Column("line", Integer),
    Column("idea_id", Integer),
    Column("type_id", Integer),
    Column("inverse_id", Integer),
    Column("source", Text),
    Column("key", schema.CodePointText),
    prefixes=["TEMPORARY"],
)
"""Relations wait until every idea of the file is there."""

ORDERED = (
    schema.word_pos,
    schema.word_form,
    schema.definition_word,
    schema.idea_context,
    schema.phrase_gram,
)
"""Tables whose key is the whole row, in an order that has nothing to do with that of a file.

Their rows are staged and inserted in one sorted pass at the end, which is several times as fast for an engine.
"""

OF_NEW = (schema.phrase_gram,)
"""Those of them whose rows loading stages for new phrases only, each once."""


def open_stage(bulk: Bulk) -> None:
    """Make the temporary tables."""
    for table in (*map(staged, ORDERED), staged_relation):
        bulk.connection.execute(CreateTable(table))


def close_stage(bulk: Bulk) -> None:
    """Remove the temporary tables."""
    for table in (*map(staged, ORDERED), staged_relation):
        bulk.connection.execute(DropTable(table))


def settle(bulk: Bulk, table: Table, *, all_new: bool = False) -> int:
    """Insert the rows that are staged for a table, and empty the stage; return how many were new."""
    stage = staged(table)
    bulk.look_at(stage)
    new = bulk.merge(table, select(*stage.columns), all_new=all_new)
    bulk.empty(stage)
    return new


def _key_of(table: Table, columns: Sequence[ColumnElement[Any]]) -> list[ColumnElement[Any]]:
    """Choose those of `columns`, which stand in the order of the table's, that make up its key."""
    given = dict(zip(table.columns.keys(), columns, strict=True))
    return [given[column.name] for column in table.primary_key]


def _not_there(table: Table, chosen: Select[Any]) -> Select[Any]:
    """Choose each row once, and only if the table lacks it.

    PostgreSQL inserts these in half the time that it takes to find out at each row (ON CONFLICT DO NOTHING).
    """
    given = chosen.subquery("given")
    key = _key_of(table, list(given.columns))
    there = exists().where(*(own == other for own, other in zip(table.primary_key, key, strict=True)))
    return select(given).ext(postgresql.distinct_on(*key)).where(~there)


def _columns(table: Table, *, with_id: bool) -> list[str]:
    return [column.name for column in table.columns if with_id or column.name != "id"]


@cache
def _insert_sql(table: Table, *, with_id: bool) -> str:
    return str(insert(table).compile(dialect=DIALECTS["sqlite"], column_keys=_columns(table, with_id=with_id)))


@cache
def _copy_sql(table: Table, *, with_id: bool) -> bytes:
    quote = DIALECTS["postgresql"].identifier_preparer.quote
    columns = ", ".join(map(quote, _columns(table, with_id=with_id)))
    return f"COPY {quote(table.name)} ({columns}) FROM STDIN".encode()
