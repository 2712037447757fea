"""The memory budget for decoding uploads, shared by all workers of a machine, with a queue."""

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from abhidhan.records.errors import RetryAfter, UnavailableError, sentence

UNIT_BYTES: Final = 16 * 1024 * 1024
"""Bytes per unit of the budget."""

QUEUE_BYTE: Final = 0
"""The byte that the first process in the queue has locked; the bytes of the units follow it."""

POLL_INTERVAL_SECONDS: Final = 0.02
"""Polling interval in seconds, for the first in the queue of each process."""

QUEUE_FULL_MESSAGE: Final = sentence(
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
        self._units = max(1, size // UNIT_BYTES)
        self._file: int | None = None
        self._locked_units: set[int] = set()
        self._queue_lock = threading.Lock()
        self._state_lock = threading.Lock()

    @contextmanager
    def reserve(self, size: int, timeout: float) -> Iterator[None]:
        """Reserve `size` bytes of the budget, or all of it if it is smaller, for the duration of the block.

        Raises UnavailableError if they are not free within `timeout` seconds.
        """
        deadline = time.monotonic() + timeout
        count = min(self._units, -(-size // UNIT_BYTES))
        if not self._queue_lock.acquire(timeout=max(0.0, timeout)):
            raise UnavailableError(QUEUE_FULL_MESSAGE, RetryAfter.QUEUE)
        try:
            units = self._acquire(count, deadline)
        finally:
            self._queue_lock.release()
        try:
            yield
        finally:
            self._release(units)

    def close(self) -> None:
        """Close the file, which releases all locks."""
        with self._state_lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _acquire(self, count: int, deadline: float) -> set[int]:
        queue_unit = _poll_until(lambda: self._try_lock({QUEUE_BYTE}, 1), deadline)
        try:
            return _poll_until(lambda: self._try_lock(range(1, self._units + 1), count), deadline)
        finally:
            self._release(queue_unit)

    def _try_lock(self, units: Iterator[int] | range | set[int], count: int) -> set[int]:
        """Lock `count` of the units and return them, or none (an empty set)."""
        locked: set[int] = set()
        with self._state_lock:
            # The locks belong to the process, so the units of its other threads must be excluded here.
            for unit in (each for each in units if each not in self._locked_units):
                with suppress(BlockingIOError, PermissionError):
                    fcntl.lockf(self._open(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, unit)
                    locked.add(unit)
                if len(locked) == count:
                    self._locked_units |= locked
                    return locked
            self._unlock(locked)
        return set()

    def _release(self, units: set[int]) -> None:
        with self._state_lock:
            self._locked_units -= units
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


def _poll_until(attempt: Callable[[], set[int]], deadline: float) -> set[int]:
    """Repeat an attempt until it returns units. Raises UnavailableError after `deadline`."""
    while not (units := attempt()):
        if time.monotonic() >= deadline:
            raise UnavailableError(QUEUE_FULL_MESSAGE, RetryAfter.QUEUE)
        time.sleep(POLL_INTERVAL_SECONDS)
    return units
