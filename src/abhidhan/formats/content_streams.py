"""The contents of files: a name and a stream of bytes, out of whatever the file is packed in."""

import io
import lzma
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

from abhidhan.records.errors import InputError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

if TYPE_CHECKING or sys.version_info < (3, 14):
    from backports import zstd
else:
    from compression import zstd

CHUNK: Final = 1024 * 1024
FROM_ANY_PLACE: Final = 64 * 1024
"""What is read ahead where the next thing to be read may be elsewhere."""

IN_MEMORY: Final = 8 * 1024 * 1024

BROKEN: Final = (EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError, zipfile.BadZipFile, tarfile.TarError, OSError)
"""What is raised by readers of what is damaged."""


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
        """Start at zero; `on_read` is called with each count."""
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


class Content(NamedTuple):
    """A plain file at last: its name, with the archives it stands in before it, and its bytes."""

    name: str
    stream: IO[bytes]
    meter: Meter = Meter()

    @property
    def base_name(self) -> str:
        """The name without any folder."""
        return self.name.rpartition("/")[2]


class DamagedFileError(InputError):
    """A file cannot be read to its end. The sentence names it."""


def spool(content: Content) -> io.BufferedReader:
    """Copy a stream to where it can be read from any place: memory while it is small, else a temporary file."""
    copy = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # its reader closes it
    with content.meter.holding() as held:
        while chunk := content.stream.read(CHUNK):
            copy.write(chunk)
    size = copy.tell()
    copy.seek(0)
    return io.BufferedReader(CopyAside(copy, size, held.size, content.meter), FROM_ANY_PLACE)


def as_buffered(stream: IO[bytes]) -> io.BufferedReader:
    """Make a stream that can be looked into without reading it."""
    if isinstance(stream, io.BufferedReader):
        return stream
    return io.BufferedReader(cast("io.RawIOBase", stream))


def damage(name: str, error: BaseException) -> InputError:
    """Make the error of a file that cannot be read to its end."""
    why = str(error) or "it ends too early"
    return DamagedFileError.of("file", f"{name} is damaged or cut short ({why}): nothing of it is used.")


# --- copies, whose reading counts as that of their files ----------------------------------------------------------


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
