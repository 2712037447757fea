"""Writer of ZIM files; only this module imports libzim. The same data give the same bytes."""

import hashlib
import mmap
import os
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Protocol, Self, cast

from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.formats.zim.pages import ZimPage
from abhidhan.records.errors import InputError

HTML_TYPE: Final = "text/html"
ICON_SIZE_PIXELS: Final = 48
NOT_INSTALLED: Final = (
    "ZIM files need the optional package `zim`: docs/installing.md says how to install it. Or choose another format."
)


class _Creator(Protocol):
    """The used methods of libzim's Creator, since libzim has no type hints."""

    def config_indexing(self, indexing: bool, language: str) -> "_Creator": ...  # noqa: FBT001  # libzim's own
    def config_nbworkers(self, workers: int) -> "_Creator": ...
    def set_mainpath(self, path: str) -> "_Creator": ...
    def add_item(self, item: "_ZimItem") -> None: ...
    def add_redirection(self, path: str, title: str, target: str, hints: Mapping[Any, int]) -> None: ...
    def add_metadata(self, name: str, content: bytes, mimetype: str) -> None: ...
    def add_illustration(self, size: int, content: bytes) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...


class _ZimItem(NamedTuple):
    """A page or file in the form that libzim expects."""

    path: str
    title: str
    media_type: str
    content: bytes
    hints: Mapping[Any, int]
    build_provider: Callable[[bytes], object]

    def get_path(self) -> str:
        return self.path

    def get_title(self) -> str:
        return self.title

    def get_mimetype(self) -> str:
        return self.media_type

    def get_hints(self) -> Mapping[Any, int]:
        return self.hints

    def get_contentprovider(self) -> object:
        return self.build_provider(self.content)


