"""The data version as one SQLite connection has seen it last: it is read anew only after somebody has written."""

from contextlib import suppress
from pathlib import Path

from abhidhan.storage.engine.commits import Commits
from abhidhan.storage.engine.reader import Reader


class SeenVersion:
    """The data version that the reader on the event loop has seen last."""

    __slots__ = ("_change", "_commits", "_head", "number")

    def __init__(self) -> None:
        """Have seen none."""
        self.number = 0
        self._change = -1
        self._commits: Commits | None = None
        self._head = b""

    def watch(self, database: Path) -> None:
        """See from now on in memory whether anybody has committed, where that can be seen; until `forget`."""
        # There is no wal-index where the file cannot be written, for example; SQLite is asked then, as before.
        with suppress(OSError, ValueError):
            self._commits = Commits(database)

    def forget(self) -> None:
        """See no more of it: the database is closed."""
        self._commits = None

    def is_newest(self) -> bool:
        """Return whether it is seen that nobody has written since; if not, that may be so all the same."""
        return self._commits is not None and self._commits.head() == self._head

    def renew(self, reader: Reader) -> int:
        """Read the number, if any process has written, and return it."""
        if self.is_newest():
            return self.number
        # The head is taken before the number is read: what is written in between shows at the next question.
        head = self._commits.head() if self._commits is not None else b""
        change = reader.pragma("data_version")
        if change != self._change:
            self.number = reader.data_version()
            self._change = change
        self._head = head
        return self.number
