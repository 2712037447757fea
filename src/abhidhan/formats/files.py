"""Files as they come: folders, compressed files and archives, opened into streams of bytes one after another."""

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

from abhidhan.errors import InputError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

if TYPE_CHECKING or sys.version_info < (3, 14):
    from backports import zstd
else:
    from compression import zstd

MOST_TIMES_LARGER: Final = 300
"""How many times larger than compressed a file may be, once it is large: text is 3 to 30 times, a bomb 1,000."""

LARGE: Final = 64 * 1024 * 1024
MOST_MEMBERS: Final = 100_000
DEEPEST: Final = 4
"""How many archives may stand one in another: a .tab.gz in a .tar.xz is three."""

CHUNK: Final = 1024 * 1024
IN_MEMORY: Final = 8 * 1024 * 1024

OnRead = Callable[[int], None]
"""Hears how many bytes of the files on the disk were read."""

_BROKEN: Final = (EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError, zipfile.BadZipFile, tarfile.TarError, OSError)


class Content(NamedTuple):
    """A plain file at last: its name, with the archives it stands in before it, and its bytes."""

    name: str
    stream: IO[bytes]

    @property
    def base_name(self) -> str:
        """The name without any folder."""
        return self.name.rpartition("/")[2]


class DamagedFileError(InputError):
    """A file cannot be read to its end. The sentence names it."""


class _Guarded(io.RawIOBase):
    """A stream that tells damage in words and does not let a small file become an enormous one."""

    def __init__(self, stream: IO[bytes], name: str, compressed: Callable[[], int] | None) -> None:
        self._stream = stream
        self._name = name
        self._compressed = compressed
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        try:
            found = self._stream.read(len(view))
        except _BROKEN as error:
            raise _damage(self._name, error) from error
        view[: len(found)] = found
        self._size += len(found)
        self._refuse_bomb()
        return len(found)

    def _refuse_bomb(self) -> None:
        if self._compressed is None or self._size < LARGE:
            return
        if self._size > MOST_TIMES_LARGER * max(self._compressed(), 1):
            raise DamagedFileError.of(
                "file",
                f"{self._name} unpacks to more than {MOST_TIMES_LARGER} times its size, as a bomb does: "
                "it is not read. If it is right, unpack it yourself and give the plain file.",
            )


class _Counted(io.RawIOBase):
    """A file on the disk that tells how far it was read."""

    def __init__(self, path: Path, on_read: OnRead) -> None:
        self._path = path
        self._file = path.open("rb", buffering=0)
        self._on_read = on_read
        self.size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        try:
            count = self._file.readinto(buffer) or 0
        except OSError as error:
            raise _damage(str(self._path), error) from error
        self.size += count
        self._on_read(count)
        return count

    def read_so_far(self) -> int:
        return self.size

    def close(self) -> None:
        self._file.close()
        super().close()


def plain_files(paths: Iterable[Path]) -> list[Path]:
    """List the files that paths name: those of a folder in the order of their names. Raises InputError."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found.extend(sorted(file for file in path.rglob("*") if file.is_file() and not _is_hidden(file, path)))
        elif path.is_file():
            found.append(path)
        elif path.exists():
            raise InputError.of(
                "file", f"{path} is a device or a pipe, not a regular file: save its contents to a file first."
            )
        else:
            raise InputError.of("file", f"There is no file {path}.")
    return found


def open_contents(paths: Sequence[Path], on_read: OnRead = lambda _: None) -> Iterator[Content]:
    """Open the files of paths one after another, whatever they are packed in. Raises InputError."""
    roots = [path.parent if path.is_file() else path for path in paths]
    for file in plain_files(paths):
        name = _shown(file, roots)
        try:
            counted = _Counted(file, on_read)
        except OSError as error:
            raise _unopened(file, error) from error
        with closing(counted), _as_it_was(file):
            if zipfile.is_zipfile(file):
                with file.open("rb") as stream:
                    yield from _zip_members(stream, name, 1)
                on_read(size_of(file))
            else:
                yield from _unpacked(Content(name, io.BufferedReader(counted, CHUNK)), counted.read_so_far, 0)


def check_contents(paths: Sequence[Path]) -> None:
    """Read what is packed to its end, before anything is taken from it. Raises DamagedFileError."""
    for content in open_contents([path for path in plain_files(paths) if is_packed(path)]):
        while content.stream.read(CHUNK):
            pass


def is_packed(path: Path) -> bool:
    """Return whether a file is compressed or an archive."""
    try:
        with path.open("rb") as stream:
            return _packing(stream.read(6)) is not None or zipfile.is_zipfile(path)
    except OSError as error:
        raise _unopened(path, error) from error


def _state(path: Path) -> tuple[int, int, int]:
    try:
        found = path.stat()
    except OSError as error:
        raise _unopened(path, error) from error
    return found.st_size, found.st_mtime_ns, found.st_ino


def size_of(path: Path) -> int:
    """Return how large a file is. Raises InputError for one that is gone."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise _unopened(path, error) from error


def _unopened(path: Path, error: OSError) -> InputError:
    return InputError.of("file", f"{path} cannot be opened: {error.strerror or error}.")


@contextmanager
def _as_it_was(path: Path) -> Iterator[None]:
    """Raise InputError if a file becomes another while it is read: half of what was read would be of the old one."""
    before = _state(path)
    yield
    after = _state(path)
    if before != after:
        raise InputError.of(
            "file", f"{path} was changed while it was read: start the import again when the file is whole."
        )


