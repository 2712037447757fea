"""The database into which everything is copied: it has a mark until all is there, and nothing serves it meanwhile.

The mark stands where the program looks first: instead of the revision. So older versions refuse such a database too.
"""

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from sqlalchemy import Connection, text

from abhidhan.platform.database.bulk_connections import refuse_pooler
from abhidhan.platform.database.connections import shown_address, sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.import_lock import importing
from abhidhan.platform.database.leases import Fence
from abhidhan.platform.database.migrate import NEWEST, UNFINISHED, migrate, revision_of, told_in_words
from abhidhan.platform.database.postgresql import open_postgresql
from abhidhan.platform.database.write_guard import POSTGRESQL_LOCK
from abhidhan.platform.runtime.files import make_private, make_private_folder
from abhidhan.records.errors import ConflictError, DatabaseError

SOURCE_DIGITS: Final = 12
"""How many hexadecimal digits name the source; Alembic has room for 32 letters in all."""


def mark_of(source: str) -> str:
    """Return the mark of a copy from an address: only a copy of the same version from there goes on with it."""
    return f"{UNFINISHED}{NEWEST}-{hashlib.sha256(source.encode()).hexdigest()[:SOURCE_DIGITS]}"


def begin(target: Database, mark: str) -> bool:
    """Make the tables of an empty database, or find those of a copy with this mark; then it is True.

    Raises DatabaseError, and then the database is as it was.
    """
    file = sqlite_file(target.url)
    name = shown_address(target.url)
    with told_in_words(name):
        if file is not None:
            make_private_folder(file.parent)
            make_private(file)
        with target.engine.begin() as connection:
            if file is None:
                refuse_pooler(connection)
                connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": POSTGRESQL_LOCK})
            found = revision_of(connection)
            if found is None:
                migrate(connection)
                _write_revision(connection, mark)
            elif found.startswith(UNFINISHED) and found != mark:
                raise DatabaseError(f"{name} holds an unfinished copy of another database, or by another version.")
            elif found != mark:
                raise DatabaseError(f"{name} holds a dictionary already: copy into an empty database.")
    return found is not None


def finish(connection: Connection) -> None:
    """Take the mark away: from here on the database serves."""
    _write_revision(connection, NEWEST)


@contextmanager
def alone(target: Database) -> Iterator[Fence]:
    """Keep a second copy out of a database with tables while this one runs. Raises ConflictError."""
    try:
        with told_in_words(shown_address(target.url)), importing(target, wait=False) as fence:
            yield fence
    except ConflictError as error:
        raise ConflictError(f"Another copy or import into {shown_address(target.url)} is running.") from error


def tidy(target: Database) -> None:
    """Let PostgreSQL look at what has come, so that it plans well at once and reads indexes alone."""
    if not target.is_sqlite:
        with closing(open_postgresql(target.url)) as connection:
            connection.execute("VACUUM (ANALYZE)")


def _write_revision(connection: Connection, revision: str) -> None:
    connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
