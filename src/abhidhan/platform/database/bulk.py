"""Bulk loading on either engine: inserting rows, allocating IDs, and staging rows that are sorted at the end."""

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
    CompiledQuery,
    DriverConnection,
    Row,
    SqlValue,
    chunks,
    list_params,
    stream_rows,
)
from abhidhan.records.id_bitmap import IdRun

Insert = sqlite.Insert | postgresql.Insert

VALUES_PER_QUERY = 256
"""Number of values per query: compiling a statement for 4,096 takes a fifth of a second and saves nothing."""


class BulkConnection(DriverConnection, Protocol):
    """The methods of a sqlite3 connection that bulk loading uses."""

    def executemany(self, sql: str, rows: Iterable[Sequence[SqlValue]], /) -> object:
        """Run one statement for each row."""
        ...


class BulkTransaction:
    """A connection's open transaction, whose statements the driver runs directly, without SQLAlchemy."""

    def __init__(self, connection: Connection) -> None:
        """Wrap a connection whose transaction has begun."""
        self.connection = connection
        self.engine = connection.dialect.name
        self._driver: BulkConnection | psycopg.Connection = connection.connection.driver_connection  # type: ignore[assignment]

    @property
    def is_sqlite(self) -> bool:
        """Return whether the engine is SQLite."""
        return self.engine == "sqlite"

    def rows(self, query: CompiledQuery, parameters: dict[str, SqlValue]) -> list[Row]:
        """Run a query and read all its rows."""
        return query.rows(self._driver, self.engine, parameters)

    def stream(self, query: CompiledQuery) -> Iterator[list[Row]]:
        """Run a query without parameters, and yield its rows in pages."""
        return stream_rows(self._driver, query)

    def insert(self, table: Table, rows: Sequence[tuple[SqlValue, ...]]) -> None:
        """Insert rows with values in the order of the table's columns; without an ID, the engine assigns it."""
        if not rows:
            return
        with_id = len(rows[0]) == len(table.columns)
        if isinstance(self._driver, psycopg.Connection):
            with self._driver.cursor() as cursor, cursor.copy(_copy_sql(table, with_id=with_id)) as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            self._driver.executemany(_insert_sql(table, with_id=with_id), rows)

    def merge(self, table: Table, query: Select[Any], *, all_new: bool = False) -> int:
        """Insert the rows of a query, sorted by the table's key; return the number of new rows.

        Existing rows are skipped. `all_new` says that none of the rows exists yet, so PostgreSQL does not check.
        """
        rows = query if self.is_sqlite or all_new else _select_missing(table, query)
        in_order = rows.order_by(*_primary_key_columns(table, list(rows.selected_columns)))
        statement = self.build_insert(table).from_select(table.columns.keys(), in_order)
        if self.is_sqlite:
            statement = statement.on_conflict_do_nothing()
        return self.connection.execute(statement, execution_options={"preserve_rowcount": True}).rowcount

    def analyze(self, table: Table) -> None:
        """Collect statistics of a temporary table in PostgreSQL (ANALYZE); SQLite plans without them."""
        if not self.is_sqlite:
            self.connection.execute(text(f"ANALYZE {table.name}"))

    def analyze_all(self) -> None:
        """Collect statistics of all tables (ANALYZE), outside any transaction."""
        self._driver.execute("ANALYZE", ())

    def truncate(self, table: Table) -> None:
        """Remove all rows of a temporary table: PostgreSQL truncates it, since it would still scan deleted rows."""
        self.connection.execute(table.delete() if self.is_sqlite else text(f"TRUNCATE {table.name}"))

    def build_insert(self, table: Table) -> Insert:
        """Return the engine's own INSERT construct, which supports ON CONFLICT."""
        return sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)

    def rows_for_values(
        self, query: Callable[[int], CompiledQuery], name: str, values: Sequence[SqlValue], **parameters: SqlValue
    ) -> Iterator[Row]:
        """Run a query with an IN list (see `per_list_size`) for any number of values, in chunks, and yield its rows."""
        for chunk in chunks(values, VALUES_PER_QUERY):
            yield from self.rows(query(len(chunk)), list_params(name, chunk) | parameters)


