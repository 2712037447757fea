"""Copy the rows of all tables, each in one transaction and verified by reading back, and the last allocated IDs."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Final, NamedTuple

import msgspec
import psycopg
from sqlalchemy import Connection, Integer, Select, Table, Text, cast, collate, column, func, literal, select, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.sql import table as table_named

from abhidhan import schema
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import Query, Row
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import DatabaseError, counted

PASSING: Final = frozenset({schema.lease, schema.shared_limit})
"""Tables of transient state shared by running processes, which are not copied."""

COPIED: Final = tuple(table for table in schema.metadata.sorted_tables if table not in PASSING)
"""All other tables, referenced ones first. They include derived tables, which are quicker to copy than to rebuild,
accounts and sessions, and counts of failed attempts."""

DERIVED: Final = frozenset(
    {
        schema.completion,
        schema.definition_word,
        schema.gram_count,
        schema.history_record,
        schema.idea_cache,
        schema.near_key,
        schema.photo_band,
        schema.phrase_gram,
        schema.phrase_word,
        schema.readable_word,
        schema.recording_band,
        schema.sound_filter,
        schema.sound_frame,
        schema.word_form,
        schema.word_pos,
    }
)
"""Derived tables, which change only together with their sources and so need no comparison."""


class Sum(NamedTuple):
    """Checksum of a table: its number of rows and the SHA-256 of their contents."""

    rows: int
    digest: str


class Adding:
    """Accumulator for the checksum of a table."""

    def __init__(self) -> None:
        """Start with no rows."""
        self._rows = 0
        self._digest = hashlib.sha256()

    def take(self, rows: list[Row]) -> None:
        """Add a page of rows, in the order of the table's key."""
        self._rows += len(rows)
        self._digest.update(msgspec.msgpack.encode(rows))

    @property
    def sum(self) -> Sum:
        """The checksum of the rows so far."""
        return Sum(self._rows, self._digest.hexdigest())


def add_up(pages: Iterable[list[Row]], on_rows: Callable[[int], None] = lambda _: None) -> Sum:
    """Return the checksum of pages of rows; `on_rows` receives the number of rows of each page."""
    adding = Adding()
    for page in pages:
        adding.take(page)
        on_rows(len(page))
    return adding.sum


def adding_up(pages: Iterable[list[Row]], adding: Adding) -> Iterator[list[Row]]:
    """Yield the pages of rows unchanged, and add them to the checksum."""
    for page in pages:
        adding.take(page)
        yield page


@cache
def all_of(table: Table) -> Query:
    """Return the query for all rows of a table, ordered by its key in byte order, which both engines share."""
    rows = select(*table.columns)
    by_bytes = [collate(column, "C") if isinstance(column.type, Text) else column for column in table.primary_key]
    return Query(rows.order_by(*table.primary_key), postgresql=rows.order_by(*by_bytes))


@cache
def count_of(table: Table) -> Query:
    """Return the query for the number of rows of a table."""
    return Query(select(func.count()).select_from(table))


OnRows = Callable[[str, int], None]
"""Progress callback: receives a table's name and the number of rows that were written or read back."""

Transaction = Callable[[], AbstractContextManager[object]]
"""Opens the transaction in which a table is filled."""


def fill(source: Reader, target: Connection, transaction: Transaction, on_rows: OnRows) -> dict[str, Sum]:
    """Copy every table of `source` to `target`, and return their checksums.

    Tables that are equal already, as after an interrupted copy, are left unchanged. Raises DatabaseError.
    """
    same = _already_there(source, target, transaction, on_rows)
    with transaction():
        _empty(target, [table for table in COPIED if table.name not in same])
    for table in COPIED:
        if table.name not in same:
            with transaction():
                same[table.name] = _fill_table(source, target, table, on_rows)
    return same


def _already_there(source: Reader, target: Connection, transaction: Transaction, on_rows: OnRows) -> dict[str, Sum]:
    """Return the tables that are equal already and reference only such tables, with their checksums."""
    same: dict[str, Sum] = {}
    for table in COPIED:
        with transaction():
            there = _read_back(target, table, lambda _: None)
        if any(key.column.table.name not in same for key in table.foreign_keys):
            continue
        if there.rows == _count(source, table) and add_up(source.stream(all_of(table))) == there:
            same[table.name] = there
            on_rows(table.name, 2 * there.rows)
    return same


