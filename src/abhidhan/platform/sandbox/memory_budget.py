"""The memory budget of decoding, shared by all workers of a machine, with a queue."""

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
"""Bytes per unit of the budget."""

DOOR: Final = 0
"""The byte that the first in the queue has locked; the units follow it."""

BETWEEN_LOOKS: Final = 0.02
"""Polling interval in seconds, for the first in the queue of each process."""

FULL: Final = sentence(
    "Too many files are being processed right now. Send yours again in %(seconds)s s.", seconds=RetryAfter.QUEUE
)


class MemoryBudget:
    """A number of bytes shared by the decoders of all workers.

    Each unit is a byte of a file, and is acquired by locking it: locks of the operating system need no server, and are
    released when a worker is killed. Requests are served in turn, so that small photos cannot delay a large one for
    ever.
    """

    def __init__(self, path: Path, size: int) -> None:
        """Share `size` bytes through the file at `path`, which is opened on demand."""
        self._path = path
        self._units = max(1, size // UNIT)
        self._file: int | None = None
        self._own: set[int] = set()
        self._line = threading.Lock()
        self._counting = threading.Lock()

    @contextmanager
    def taking(self, size: int, patience: float) -> Iterator[None]:
        """Hold `size` bytes of the budget, at most all of it, for the duration of the block.

        Raises UnavailableError if they are not free within `patience` seconds.
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
        """Close the file, which releases all locks."""
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
        """Lock `wanted` of the units and return them, or none (an empty set)."""
        taken: set[int] = set()
        with self._counting:
            # The locks belong to the process, so the units of its other threads must be excluded here.
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
    """Repeat an attempt until it returns units. Raises UnavailableError after `until`."""
    while not (given := attempt()):
        if time.monotonic() >= until:
            raise UnavailableError(FULL, RetryAfter.QUEUE)
        time.sleep(BETWEEN_LOOKS)
    return given
