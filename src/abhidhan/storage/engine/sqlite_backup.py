"""Whole copies of an SQLite database, made while it serves, and put in its place again."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from abhidhan.errors import DamagedDatabaseError, DatabaseError
from abhidhan.storage.engine.connections import sqlite_file
from abhidhan.storage.engine.database import Database

ON_POSTGRESQL = (
    "PostgreSQL has its own tools, which copy more than this program could: pg_dump and pg_restore. "
    "`abhidhan export jsonl` writes what is public."
)


def file_of(database_url: str) -> Path:
    """Return the file of an SQLite database. Raises DatabaseError for another engine."""
    with Database(database_url) as database:
        file = sqlite_file(database.url)
    if file is None:
        raise DatabaseError(ON_POSTGRESQL)
    return file


def copy_database(file: Path, target: Path) -> None:
    """Copy a database as it is at one moment, whoever writes meanwhile. Raises DatabaseError."""
    if not file.exists():
        raise DatabaseError(f"There is no database {file} to copy.")
    try:
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise DatabaseError(f"{file} cannot be copied to {target.parent.parent}: {error}.") from error


def check_copy(file: Path) -> None:
    """Make sure that a file is a whole database. Raises DamagedDatabaseError."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.Error as error:
        raise DamagedDatabaseError(f"The database in the backup is damaged: {error}.") from error
    if found != "ok":
        raise DamagedDatabaseError(f"The database in the backup is damaged: {found}.")


def put_in_place(copy: Path, file: Path) -> None:
    """Put a copy in the place of a database that nobody uses. Raises DatabaseError."""
    if file.exists():
        _refuse_in_use(file)
    with copy.open("rb") as written:
        os.fsync(written.fileno())
    for beside in ("-wal", "-shm"):
        Path(f"{file}{beside}").unlink(missing_ok=True)
    copy.replace(file)


def _refuse_in_use(file: Path) -> None:
    """Take the database for a moment, and write what waits beside it into it."""
    try:
        with closing(sqlite3.connect(file, isolation_level=None, timeout=1)) as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise DatabaseError(f"{file} is in use: stop the server first.") from error
    except sqlite3.DatabaseError:
        # What is damaged may be replaced: that is what backups are for.
        return
