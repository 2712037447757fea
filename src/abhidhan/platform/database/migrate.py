"""Creation of new databases, and upgrades of older ones."""

import logging
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError, OperationalError

from abhidhan.platform.database.connections import display_url, sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.other_servers import refuse_used_database, require_unopened_file
from abhidhan.platform.database.write_guard import POSTGRESQL_LOCK_KEY, SELECT_IN_RECOVERY
from abhidhan.platform.runtime.files import (
    FileLock,
    create_private_file,
    create_private_folder,
    ensure_writable,
    open_staging_folder,
)
from abhidhan.records.errors import DamagedDatabaseError, DatabaseError, NewerDatabaseError, unwritable_error
from abhidhan.schema import metadata
from abhidhan.schema.schema_revisions import REVISIONS

OLDEST_REVISION, NEWEST_REVISION = REVISIONS[0], REVISIONS[-1]

LEGACY_UPGRADE_COMMIT = "5af1802"
"""The commit that can upgrade older databases to `OLDEST_REVISION`."""

RENUMBERING_REVISION = "0036"
"""The revision that changes the IDs of languages, which older versions cache in memory."""

UNFINISHED_PREFIX = "copying-"
"""Prefix of the revision of an unfinished copy (`copying/copy_mark.py`)."""

SQLITE_MAGIC = b"SQLite format 3\0"
SQLITE_HEADER_BYTES = 100

_log = logging.getLogger(__name__)


class UnfinishedCopyError(DatabaseError):
    """Error for a database that contains an unfinished copy."""


class PrepareResult(StrEnum):
    """The result of `prepare_database`."""

    CREATED = "created"
    CURRENT = "current"
    UPGRADED = "upgraded"


def prepare_database(database_url: str, backups: Path) -> PrepareResult:
    """Create or upgrade the database for this version of the program, and return what was done.

    A missing SQLite file is created, with its folder. An older database is first copied to `backups` (SQLite only),
    then upgraded in one transaction. Any number of processes may call this concurrently. A standby must be upgraded
    through its primary. Raises DamagedDatabaseError, NewerDatabaseError or DatabaseError, and then the database is
    unchanged.
    """
    with Database(database_url) as database:
        file = sqlite_file(database.url)
        if file is None:
            return _prepare_postgresql(database)
        return _prepare_sqlite(database, file, backups)


def migrate(connection: Connection, revision: str = "head") -> None:
    """Run the missing migrations up to `revision`, in the open transaction of `connection`."""
    # Imported late: Alembic takes longer to import than all the rest, and an up-to-date database does not need it.
    from alembic.command import upgrade  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    # By name, since the migrations are in a higher layer, which this module must not import.
    config.set_main_option("script_location", "abhidhan:migrations")
    upgrade(config, revision)


def get_revision(connection: Connection) -> str | None:
    """Return the revision of the database; None if it has no tables of Abhidhan. Raises DatabaseError."""
    names = set(inspect(connection).get_table_names())
    if "alembic_version" in names:
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if revision is not None:
            return str(revision)
    if names & set(metadata.tables):
        raise DatabaseError("This is not a database of Abhidhan: set ABHIDHAN_DATABASE to another URL.")
    return None


def _prepare_postgresql(database: Database) -> PrepareResult:
    with translate_errors("The database"), database.engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": POSTGRESQL_LOCK_KEY})
        revision = get_revision(connection)
        _refuse_unknown_revision(revision, "The database")
        if revision == NEWEST_REVISION:
            return PrepareResult.CURRENT
        if connection.execute(SELECT_IN_RECOVERY).scalar():
            raise DatabaseError(
                "The database is a standby and lacks tables of this version: first start this version on a server "
                "whose database is the primary."
            )
        if revision is not None:
            if is_older(revision, RENUMBERING_REVISION):
                refuse_used_database(connection)
            _log.warning("The database is upgraded without a copy: back up PostgreSQL yourself.")
        migrate(connection)
    return _report_result(revision)


def _prepare_sqlite(database: Database, file: Path, backups: Path) -> PrepareResult:
    if _check_sqlite_revision(file) == NEWEST_REVISION:
        return PrepareResult.CURRENT
    create_private_folder(file.parent)
    with translate_errors(str(file)), FileLock(file.parent):
        # Another process may have upgraded it while this one waited for the lock.
        revision = _check_sqlite_revision(file)
        if revision == NEWEST_REVISION:
            return PrepareResult.CURRENT
        ensure_writable(file)
        if revision is not None:
            if is_older(revision, RENUMBERING_REVISION):
                require_unopened_file(file)
            _back_up(file, backups, revision)
        create_private_file(file)
        with database.engine.begin() as connection:
            migrate(connection)
    return _report_result(revision)


def _report_result(revision: str | None) -> PrepareResult:
    """Log and return what was done with a database of an older revision, or of None."""
    if revision is None:
        return PrepareResult.CREATED
    _log.info("The database was upgraded from step %s to step %s.", revision, NEWEST_REVISION)
    return PrepareResult.UPGRADED


def _check_sqlite_revision(file: Path) -> str | None:
    """Return the revision of an SQLite file, without writing; None if it is absent or empty. Raises DatabaseError."""
    try:
        size = file.stat().st_size
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DatabaseError(f"{file} cannot be opened: {error.strerror}.") from error
    if not file.is_file():
        raise DatabaseError(f"{file} is not a file: set ABHIDHAN_DATABASE to the URL of a file.")
    if size == 0:
        return None
    is_being_written = _is_being_written(file)
    _refuse_damaged(file, size, is_being_written=is_being_written)
    return _read_sqlite_revision(file, str(file), is_being_written=is_being_written)


