"""Copies the rows of all tables, each table in one transaction and verified by reading back, and the last used IDs."""

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
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import DatabaseError, pluralize

TRANSIENT_TABLES: Final = frozenset({schema.lease, schema.shared_limit})
"""Tables of transient state shared by running processes, which are not copied."""

COPIED_TABLES: Final = tuple(table for table in schema.metadata.sorted_tables if table not in TRANSIENT_TABLES)
"""All other tables, referenced ones first: also accounts and sessions, counts of failed attempts, and derived tables,
which are quicker to copy than to rebuild."""

DERIVED_TABLES: Final = frozenset(
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


class TableChecksum(NamedTuple):
    """Checksum of a table: its number of rows and the SHA-256 of their contents."""

    rows: int
    digest: str


class ChecksumAccumulator:
    """Accumulator for the checksum of a table."""

    def __init__(self) -> None:
        """Start with no rows."""
        self._rows = 0
        self._digest = hashlib.sha256()

    def add(self, rows: list[Row]) -> None:
        """Add a page of rows, in the order of the table's key."""
        self._rows += len(rows)
        self._digest.update(msgspec.msgpack.encode(rows))

    @property
    def checksum(self) -> TableChecksum:
        """The checksum of the rows so far."""
        return TableChecksum(self._rows, self._digest.hexdigest())


def compute_checksum(pages: Iterable[list[Row]], on_rows: Callable[[int], None] = lambda _: None) -> TableChecksum:
    """Return the checksum of pages of rows; `on_rows` receives the number of rows of each page."""
    accumulator = ChecksumAccumulator()
    for page in pages:
        accumulator.add(page)
        on_rows(len(page))
    return accumulator.checksum


def track_checksum(pages: Iterable[list[Row]], accumulator: ChecksumAccumulator) -> Iterator[list[Row]]:
    """Yield the pages of rows unchanged, and add them to the checksum."""
    for page in pages:
        accumulator.add(page)
        yield page


@cache
def select_all(table: Table) -> CompiledQuery:
    """Return the query for all rows of a table, ordered by its key in byte order, which both engines share."""
    rows = select(*table.columns)
    by_bytes = [collate(column, "C") if isinstance(column.type, Text) else column for column in table.primary_key]
    return CompiledQuery(rows.order_by(*table.primary_key), postgresql=rows.order_by(*by_bytes))


@cache
def select_count(table: Table) -> CompiledQuery:
    """Return the query for the number of rows of a table."""
    return CompiledQuery(select(func.count()).select_from(table))


OnRowsCopied = Callable[[str, int], None]
"""Progress callback: receives a table's name and the number of rows that were written or read back."""

TransactionOpener = Callable[[], AbstractContextManager[object]]
"""Opens the transaction in which a table is filled."""


def copy_tables(
    source: ReadConnection, target: Connection, transaction: TransactionOpener, on_rows: OnRowsCopied
) -> dict[str, TableChecksum]:
    """Copy every table of `source` to `target`, and return their checksums.

    Tables that are already equal, as after an interrupted copy, are left unchanged. Raises DatabaseError.
    """
    same = _find_equal_tables(source, target, transaction, on_rows)
    with transaction():
        _delete_rows(target, [table for table in COPIED_TABLES if table.name not in same])
    for table in COPIED_TABLES:
        if table.name not in same:
            with transaction():
                same[table.name] = _copy_table(source, target, table, on_rows)
    return same


def _find_equal_tables(
    source: ReadConnection, target: Connection, transaction: TransactionOpener, on_rows: OnRowsCopied
) -> dict[str, TableChecksum]:
    """Return the checksums of tables that are already equal in both databases and reference only such tables."""
    same: dict[str, TableChecksum] = {}
    for table in COPIED_TABLES:
        with transaction():
            checksum = _compute_target_checksum(target, table, lambda _: None)
        if any(key.column.table.name not in same for key in table.foreign_keys):
            continue
        if (
            checksum.rows == _count_rows(source, table)
            and compute_checksum(source.stream(select_all(table))) == checksum
        ):
            same[table.name] = checksum
            on_rows(table.name, 2 * checksum.rows)
    return same


def _count_rows(source: ReadConnection, table: Table) -> int:
    return int(source.rows(select_count(table))[0][0])


def _copy_table(source: ReadConnection, target: Connection, table: Table, on_rows: OnRowsCopied) -> TableChecksum:
    bulk, accumulator = BulkTransaction(target), ChecksumAccumulator()
    # Building an index on a full table takes a fraction of the time.
    for index in table.indexes:
        index.drop(target)
    try:
        for page in track_checksum(source.stream(select_all(table)), accumulator):
            bulk.insert(table, page)
            on_rows(table.name, len(page))
    except psycopg.DataError as error:
        raise DatabaseError(
            f"The table {table.name} contains data that PostgreSQL does not accept: {error}."
        ) from error
    for index in table.indexes:
        index.create(target)
    checksum = _compute_target_checksum(target, table, lambda rows: on_rows(table.name, rows))
    if checksum != accumulator.checksum:
        raise DatabaseError(
            f"The table {table.name} is not in the copy as it was: {pluralize(checksum.rows, 'row')} came back "
            f"of {accumulator.checksum.rows:,}."
        )
    return checksum


def _compute_target_checksum(target: Connection, table: Table, on_rows: Callable[[int], None]) -> TableChecksum:
    return compute_checksum(BulkTransaction(target).stream(select_all(table)), on_rows)


def _delete_rows(target: Connection, tables: Sequence[Table]) -> None:
    """Delete all rows of the tables, which must include every table that references them."""
    if not tables:
        return
    if target.dialect.name == "sqlite":
        for table in reversed(tables):
            target.execute(table.delete())
    else:
        quote = target.dialect.identifier_preparer.quote
        target.execute(text(f"TRUNCATE {', '.join(quote(table.name) for table in tables)}"))


AUTOINCREMENT_TABLES: Final = tuple(table for table in COPIED_TABLES if table.autoincrement_column is not None)
"""The tables whose IDs the engine assigns."""

_SQLITE_SEQUENCES: Final = CompiledQuery(
    select(column("name", Text), column("seq", Integer)).select_from(table_named("sqlite_sequence"))
)
_UPDATE_SQLITE_SEQUENCE: Final = text("UPDATE sqlite_sequence SET seq = :last WHERE name = :name")
_INSERT_SQLITE_SEQUENCE: Final = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)")
_SET_POSTGRESQL_SEQUENCE: Final = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")


