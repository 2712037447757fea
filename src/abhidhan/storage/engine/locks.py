"""One import at a time: a lock that goes when the process does, however it ends."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import text

from abhidhan.errors import ConflictError, cannot_be_written
from abhidhan.storage.engine.connections import sqlite_file
from abhidhan.storage.engine.database import Database

POSTGRESQL_LOCK = 0x61_62_68_69_69
"""The number of the advisory lock of imports: "abhii"."""

ANOTHER_RUNS = "Another import into this database is running: wait until it has ended, then start this one again."


@contextmanager
def importing(database: Database, *, wait: bool) -> Iterator[None]:
    """Hold the lock of imports. Raises ConflictError when another process holds it, unless this one is to wait."""
    file = sqlite_file(database.url)
    if file is None:
        with _postgresql_lock(database, wait=wait):
            yield
    else:
        with _file_lock(file.with_name(file.name + "-import"), wait=wait):
            yield


@contextmanager
def _file_lock(file: Path, *, wait: bool) -> Iterator[None]:
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise cannot_be_written(file, error) from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise ConflictError(ANOTHER_RUNS) from None
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _postgresql_lock(database: Database, *, wait: bool) -> Iterator[None]:
    take = "pg_advisory_lock" if wait else "pg_try_advisory_lock"
    with database.engine.connect() as connection:
        taken = connection.execute(text(f"SELECT {take}(:number)"), {"number": POSTGRESQL_LOCK}).scalar()
        # Ends the transaction, which would keep others from tidying up; the lock is the session's.
        connection.commit()
        if taken is False:
            raise ConflictError(ANOTHER_RUNS)
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:number)"), {"number": POSTGRESQL_LOCK})
            connection.commit()