class IdAllocator:
    """Allocator of IDs for new rows of one table. No ID is ever reused, not even after a deletion.

    The caller must be the only writer until its transaction ends, and must call `advance_sequence` before that.
    """

    def __init__(self, connection: Connection, table: Table) -> None:
        """Read the highest ID that was ever allocated."""
        self._connection = connection
        self._table = table
        statement = _LAST_ID_SQLITE if connection.dialect.name == "sqlite" else _LAST_ID_POSTGRESQL
        last = connection.execute(statement, {"name": table.name}).scalar()
        self._last_id = self._initial_last_id = int(last or 0)

    def allocate(self) -> int:
        """Return the next ID."""
        self._last_id += 1
        return self._last_id

    @property
    def initial_last_id(self) -> int:
        """The highest ID before the first allocation here; 0 for a table that never had a row."""
        return self._initial_last_id

    @property
    def allocated_run(self) -> IdRun | None:
        """The allocated IDs; None if there are none."""
        return IdRun(self._initial_last_id + 1, self._last_id) if self._last_id > self._initial_last_id else None

    def advance_sequence(self) -> None:
        """Advance the sequence of PostgreSQL to the last allocated ID; SQLite does so by itself."""
        if self._last_id > self._initial_last_id and self._connection.dialect.name != "sqlite":
            self._connection.execute(_SET_LAST_ID_POSTGRESQL, {"name": self._table.name, "last": self._last_id})


_LAST_ID_SQLITE = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
_LAST_ID_POSTGRESQL = text("SELECT pg_sequence_last_value(pg_get_serial_sequence(:name, 'id')::regclass)")
_SET_LAST_ID_POSTGRESQL = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")


@cache
def build_staging_table(table: Table) -> Table:
    """Return the definition of the temporary table that stages rows of `table`: the same columns, no keys."""
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
"""Staged relations, which are resolved when all ideas of the file are loaded."""

STAGED_TABLES = (
    schema.word_pos,
    schema.word_form,
    schema.definition_word,
    schema.idea_context,
    schema.phrase_gram,
)
"""Tables whose key is the whole row, in an order unrelated to the order of a file.

Their rows are staged and inserted in one sorted pass at the end, which is several times as fast.
"""

NEW_PHRASE_TABLES = (schema.phrase_gram,)
"""Tables of `STAGED_TABLES` whose rows are staged for new phrases only, each once."""


def create_staging_tables(bulk: BulkTransaction) -> None:
    """Create the temporary tables for relations and the rows of `STAGED_TABLES`."""
    for table in (*map(build_staging_table, STAGED_TABLES), staged_relation):
        bulk.connection.execute(CreateTable(table))


def drop_staging_tables(bulk: BulkTransaction) -> None:
    """Drop the temporary tables that `create_staging_tables` has created."""
    for table in (*map(build_staging_table, STAGED_TABLES), staged_relation):
        bulk.connection.execute(DropTable(table))


def flush_staging_table(bulk: BulkTransaction, table: Table, *, all_new: bool = False) -> int:
    """Move the staged rows into their table; return the number of new rows."""
    stage = build_staging_table(table)
    bulk.analyze(stage)
    new = bulk.merge(table, select(*stage.columns), all_new=all_new)
    bulk.truncate(stage)
    return new


def _primary_key_columns(table: Table, columns: Sequence[ColumnElement[Any]]) -> list[ColumnElement[Any]]:
    """Return those of `columns`, which are in the table's order, that form its primary key."""
    by_name = dict(zip(table.columns.keys(), columns, strict=True))
    return [by_name[column.name] for column in table.primary_key]


def _select_missing(table: Table, query: Select[Any]) -> Select[Any]:
    """Select the rows of a query that the table lacks, each once.

    PostgreSQL inserts these in half the time of ON CONFLICT DO NOTHING.
    """
    candidates = query.subquery("given")
    key = _primary_key_columns(table, list(candidates.columns))
    is_present = exists().where(*(column == other for column, other in zip(table.primary_key, key, strict=True)))
    return select(candidates).ext(postgresql.distinct_on(*key)).where(~is_present)


def _column_names(table: Table, *, with_id: bool) -> list[str]:
    return [column.name for column in table.columns if with_id or column.name != "id"]


@cache
def _insert_sql(table: Table, *, with_id: bool) -> str:
    return str(insert(table).compile(dialect=DIALECTS["sqlite"], column_keys=_column_names(table, with_id=with_id)))


@cache
def _copy_sql(table: Table, *, with_id: bool) -> bytes:
    quote = DIALECTS["postgresql"].identifier_preparer.quote
    columns = ", ".join(map(quote, _column_names(table, with_id=with_id)))
    return f"COPY {quote(table.name)} ({columns}) FROM STDIN".encode()
