"""How far files were read: their bytes on the disk, told when what they hold is used, not when it is copied aside."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

OnRead = Callable[[int], None]
"""Hears how many bytes of the files on the disk were used since it heard last."""


class Held:
    """Bytes of files on the disk that are told little by little, later."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self.size = 0


class Meter:
    """Counts how many bytes of the files on the disk were used."""

    def __init__(self, on_read: OnRead = lambda _: None) -> None:
        """Begin at nothing; `on_read` is called with each count."""
        self._on_read = on_read
        self._held: list[Held] = []

    def count(self, size: int) -> None:
        """Count bytes that were read: as used, or as held while a file is copied aside."""
        if self._held:
            self._held[-1].size += size
        else:
            self._on_read(size)

    @contextmanager
    def holding(self) -> Iterator[Held]:
        """Hold what is counted meanwhile."""
        held = Held()
        self._held.append(held)
        try:
            yield held
        finally:
            self._held.remove(held)


class CopyAside(io.RawIOBase):
    """A copy of a file, whose bytes on the disk count as used in so far as the copy was read."""

    def __init__(self, copy: IO[bytes], size: int, held: int, meter: Meter) -> None:
        """Take a copy of `size` bytes, for which `held` bytes of the disk were read."""
        self._copy = copy
        self._size = max(size, 1)
        self._held = held
        self._meter = meter
        self._told = 0
        self.is_looked_through = False
        """Whether it is only looked through now, and read for what it holds afterwards."""

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def seekable(self) -> bool:
        """Say that it can be read from any place."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read on, and tell how far that is."""
        view = memoryview(buffer).cast("B")
        found = self._copy.read(len(view))
        view[: len(found)] = found
        self._tell_up_to(self._held * self._copy.tell() // self._size)
        return len(found)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        self._copy.seek(offset, whence)
        return self._copy.tell()

    def tell(self) -> int:
        """Return the place."""
        return self._copy.tell()

    def close(self) -> None:
        """Remove the copy; what nobody has read of it is told too."""
        if not self.closed:
            self.is_looked_through = False
            self._tell_up_to(self._held)
            self._copy.close()
        super().close()

    def _tell_up_to(self, place: int) -> None:
        """Count what was read for the first time; a place that was read before counts once."""
        if place > self._told and not self.is_looked_through:
            self._meter.count(place - self._told)
            self._told = place


@contextmanager
def looking_through(*streams: IO[bytes]) -> Iterator[None]:
    """Count nothing of copies as read meanwhile."""
    copies = [raw for stream in streams if isinstance(raw := getattr(stream, "raw", None), CopyAside)]
    for copy in copies:
        copy.is_looked_through = True
    try:
        yield
    finally:
        for copy in copies:
            copy.is_looked_through = False
