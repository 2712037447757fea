"""Copy of a dictionary in a new PostgreSQL database, row by row."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql
from sqlalchemy import Connection, Table, func, select

from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.bulk_connections import configure_for_bulk
from abhidhan.platform.database.connections import parse_url
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.platform.database.postgresql import open_postgresql
from abhidhan.schema import metadata

COPY_BATCH_SIZE: Final = 20_000


@contextmanager
def copy_dictionary(url: str, home: Path) -> Iterator[str]:
    """Copy the dictionary in `home` into a new database on the server of `url`; yield its URL, and drop it finally."""
    address = parse_url(url)
    name = f"abhidhan_bench_{os.getpid()}"
    server = address.set(drivername="postgresql").render_as_string(hide_password=False)
    _execute(server, sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        copy = address.set(drivername="postgresql", database=name).render_as_string(hide_password=False)
        copy_rows(f"sqlite:///{(home / 'dictionary.sqlite3').absolute()}", copy)
        yield copy
    finally:
        _execute(server, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def copy_rows(source_url: str, target_url: str) -> None:
    """Create the tables in an empty database, and copy all rows of an up-to-date one into it."""
    prepare_database(target_url, Path())
    with Database(source_url) as source, Database(target_url) as target:
        # Foreign keys are not checked again, if the role may disable that.
        with source.engine.connect() as reader, target.engine.connect() as writer, configure_for_bulk(writer):
            _copy_tables(reader, writer)
        # PostgreSQL needs statistics for its plans, and a visibility map for index-only scans.
        with closing(open_postgresql(target.url)) as connection:
            connection.execute("VACUUM ANALYZE")


def _copy_tables(source: Connection, target: Connection) -> None:
    """Replace the rows of every table."""
    with target.begin():
        for table in reversed(metadata.sorted_tables):
            target.execute(table.delete())
        for table in metadata.sorted_tables:
            _copy_table(source, target, table)


def _copy_table(source: Connection, target: Connection, table: Table) -> None:
    bulk = BulkTransaction(target)
    result = source.execution_options(yield_per=COPY_BATCH_SIZE).execute(select(*table.columns))
    for rows in result.partitions():
        bulk.insert(table, [tuple(row) for row in rows])
    if "id" in table.columns:
        _advance_sequence(target, table)


def _advance_sequence(target: Connection, table: Table) -> None:
    """Set the sequence of a table's IDs, if it has one, to the last ID."""
    sequence = func.pg_get_serial_sequence(table.name, "id")
    if target.execute(select(sequence)).scalar() is not None:
        last = select(func.max(table.c.id)).scalar_subquery()
        target.execute(select(func.setval(sequence, last)))


def _execute(url: str, statement: sql.Composed) -> None:
    """Run a statement outside a transaction."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)
