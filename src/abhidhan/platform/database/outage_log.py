"""A database that cannot be reached: told once when it is lost, and once when it is back, whoever notices."""

import threading
import time
from pathlib import Path

import structlog

from abhidhan.platform.runtime.file_lock import FileLock

_log = structlog.get_logger("abhidhan.database")


class Outage:
    """The time during which no connection can be opened. Of all processes that share a file, one tells of it."""

    def __init__(self, shown: str, shared: Path | None = None) -> None:
        """Take the address as logs may show it, and the file by which processes elect the one that tells."""
        self._shown = shown
        self._election = None if shared is None else FileLock(shared)
        self._guard = threading.Lock()
        self._since = 0.0
        self._tells = False
        self.is_on = False

    def begin(self, reason: Exception) -> None:
        """Note that a connection could not be opened."""
        with self._guard:
            if self.is_on:
                return
            self.is_on = True
            self._since = time.monotonic()
            self._tells = self._is_mine_to_tell()
            if self._tells:
                _log.error("the database cannot be reached", database=self._shown, reason=_in_one_line(reason))

    def end(self) -> None:
        """Note that a connection was opened."""
        with self._guard:
            if not self.is_on:
                return
            self.is_on = False
            if self._tells:
                seconds = round(time.monotonic() - self._since, 1)
                _log.warning("the database can be reached again", database=self._shown, seconds=seconds)
            self._resign()

    def close(self) -> None:
        """Let another process tell."""
        with self._guard:
            self._resign()

    def _is_mine_to_tell(self) -> bool:
        """Return whether no other process has told of it. Where they cannot agree on one, each tells."""
        try:
            return self._election is None or self._election.acquire(blocking=False)
        except OSError:
            return True

    def _resign(self) -> None:
        if self._election is not None:
            self._election.release()


def _in_one_line(reason: Exception) -> str:
    return " ".join(str(reason).split())