def _count(source: Reader, table: Table) -> int:
    return int(source.rows(count_of(table))[0][0])


def _fill_table(source: Reader, target: Connection, table: Table, on_rows: OnRows) -> Sum:
    bulk, adding = Bulk(target), Adding()
    # Building an index on a full table takes a fraction of the time.
    for index in table.indexes:
        index.drop(target)
    try:
        for page in adding_up(source.stream(all_of(table)), adding):
            bulk.insert(table, page)
            on_rows(table.name, len(page))
    except psycopg.DataError as error:
        raise DatabaseError(
            f"The table {table.name} contains data that PostgreSQL does not accept: {error}."
        ) from error
    for index in table.indexes:
        index.create(target)
    back = _read_back(target, table, lambda rows: on_rows(table.name, rows))
    if back != adding.sum:
        raise DatabaseError(
            f"The table {table.name} is not in the copy as it was: {counted(back.rows, 'row')} came back "
            f"of {adding.sum.rows:,}."
        )
    return back


def _read_back(target: Connection, table: Table, on_rows: Callable[[int], None]) -> Sum:
    return add_up(Bulk(target).stream(all_of(table)), on_rows)


def _empty(target: Connection, tables: Sequence[Table]) -> None:
    """Delete all rows of the tables, which must include every table that references them."""
    if not tables:
        return
    if target.dialect.name == "sqlite":
        for table in reversed(tables):
            target.execute(table.delete())
    else:
        quote = target.dialect.identifier_preparer.quote
        target.execute(text(f"TRUNCATE {', '.join(quote(table.name) for table in tables)}"))


NUMBERED: Final = tuple(table for table in COPIED if table.autoincrement_column is not None)
"""The tables whose IDs the engine assigns."""

_GIVEN_BY_SQLITE: Final = Query(
    select(column("name", Text), column("seq", Integer)).select_from(table_named("sqlite_sequence"))
)
_TAKE_ON_SQLITE: Final = text("UPDATE sqlite_sequence SET seq = :last WHERE name = :name")
_ADD_ON_SQLITE: Final = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)")
_TAKE_ON_POSTGRESQL: Final = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")


def read_last_ids(source: Reader) -> dict[str, int]:
    """Return the last ID that was ever assigned in each table."""
    last = {table.name: source.rows(Query(_greatest(table)))[0][0] or 0 for table in NUMBERED}
    if source.engine == "sqlite":
        known = {name: seq for name, seq in source.rows(_GIVEN_BY_SQLITE) if name in last}
    else:
        known = {table.name: source.rows(Query(_given_by_postgresql(table)))[0][0] or 0 for table in NUMBERED}
    return {name: max(number, known.get(name, 0)) for name, number in last.items()}


def set_last_ids(connection: Connection, last: Mapping[str, int]) -> None:
    """Make the engine continue after the last IDs."""
    for table in NUMBERED:
        chosen = {"name": table.name, "last": last[table.name]}
        if not chosen["last"]:
            continue
        if connection.dialect.name != "sqlite":
            connection.execute(_TAKE_ON_POSTGRESQL, chosen)
        # For other tables SQLite continues after the highest existing ID.
        elif _remembers(table) and not connection.execute(_TAKE_ON_SQLITE, chosen).rowcount:
            connection.execute(_ADD_ON_SQLITE, chosen)


def _remembers(table: Table) -> bool:
    """Return whether SQLite never reuses IDs of this table (AUTOINCREMENT)."""
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def _greatest(table: Table) -> Select[tuple[int]]:
    return select(func.max(table.c.id))


def _given_by_postgresql(table: Table) -> Select[tuple[int]]:
    sequence = func.pg_get_serial_sequence(literal(table.name), literal("id"))
    return select(func.pg_sequence_last_value(cast(sequence, postgresql.REGCLASS)))
