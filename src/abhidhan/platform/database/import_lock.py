"""Locks for one import at a time: a lock file next to an SQLite database, a lease in PostgreSQL.

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
from abhidhan.platform.database.leases import Fence, holding
from abhidhan.platform.runtime.files import FileLock, make_private_folder
from abhidhan.records.errors import ConflictError, cannot_be_written

LEASE: Final = "import"

LEASE_SECONDS: Final = 20.0
"""Duration of the lease: the delay until another import can start after a machine has failed.

A lease of a process that ended on the same machine is free immediately (`leases.is_gone`).
"""

BETWEEN_TRIES: Final = 0.5

ANOTHER_RUNS = "Another import into this database is running: wait until it has finished, then start this one again."


class _NoFence:
    """A fence for file locks, which a running process cannot lose."""

    def make_sure(self, connection: Connection) -> None:
        """Accept every transaction."""


@contextmanager
def importing(database: Database, *, wait: bool) -> Iterator[Fence]:
    """Hold the lock of imports. With `wait`, wait for another process; otherwise raises ConflictError."""
    file = sqlite_file(database.url)
    if file is None:
        with _lease(database, wait=wait) as held:
            yield held
    else:
        with _locked(file.with_name(file.name + "-import"), wait=wait) as fence:
            if fence is None:
                raise ConflictError(ANOTHER_RUNS)
            yield fence


@contextmanager
def alone(database: Database, name: str, *, seconds: float, folder: Path | None = None) -> Iterator[Fence | None]:
    """Hold a named lock for the duration of the block; None if another process holds it.

    It is a lease of `seconds` in PostgreSQL, and with SQLite a file lock in `folder` or next to the database.
    """
    file = sqlite_file(database.url)
    if file is None:
        with holding(database, name, seconds=seconds) as held:
            yield held
        return
    if folder is not None:
        make_private_folder(folder)
    with _locked(folder / ".lock" if folder else file.with_name(f"{file.name}-{name}"), wait=False) as fence:
        yield fence


@contextmanager
def _locked(file: Path, *, wait: bool) -> Iterator[_NoFence | None]:
    """Hold the lock of a file; None if another process holds it, unless `wait` is set."""
    lock = FileLock(file)
    try:
        is_mine = lock.acquire(blocking=wait)
    except OSError as error:
        raise cannot_be_written(file, error) from error
    try:
        yield _NoFence() if is_mine else None
    finally:
        lock.release()


@contextmanager
def _lease(database: Database, *, wait: bool) -> Iterator[Fence]:
    while True:
        with holding(database, LEASE, seconds=LEASE_SECONDS) as held:
            if held is not None:
                yield held
                return
        if not wait:
            raise ConflictError(ANOTHER_RUNS)
        time.sleep(BETWEEN_TRIES)
