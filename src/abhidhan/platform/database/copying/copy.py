"""Copy a whole database into an empty one, or replace the contents of a PostgreSQL database."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from abhidhan.platform.database.bulk_connections import set_for_bulk
from abhidhan.platform.database.connections import display_url
from abhidhan.platform.database.copying import copy_mark, copy_rows
from abhidhan.platform.database.copying.copy_rows import (
    COPIED_TABLES,
    DERIVED_TABLES,
    OnRows,
    TableChecksum,
    compute_checksum,
    fill,
    select_all,
    select_count,
)
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.leases import FencingToken
from abhidhan.platform.database.migrate import has_current_tables, migrate, revision_of, translate_errors
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.database.sqlite_backup import checkpoint_wal
from abhidhan.platform.database.write_guard import POSTGRESQL_LOCK
from abhidhan.records.errors import DatabaseError
from abhidhan.schema.schema_revisions import REVISIONS


class ChangedTable(NamedTuple):
    """A table of the source that has changed since it was copied; `row_delta` is the change in rows."""

    table: str
    row_delta: int


class CopyResult(NamedTuple):
    """Result of a copy: the checksums of all tables, and whether it resumed an interrupted copy."""

    sums: dict[str, TableChecksum]
    resumed: bool


class CopyProgress(NamedTuple):
    """Progress callbacks: `on_total` gets the number of rows to write and read back, `on_rows` those of each page."""

    total: Callable[[int], None] = lambda _rows: None
    on_rows: OnRows = lambda _table, _rows: None


def copy_all(source: Database, copy: Database, *, name: str, finishes: bool, progress: CopyProgress) -> CopyResult:
    """Copy a snapshot of `source` into an empty database, or resume such a copy; `source_name` identifies the source.

    Without `is_final` the copy stays marked as unfinished, for another run that copies the changes. Raises
    DatabaseError, ConflictError.
    """
    mark = copy_mark.mark_of(name)
    resumed = copy_mark.begin(copy, mark)
    with copy_mark.hold_target_lock(copy) as fence:
        # Another copy may have finished before the lock was acquired.
        copy_mark.begin(copy, mark)
        with source.snapshot() as reader:
            sums, last = _fill_from(reader, copy, progress, fence)
        if finishes:
            with (
                copy.long_write(check_writable=False, before_commit=fence.ensure_held) as connection,
                connection.begin(),
            ):
                copy_rows.set_last_ids(connection, last)
                copy_mark.finish(connection)
            copy_mark.vacuum(copy)
    return CopyResult(sums, resumed)


def copy_into_file(source: Database, file: Path) -> None:
    """Copy a snapshot of `source` into an SQLite file, which must be empty or absent."""
    with Database(f"sqlite:///{file}") as copy:
        copy_all(source, copy, name=display_url(source.url), finishes=True, progress=CopyProgress())
    checkpoint_wal(file)


def _fill_from(
    reader: ReadConnection, copy: Database, progress: CopyProgress, fence: FencingToken
) -> tuple[dict[str, TableChecksum], dict[str, int]]:
    """Copy all tables, each in its own transaction; return their checksums and the last allocated IDs."""
    progress.total(2 * count_rows(reader))
    last = copy_rows.read_last_ids(reader)
    with copy.long_write(check_writable=False, before_commit=fence.ensure_held) as connection, set_for_bulk(connection):
        return fill(reader, connection, connection.begin, progress.on_rows), last


def count_rows(reader: ReadConnection) -> int:
    """Count the rows of all tables."""
    return sum(reader.rows(select_count(table))[0][0] for table in COPIED_TABLES)


def changed_tables(source: Database, sums: dict[str, TableChecksum]) -> tuple[ChangedTable, ...]:
    """Return the tables of the source whose checksums differ from those of the copy."""
    with source.snapshot() as reader:
        now = {
            table.name: compute_checksum(reader.stream(select_all(table)))
            for table in COPIED_TABLES
            if table not in DERIVED_TABLES
        }
    return tuple(
        ChangedTable(name, checksum.rows - sums[name].rows) for name, checksum in now.items() if checksum != sums[name]
    )


MAX_CHECKS: Final = 20
"""Number of checks for other connections, since a closed connection takes a moment to disappear."""

_WAIT: Final = text("SELECT pg_sleep(0.1), pg_stat_clear_snapshot()")
_OTHER_CONNECTIONS: Final = text(
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def replace_all(source: Database, target: Database) -> None:
    """Replace all tables of a PostgreSQL database with those of `source`, which must be of this version.

    The database must not be in use. Raises DatabaseError, and then the database is unchanged.
    """
    name = display_url(target.url)
    with translate_errors(name), target.long_write(check_writable=False) as connection, source.snapshot() as reader:
        last = copy_rows.read_last_ids(reader)
        with set_for_bulk(connection), connection.begin():
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": POSTGRESQL_LOCK})
            _make_tables(connection, name)
            fill(reader, connection, nullcontext, lambda _table, _rows: None)
            copy_rows.set_last_ids(connection, last)
            copy_mark.finish(connection)
    copy_mark.vacuum(target)


def _make_tables(connection: Connection, name: str) -> None:
    """Ensure that the database has the tables of this version. Raises DatabaseError if it cannot be replaced."""
    revision = revision_of(connection)
    if revision is not None and _is_in_use(connection):
        raise DatabaseError(f"{name} is in use: stop the server and everything else that is connected to it.")
    if revision is not None and has_current_tables(revision):
        return
    if revision is not None and revision not in REVISIONS:
        raise DatabaseError(f"{name} was created by another version of Abhidhan: restore into an empty database.")
    migrate(connection)


def _is_in_use(connection: Connection) -> bool:
    for _ in range(MAX_CHECKS):
        if not connection.execute(_OTHER_CONNECTIONS).scalar_one():
            return False
        connection.execute(_WAIT)
    return True
