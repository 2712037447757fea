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

HTML: Final = "text/html"
ICON_SIZE: Final = 48
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
    provide: Callable[[bytes], object]

    def get_path(self) -> str:
        return self.path

    def get_title(self) -> str:
        return self.title

    def get_mimetype(self) -> str:
        return self.media_type

    def get_hints(self) -> Mapping[Any, int]:
        return self.hints

    def get_contentprovider(self) -> object:
        return self.provide(self.content)


class Site:
    """A ZIM file being written, page by page."""

    def __init__(self, target: Path, first: str, language: str) -> None:
        """Start a file with the path of its main page, indexed for a language (ISO 639-3). Raises InputError."""
        try:
            from libzim import writer  # type: ignore[import-untyped]  # noqa: PLC0415  # optional: under the GPL
        except ImportError as error:
            raise InputError.of("format", NOT_INSTALLED) from error

        self._target = target
        self._article_hints = {writer.Hint.FRONT_ARTICLE: 1}
        self._resource_hints = {writer.Hint.FRONT_ARTICLE: 0}
        self._provide = cast("Callable[[bytes], object]", writer.StringProvider)
        creator = cast("_Creator", writer.Creator(target))
        # A single worker compresses in a reproducible order.
        self._creator = creator.config_indexing(True, language).config_nbworkers(1)  # noqa: FBT003  # libzim's own
        self._creator.set_mainpath(first)

    def add(self, page: ZimPage) -> None:
        """Add a page."""
        hints = self._article_hints if page.is_entry else self._resource_hints
        self._add(_ZimItem(page.path, page.title, HTML, page.html.encode(), hints, self._provide))

    def add_file(self, path: str, media_type: str, content: bytes) -> None:
        """Add a file to which pages refer."""
        self._add(_ZimItem(path, "", media_type, content, self._resource_hints, self._provide))

    def _add(self, item: _ZimItem) -> None:
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
            self._creator.add_illustration(ICON_SIZE, icon)

    def __enter__(self) -> Self:
        """Start writing."""
        with _convert_errors(), _silence():
            self._creator.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish the file. Raises OSError if the disk is full."""
        if kind is not None:
            # Errors in closing must not hide the original one.
            with suppress(RuntimeError, SystemError), _silence():
                self._creator.__exit__(kind, error, trace)
            return
        with _convert_errors(), _silence():
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
def _silence() -> Iterator[None]:
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

HEADER: Final = struct.Struct("<8s16sIIQQ16sIIQ")
"""The header of a file: the fields of `_Header`, in order."""

NO_OFFSET: Final = 2**64 - 1
ID_SLICE: Final = slice(8, 24)
"""Position of the random ID, by which programs distinguish files."""

SUM_SIZE: Final = 16
"""Number of bytes in the MD5 sum."""

INDEX: Final = b"\x0f\rXapian Glass"
"""Signature of an index; its random ID follows after two bytes."""

REDIRECT: Final = 0xFFFF
CHUNK_SIZE: Final = 16 * 1024 * 1024


class _Header(NamedTuple):
    version: bytes
    name: bytes
    entries: int
    clusters: int
    place_of_entries: int
    place_of_titles: int
    others: bytes
    first_page: int
    layout: int
    place_of_sum: int


def make_reproducible(file: Path) -> None:
    """Replace random IDs by a hash of the content, and add the list of titles."""
    _add_titles(file)
    with file.open("r+b") as stream, mmap.mmap(stream.fileno(), 0) as whole:
        regions = [ID_SLICE, *_index_ids(whole)]
        for region in regions:
            whole[region] = bytes(SUM_SIZE)
        content = _digest(whole, hashlib.sha256())[:SUM_SIZE]
        for region in regions:
            whole[region] = content
        whole[-SUM_SIZE:] = _digest(whole, hashlib.md5(usedforsecurity=False))


def _digest(whole: mmap.mmap, digest: "hashlib._Hash") -> bytes:
    """Return the digest of a file without its final checksum."""
    for start, end in _chunks(whole):
        digest.update(whole[start : min(end, len(whole) - SUM_SIZE)])
    return digest.digest()


def _index_ids(whole: mmap.mmap) -> Iterator[slice]:
    for start, end in _chunks(whole):
        position = whole.find(INDEX, start, end + len(INDEX) - 1)
        while position >= 0:
            begin = position + len(INDEX) + 2
            yield slice(begin, begin + SUM_SIZE)
            position = whole.find(INDEX, begin, end + len(INDEX) - 1)


def _chunks(whole: mmap.mmap) -> Iterator[tuple[int, int]]:
    """Yield consecutive ranges of a file, and release the memory of each.

    Mapped pages count as memory of the process once they are read: 0.9 GB for a dictionary of a million words.
    """
    for start in range(0, len(whole), CHUNK_SIZE):
        end = min(start + CHUNK_SIZE, len(whole))
        yield start, end
        whole.madvise(mmap.MADV_DONTNEED, start, end - start)


def _add_titles(file: Path) -> None:
    """Overwrite the checksum with the list of titles, and append space for a new checksum."""
    with file.open("r+b") as stream, ExternalSorter(file.parent) as titles:
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as whole:
            header = _Header(*HEADER.unpack(whole[: HEADER.size]))
            if header.place_of_titles != NO_OFFSET:
                return
            for number, title in enumerate(_titles(whole, header)):
                titles.add(SortItem(title, b"", number))
        stream.seek(header.place_of_sum)
        for entry in titles:
            stream.write(struct.pack("<I", entry.number))
        end = stream.tell()
        stream.write(bytes(SUM_SIZE))
        stream.seek(0)
        stream.write(HEADER.pack(*header._replace(place_of_titles=header.place_of_sum, place_of_sum=end)))


def _titles(whole: mmap.mmap, header: _Header) -> Iterator[bytes]:
    """Yield the namespace letter and title of each entry, or its path if it has no title."""
    for number in range(header.entries):
        (offset,) = struct.unpack_from("<Q", whole, header.place_of_entries + 8 * number)
        (kind,) = struct.unpack_from("<H", whole, offset)
        begin = offset + (12 if kind == REDIRECT else 16)
        path = _text(whole, begin)
        title = _text(whole, begin + len(path) + 1)
        yield whole[offset + 3 : offset + 4] + (title or path)


def _text(whole: mmap.mmap, begin: int) -> bytes:
    return whole[begin : whole.find(b"\0", begin)]
