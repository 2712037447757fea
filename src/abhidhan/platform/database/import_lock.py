"""Locks that allow only one import at a time: a lock file next to an SQLite database, or a lease in PostgreSQL.

Both are released when the process ends.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from abhidhan.platform.database.connections import sqlite_file
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.leases import FencingToken, hold_lease
from abhidhan.platform.runtime.files import FileLock, create_private_folder
from abhidhan.records.errors import ConflictError, unwritable_error

IMPORT_LEASE_NAME: Final = "import"

LEASE_SECONDS: Final = 20.0
"""Duration of the lease: the delay until another import can start after a machine has failed.

A lease of a process that ended on the same machine is free immediately (`leases.has_owner_ended`).
"""

RETRY_INTERVAL_SECONDS: Final = 0.5

ALREADY_RUNNING_MESSAGE = (
    "Another import into this database is running: wait until it has finished, then start this one again."
)


class _FileLockToken:
    """A fencing token for file locks, which a running process cannot lose."""

    def ensure_held(self, connection: Connection) -> None:
        """Do nothing: a running process cannot lose a file lock."""


@contextmanager
def hold_import_lock(database: Database, *, wait: bool) -> Iterator[FencingToken]:
    """Hold the import lock. If another process holds it, wait for it (`wait`), or raise ConflictError."""
    file = sqlite_file(database.url)
    if file is None:
        with _hold_import_lease(database, wait=wait) as lease:
            yield lease
    else:
        with _hold_file_lock(file.with_name(file.name + "-import"), wait=wait) as fence:
            if fence is None:
                raise ConflictError(ALREADY_RUNNING_MESSAGE)
            yield fence


@contextmanager
def hold_lock(
    database: Database, name: str, *, seconds: float, folder: Path | None = None
) -> Iterator[FencingToken | None]:
    """Hold a named lock for the duration of the block; None if another process holds it.

    It is a lease of `seconds` in PostgreSQL, and with SQLite a file lock in `folder` or next to the database.
    """
    file = sqlite_file(database.url)
    if file is None:
        with hold_lease(database, name, seconds=seconds) as lease:
            yield lease
        return
    if folder is not None:
        create_private_folder(folder)
    with _hold_file_lock(folder / ".lock" if folder else file.with_name(f"{file.name}-{name}"), wait=False) as fence:
        yield fence


@contextmanager
def _hold_file_lock(file: Path, *, wait: bool) -> Iterator[_FileLockToken | None]:
    """Hold the lock of a file; None if another process holds it, unless `wait` is set."""
    lock = FileLock(file)
    try:
        is_acquired = lock.acquire(blocking=wait)
    except OSError as error:
        raise unwritable_error(file, error) from error
    try:
        yield _FileLockToken() if is_acquired else None
    finally:
        lock.release()


@contextmanager
def _hold_import_lease(database: Database, *, wait: bool) -> Iterator[FencingToken]:
    while True:
        with hold_lease(database, IMPORT_LEASE_NAME, seconds=LEASE_SECONDS) as lease:
            if lease is not None:
                yield lease
                return
        if not wait:
            raise ConflictError(ALREADY_RUNNING_MESSAGE)
        time.sleep(RETRY_INTERVAL_SECONDS)
