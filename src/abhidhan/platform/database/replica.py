"""Whether the database can be written. A standby of PostgreSQL is only read, until it is promoted."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import func, select

from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import ReadOnlyError, UnwritableError

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
