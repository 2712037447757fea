"""Copy a whole database into an empty one, or replace the contents of a PostgreSQL database."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from abhidhan.platform.database.bulk_connections import configure_for_bulk
from abhidhan.platform.database.connections import display_url
from abhidhan.platform.database.copying import copy_mark, copy_rows
from abhidhan.platform.database.copying.copy_rows import (
    COPIED_TABLES,
    DERIVED_TABLES,
    OnRowsCopied,
    TableChecksum,
    compute_checksum,
    copy_tables,
    select_all,
    select_count,
)
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.leases import FencingToken
from abhidhan.platform.database.migrate import get_revision, has_current_tables, migrate, translate_errors
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.database.sqlite_backup import checkpoint_wal
from abhidhan.platform.database.write_guard import POSTGRESQL_LOCK_KEY
from abhidhan.records.errors import DatabaseError
from abhidhan.schema.schema_revisions import REVISIONS


class ChangedTable(NamedTuple):
    """A table of the source that has changed since it was copied; `row_delta` is the change in rows."""

    table: str
    row_delta: int


class CopyResult(NamedTuple):
    """Result of a copy: the checksums of all tables, and whether it resumed an interrupted copy."""

    checksums: dict[str, TableChecksum]
    resumed: bool


class CopyProgress(NamedTuple):
    """Progress callbacks: `on_total` gets the number of rows to write and read back, `on_rows` those of each page."""

    on_total: Callable[[int], None] = lambda _rows: None
    on_rows: OnRowsCopied = lambda _table, _rows: None


def copy_all(
    source: Database, target: Database, *, source_name: str, is_final: bool, progress: CopyProgress
) -> CopyResult:
    """Copy a snapshot of `source` into an empty database, or resume such a copy; `source_name` identifies the source.

    Without `is_final` the copy stays marked as unfinished, for another run that copies the changes. Raises
    DatabaseError, ConflictError.
    """
    mark = copy_mark.build_mark(source_name)
    resumed = copy_mark.begin_copy(target, mark)
    with copy_mark.hold_target_lock(target) as token:
        # Another copy may have finished before the lock was acquired.
        copy_mark.begin_copy(target, mark)
        with source.snapshot() as reader:
            sums, last_ids = _fill_tables(reader, target, progress, token)
        if is_final:
            with (
                target.long_write(check_writable=False, before_commit=token.ensure_held) as connection,
                connection.begin(),
            ):
                copy_rows.set_last_ids(connection, last_ids)
                copy_mark.finish_copy(connection)
            copy_mark.vacuum(target)
    return CopyResult(sums, resumed)


def copy_into_file(source: Database, file: Path) -> None:
    """Copy a snapshot of `source` into an SQLite file, which must be empty or absent."""
    with Database(f"sqlite:///{file}") as copy:
        copy_all(source, copy, source_name=display_url(source.url), is_final=True, progress=CopyProgress())
    checkpoint_wal(file)


def _fill_tables(
    reader: ReadConnection, target: Database, progress: CopyProgress, token: FencingToken
) -> tuple[dict[str, TableChecksum], dict[str, int]]:
    """Copy all tables, each in its own transaction; return their checksums and the last allocated IDs."""
    progress.on_total(2 * count_rows(reader))
    last_ids = copy_rows.read_last_ids(reader)
    with (
        target.long_write(check_writable=False, before_commit=token.ensure_held) as connection,
        configure_for_bulk(connection),
    ):
        return copy_tables(reader, connection, connection.begin, progress.on_rows), last_ids


def count_rows(connection: ReadConnection) -> int:
    """Count the rows of all tables."""
    return sum(connection.rows(select_count(table))[0][0] for table in COPIED_TABLES)


def find_changed_tables(source: Database, checksums: dict[str, TableChecksum]) -> tuple[ChangedTable, ...]:
    """Return the tables of the source whose checksums differ from those of the copy."""
    with source.snapshot() as reader:
        current = {
            table.name: compute_checksum(reader.stream(select_all(table)))
            for table in COPIED_TABLES
            if table not in DERIVED_TABLES
        }
    return tuple(
        ChangedTable(name, checksum.rows - checksums[name].rows)
        for name, checksum in current.items()
        if checksum != checksums[name]
    )


MAX_CONNECTION_CHECKS: Final = 20
"""Number of checks for other connections, since a closed connection takes a moment to disappear."""

_WAIT_QUERY: Final = text("SELECT pg_sleep(0.1), pg_stat_clear_snapshot()")
_COUNT_OTHER_CONNECTIONS: Final = text(
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def replace_all(source: Database, target: Database) -> None:
    """Replace all tables of a PostgreSQL database with those of `source`, which must be of this version.

    The database must not be in use. Raises DatabaseError, and then the database is unchanged.
    """
    name = display_url(target.url)
    with translate_errors(name), target.long_write(check_writable=False) as connection, source.snapshot() as reader:
        last_ids = copy_rows.read_last_ids(reader)
        with configure_for_bulk(connection), connection.begin():
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": POSTGRESQL_LOCK_KEY})
            _ensure_tables(connection, name)
            copy_tables(reader, connection, nullcontext, lambda _table, _rows: None)
            copy_rows.set_last_ids(connection, last_ids)
            copy_mark.finish_copy(connection)
    copy_mark.vacuum(target)


def _ensure_tables(connection: Connection, name: str) -> None:
    """Ensure that the database has the tables of this version. Raises DatabaseError if it cannot be replaced."""
    revision = get_revision(connection)
    if revision is not None and _is_in_use(connection):
        raise DatabaseError(f"{name} is in use: stop the server and everything else that is connected to it.")
    if revision is not None and has_current_tables(revision):
        return
    if revision is not None and revision not in REVISIONS:
        raise DatabaseError(f"{name} was created by another version of Abhidhan: restore into an empty database.")
    migrate(connection)


def _is_in_use(connection: Connection) -> bool:
    for _ in range(MAX_CONNECTION_CHECKS):
        if not connection.execute(_COUNT_OTHER_CONNECTIONS).scalar_one():
            return False
        connection.execute(_WAIT_QUERY)
    return True
