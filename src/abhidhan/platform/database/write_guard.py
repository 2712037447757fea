"""Checks before each write: the database is not a standby, and no newer version has upgraded it.

After an upgrade this version can still read, since a migration only adds to the tables that the version before reads
(`migrations`). It must not write, since its rows might lack data that the newer version needs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, Select, String, column, func, select, table, text

from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.connections import BUSY_TIMEOUT_SECONDS
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import ReadOnlyError, UnwritableError
from abhidhan.schema.schema_revisions import REVISIONS

POSTGRESQL_LOCK_KEY: Final = 0x61_62_68_69
"""Key of the advisory lock in PostgreSQL that serializes writers and upgrades: "abhi"."""

_SELECT_REVISION: Final[Select[str]] = select(column("version_num", String)).select_from(table("alembic_version"))
_REVISION_QUERY: Final = CompiledQuery(_SELECT_REVISION)
_ACQUIRE_LOCK_SQL: Final = text(
    "SELECT pg_is_in_recovery(), set_config('lock_timeout', :longest, true), "
    f"pg_advisory_xact_lock({POSTGRESQL_LOCK_KEY})"
)


def begin_writing(transaction: Connection) -> None:
    """Acquire the writer's lock at the beginning of a transaction, and check that this version may write.

    SQLite has only one writer at a time anyway. Raises UnwritableError, or ReadOnlyError if the database is a standby.
    """
    if transaction.dialect.name == "postgresql":
        is_standby = transaction.execute(_ACQUIRE_LOCK_SQL, {"longest": f"{BUSY_TIMEOUT_SECONDS}s"}).scalar()
        if is_standby:
            raise ReadOnlyError
    refuse_newer_schema(transaction)


def refuse_newer_schema(transaction: Connection) -> None:
    """Ensure that no newer version has upgraded the tables. Raises UnwritableError."""
    row = transaction.execute(_SELECT_REVISION).first()
    _refuse_unknown_revision(row[0] if row else None)


def refuse_newer_schema_for_reader(connection: ReadConnection) -> None:
    """Ensure, with a reader, that no newer version has upgraded the tables. Raises UnwritableError."""
    row = connection.row(_REVISION_QUERY)
    _refuse_unknown_revision(str(row[0]) if row else None)


def _refuse_unknown_revision(revision: str | None) -> None:
    if revision is not None and revision not in REVISIONS:
        raise UnwritableError(
            "A newer version of Abhidhan has upgraded the database: this server can still read it, but not write. "
            "Install the newer version here too."
        )


STANDBY_CHECK_INTERVAL_SECONDS: Final = 2.0
"""Seconds between two checks whether PostgreSQL is still a standby, since it may be promoted at any time."""

SELECT_IN_RECOVERY: Final = select(func.pg_is_in_recovery())
_RECOVERY_QUERY: Final = CompiledQuery(SELECT_IN_RECOVERY)


class WriteState:
    """The state of the database at the last check or write: whether it accepted writes."""

    def __init__(self) -> None:
        """Start with a writable database."""
        self.is_read_only = False
        """True for a standby."""
        self.is_unwritable = False
        """True if the last write failed for another reason, such as a full disk."""

    def refresh(self, connection: ReadConnection) -> None:
        """Ask PostgreSQL whether it is a standby."""
        row = connection.row(_RECOVERY_QUERY)
        self.is_read_only = row is not None and bool(row[0])

    @contextmanager
    def record_outcome(self) -> Iterator[None]:
        """Record whether the write transaction in the block succeeds or is refused."""
        try:
            yield
        except ReadOnlyError:
            self.is_read_only = True
            raise
        except UnwritableError:
            self.is_unwritable = True
            raise
        self.is_unwritable = self.is_read_only = False