class ZimWriter:
    """A ZIM file being written, page by page."""

    def __init__(self, target: Path, main_path: str, language: str) -> None:
        """Start a file with the path of its main page, indexed for a language (ISO 639-3). Raises InputError."""
        try:
            from libzim import writer  # type: ignore[import-untyped]  # noqa: PLC0415  # optional: under the GPL
        except ImportError as error:
            raise InputError.of("format", NOT_INSTALLED) from error

        self._target = target
        self._article_hints = {writer.Hint.FRONT_ARTICLE: 1}
        self._resource_hints = {writer.Hint.FRONT_ARTICLE: 0}
        self._build_provider = cast("Callable[[bytes], object]", writer.StringProvider)
        creator = cast("_Creator", writer.Creator(target))
        # A single worker compresses in a reproducible order.
        self._creator = creator.config_indexing(True, language).config_nbworkers(1)  # noqa: FBT003  # libzim's own
        self._creator.set_mainpath(main_path)

    def add_page(self, page: ZimPage) -> None:
        """Add a page."""
        hints = self._article_hints if page.is_entry else self._resource_hints
        self._add_item(_ZimItem(page.path, page.title, HTML_TYPE, page.html.encode(), hints, self._build_provider))

    def add_file(self, path: str, media_type: str, content: bytes) -> None:
        """Add a file to which pages refer."""
        self._add_item(_ZimItem(path, "", media_type, content, self._resource_hints, self._build_provider))

    def _add_item(self, item: _ZimItem) -> None:
        with _convert_errors():
            self._creator.add_item(item)

    def add_redirection(self, path: str, title: str, target: str) -> None:
        """Add a redirection: another title under which a page is found."""
        with _convert_errors():
            self._creator.add_redirection(path, title, target, self._article_hints)

    def add_metadata(self, name: str, value: str) -> None:
        """Add a metadata value under openZIM's name."""
        with _convert_errors():
            self._creator.add_metadata(name, value.encode(), "text/plain;charset=utf-8")

    def add_illustration(self, icon: bytes) -> None:
        """Add the icon of the file, a PNG of 48 by 48."""
        with _convert_errors():
            self._creator.add_illustration(ICON_SIZE_PIXELS, icon)

    def __enter__(self) -> Self:
        """Start writing."""
        with _convert_errors(), _silence_output():
            self._creator.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish the file. Raises OSError if the disk is full."""
        if kind is not None:
            # Errors in closing must not hide the original one.
            with suppress(RuntimeError, SystemError), _silence_output():
                self._creator.__exit__(kind, error, trace)
            return
        with _convert_errors(), _silence_output():
            self._creator.__exit__(None, None, None)
        make_reproducible(self._target)


@contextmanager
def _convert_errors() -> Iterator[None]:
    """Convert libzim's exceptions: to OSError if a file cannot be written, or to KeyboardInterrupt."""
    try:
        yield
    except (RuntimeError, SystemError) as error:
        # An exception raised in one of our callbacks is in the message or the cause.
        if KeyboardInterrupt.__name__ in str(error) or isinstance(error.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise OSError(str(error).strip().rpartition("\n")[2]) from error


@contextmanager
def _silence_output() -> Iterator[None]:
    """Discard standard output and error during the block: libzim logs to them, and exports may be written to them.

    No error is hidden, since libzim also raises its errors.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    saved = [(stream, os.dup(stream)) for stream in (1, 2)]
    try:
        for stream, _ in saved:
            os.dup2(nowhere, stream)
        yield
    finally:
        for stream, copy in saved:
            os.dup2(copy, stream)
            os.close(copy)
        os.close(nowhere)


# --- post-processing --------------------------------------------------------------------------------------------

# openZIM's format (6.3): a header, entries, clusters, and an MD5 sum at the end. libzim puts random numbers into the
# header and its indexes. Since version 9.3 it also omits the list of entries by title, without which libzim 8 (Debian
# 12's zimcheck) considers a file broken.

HEADER_STRUCT: Final = struct.Struct("<8s16sIIQQ16sIIQ")
"""The header of a file: the fields of `_Header`, in order."""

NO_OFFSET: Final = 2**64 - 1
ID_SLICE: Final = slice(8, 24)
"""Position of the random ID, by which programs distinguish files."""

CHECKSUM_BYTES: Final = 16
"""Number of bytes in the MD5 sum."""

INDEX_SIGNATURE: Final = b"\x0f\rXapian Glass"
"""Signature of an index; its random ID follows after two bytes."""

REDIRECT_TYPE: Final = 0xFFFF
CHUNK_SIZE: Final = 16 * 1024 * 1024


class _Header(NamedTuple):
    version: bytes
    uuid: bytes
    entry_count: int
    cluster_count: int
    entries_offset: int
    titles_offset: int
    other_offsets: bytes
    first_page: int
    layout: int
    checksum_offset: int


def make_reproducible(file: Path) -> None:
    """Replace random IDs by a hash of the content, and add the list of titles."""
    _add_titles(file)
    with file.open("r+b") as stream, mmap.mmap(stream.fileno(), 0) as data:
        regions = [ID_SLICE, *_iter_index_ids(data)]
        for region in regions:
            data[region] = bytes(CHECKSUM_BYTES)
        content_hash = _compute_digest(data, hashlib.sha256())[:CHECKSUM_BYTES]
        for region in regions:
            data[region] = content_hash
        data[-CHECKSUM_BYTES:] = _compute_digest(data, hashlib.md5(usedforsecurity=False))


def _compute_digest(data: mmap.mmap, digest: "hashlib._Hash") -> bytes:
    """Return the digest of a file without its final checksum."""
    for start, end in _iter_chunks(data):
        digest.update(data[start : min(end, len(data) - CHECKSUM_BYTES)])
    return digest.digest()


def _iter_index_ids(data: mmap.mmap) -> Iterator[slice]:
    for start, end in _iter_chunks(data):
        position = data.find(INDEX_SIGNATURE, start, end + len(INDEX_SIGNATURE) - 1)
        while position >= 0:
            begin = position + len(INDEX_SIGNATURE) + 2
            yield slice(begin, begin + CHECKSUM_BYTES)
            position = data.find(INDEX_SIGNATURE, begin, end + len(INDEX_SIGNATURE) - 1)


def _iter_chunks(data: mmap.mmap) -> Iterator[tuple[int, int]]:
    """Yield consecutive ranges of a file, and release the memory of each.

    Mapped pages count as memory of the process once they are read: 0.9 GB for a dictionary of a million words.
    """
    for start in range(0, len(data), CHUNK_SIZE):
        end = min(start + CHUNK_SIZE, len(data))
        yield start, end
        data.madvise(mmap.MADV_DONTNEED, start, end - start)


def _add_titles(file: Path) -> None:
    """Overwrite the checksum with the list of titles, and append space for a new checksum."""
    with file.open("r+b") as stream, ExternalSorter(file.parent) as titles:
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            header = _Header(*HEADER_STRUCT.unpack(data[: HEADER_STRUCT.size]))
            if header.titles_offset != NO_OFFSET:
                return
            for number, title in enumerate(_iter_titles(data, header)):
                titles.add(SortItem(title, b"", number))
        stream.seek(header.checksum_offset)
        for entry in titles:
            stream.write(struct.pack("<I", entry.number))
        end = stream.tell()
        stream.write(bytes(CHECKSUM_BYTES))
        stream.seek(0)
        stream.write(HEADER_STRUCT.pack(*header._replace(titles_offset=header.checksum_offset, checksum_offset=end)))


def _iter_titles(data: mmap.mmap, header: _Header) -> Iterator[bytes]:
    """Yield the namespace letter and title of each entry, or its path if it has no title."""
    for number in range(header.entry_count):
        (offset,) = struct.unpack_from("<Q", data, header.entries_offset + 8 * number)
        (kind,) = struct.unpack_from("<H", data, offset)
        begin = offset + (12 if kind == REDIRECT_TYPE else 16)
        path = _read_text(data, begin)
        title = _read_text(data, begin + len(path) + 1)
        yield data[offset + 3 : offset + 4] + (title or path)


def _read_text(data: mmap.mmap, begin: int) -> bytes:
    return data[begin : data.find(b"\0", begin)]
