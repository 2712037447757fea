"""Content streams: the name and bytes of a file after decompression, and progress reports of reading."""

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

CHUNK_SIZE: Final = 1024 * 1024
RANDOM_ACCESS_BUFFER_SIZE: Final = 64 * 1024
"""Buffer size for random access; small, since the next read may be at another position."""

MAX_SPOOL_BYTES: Final = 8 * 1024 * 1024

DAMAGE_ERRORS: Final = (
    EOFError,
    zlib.error,
    lzma.LZMAError,
    zstd.ZstdError,
    zipfile.BadZipFile,
    tarfile.TarError,
    OSError,
)
"""Exceptions raised by reading damaged files."""


OnRead = Callable[[int], None]
"""Callback for progress reports, with the number of bytes read from disk since the last call."""


class PendingBytes:
    """Bytes that were read from disk, and are reported later."""

    def __init__(self) -> None:
        """Initialise with zero bytes."""
        self.size = 0


class ReadMeter:
    """Progress meter: reports the bytes read from files on disk."""

    def __init__(self, on_read: OnRead = lambda _: None) -> None:
        """Initialise; `on_read` receives each number of bytes."""
        self._on_read = on_read
        self._pending: list[PendingBytes] = []

    def count(self, size: int) -> None:
        """Report bytes that were read, or add them to the deferred ones inside a `defer` block."""
        if self._pending:
            self._pending[-1].size += size
        else:
            self._on_read(size)

    @contextmanager
    def defer(self) -> Iterator[PendingBytes]:
        """Collect the bytes that are counted in the block, to report them later."""
        pending = PendingBytes()
        self._pending.append(pending)
        try:
            yield pending
        finally:
            self._pending.remove(pending)


class ContentStream(NamedTuple):
    """An uncompressed file: its name (after the names of its archives, as in `a.zip/b.csv`) and its bytes."""

    name: str
    stream: IO[bytes]
    meter: ReadMeter = ReadMeter()

    @property
    def base_name(self) -> str:
        """The name without folders."""
        return self.name.rpartition("/")[2]


class DamagedFileError(InputError):
    """A file cannot be read to its end; the message names it."""


def spool(content: ContentStream) -> io.BufferedReader:
    """Copy a stream to a seekable one: in memory while it is small, else in a temporary file."""
    copy = tempfile.SpooledTemporaryFile(MAX_SPOOL_BYTES)  # noqa: SIM115  # its reader closes it
    with content.meter.defer() as pending:
        while chunk := content.stream.read(CHUNK_SIZE):
            copy.write(chunk)
    size = copy.tell()
    copy.seek(0)
    return io.BufferedReader(MeteredCopy(copy, size, pending.size, content.meter), RANDOM_ACCESS_BUFFER_SIZE)


def as_buffered(stream: IO[bytes]) -> io.BufferedReader:
    """Return a stream that supports `peek`."""
    if isinstance(stream, io.BufferedReader):
        return stream
    return io.BufferedReader(cast("io.RawIOBase", stream))


def damage_error(name: str, error: BaseException) -> InputError:
    """Return the error for a file that cannot be read to its end."""
    why = str(error) or "it ends too early"
    return DamagedFileError.of("file", f"{name} is damaged or incomplete ({why}): nothing of it is used.")


# --- copies that report progress in bytes of their original files -------------------------------------------------


class MeteredCopy(io.RawIOBase):
    """A copy of a file; reading a part of it reports the same share of the bytes read from disk."""

    def __init__(self, copy: IO[bytes], size: int, disk_bytes: int, meter: ReadMeter) -> None:
        """Initialise with a copy of `size` bytes, for which `disk_bytes` bytes were read from disk."""
        self._copy = copy
        self._size = max(size, 1)
        self._disk_bytes = disk_bytes
        self._meter = meter
        self._counted = 0
        self.is_paused = False
        """True if reads are not counted, because the content will be read again."""

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read into a buffer, and report the progress."""
        view = memoryview(buffer).cast("B")
        data = self._copy.read(len(view))
        view[: len(data)] = data
        self._count_up_to(self._disk_bytes * self._copy.tell() // self._size)
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to a position."""
        self._copy.seek(offset, whence)
        return self._copy.tell()

    def tell(self) -> int:
        """Return the position."""
        return self._copy.tell()

    def close(self) -> None:
        """Close the copy, and report its unread part as read."""
        if not self.closed:
            self.is_paused = False
            self._count_up_to(self._disk_bytes)
            self._copy.close()
        super().close()

    def _count_up_to(self, position: int) -> None:
        """Report the bytes up to a position that were not reported before."""
        if position > self._counted and not self.is_paused:
            self._meter.count(position - self._counted)
            self._counted = position


@contextmanager
def pause_counting(*streams: IO[bytes]) -> Iterator[None]:
    """Suspend progress reports for copies during the block."""
    copies = [raw for stream in streams if isinstance(raw := getattr(stream, "raw", None), MeteredCopy)]
    for copy in copies:
        copy.is_paused = True
    try:
        yield
    finally:
        for copy in copies:
            copy.is_paused = False
