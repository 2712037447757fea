"""Whether a newer version of the program has brought the database up to date while this one serves.

This one goes on reading: a step only adds to what the version before reads (`storage/migrations`). But what it would
write might lack something by then, and so nothing is written any more.
"""

from typing import Final

from sqlalchemy import Connection, Select, String, column, select, table, text

from abhidhan.errors import UnwritableError
from abhidhan.storage.engine.connections import BUSY_SECONDS
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.steps import REVISIONS

POSTGRESQL_LOCK: Final = 0x61_62_68_69
"""The number of the advisory lock that one writer at a time holds in PostgreSQL, also an upgrade: "abhi"."""

_STEP: Final[Select[str]] = select(column("version_num", String)).select_from(table("alembic_version"))
_READ_STEP: Final = Query(_STEP)
_LOCK: Final = text(f"SELECT set_config('lock_timeout', :longest, true), pg_advisory_xact_lock({POSTGRESQL_LOCK})")


def begin_writing(transaction: Connection) -> None:
    """Wait until nobody else writes or upgrades the database, then refuse what does not fit the tables.

    SQLite has one writer at a time anyway. Raises UnwritableError.
    """
    if transaction.dialect.name == "postgresql":
        transaction.execute(_LOCK, {"longest": f"{BUSY_SECONDS}s"})
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
