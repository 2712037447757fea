"""Translation of driver errors into errors for operators and clients, and one log line for each outage."""

import sqlite3
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import psycopg
import structlog
from prometheus_client import Counter
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from abhidhan.platform.runtime.files import FileLock, ensure_writable
from abhidhan.platform.runtime.metrics import DATABASE_ERRORS
from abhidhan.records.errors import (
    AbhidhanError,
    DamagedDatabaseError,
    DiskFullError,
    LostDatabaseError,
    RetryAfter,
    UnavailableError,
    UnwritableError,
    sentence,
)
from abhidhan.records.setting_values import hide_password

BUSY_ERRORS = DATABASE_ERRORS.labels("busy")
ERROR_COUNTERS: Mapping[type[AbhidhanError], Counter] = {
    LostDatabaseError: DATABASE_ERRORS.labels("lost"),
    DiskFullError: DATABASE_ERRORS.labels("unwritable"),
    UnwritableError: DATABASE_ERRORS.labels("unwritable"),
    DamagedDatabaseError: DATABASE_ERRORS.labels("damaged"),
}
"""Counter of each error class; all other errors are counted by `BUSY_ERRORS`, as transactions that block each other."""


class DriverErrorTranslator:
    """Context manager that translates recoverable driver errors; programming errors pass unchanged.

    A class, since every read passes through it: a generator would take 0.7 µs more.
    """

    __slots__ = ("_url",)

    def __init__(self, url: URL) -> None:
        """`url` is the address of the database, which the messages name."""
        self._url = url

    def __enter__(self) -> None:
        """Enter the block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise the translation of the error, if it has one."""
        if error is not None and (translated := _translate(error, self._url)) is not None:
            ERROR_COUNTERS.get(type(translated), BUSY_ERRORS).inc()
            raise translated from error


def is_serialization_failure(error: DBAPIError | psycopg.Error) -> bool:
    """Return whether PostgreSQL aborted the transaction because it could not serialize it."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return isinstance(cause, psycopg.errors.SerializationFailure)


CONNECTION_FAILURE_PREFIXES = ("08", "57P")
"""Prefixes of the SQLSTATEs for failed connections, and for a server that is shutting down or starting."""

SQLITE_UNWRITABLE_CODES = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
}
POSTGRESQL_UNWRITABLE_ERRORS = (
    psycopg.errors.ReadOnlySqlTransaction,
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.IoError,
)


def _translate(error: BaseException, url: URL) -> AbhidhanError | None:
    cause = error.orig if isinstance(error, DBAPIError) else error
    unwritable = _translate_unwritable(cause, url)
    if unwritable is not None:
        return unwritable
    if isinstance(cause, psycopg.OperationalError) and _is_lost(cause):
        return LostDatabaseError(sentence("The database is busy or cannot be reached."), RetryAfter.MOMENT)
    if isinstance(error, DBAPIError) and isinstance(error.orig, sqlite3.OperationalError | psycopg.OperationalError):
        return UnavailableError(sentence("The database is busy or read-only."), RetryAfter.MOMENT)
    if isinstance(error, sqlite3.OperationalError | psycopg.OperationalError | PoolTimeoutError):
        return UnavailableError(sentence("The database is busy or cannot be reached."), RetryAfter.MOMENT)
    if isinstance(error, sqlite3.DatabaseError) and not isinstance(
        error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.DataError
    ):
        return DamagedDatabaseError("The database is damaged: restore a backup.")
    return None


def _is_lost(error: psycopg.OperationalError) -> bool:
    """Return whether the connection was lost, as reported by the driver (no SQLSTATE) or by the server."""
    return error.sqlstate is None or error.sqlstate.startswith(CONNECTION_FAILURE_PREFIXES)


def _translate_unwritable(cause: BaseException | None, url: URL) -> UnwritableError | None:
    """Return the error for a full disk or missing write permission; None for all other causes."""
    if isinstance(cause, psycopg.errors.DiskFull):
        return _disk_full_error(hide_password(url.render_as_string()))
    if isinstance(cause, POSTGRESQL_UNWRITABLE_ERRORS):
        return UnwritableError(
            f"{hide_password(url.render_as_string())} cannot be written: {cause.diag.message_primary}."
        )
    # The low eight bits are the primary error code, the others the extended code.
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF if isinstance(cause, sqlite3.OperationalError) else 0
    if code == sqlite3.SQLITE_FULL:
        return _disk_full_error(url.database)
    if code in SQLITE_UNWRITABLE_CODES:
        return _find_unwritable_reason(Path(str(url.database)), cause)
    return None


def _disk_full_error(name: str | None) -> DiskFullError:
    return DiskFullError(f"{name}: the disk is full, and nothing was saved. Free some space, and try again.")


def _find_unwritable_reason(file: Path, cause: object) -> UnwritableError:
    """Find the reason by a test write: for an exhausted quota, SQLite reports only "disk I/O error"."""
    try:
        ensure_writable(file)
    except UnwritableError as error:
        return error
    return UnwritableError(f"{file} cannot be opened or written: {cause}.")


_log = structlog.get_logger("abhidhan.database")


class OutageTracker:
    """Tracks outages, in which no connection can be opened; one of the processes that share a lock file logs them."""

    def __init__(self, address: str, lock_file: Path | None = None) -> None:
        """`address` is the address without its password, `lock_file` the lock file that elects the process that logs.

        Without `lock_file` nothing is logged: a command, or a server that starts, ends with the error itself.
        """
        self._address = address
        self._election = FileLock(lock_file) if lock_file else None
        self._guard = threading.Lock()
        self._started_at = 0.0
        self._is_logging = False
        self.is_active = False

    def begin(self, reason: Exception) -> None:
        """Record that a connection could not be opened."""
        with self._guard:
            if self.is_active:
                return
            self.is_active = True
            self._started_at = time.monotonic()
            self._is_logging = self._is_elected()
            if self._is_logging:
                _log.error("the database cannot be reached", database=self._address, reason=_single_line(reason))

    def end(self) -> None:
        """Record that a connection was opened."""
        with self._guard:
            if not self.is_active:
                return
            self.is_active = False
            if self._is_logging:
                seconds = round(time.monotonic() - self._started_at, 1)
                _log.warning("the database can be reached again", database=self._address, seconds=seconds)
            self._release_election()

    def close(self) -> None:
        """Release the lock, so that another process can log outages."""
        with self._guard:
            self._release_election()

    def _is_elected(self) -> bool:
        """Return whether this process logs the outage; every process does if the lock file cannot be used."""
        if self._election is None:
            return False
        try:
            return self._election.acquire(blocking=False)
        except OSError:
            return True

    def _release_election(self) -> None:
        if self._election is not None:
            self._election.release()


def _single_line(reason: Exception) -> str:
    return " ".join(str(reason).split())
