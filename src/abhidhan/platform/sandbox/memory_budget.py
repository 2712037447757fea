"""The memory that decoding may take: one budget for all workers of a machine, and a line before it."""

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from abhidhan.records.errors import RetryAfter, UnavailableError, sentence

UNIT: Final = 16 * 1024 * 1024
"""Bytes that are counted as one."""

DOOR: Final = 0
"""The byte that whoever stands first in the line holds; the units come after it."""

BETWEEN_LOOKS: Final = 0.02
"""Seconds until somebody in the line looks again; only the one at the door and those of other processes do."""

FULL: Final = sentence(
    "Too many files are being processed right now. Send yours again in %(seconds)s s.", seconds=RetryAfter.QUEUE
)


class MemoryBudget:
    """A number of bytes, which the decoders of all workers share.

    Each unit is a byte of a file, and is taken by locking it: locks of the operating system need no server, and a
    worker that is killed gives back what it held. Whoever waits is served in turn, so that a large photo is not passed
    over for ever by small ones.
    """

    def __init__(self, path: Path, size: int) -> None:
        """Share `size` bytes by the file at `path`, which is opened when it is needed."""
        self._path = path
        self._units = max(1, size // UNIT)
        self._file: int | None = None
        self._own: set[int] = set()
        self._line = threading.Lock()
        self._counting = threading.Lock()

    @contextmanager
    def taking(self, size: int, patience: float) -> Iterator[None]:
        """Wait for so many bytes, and hold them. Raises UnavailableError when they are not free in time.

        More than there is counts as all there is.
        """
        until = time.monotonic() + patience
        wanted = min(self._units, -(-size // UNIT))
        if not self._line.acquire(timeout=max(0.0, patience)):
            raise UnavailableError(FULL, RetryAfter.QUEUE)
        try:
            taken = self._taken(wanted, until)
        finally:
            self._line.release()
        try:
            yield
        finally:
            self._give_back(taken)

    def close(self) -> None:
        """Let go of the file, and with it of all that is held."""
        with self._counting:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _taken(self, wanted: int, until: float) -> set[int]:
        door = _awaited(lambda: self._lock({DOOR}, 1), until)
        try:
            return _awaited(lambda: self._lock(range(1, self._units + 1), wanted), until)
        finally:
            self._give_back(door)

    def _lock(self, units: Iterator[int] | range | set[int], wanted: int) -> set[int]:
        """Lock as many of some units as are wanted, or none."""
        taken: set[int] = set()
        with self._counting:
            # Locks are those of a process: what another of its threads holds has to be known beside them.
            for unit in (each for each in units if each not in self._own):
                with suppress(BlockingIOError, PermissionError):
                    fcntl.lockf(self._open(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, unit)
                    taken.add(unit)
                if len(taken) == wanted:
                    self._own |= taken
                    return taken
            self._unlock(taken)
        return set()

    def _give_back(self, units: set[int]) -> None:
        with self._counting:
            self._own -= units
            self._unlock(units)

    def _unlock(self, units: set[int]) -> None:
        if self._file is not None:
            for unit in units:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, unit)

    def _open(self) -> int:
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._file


def _awaited(attempt: Callable[[], set[int]], until: float) -> set[int]:
    """Try until something is given. Raises UnavailableError when that takes too long."""
    while not (given := attempt()):
        if time.monotonic() >= until:
            raise UnavailableError(FULL, RetryAfter.QUEUE)
        time.sleep(BETWEEN_LOOKS)
    return given
