"""The store of uploaded files, in a folder or in S3, Azure or Google Cloud Storage, selected by one URL."""

import os
import re
import secrets
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from obstore.exceptions import BaseError, NotFoundError, PermissionDeniedError, UnauthenticatedError
from obstore.store import LocalStore, ObjectStore, from_url

from abhidhan.records import photos, recordings
from abhidhan.records.errors import (
    DiskFullError,
    RetryAfter,
    Sentence,
    SettingError,
    UnavailableError,
    sentence,
    unwritable_error,
)
from abhidhan.records.setting_values import hide_password

if TYPE_CHECKING:
    # These names exist for type checkers only.
    from obstore import Attributes, GetResult, ObjectMeta

CONNECT_TIMEOUT: Final = timedelta(seconds=5)
RESPONSE_TIMEOUT: Final = timedelta(seconds=30)
CHECK_TIMEOUT: Final = timedelta(seconds=5)
RETRY_TIMEOUT: Final = timedelta(seconds=20)
MAX_RETRIES: Final = 3
MIN_CHUNK_BYTES: Final = 256 * 1024
"""Minimum size in bytes of the chunks in which a file is read."""

ENDPOINT_VARIABLES: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT", "AZURE_STORAGE_ENDPOINT")
"""Environment variables that override the cloud's own endpoint."""

KEY_BYTES: Final = 16
DISK_FULL_TEXTS: Final = ("(os error 28)", "(os error 122)")
"""Parts of the store's error messages that mean ENOSPC and EDQUOT, since it reports no error code."""
FOLDER_COUNT: Final = 256
"""Number of folders of a store, which are named by the first two hexadecimal digits of the keys."""

_FILE_NAME: Final = re.compile(r"(([0-9a-f]{2})/\2[0-9a-f]{30})(?:-thumb)?\.[a-z0-9]{3,4}")
LIST_BATCH_SIZE: Final = 1_000


class StoredFile(msgspec.Struct, frozen=True):
    """A file in the store: its name, its size in bytes, and its modification time in seconds since 1970."""

    name: str
    size: int
    modified_at: int


class OpenedFile(NamedTuple):
    """A file that is open for reading: its size in bytes, and its contents in chunks."""

    size: int
    chunks: AsyncIterator[bytes]


class StoreDescription(NamedTuple):
    """A kind of file store: its label, the setting with its URL, and the message if it cannot be reached."""

    label: str
    setting: str
    unreachable_message: Sentence


PHOTO_STORE: Final = StoreDescription("photos", "ABHIDHAN_PHOTOS", sentence("Photo storage cannot be reached."))
RECORDING_STORE: Final = StoreDescription(
    "recordings", "ABHIDHAN_RECORDINGS", sentence("Recording storage cannot be reached.")
)
MEDIA_TYPES: Final[Mapping[str, str]] = {
    **photos.IMAGE_MEDIA_TYPES,
    recordings.RECORDING_EXTENSION: recordings.RECORDING_MEDIA_TYPE,
}


class FileStore:
    """Store of uploaded files. All files of one upload are named by its key and a suffix."""

    def __init__(self, store: ObjectStore, contents: StoreDescription) -> None:
        """Wrap an open store of `contents`."""
        self._store = store
        self._contents = contents

    async def save(self, key: str, files: Mapping[str, bytes]) -> None:
        """Write all files of a key, by suffix, or none of them. Raises UnavailableError."""
        try:
            with self._translate_errors():
                for suffix, content in files.items():
                    await self._put(key + suffix, content)
        except BaseException:
            await self.try_delete_by_key(key, files)
            raise

    async def open(self, name: str) -> OpenedFile | None:
        """Open a file for reading in chunks; None if it does not exist. Raises UnavailableError."""
        try:
            with self._translate_errors():
                result = await self._store.get_async(name)
        except FileNotFoundError:
            return None
        return OpenedFile(result.meta["size"], self._iter_chunks(result))

    def read_now(self, name: str) -> bytes | None:
        """Read a small file in the calling thread; None if it does not exist. Raises UnavailableError."""
        try:
            with self._translate_errors():
                return bytes(self._store.get(name).bytes())
        except FileNotFoundError:
            return None

    def save_now(self, name: str, content: bytes) -> None:
        """Write a file in the calling thread. Raises UnavailableError."""
        with self._translate_errors():
            self._store.put(name, content, attributes=self._attributes(name))

    def list_now(self) -> list[StoredFile]:
        """List all files in the calling thread. Raises UnavailableError."""
        with self._translate_errors():
            return [_build_stored_file(entry) for page in self._store.list() for entry in page]

    async def delete_by_key(self, key: str, suffixes: Iterable[str]) -> None:
        """Delete the files of a key, ignoring missing ones. Raises UnavailableError."""
        await self.delete_by_name(key + suffix for suffix in suffixes)

    async def try_delete_by_key(self, key: str, suffixes: Iterable[str]) -> None:
        """Delete the files of a key, ignoring errors: `abhidhan review check` lists files that were left."""
        try:
            await self.delete_by_key(key, suffixes)
        except UnavailableError:
            return

    async def delete_by_name(self, names: Iterable[str]) -> None:
        """Delete files by name, ignoring missing ones. Raises UnavailableError."""
        for name in names:
            with suppress(FileNotFoundError), self._translate_errors():
                await self._store.delete_async(name)

    async def list(self) -> list[StoredFile]:
        """List all files. Raises UnavailableError."""
        with self._translate_errors():
            return [_build_stored_file(entry) async for page in self._store.list() for entry in page]

    async def list_folder(self, number: int) -> Sequence[StoredFile]:
        """List all files of one folder. Raises UnavailableError."""
        try:
            with self._translate_errors():
                pages = self._store.list(f"{number:02x}", chunk_size=LIST_BATCH_SIZE)
                return [_build_stored_file(entry) async for page in pages for entry in page]
        except FileNotFoundError:
            return []

    async def _put(self, name: str, content: bytes) -> None:
        await self._store.put_async(name, content, attributes=self._attributes(name))

    def _attributes(self, name: str) -> "Attributes | None":
        """Return the media type for direct requests to an object store; None for a folder, which has no attributes."""
        if isinstance(self._store, LocalStore):
            return None
        return {"Content-Type": MEDIA_TYPES[name.rpartition(".")[2]]}

    async def _iter_chunks(self, result: "GetResult") -> AsyncIterator[bytes]:
        with self._translate_errors():
            async for piece in result.stream(min_chunk_size=MIN_CHUNK_BYTES):
                yield bytes(piece)

    def _translate_errors(self) -> AbstractContextManager[None]:
        return translate_store_errors(self._contents)