def read_last_ids(source: ReadConnection) -> dict[str, int]:
    """Return the last ID that was ever assigned in each table."""
    last = {table.name: source.rows(CompiledQuery(_select_max_id(table)))[0][0] or 0 for table in AUTOINCREMENT_TABLES}
    if source.engine == "sqlite":
        sequences = {name: seq for name, seq in source.rows(_SQLITE_SEQUENCES) if name in last}
    else:
        sequences = {
            table.name: source.rows(CompiledQuery(_select_sequence_value(table)))[0][0] or 0
            for table in AUTOINCREMENT_TABLES
        }
    return {name: max(number, sequences.get(name, 0)) for name, number in last.items()}


def set_last_ids(connection: Connection, last_ids: Mapping[str, int]) -> None:
    """Set the sequences of IDs, so that new rows get IDs above the last used ones."""
    for table in AUTOINCREMENT_TABLES:
        parameters = {"name": table.name, "last": last_ids[table.name]}
        if not parameters["last"]:
            continue
        if connection.dialect.name != "sqlite":
            connection.execute(_SET_POSTGRESQL_SEQUENCE, parameters)
        # For other tables SQLite continues after the highest existing ID.
        elif _has_autoincrement(table) and not connection.execute(_UPDATE_SQLITE_SEQUENCE, parameters).rowcount:
            connection.execute(_INSERT_SQLITE_SEQUENCE, parameters)


def _has_autoincrement(table: Table) -> bool:
    """Return whether SQLite never reuses IDs of this table (AUTOINCREMENT)."""
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def _select_max_id(table: Table) -> Select[tuple[int]]:
    return select(func.max(table.c.id))


def _select_sequence_value(table: Table) -> Select[tuple[int]]:
    sequence = func.pg_get_serial_sequence(literal(table.name), literal("id"))
    return select(func.pg_sequence_last_value(cast(sequence, postgresql.REGCLASS)))
