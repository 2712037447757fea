"""Copy a whole database into an empty one, or replace the contents of a PostgreSQL database."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from abhidhan.platform.database.bulk_connections import set_for_bulk
from abhidhan.platform.database.connections import shown_address
from abhidhan.platform.database.copying import copy_mark, copy_rows
from abhidhan.platform.database.copying.copy_rows import COPIED, DERIVED, OnRows, Sum, add_up, all_of, count_of, fill
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.leases import Fence
from abhidhan.platform.database.migrate import is_of_newest, migrate, revision_of, told_in_words
from abhidhan.platform.database.reader import Reader
from abhidhan.platform.database.sqlite_backup import make_single
from abhidhan.platform.database.write_guard import POSTGRESQL_LOCK
from abhidhan.records.errors import DatabaseError
from abhidhan.schema.schema_revisions import REVISIONS


class WrittenSince(NamedTuple):
    """A table of the source that has changed since it was copied; `more` is the change in rows, possibly negative."""

    table: str
    more: int


class Copied(NamedTuple):
    """Result of a copy: the checksums of all tables, and whether it resumed an interrupted copy."""

    sums: dict[str, Sum]
    went_on: bool


class Hearing(NamedTuple):
    """Progress callbacks of a copy: the number of rows to write and read back, then each page of them."""

    total: Callable[[int], None] = lambda _rows: None
    on_rows: OnRows = lambda _table, _rows: None


def copy_all(source: Database, copy: Database, *, name: str, finishes: bool, hearing: Hearing) -> Copied:
    """Copy a snapshot of `source`, which is identified by `name`, into an empty database, or resume such a copy.

    Without `finishes` the copy stays marked as unfinished, for another run that copies the changes. Raises
    DatabaseError, ConflictError.
    """
    mark = copy_mark.mark_of(name)
    went_on = copy_mark.begin(copy, mark)
    with copy_mark.alone(copy) as fence:
        # Another copy may have finished before the lock was acquired.
        copy_mark.begin(copy, mark)
        with source.snapshot() as reader:
            sums, last = _fill_from(reader, copy, hearing, fence)
        if finishes:
            with copy.long_write(made=False, at_end=fence.make_sure) as connection, connection.begin():
                copy_rows.set_last_ids(connection, last)
                copy_mark.finish(connection)
            copy_mark.tidy(copy)
    return Copied(sums, went_on)


def copy_into_file(source: Database, file: Path) -> None:
    """Copy a snapshot of `source` into an SQLite file, which must be empty or absent."""
    with Database(f"sqlite:///{file}") as copy:
        copy_all(source, copy, name=shown_address(source.url), finishes=True, hearing=Hearing())
    make_single(file)


def _fill_from(reader: Reader, copy: Database, hearing: Hearing, fence: Fence) -> tuple[dict[str, Sum], dict[str, int]]:
    """Fill all tables, each in its own transaction; return their checksums and the last allocated IDs."""
    hearing.total(2 * count_rows(reader))
    last = copy_rows.read_last_ids(reader)
    with copy.long_write(made=False, at_end=fence.make_sure) as connection, set_for_bulk(connection):
        return fill(reader, connection, connection.begin, hearing.on_rows), last


def count_rows(reader: Reader) -> int:
    """Count the rows of all tables."""
    return sum(reader.rows(count_of(table))[0][0] for table in COPIED)


def written_since(source: Database, sums: dict[str, Sum]) -> tuple[WrittenSince, ...]:
    """Return the tables of the source whose checksums differ from those of the copy."""
    with source.snapshot() as reader:
        now = {table.name: add_up(reader.stream(all_of(table))) for table in COPIED if table not in DERIVED}
    return tuple(WrittenSince(name, one.rows - sums[name].rows) for name, one in now.items() if one != sums[name])


LOOKS: Final = 20
"""Number of checks for other connections: one disappears a moment after it was closed."""

_LATER: Final = text("SELECT pg_sleep(0.1), pg_stat_clear_snapshot()")
_OTHERS: Final = text(
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def replace_all(source: Database, replaced: Database) -> None:
    """Replace all tables of a PostgreSQL database with those of `source`, which must be of this version.

    The database must not be in use. Raises DatabaseError, and then the database is unchanged.
    """
    name = shown_address(replaced.url)
    with told_in_words(name), replaced.long_write(made=False) as connection, source.snapshot() as reader:
        last = copy_rows.read_last_ids(reader)
        with set_for_bulk(connection), connection.begin():
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": POSTGRESQL_LOCK})
            _make_tables(connection, name)
            fill(reader, connection, nullcontext, lambda _table, _rows: None)
            copy_rows.set_last_ids(connection, last)
            copy_mark.finish(connection)
    copy_mark.tidy(replaced)


def _make_tables(connection: Connection, name: str) -> None:
    """Ensure that the database has the tables of this version. Raises DatabaseError if it cannot be replaced."""
    found = revision_of(connection)
    if found is not None and _is_in_use(connection):
        raise DatabaseError(f"{name} is in use: stop the server and everything else that is connected to it.")
    if found is not None and is_of_newest(found):
        return
    if found is not None and found not in REVISIONS:
        raise DatabaseError(f"{name} was created by another version of Abhidhan: restore into an empty database.")
    migrate(connection)


def _is_in_use(connection: Connection) -> bool:
    for _ in range(LOOKS):
        if not connection.execute(_OTHERS).scalar_one():
            return False
        connection.execute(_LATER)
    return True
