"""The data version, a number incremented by every write that changes public responses, and its cache on SQLite."""

import mmap
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, update

from abhidhan import schema


def increment_data_version(connection: Connection) -> None:
    """Increment the data version, which invalidates the cached responses of all workers.

    The changed records of this transaction get the new version. The row stays locked until the commit, so versions
    become visible in order: a reader that sees the records of one version sees those of all earlier ones.
    """
    state, record_change = schema.state, schema.record_change
    increment = update(state).where(state.c.id == 1).values(data_version=state.c.data_version + 1)
    version = connection.execute(increment.returning(state.c.data_version)).scalar_one()
    connection.execute(update(record_change).where(record_change.c.version.is_(None)).values(version=version))


def probe_write(connection: Connection) -> None:
    """Update a row without changing it, to find out whether the database can be written."""
    connection.execute(update(schema.state).where(schema.state.c.id == 1).values(id=1))


WAL_INDEX_HEADER_BYTES: Final = 48
"""Size of the header of the wal-index. A second copy follows, which a commit writes first."""

_OPEN_FILES: Final[list[tuple[int, mmap.mmap]]] = []
"""Files that stay open until the process ends, with their maps (each holds its own descriptor).

Closing one would release every lock that SQLite has on it in this process (fcntl(2), "Record locking"), and another
process could then reset the log while it is in use.
"""


class CachedVersion:
    """Cache of the data version on SQLite, read again only after a commit, which the wal-index shows.

    All connections to a database in WAL mode share the wal-index in memory. Its header of 48 bytes holds the length of
    the log, and every commit of any process writes a new header before it ends ("The WAL-Index File Format",
    sqlite.org/walformat.html). Comparing headers takes 0.3 µs; a query takes 5 µs, with three system calls.
    """

    __slots__ = ("_header", "_memory", "_version")

    def __init__(self) -> None:
        """Create a cache that stays off until `watch` is called."""
        self._memory: mmap.mmap | None = None
        self._header = b""
        self._version = 0

    def watch(self, database: Path) -> None:
        """Turn the cache on, for a database that this process has read and leaves open until `unwatch`."""
        # Without a wal-index, as in a read-only folder, the version is read from SQLite each time.
        with suppress(OSError, ValueError):
            file = os.open(database.with_name(f"{database.name}-shm"), os.O_RDONLY | os.O_CLOEXEC)
            self._memory = mmap.mmap(file, WAL_INDEX_HEADER_BYTES, access=mmap.ACCESS_READ)
            _OPEN_FILES.append((file, self._memory))

    def unwatch(self) -> None:
        """Turn the cache off."""
        self._memory = None

    def read(self, read_version: Callable[[], int]) -> int:
        """Return the data version; call `read_version` if the header has changed."""
        if self._memory is None:
            return read_version()
        # The header is read first, so that a commit in between shows at the next call. A partly written header differs
        # from every complete one.
        header = self._memory[:WAL_INDEX_HEADER_BYTES]
        if header != self._header:
            self._version = read_version()
            self._header = header
        return self._version
