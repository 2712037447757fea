"""Decompression of files and archives into a sequence of streams."""

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, TYPE_CHECKING, Final, cast

from abhidhan.formats.content_streams import (
    CHUNK_SIZE,
    DAMAGE_ERRORS,
    ContentStream,
    DamagedFileError,
    as_buffered,
    damage_error,
    pause_counting,
    spool,
)

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

if TYPE_CHECKING or sys.version_info < (3, 14):
    from backports import zstd
else:
    from compression import zstd

MAX_COMPRESSION_RATIO: Final = 300
"""Maximum ratio of a large file's size to its compressed size: text has 3 to 30, a zip bomb 1,000."""

RATIO_CHECK_BYTES: Final = 64 * 1024 * 1024
MAX_ARCHIVE_MEMBERS: Final = 100_000
MAX_NESTING_DEPTH: Final = 4
"""Maximum nesting of compression and archives; a .tab.gz in a .tar.xz has three levels."""


class _GuardedStream(io.RawIOBase):
    """A stream that raises DamagedFileError for damaged data and for decompression bombs."""

    def __init__(self, stream: IO[bytes], name: str, compressed_size: Callable[[], int] | None) -> None:
        self._stream = stream
        self._name = name
        self._compressed_size = compressed_size
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        try:
            data = self._stream.read(len(view))
        except DAMAGE_ERRORS as error:
            raise damage_error(self._name, error) from error
        view[: len(data)] = data
        self._size += len(data)
        self._check_ratio()
        return len(data)

    def _check_ratio(self) -> None:
        if self._compressed_size is None or self._size < RATIO_CHECK_BYTES:
            return
        if self._size > MAX_COMPRESSION_RATIO * max(self._compressed_size(), 1):
            raise DamagedFileError.of(
                "file",
                f"{self._name} unpacks to more than {MAX_COMPRESSION_RATIO} times its size, like a decompression bomb: "
                "it is not read. If it is correct, unpack it yourself and give the unpacked file.",
            )


def detect_compression(head: bytes) -> str | None:
    """Return the compression of a file by its first bytes; None if there is none."""
    return next((name for magic, name in _COMPRESSION_BY_MAGIC.items() if head.startswith(magic)), None)


ZIP: Final = ".zip"
_COMPRESSION_BY_MAGIC: Final = {
    b"\x1f\x8b": ".gz",
    b"\xfd7zXZ\x00": ".xz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"BZh": ".bz2",
    b"PK\x03\x04": ZIP,
}

OPENERS: Final[dict[str, Callable[[IO[bytes]], IO[bytes]]]] = {
    ".gz": lambda stream: cast("IO[bytes]", gzip.GzipFile(fileobj=stream)),
    ".xz": lzma.LZMAFile,
    ".zst": lambda stream: cast("IO[bytes]", zstd.ZstdFile(stream)),
    ".bz2": bz2.BZ2File,
}

SPREADSHEET_SUFFIXES: Final = (".xlsx", ".ods", ".xlsm")
"""Suffixes of zip archives that stay packed, since the table reader opens them itself."""


def decompress(content: ContentStream, compressed_size: Callable[[], int], depth: int) -> Iterator[ContentStream]:
    """Yield the contents of a file, removing its layers of compression recursively."""
    if depth > MAX_NESTING_DEPTH:
        raise DamagedFileError.of(
            "file", f"{content.name} contains archives that are nested too deeply: it is not read."
        )
    reader = as_buffered(content.stream)
    try:
        head = reader.peek(512)[:512]
    except DAMAGE_ERRORS as error:
        raise damage_error(content.name, error) from error
    compression = detect_compression(head)
    if compression == ZIP:
        if content.name.lower().endswith(SPREADSHEET_SUFFIXES):
            yield ContentStream(content.name, reader, content.meter)
        else:
            with spool(ContentStream(content.name, reader, content.meter)) as copy:
                yield from iter_zip_members(ContentStream(content.name, copy, content.meter), depth + 1)
    elif compression is not None:
        stream = _GuardedStream(OPENERS[compression](reader), content.name, compressed_size)
        inner = io.BufferedReader(stream, CHUNK_SIZE)
        name = _strip_suffix(content.name, compression)
        yield from decompress(ContentStream(name, inner, content.meter), compressed_size, depth + 1)
    elif head[257:262] == b"ustar":
        yield from _iter_tar_members(ContentStream(content.name, reader, content.meter), compressed_size, depth + 1)
    else:
        yield ContentStream(content.name, reader, content.meter)


def _iter_tar_members(
    archive_content: ContentStream, compressed_size: Callable[[], int], depth: int
) -> Iterator[ContentStream]:
    name = archive_content.name
    try:
        with tarfile.open(fileobj=archive_content.stream, mode="r|") as archive:
            for number, member in enumerate(archive, 1):
                _check_member_count(number, name)
                opened = archive.extractfile(member) if member.isfile() else None
                if opened is not None and not member.name.rpartition("/")[2].startswith("."):
                    guarded = _GuardedStream(opened, f"{name}/{member.name}", compressed_size)
                    content = ContentStream(f"{name}/{member.name}", io.BufferedReader(guarded), archive_content.meter)
                    yield from decompress(content, compressed_size, depth)
    except (EOFError, tarfile.TarError) as error:
        raise damage_error(name, error) from error


def iter_zip_members(archive_content: ContentStream, depth: int) -> Iterator[ContentStream]:
    """Yield the files of a zip archive. Raises DamagedFileError."""
    name = archive_content.name
    if name.lower().endswith(SPREADSHEET_SUFFIXES):
        yield archive_content
        return
    try:
        # The directory of a zip archive is at its end.
        with pause_counting(archive_content.stream):
            whole = zipfile.ZipFile(archive_content.stream)
        with whole as archive:
            members = sorted((info for info in archive.infolist() if not info.is_dir()), key=lambda info: info.filename)
            _check_member_count(len(members), name)
            for member in members:
                if member.flag_bits & 1:
                    raise DamagedFileError.of(
                        "file", f"{name}/{member.filename} is protected with a password: unpack it yourself."
                    )
                size = partial(int, max(member.compress_size, 1))
                with archive.open(member) as opened:
                    inner_name = f"{name}/{member.filename}"
                    guarded = _GuardedStream(opened, inner_name, size)
                    content = ContentStream(inner_name, io.BufferedReader(guarded, CHUNK_SIZE), archive_content.meter)
                    yield from decompress(content, size, depth)
    except (zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError) as error:
        raise damage_error(name, error) from error


def _check_member_count(count: int, name: str) -> None:
    if count > MAX_ARCHIVE_MEMBERS:
        raise DamagedFileError.of("file", f"{name} contains more than {MAX_ARCHIVE_MEMBERS:,} files: it is not read.")


def guard_stream(stream: IO[bytes], name: str, compressed_size: int) -> io.BufferedReader:
    """Wrap a stream so that damaged data and decompression bombs raise DamagedFileError."""
    return io.BufferedReader(_GuardedStream(stream, name, partial(int, compressed_size)), CHUNK_SIZE)


def _strip_suffix(name: str, compression: str) -> str:
    for ending in (compression, ".tgz"):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return name
