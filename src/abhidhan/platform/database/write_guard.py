"""Whether a transaction may be written: the database is no standby, and no newer version has upgraded it.

After an upgrade this version goes on reading: a step only adds to what the version before reads (`migrations`).
But what it would write might lack something by then, and so nothing is written any more.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, Select, String, column, func, select, table, text

from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.connections import BUSY_SECONDS
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import ReadOnlyError, UnwritableError
from abhidhan.schema.schema_revisions import REVISIONS

POSTGRESQL_LOCK: Final = 0x61_62_68_69
"""The number of the advisory lock that one writer at a time holds in PostgreSQL, also an upgrade: "abhi"."""

_STEP: Final[Select[str]] = select(column("version_num", String)).select_from(table("alembic_version"))
_READ_STEP: Final = Query(_STEP)
_LOCK: Final = text(
    f"SELECT pg_is_in_recovery(), set_config('lock_timeout', :longest, true), pg_advisory_xact_lock({POSTGRESQL_LOCK})"
)


def begin_writing(transaction: Connection) -> None:
    """Wait until nobody else writes or upgrades the database, then refuse what does not fit the tables.

    SQLite has one writer at a time anyway. Raises UnwritableError, and ReadOnlyError where the database is a standby.
    """
    if transaction.dialect.name == "postgresql":
        is_standby = transaction.execute(_LOCK, {"longest": f"{BUSY_SECONDS}s"}).scalar()
        if is_standby:
            raise ReadOnlyError
    refuse_newer(transaction)


def refuse_newer(transaction: Connection) -> None:
    """Make sure that what is written fits the tables. Raises UnwritableError."""
    found = transaction.execute(_STEP).first()
    _refuse(found[0] if found else None)


def refuse_newer_now(reader: Reader) -> None:
    """See whether anything could be written. Raises UnwritableError."""
    found = reader.row(_READ_STEP)
    _refuse(str(found[0]) if found else None)


def _refuse(step: str | None) -> None:
    if step is not None and step not in REVISIONS:
        raise UnwritableError(
            "A newer version of Abhidhan has upgraded the database: this server still reads it, and writes nothing "
            "any more. Install the newer version here too."
        )


RECOVERY_SECONDS: Final = 2.0
"""Interval in seconds between two questions to PostgreSQL whether it is a standby: one may be promoted at any time."""

IS_IN_RECOVERY: Final = select(func.pg_is_in_recovery())
_READ_RECOVERY: Final = Query(IS_IN_RECOVERY)


class WriteState:
    """What the database answered last, to a question or to a transaction that writes."""

    def __init__(self) -> None:
        """Assume that the database can be written."""
        self.is_read_only = False
        """Whether it is a standby."""
        self.is_unwritable = False
        """Whether it has refused the last transaction that writes for another reason, such as a full disk."""

    def ask(self, reader: Reader) -> None:
        """Ask PostgreSQL whether it is a standby."""
        row = reader.row(_READ_RECOVERY)
        self.is_read_only = row is not None and bool(row[0])

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note whether a transaction can be written."""
        try:
            yield
        except ReadOnlyError:
            self.is_read_only = True
            raise
        except UnwritableError:
            self.is_unwritable = True
            raise
        self.is_unwritable = self.is_read_only = False
