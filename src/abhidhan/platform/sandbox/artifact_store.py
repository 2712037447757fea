"""Store of generated public files, in a folder or in an object store that all servers read."""

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore

from abhidhan.platform.runtime import files
from abhidhan.platform.sandbox.object_store import (
    MIN_CHUNK_BYTES,
    StoreDescription,
    describe_store_error,
    open_object_store,
    translate_store_errors,
)
from abhidhan.records.errors import SettingError, sentence, unwritable_error

if TYPE_CHECKING:
    from obstore import GetResult

ARTIFACTS: Final = StoreDescription(
    "files to download", "ABHIDHAN_DOWNLOADS", sentence("The download files cannot be reached.")
)


class ArtifactStore:
    """A store of files by name, which is a path with slashes. Files are never changed, only replaced."""

    def __init__(self, location: str | Path) -> None:
        """`location` is a folder, which is created on the first write, or the URL of an object store.

        Raises SettingError.
        """
        self.folder = None if isinstance(location, str) else location
        self._open_store = _open_configured_store(location) if isinstance(location, str) else None

    # --- reading ------------------------------------------------------------------------------------------------------

    def read(self, name: str) -> bytes | None:
        """Read a small file; None if it does not exist. Raises UnavailableError."""
        with suppress(FileNotFoundError), self._translate_errors():
            return bytes(self._store.get(name).bytes())
        return None

    async def open_chunks(self, name: str, start: int, length: int) -> AsyncIterator[bytes]:
        """Open a byte range of a file for reading in chunks, even if the file is replaced while it is read.

        Raises FileNotFoundError, UnavailableError.
        """
        with self._translate_errors():
            if not length:
                return _empty_stream()
            result = await self._store.get_async(name, options={"range": (start, start + length)})
        return self._iter_chunks(result, length)

    @contextmanager
    def open_local_file(self, name: str) -> Iterator[Path]:
        """Provide a file on the local disk: the file itself, or a copy that is removed at the end of the block.

        Raises FileNotFoundError, UnavailableError.
        """
        if self.folder is not None:
            if not (self.folder / name).is_file():
                raise FileNotFoundError(name)
            yield self.folder / name
            return
        with tempfile.TemporaryDirectory(prefix=files.STAGING_PREFIX) as folder:
            copy = Path(folder) / "copy"
            with self._translate_errors(), copy.open("wb") as target:
                for piece in self._store.get(name).stream(min_chunk_size=MIN_CHUNK_BYTES):
                    target.write(piece)
            yield copy

    def list_files(self, folder: str) -> list[str]:
        """Return the names of all files in a folder of the store, at any depth. Raises UnavailableError."""
        with suppress(FileNotFoundError), self._translate_errors():
            return [entry["path"] for page in self._store.list(f"{folder}/") for entry in page]
        return []

    def list_folders(self, folder: str = "") -> list[str]:
        """Return the names of the direct subfolders that contain files. Raises UnavailableError."""
        with suppress(FileNotFoundError), self._translate_errors():
            return list(self._store.list_with_delimiter(f"{folder}/" if folder else None)["common_prefixes"])
        return []

    # --- writing ------------------------------------------------------------------------------------------------------

    @contextmanager
    def open_scratch_folder(self) -> Iterator[Path]:
        """Create a temporary folder for new files, inside the store's folder if it is local. Raises UnwritableError."""
        with self._translate_errors():
            if self.folder is None:
                with tempfile.TemporaryDirectory(prefix=files.STAGING_PREFIX) as folder:
                    yield Path(folder)
            else:
                files.create_private_folder(self.folder)
                with files.open_staging_folder(self.folder) as folder:
                    yield folder

    def add(self, name: str, file: Path) -> None:
        """Move a file from the scratch folder into the store. Raises UnavailableError, UnwritableError."""
        with self._translate_errors():
            if self.folder is None:
                obstore.put(self._store, name, file)
                file.unlink()
            else:
                _move_durably(file, self.folder / name)

    def write(self, name: str, content: bytes) -> None:
        """Write a small file. Raises UnavailableError, UnwritableError."""
        with self._translate_errors():
            if self.folder is None:
                self._store.put(name, content)
                return
            files.create_private_folder(self.folder)
            with files.open_staging_folder(self.folder) as folder:
                new = folder / "new"
                new.write_bytes(content)
                _move_durably(new, self.folder / name)

    def remove(self, names: Iterable[str]) -> None:
        """Delete files, ignoring missing ones. Raises UnavailableError."""
        for name in names:
            with suppress(FileNotFoundError), self._translate_errors():
                self._store.delete(name)

    def remove_folder(self, folder: str) -> None:
        """Delete all files in a folder of the store. Raises UnavailableError."""
        if self.folder is not None:
            shutil.rmtree(self.folder / folder, ignore_errors=True)
        elif names := self.list_files(folder):
            with suppress(FileNotFoundError), self._translate_errors():
                self._store.delete(names)

    # --- the store ----------------------------------------------------------------------------------------------------

    @property
    def _store(self) -> ObjectStore:
        """The open store. Raises FileNotFoundError if there is no folder yet."""
        if self._open_store is None:
            if self.folder is None or not self.folder.is_dir():
                raise FileNotFoundError(str(self.folder))
            self._open_store = LocalStore(self.folder.absolute())
        return self._open_store

    async def _iter_chunks(self, result: "GetResult", length: int) -> AsyncIterator[bytes]:
        with self._translate_errors():
            async for piece in result.stream(min_chunk_size=MIN_CHUNK_BYTES):
                length -= len(piece)
                yield bytes(piece)
        if length:
            raise OSError("A download file is shorter than when it was created.")

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        with translate_store_errors(ARTIFACTS):
            try:
                yield
            except FileNotFoundError:
                raise
            except OSError as error:
                raise (unwritable_error(self.folder, error) if self.folder else error) from error


def _open_configured_store(address: str) -> ObjectStore:
    try:
        return open_object_store(address)
    except (BaseError, OSError, ValueError) as error:
        raise SettingError(f"{ARTIFACTS.setting} is not a usable place: {describe_store_error(error)}.") from error


def _move_durably(file: Path, target: Path) -> None:
    """Move a file durably: sync its contents and its folder, so that a crash of the machine loses neither."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with file.open("rb") as written:
        os.fsync(written.fileno())
    file.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


async def _empty_stream() -> AsyncIterator[bytes]:
    nothing: tuple[bytes, ...] = ()
    for piece in nothing:
        yield piece
