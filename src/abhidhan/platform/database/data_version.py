"""The data version: one number that every change of public answers raises, and its cached value on SQLite."""

import mmap
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, update

from abhidhan import schema


def raise_data_version(connection: Connection) -> None:
    """Signal every worker, by one number, that answers made before this transaction may be out of date.

    What it has noted as changed gets this number. Nobody else raises it until it has ended: so whoever sees what one
    has noted sees what all before it have noted.
    """
    state, noted = schema.state, schema.record_change
    raised = update(state).where(state.c.id == 1).values(data_version=state.c.data_version + 1)
    version = connection.execute(raised.returning(state.c.data_version)).scalar_one()
    connection.execute(update(noted).where(noted.c.version.is_(None)).values(version=version))


def write_the_same(connection: Connection) -> None:
    """Write what is there already, to find out whether anything can be written."""
    connection.execute(update(schema.state).where(schema.state.c.id == 1).values(id=1))


HEADER_BYTES: Final = 48
"""A second copy follows, which a commit writes first."""

_NEVER_CLOSED: Final[list[tuple[int, mmap.mmap]]] = []
"""Files that stay open until the process ends, with their maps (each holds a descriptor of its own).

Closing one would release every lock that SQLite has on it in this process (fcntl(2), "Record locking"), and another
process could then reset the log while it is in use.
"""


class CachedVersion:
    """The data version on SQLite, read again only after somebody has committed, as the wal-index shows in memory.

    All connections to a database in WAL mode share the memory of the wal-index. Its first 48 bytes, the header, say how
    far the log reaches, and every commit of any process writes another header before it ends ("The WAL-Index File
    Format", sqlite.org/walformat.html). Comparing headers takes 0.3 µs; asking SQLite takes 5, with three system calls.
    """

    __slots__ = ("_header", "_memory", "_number")

    def __init__(self) -> None:
        """Cache nothing before `watch` was called."""
        self._memory: mmap.mmap | None = None
        self._header = b""
        self._number = 0

    def watch(self, database: Path) -> None:
        """Map the wal-index of a database that this process has read, and keeps open until `forget`."""
        # Where the folder cannot be written, for example, there is no wal-index, and SQLite is asked each time.
        with suppress(OSError, ValueError):
            file = os.open(database.with_name(f"{database.name}-shm"), os.O_RDONLY | os.O_CLOEXEC)
            self._memory = mmap.mmap(file, HEADER_BYTES, access=mmap.ACCESS_READ)
            _NEVER_CLOSED.append((file, self._memory))

    def forget(self) -> None:
        """Cache nothing from now on."""
        self._memory = None

    def read(self, read_version: Callable[[], int]) -> int:
        """Return the data version, read again if the header has changed."""
        if self._memory is None:
            return read_version()
        # The header comes first: a commit between the two shows at the next call. A header that is just being written
        # differs from every complete one.
        header = self._memory[:HEADER_BYTES]
        if header != self._header:
            self._number = read_version()
            self._header = header
        return self._number
