"""Access to files on disk and in folders, opened one after another and decompressed."""

import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from abhidhan.formats.content_streams import (
    CHUNK_SIZE,
    RANDOM_ACCESS_BUFFER_SIZE,
    ContentStream,
    OnRead,
    ReadMeter,
    damage_error,
)
from abhidhan.formats.decompression import ZIP, decompress, detect_compression, iter_zip_members
from abhidhan.records.errors import InputError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class _CountedFile(io.RawIOBase):
    """A file on disk that reports the bytes read; raises InputError if the file grows after it is opened."""

    def __init__(self, path: Path, meter: ReadMeter) -> None:
        self._path = path
        self._file = path.open("rb", buffering=0)
        self._max_size = get_size(path)
        self._meter = meter
        self.bytes_read = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: "WriteableBuffer") -> int:
        try:
            count = self._file.readinto(buffer) or 0
        except OSError as error:
            raise damage_error(str(self._path), error) from error
        # A file that grows while it is read would never end.
        if self._file.tell() > self._max_size:
            raise _change_error(self._path)
        # The directory of a zip archive is read twice, but reported once.
        self._meter.count(min(count, self._max_size - min(self.bytes_read, self._max_size)))
        self.bytes_read += count
        return count

    def get_bytes_read(self) -> int:
        return self.bytes_read

    def close(self) -> None:
        self._file.close()
        super().close()


def list_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files that paths name, and those inside folders, sorted by name. Raises InputError."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files.extend(_list_folder(path))
        elif path.is_file():
            files.append(path)
        elif path.exists():
            raise InputError.of(
                "file", f"{path} is a device or a pipe, not a regular file: save its contents to a file first."
            )
        else:
            raise InputError.of("file", f"There is no file {path}.")
    return files


def open_contents(paths: Sequence[Path], on_read: OnRead = lambda _: None) -> Iterator[ContentStream]:
    """Open the files of paths one after another, decompressed. Raises InputError."""
    meter = ReadMeter(on_read)
    roots = [path.parent if path.is_file() else path for path in paths]
    for file in list_files(paths):
        name = _get_display_name(file, roots)
        try:
            counted = _CountedFile(file, meter)
        except OSError as error:
            raise _open_error(file, error) from error
        with closing(counted), _require_unchanged(file):
            if _detect_compression(file) == ZIP:
                yield from iter_zip_members(
                    ContentStream(name, io.BufferedReader(counted, RANDOM_ACCESS_BUFFER_SIZE), meter), 1
                )
            else:
                yield from decompress(
                    ContentStream(name, io.BufferedReader(counted, CHUNK_SIZE), meter), counted.get_bytes_read, 0
                )


def check_contents(paths: Sequence[Path], on_read: OnRead = lambda _: None) -> None:
    """Read compressed files to their ends to verify them before import. Raises DamagedFileError."""
    for content in open_contents(paths, on_read):
        while content.stream.read(CHUNK_SIZE):
            pass


def list_packed_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files of paths that are compressed or archives. Raises InputError."""
    return [path for path in list_files(paths) if is_packed(path)]


def is_packed(path: Path) -> bool:
    """Return whether a file is compressed or an archive."""
    return _detect_compression(path) is not None


def _detect_compression(path: Path) -> str | None:
    """Return the compression of a file; None if there is none. A zip archive may follow other data, as in an .exe."""
    try:
        with path.open("rb") as stream:
            return detect_compression(stream.read(6)) or (ZIP if zipfile.is_zipfile(path) else None)
    except OSError as error:
        raise _open_error(path, error) from error


def _read_state(path: Path) -> tuple[int, int, int]:
    try:
        status = path.stat()
    except OSError as error:
        raise _open_error(path, error) from error
    return status.st_size, status.st_mtime_ns, status.st_ino


def get_size(path: Path) -> int:
    """Return the size of a file. Raises InputError if it is gone."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise _open_error(path, error) from error


def get_total_size(paths: Iterable[Path]) -> int:
    """Return the total size of files. Raises InputError if one is gone."""
    return sum(map(get_size, paths))


def _open_error(path: Path, error: OSError) -> InputError:
    return InputError.of("file", f"{path} cannot be opened: {error.strerror or error}.")


@contextmanager
def _require_unchanged(path: Path) -> Iterator[None]:
    """Raise InputError if the file changes during the block, which would mix old and new content."""
    before = _read_state(path)
    yield
    after = _read_state(path)
    if before != after:
        raise _change_error(path)


def _change_error(path: Path) -> InputError:
    return InputError.of("file", f"{path} changed while it was read: start the import again when the file is complete.")


def _get_display_name(file: Path, roots: Sequence[Path]) -> str:
    for root in roots:
        if file.is_relative_to(root):
            return str(file.relative_to(root))
    return file.name


def _list_folder(folder: Path) -> list[Path]:
    """Return the files of a folder. Raises InputError for a link to a file outside it."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and not _is_hidden(file, folder))
    inside = folder.resolve()
    for file in files:
        if not file.resolve().is_relative_to(inside):
            raise InputError.of("file", f"{file} is a link to a file outside {folder}: name that file itself.")
    return files


def _is_hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)
