"""Whether a transaction may be written: no newer version of the program has upgraded the database, it is no standby.

After an upgrade this one goes on reading: a step only adds to what the version before reads (`migrations`).
But what it would write might lack something by then, and so nothing is written any more.
"""

from typing import Final

from sqlalchemy import Connection, Select, String, column, select, table, text

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
