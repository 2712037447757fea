"""The mark of an unfinished copy, which keeps every server from using the database.

The mark is stored in place of the schema revision, which every version reads first, so older versions refuse the
database too.
"""

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from sqlalchemy import Connection, text

from abhidhan.platform.database.bulk_connections import refuse_pooler
from abhidhan.platform.database.connections import display_url, sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import hold_import_lock
from abhidhan.platform.database.leases import FencingToken
from abhidhan.platform.database.migrate import (
    NEWEST_REVISION,
    UNFINISHED_PREFIX,
    get_revision,
    migrate,
    translate_errors,
)
from abhidhan.platform.database.postgresql import open_postgresql
from abhidhan.platform.database.write_guard import POSTGRESQL_LOCK_KEY
from abhidhan.platform.runtime.files import create_private_file, create_private_folder
from abhidhan.records.errors import ConflictError, DatabaseError

SOURCE_HASH_LENGTH: Final = 12
"""Number of hexadecimal digits that identify the source; Alembic's column has 32 characters in all."""


def build_mark(source: str) -> str:
    """Return the mark for a source address and this version; only a copy with an equal mark can be resumed."""
    return f"{UNFINISHED_PREFIX}{NEWEST_REVISION}-{hashlib.sha256(source.encode()).hexdigest()[:SOURCE_HASH_LENGTH]}"


def begin_copy(target: Database, mark: str) -> bool:
    """Create the tables in an empty database and mark it; return True if it already has this mark.

    Raises DatabaseError, and then the database is unchanged.
    """
    file = sqlite_file(target.url)
    name = display_url(target.url)
    with translate_errors(name):
        if file is not None:
            create_private_folder(file.parent)
            create_private_file(file)
        with target.engine.begin() as connection:
            if file is None:
                refuse_pooler(connection)
                connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": POSTGRESQL_LOCK_KEY})
            revision = get_revision(connection)
            if revision is None:
                migrate(connection)
                _write_revision(connection, mark)
            elif revision.startswith(UNFINISHED_PREFIX) and revision != mark:
                raise DatabaseError(f"{name} contains an unfinished copy of another database, or by another version.")
            elif revision != mark:
                raise DatabaseError(f"{name} already contains a dictionary: copy into an empty database.")
    return revision is not None


def finish_copy(connection: Connection) -> None:
    """Replace the mark with the revision, so that servers accept the database."""
    _write_revision(connection, NEWEST_REVISION)


@contextmanager
def hold_target_lock(target: Database) -> Iterator[FencingToken]:
    """Hold the lock of imports into the target, whose tables exist. Raises ConflictError if another process has it."""
    try:
        with translate_errors(display_url(target.url)), hold_import_lock(target, wait=False) as fence:
            yield fence
    except ConflictError as error:
        raise ConflictError(f"Another copy or import into {display_url(target.url)} is running.") from error


def vacuum(target: Database) -> None:
    """Run VACUUM (ANALYZE) on PostgreSQL, for good plans and index-only scans from the start."""
    if not target.is_sqlite:
        with closing(open_postgresql(target.url)) as connection:
            connection.execute("VACUUM (ANALYZE)")


def _write_revision(connection: Connection, revision: str) -> None:
    connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
