"""Backup of an SQLite database while it is in use, and its restoration."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from abhidhan.records.errors import DamagedDatabaseError, DatabaseError


def copy_database(file: Path, target: Path) -> None:
    """Copy a database as of one moment, even while other processes write to it. Raises DatabaseError."""
    if not file.exists():
        raise DatabaseError(f"There is no database {file} to copy.")
    try:
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise DatabaseError(f"{file} cannot be copied to {target.parent.parent}: {error}.") from error


def checkpoint_wal(file: Path) -> None:
    """Checkpoint the WAL of a database that is not in use, so that it is a single file that can be moved."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


def check_copy(file: Path) -> None:
    """Check the integrity of a database file. Raises DamagedDatabaseError."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as connection:
            result = connection.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.Error as error:
        raise DamagedDatabaseError(f"The database in the backup is damaged: {error}.") from error
    if result != "ok":
        raise DamagedDatabaseError(f"The database in the backup is damaged: {result}.")


def replace_database(copy: Path, file: Path) -> None:
    """Replace a database with a copy. Raises DatabaseError if the database is in use."""
    if file.exists():
        _refuse_in_use(file)
    with copy.open("rb") as written:
        os.fsync(written.fileno())
    for suffix in ("-wal", "-shm"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)
    copy.replace(file)


def _refuse_in_use(file: Path) -> None:
    """Lock the database exclusively for a moment, which fails if it is in use, and checkpoint its WAL."""
    try:
        with closing(sqlite3.connect(file, isolation_level=None, timeout=1)) as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise DatabaseError(f"{file} is in use: stop the server first.") from error
    except sqlite3.DatabaseError:
        # A damaged database may be replaced.
        return
