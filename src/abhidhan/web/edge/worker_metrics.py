"""Tallies: the numbers of each worker in a file of its own, which any process can read."""

import contextlib
import fcntl
import mmap
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
import structlog

from abhidhan.disk import reserve
from abhidhan.errors import cannot_be_written

_log = structlog.get_logger("abhidhan.web")
_encode: Final = msgspec.json.Encoder().encode


class Tally:
    """Numbers of one worker in a file that every worker can read at any moment, and that outlives the worker.

    `prometheus_client`'s own multi-process mode keeps the same kind of file, but must be told its folder before it is
    imported and costs 6 µs a request; a number here costs 0.1 µs, in an answer that takes 30.
    """

    NAMES: Final = 512 * 1024
    NUMBERS: Final = 8192

    def __init__(self, path: Path) -> None:
        """Begin a new file at `path`. Where none can be made, count all the same: then `/metrics` lacks this worker."""
        self._map = shared_memory(path, self.NAMES + self.NUMBERS * 8)
        self._places: dict[tuple[str, ...], int] = {}
        self._end = 0
        self._numbers = memoryview(self._map)[self.NAMES :].cast("d")

    @property
    def numbers(self) -> "memoryview[float]":
        """The numbers themselves, each at the place that `place` gives."""
        return self._numbers

    def place(self, *name: str) -> int:
        """Return the place of a number, made on first use; when the file is full, all new names share place 0."""
        known = self._places.get(name)
        if known is not None:
            return known
        line = _encode(name) + b"\n"
        at = len(self._places) + 1
        if at >= self.NUMBERS or self._end + len(line) > self.NAMES:
            return 0
        self._map[self._end : self._end + len(line)] = line
        self._end += len(line)
        self._places[name] = at
        return at

    def close(self) -> None:
        """Let go of the file, which stays."""
        self._numbers.release()
        self._map.close()

    @classmethod
    def read(cls, path: Path) -> dict[tuple[str, ...], float]:
        """Read the numbers of any worker's file."""
        data = path.read_bytes()
        lines = data[: cls.NAMES].rstrip(b"\0").splitlines(keepends=True)
        numbers = memoryview(data)[cls.NAMES :].cast("d")
        names = [msgspec.json.decode(line, type=tuple[str, ...]) for line in lines if line.endswith(b"\n")]
        return {name: numbers[at] for at, name in enumerate(names, start=1)}


def shared_memory(path: Path, size: int) -> mmap.mmap:
    """Return the memory of a new file, with room for it on the disk; where there is none, memory of this process alone.

    A worker that takes the place of a killed one must answer even then. Without the room, the first write into a page
    that the disk cannot take would kill the worker (SIGBUS).
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            reserve(descriptor, size)
            return mmap.mmap(descriptor, size)
        finally:
            os.close(descriptor)
    except OSError as error:
        _log.warning("a worker counts for itself alone", reason=str(cannot_be_written(path, error)))
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        return mmap.mmap(-1, size)


def prepare_tallies(folder: Path) -> None:
    """Begin with empty counters: the parent does this before it starts its workers. Raises UnwritableError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in folder.glob("*.tally"):
            path.unlink()
    except OSError as error:
        raise cannot_be_written(error.filename or folder, error) from error


def tally_path(folder: Path, process: int) -> Path:
    """Return the file of a worker. The time makes it new: a process number may come again."""
    return folder / f"{process}-{time.time_ns()}.tally"


def take_out(folder: Path, process: int) -> dict[tuple[str, ...], float]:
    """Remove the file of a worker that has ended, and return its numbers, for its parent to keep."""
    numbers: dict[tuple[str, ...], float] = {}
    for path in folder.glob(f"{process}-*.tally"):
        for name, number in Tally.read(path).items():
            numbers[name] = numbers.get(name, 0.0) + number
        path.unlink()
    return numbers


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Let nobody else move numbers from one file to another meanwhile, so that each counts once."""
    descriptor = os.open(folder / "tallies.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