def spool(content: Content) -> IO[bytes]:
    """Copy a stream to where it can be read from any place: memory while it is small, else a temporary file."""
    copy = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # its reader closes it
    while chunk := content.stream.read(CHUNK):
        copy.write(chunk)
    copy.seek(0)
    return copy


def _packing(head: bytes) -> str | None:
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


_MAGIC: Final = {
    b"\x1f\x8b": ".gz",
    b"\xfd7zXZ\x00": ".xz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"BZh": ".bz2",
    b"PK\x03\x04": ".zip",
}

OPENERS: Final[dict[str, Callable[[IO[bytes]], IO[bytes]]]] = {
    ".gz": lambda stream: cast("IO[bytes]", gzip.GzipFile(fileobj=stream)),
    ".xz": lzma.LZMAFile,
    ".zst": lambda stream: cast("IO[bytes]", zstd.ZstdFile(stream)),
    ".bz2": bz2.BZ2File,
}

_OTHER_ENDINGS: Final = {".gz": (".gz", ".dz"), ".tgz": (".tgz",)}

SPREADSHEETS: Final = (".xlsx", ".ods", ".xlsm")
"""Archives that are opened by their own readers."""


def _unpacked(content: Content, size: Callable[[], int], depth: int) -> Iterator[Content]:
    """Take off one layer of packing after another."""
    if depth > DEEPEST:
        raise DamagedFileError.of(
            "file", f"{content.name} contains archives within archives, too deeply: it is not read."
        )
    reader = as_buffered(content.stream)
    try:
        head = reader.peek(512)[:512]
    except _BROKEN as error:
        raise _damage(content.name, error) from error
    packing = _packing(head)
    if packing == ".zip":
        if content.name.lower().endswith(SPREADSHEETS):
            yield Content(content.name, reader)
        else:
            with spool(Content(content.name, reader)) as copy:
                yield from _zip_members(copy, content.name, depth + 1)
    elif packing is not None:
        guarded = _Guarded(OPENERS[packing](reader), content.name, size)
        inner = io.BufferedReader(guarded, CHUNK)
        yield from _unpacked(Content(_without_ending(content.name, packing), inner), size, depth + 1)
    elif head[257:262] == b"ustar":
        yield from _tar_members(reader, content.name, size, depth + 1)
    else:
        yield Content(content.name, reader)


def _tar_members(stream: IO[bytes], name: str, size: Callable[[], int], depth: int) -> Iterator[Content]:
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for number, member in enumerate(archive, 1):
                _refuse_many(number, name)
                opened = archive.extractfile(member) if member.isfile() else None
                if opened is not None and not member.name.rpartition("/")[2].startswith("."):
                    guarded = _Guarded(opened, f"{name}/{member.name}", size)
                    yield from _unpacked(Content(f"{name}/{member.name}", io.BufferedReader(guarded)), size, depth)
    except (EOFError, tarfile.TarError) as error:
        raise _damage(name, error) from error


def _zip_members(stream: IO[bytes], name: str, depth: int) -> Iterator[Content]:
    if name.lower().endswith(SPREADSHEETS):
        yield Content(name, stream)
        return
    try:
        with zipfile.ZipFile(stream) as archive:
            members = sorted((one for one in archive.infolist() if not one.is_dir()), key=lambda one: one.filename)
            _refuse_many(len(members), name)
            for member in members:
                if member.flag_bits & 1:
                    raise DamagedFileError.of(
                        "file", f"{name}/{member.filename} is locked with a password: unpack it yourself."
                    )
                packed = max(member.compress_size, 1)
                with archive.open(member) as opened:
                    inner_name = f"{name}/{member.filename}"
                    guarded = _Guarded(opened, inner_name, partial(int, packed))
                    content = Content(inner_name, io.BufferedReader(guarded, CHUNK))
                    yield from _unpacked(content, partial(int, packed), depth)
    except (zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError) as error:
        raise _damage(name, error) from error


def _refuse_many(count: int, name: str) -> None:
    if count > MOST_MEMBERS:
        raise DamagedFileError.of("file", f"{name} contains more than {MOST_MEMBERS:,} files: it is not read.")


def guarded(stream: IO[bytes], name: str, packed: int) -> io.BufferedReader:
    """Return a stream that tells damage in words, and does not let so many packed bytes become enormous."""
    return io.BufferedReader(_Guarded(stream, name, partial(int, packed)), CHUNK)


def as_buffered(stream: IO[bytes]) -> io.BufferedReader:
    """Make a stream that can be looked into without reading it."""
    if isinstance(stream, io.BufferedReader):
        return stream
    return io.BufferedReader(cast("io.RawIOBase", stream))


def _damage(name: str, error: BaseException) -> InputError:
    why = str(error) or "it ends too early"
    return DamagedFileError.of("file", f"{name} is damaged or cut short ({why}): nothing of it is used.")


def _without_ending(name: str, packing: str) -> str:
    for ending in (*_OTHER_ENDINGS.get(packing, (packing,)), ".tgz"):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return name


def _shown(file: Path, roots: Sequence[Path]) -> str:
    for root in roots:
        if file.is_relative_to(root):
            return str(file.relative_to(root))
    return file.name


def _is_hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)
