"""The contents of files: a name and a stream of bytes, out of whatever the file is packed in."""

import io
import lzma
import sys
import tarfile
import tempfile
import zipfile
import zlib
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

from abhidhan.formats.read_progress import CopyAside, Meter
from abhidhan.records.errors import InputError

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