def refuse_unusable_file(file: Path, name: str) -> None:
    """Ensure that this version can use or upgrade an intact SQLite file. Raises DatabaseError with the `name`."""
    _read_sqlite_revision(file, name, is_being_written=False)


def _read_sqlite_revision(file: Path, name: str, *, is_being_written: bool) -> str | None:
    # "immutable" reads without creating the -wal and -shm files.
    mode = "mode=ro" if is_being_written else "mode=ro&immutable=1"
    with (
        translate_errors(name),
        closing(sqlite3.connect(f"file:{quote(str(file))}?{mode}", uri=True)) as connection,
    ):
        revision = _query_sqlite_revision(connection, name)
    _refuse_unknown_revision(revision, name)
    return revision


def _is_being_written(file: Path) -> bool:
    try:
        return Path(f"{file}-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def _refuse_damaged(file: Path, size: int, *, is_being_written: bool) -> None:
    try:
        with file.open("rb") as stream:
            header = stream.read(SQLITE_HEADER_BYTES)
    except OSError as error:
        raise DatabaseError(f"{file} cannot be opened: {error.strerror}.") from error
    if not header.startswith(SQLITE_MAGIC) or len(header) < SQLITE_HEADER_BYTES:
        raise DamagedDatabaseError(
            f"{file} is not a database: restore a backup, or move it away to start a new dictionary."
        )
    page = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    # While the WAL holds changes, the file may be shorter than its header says.
    if not is_being_written and size < (65_536 if page == 1 else page) * pages:
        raise _damaged_error(str(file))


def _query_sqlite_revision(connection: sqlite3.Connection, name: str) -> str | None:
    names = {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not names:
        return None
    if "alembic_version" in names:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if row is not None:
            return str(row[0])
    raise DatabaseError(f"{name} is not a database of Abhidhan: set ABHIDHAN_DATABASE to another URL.")


def read_revision(database_url: str) -> str | None:
    """Return the revision of a database, without changing it; None if it has no tables of Abhidhan.

    Raises DatabaseError.
    """
    with Database(database_url) as database:
        file = sqlite_file(database.url)
        if file is not None:
            return _check_sqlite_revision(file)
        with translate_errors(display_url(database.url)), database.engine.connect() as connection:
            revision = get_revision(connection)
        _refuse_unknown_revision(revision, "The database")
        return revision


def has_current_tables(revision: str) -> bool:
    """Return whether a database has the tables of this version, even if it is an unfinished copy."""
    return revision == NEWEST_REVISION or revision.startswith(f"{UNFINISHED_PREFIX}{NEWEST_REVISION}-")


def is_older(revision: str, other: str) -> bool:
    """Return whether a revision is older than another."""
    return REVISIONS.index(revision) < REVISIONS.index(other)


def _refuse_unknown_revision(revision: str | None, name: str) -> None:
    """Raise DatabaseError if this version can neither use nor upgrade the revision (None: no tables yet)."""
    if revision is None or revision in REVISIONS:
        return
    if revision.startswith(UNFINISHED_PREFIX):
        raise UnfinishedCopyError(
            f"{name} contains an unfinished copy: run the same `abhidhan copy` again, or use another database."
        )
    # Revisions have four digits, so that they compare correctly as strings.
    if revision < OLDEST_REVISION:
        raise DatabaseError(
            f"{name} is at database revision {revision}, which this version cannot upgrade: upgrade it with commit "
            f"{LEGACY_UPGRADE_COMMIT} first (docs/operating.md, Upgrading)."
        )
    raise NewerDatabaseError(
        f"{name} was written by a newer version of Abhidhan: install that version, or restore an older backup."
    )


def _back_up(file: Path, backups: Path, revision: str) -> None:
    """Copy the database consistently, even while another process writes to it."""
    create_private_folder(backups)
    timestamp = datetime.now(tz=UTC).strftime("%Y%m%dT%H%M%SZ")
    copy = backups / f"{file.stem}-{revision}-{timestamp}{file.suffix}"
    with open_staging_folder(backups) as folder:
        complete_copy = create_private_file(folder / copy.name)
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(complete_copy)) as target:
            source.backup(target)
            # Leave WAL mode, so that the copy is a single file.
            target.execute("PRAGMA journal_mode = DELETE")
        with complete_copy.open("rb") as written:
            os.fsync(written.fileno())
        complete_copy.replace(copy)
    _log.info("The database was copied to %s before the upgrade.", copy)


def _damaged_error(name: str) -> DamagedDatabaseError:
    return DamagedDatabaseError(f"{name} is damaged: restore a backup.")


def _single_line(reason: object) -> str:
    """Format the driver's message as one line, without libpq's question whether the server is running."""
    return " ".join(re.sub(r"Is the server running .*\?", "", str(reason)).split()).rstrip(".")


@contextmanager
def translate_errors(name: str) -> Iterator[None]:
    """Translate errors that an operator can fix into DatabaseError; programming errors pass unchanged."""
    try:
        yield
    except OSError as error:
        raise unwritable_error(error.filename or name, error) from error
    except sqlite3.OperationalError as error:
        raise DatabaseError(f"{name} cannot be opened or written: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise _damaged_error(name) from error
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.DatabaseError) and not isinstance(error.orig, sqlite3.OperationalError):
            raise _damaged_error(name) from error
        if isinstance(error, OperationalError):
            raise DatabaseError(f"{name} cannot be reached or written: {_single_line(error.orig)}.") from error
        raise
