"""Commits to an SQLite database, seen in memory: whether there was one since somebody looked last.

Beside a database in WAL mode lies the wal-index, memory that all its connections share. Its first 48 bytes, the head,
say how far the log reaches; every commit writes another head before it ends, in whatever process it is made ("The
WAL-Index File Format", sqlite.org/walformat.html). To compare heads takes 0.3 µs, to ask SQLite for its `data_version`
4 µs, three system calls among them.
"""

import mmap
import os
from pathlib import Path
from typing import Final

HEAD: Final = 48
"""Bytes of the head. A second copy follows, which is written first."""

_SUFFIX: Final = "-shm"

_NEVER_CLOSED: Final[list[tuple[int, mmap.mmap]]] = []
"""Files that stay open until the process ends, and what is mapped of them (Python keeps them open for that once more).

Whoever closes one lets go of every lock that SQLite has on it in this process (fcntl(2), "Record locking"), and then
others take the log for their own.
"""


class Commits:
    """The head of the wal-index of one database.

    For a process that keeps the database open: it is not to be looked at after the last connection is closed.
    """

    __slots__ = ("_memory",)

    def __init__(self, database: Path) -> None:
        """Look at a database that is open here, and from which something was read. Raises OSError, ValueError."""
        file = os.open(database.with_name(database.name + _SUFFIX), os.O_RDONLY | os.O_CLOEXEC)
        self._memory = mmap.mmap(file, HEAD, access=mmap.ACCESS_READ)
        _NEVER_CLOSED.append((file, self._memory))

    def head(self) -> bytes:
        """Return the head as it is now; the same bytes mean that nobody has committed.

        While somebody is writing them they may be a mixture, which is never the same as what was seen before.
        """
        return self._memory[:HEAD]