@contextmanager
def translate_store_errors(contents: StoreDescription) -> Iterator[None]:
    """Translate the errors of a store; a missing file raises FileNotFoundError."""
    try:
        yield
    except (NotFoundError, FileNotFoundError) as error:
        raise FileNotFoundError(str(error)) from error
    except OSError as error:
        raise unwritable_error(f"The folder of the {contents.label}", error) from error
    except BaseError as error:
        if any(reason in str(error) for reason in DISK_FULL_TEXTS):
            raise DiskFullError(f"The store of the {contents.label} is full: {first_line(error)}.") from error
        raise UnavailableError(contents.unreachable_message, RetryAfter.QUEUE) from error


def open_file_store(address: str, folder: Path, contents: StoreDescription = PHOTO_STORE) -> FileStore:
    """Open the store at a URL such as `s3://bucket/photos`, or at a path; by default `folder`.

    Credentials and regions are read from the environment, as by the cloud's own tools. Raises SettingError.
    """
    try:
        if not address or "://" not in address:
            path = Path(address) if address else folder
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            return FileStore(LocalStore(path.absolute(), mkdir=True), contents)
        return FileStore(open_object_store(address), contents)
    except (BaseError, OSError, ValueError) as error:
        raise SettingError(
            f"{contents.setting} is not a usable place for {contents.label}: {describe_store_error(error)}."
        ) from error


def find_store_problem(address: str) -> str | None:
    """Request the first entry of a store, and return the problem with its URL or credentials; None if there is none.

    Raises UnavailableError if it cannot be reached.
    """
    try:
        next(iter(open_object_store(address, timeout=CHECK_TIMEOUT, retries=0).list(chunk_size=1)), None)
    except (BaseError, OSError, ValueError) as error:
        # A failed listing raises a generic error, with the HTTP status only in its text.
        status = re.search(r"status code: (\d+)", str(error))
        if isinstance(error, NotFoundError) or (status and status[1] == "404"):
            return "there is no such store: create it, or correct the setting"
        if isinstance(error, PermissionDeniedError | UnauthenticatedError) or (status and status[1] in {"401", "403"}):
            return "the store rejects the keys in the environment of this server: correct them, or their permissions"
        raise UnavailableError(describe_store_error(error), RetryAfter.QUEUE) from error
    return None


def describe_store_error(error: Exception) -> str:
    """Describe why a store cannot be used, without a password that its URL may contain."""
    return hide_password((error.strerror if isinstance(error, OSError) else None) or first_line(error))


def _build_stored_file(entry: "ObjectMeta") -> StoredFile:
    return StoredFile(entry["path"], entry["size"], int(entry["last_modified"].timestamp()))


def first_line(error: Exception) -> str:
    """Return the first line of a store's error message."""
    return str(error).partition("\n")[0].rstrip(".")


def open_object_store(
    address: str, *, timeout: timedelta = RESPONSE_TIMEOUT, retries: int = MAX_RETRIES
) -> ObjectStore:
    """Open an object store by its URL, without a request."""
    return from_url(
        address,
        client_options={
            "connect_timeout": CONNECT_TIMEOUT,
            "timeout": timeout,
            # A local store such as MinIO is often used without TLS; an endpoint with http:// allows it.
            "allow_http": any(os.environ.get(name, "").startswith("http://") for name in ENDPOINT_VARIABLES),
        },
        retry_config={"max_retries": retries, "retry_timeout": RETRY_TIMEOUT},
    )


def create_key() -> str:
    """Return a new random key for files, in one of 256 folders."""
    name = secrets.token_hex(KEY_BYTES)
    return f"{name[:2]}/{name}"


def parse_key(name: str) -> str | None:
    """Return the key in a file's name; None for a foreign file."""
    match = _FILE_NAME.fullmatch(name)
    return match[1] if match else None
