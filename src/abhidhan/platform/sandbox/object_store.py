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
    cannot_be_written,
    sentence,
)
from abhidhan.records.setting_values import without_password

if TYPE_CHECKING:
    # These names exist for type checkers only.
    from obstore import Attributes, GetResult, ObjectMeta

CONNECT_PATIENCE: Final = timedelta(seconds=5)
ANSWER_PATIENCE: Final = timedelta(seconds=30)
CHECK_PATIENCE: Final = timedelta(seconds=5)
RETRY_PATIENCE: Final = timedelta(seconds=20)
MOST_RETRIES: Final = 3
PIECE: Final = 256 * 1024
"""Minimum size of the pieces in which a file is read, in bytes."""

ENDPOINTS: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT", "AZURE_STORAGE_ENDPOINT")
"""Environment variables that override the cloud's own endpoint."""

KEY_BYTES: Final = 16
NO_ROOM: Final = ("(os error 28)", "(os error 122)")
"""The store's texts for ENOSPC and EDQUOT, which its errors do not report otherwise."""
FOLDERS: Final = 256
"""Number of folders, which are named by the first two hexadecimal digits of the keys."""

_OWN: Final = re.compile(r"(([0-9a-f]{2})/\2[0-9a-f]{30})(?:-thumb)?\.[a-z0-9]{3,4}")
LISTED_AT_ONCE: Final = 1_000


class StoredFile(msgspec.Struct, frozen=True):
    """A file in the store: its name, its size in bytes, and its modification time in seconds since 1970."""

    name: str
    size: int
    written: int


class OpenedFile(NamedTuple):
    """A file that is open for reading: its size in bytes and its contents in pieces."""

    size: int
    pieces: AsyncIterator[bytes]


class Contents(NamedTuple):
    """The contents of a store: their name, the setting with its URL, and the message when it cannot be reached."""

    called: str
    setting: str
    out_of_reach: Sentence


PHOTOS: Final = Contents("photos", "ABHIDHAN_PHOTOS", sentence("Photo storage cannot be reached."))
RECORDINGS: Final = Contents("recordings", "ABHIDHAN_RECORDINGS", sentence("Recording storage cannot be reached."))
MEDIA_TYPES: Final[Mapping[str, str]] = {**photos.MEDIA_TYPES, recordings.EXTENSION: recordings.MEDIA_TYPE}


class FileStore:
    """Store of uploaded files. All files of one upload are named by its key and a suffix."""

    def __init__(self, store: ObjectStore, contents: Contents) -> None:
        """Use an open store."""
        self._store = store
        self._contents = contents

    async def keep(self, key: str, files: Mapping[str, bytes]) -> None:
        """Write all files of a key, by suffix, or none of them. Raises UnavailableError."""
        try:
            with self._translating_errors():
                for suffix, content in files.items():
                    await self._put(key + suffix, content)
        except BaseException:
            await self.forget_if_possible(key, files)
            raise

    async def open(self, name: str) -> OpenedFile | None:
        """Open a file for reading in pieces; None if it does not exist. Raises UnavailableError."""
        try:
            with self._translating_errors():
                found = await self._store.get_async(name)
        except FileNotFoundError:
            return None
        return OpenedFile(found.meta["size"], self._pieces(found))

    def read_now(self, name: str) -> bytes | None:
        """Read a small file in the calling thread; None if it does not exist. Raises UnavailableError."""
        try:
            with self._translating_errors():
                return bytes(self._store.get(name).bytes())
        except FileNotFoundError:
            return None

    def keep_now(self, name: str, content: bytes) -> None:
        """Write a file in the calling thread. Raises UnavailableError."""
        with self._translating_errors():
            self._store.put(name, content, attributes=self._attributes(name))

    def list_now(self) -> list[StoredFile]:
        """List all files in the calling thread. Raises UnavailableError."""
        with self._translating_errors():
            return [_stored(each) for some in self._store.list() for each in some]

    async def forget(self, key: str, suffixes: Iterable[str]) -> None:
        """Delete the files of a key, ignoring missing ones. Raises UnavailableError."""
        await self.remove(key + suffix for suffix in suffixes)

    async def forget_if_possible(self, key: str, suffixes: Iterable[str]) -> None:
        """Delete the files of a key, ignoring errors: `abhidhan review check` lists files that were left."""
        try:
            await self.forget(key, suffixes)
        except UnavailableError:
            return

    async def remove(self, names: Iterable[str]) -> None:
        """Delete files by name, ignoring missing ones. Raises UnavailableError."""
        for name in names:
            with suppress(FileNotFoundError), self._translating_errors():
                await self._store.delete_async(name)

    async def list(self) -> list[StoredFile]:
        """List all files. Raises UnavailableError."""
        with self._translating_errors():
            return [_stored(each) async for some in self._store.list() for each in some]

    async def list_folder(self, number: int) -> Sequence[StoredFile]:
        """List all files of one folder. Raises UnavailableError."""
        try:
            with self._translating_errors():
                listed = self._store.list(f"{number:02x}", chunk_size=LISTED_AT_ONCE)
                return [_stored(each) async for some in listed for each in some]
        except FileNotFoundError:
            return []

    async def _put(self, name: str, content: bytes) -> None:
        await self._store.put_async(name, content, attributes=self._attributes(name))

    def _attributes(self, name: str) -> "Attributes | None":
        """Return the media type for direct requests to an object store; None for a folder, which has no attributes."""
        if isinstance(self._store, LocalStore):
            return None
        return {"Content-Type": MEDIA_TYPES[name.rpartition(".")[2]]}

    async def _pieces(self, found: "GetResult") -> AsyncIterator[bytes]:
        with self._translating_errors():
            async for piece in found.stream(min_chunk_size=PIECE):
                yield bytes(piece)

    def _translating_errors(self) -> AbstractContextManager[None]:
        return translating(self._contents)


@contextmanager
def translating(contents: Contents) -> Iterator[None]:
    """Translate the errors of a store; a missing file raises FileNotFoundError."""
    try:
        yield
    except (NotFoundError, FileNotFoundError) as error:
        raise FileNotFoundError(str(error)) from error
    except OSError as error:
        raise cannot_be_written(f"The folder of the {contents.called}", error) from error
    except BaseError as error:
        if any(reason in str(error) for reason in NO_ROOM):
            raise DiskFullError(f"The store of the {contents.called} is full: {first_line(error)}.") from error
        raise UnavailableError(contents.out_of_reach, RetryAfter.QUEUE) from error


def open_files(address: str, folder: Path, contents: Contents = PHOTOS) -> FileStore:
    """Open the store at a URL such as `s3://bucket/photos`, or at a path; by default `folder`.

    Credentials and regions are read from the environment, as by the cloud's own tools. Raises SettingError.
    """
    try:
        if not address or "://" not in address:
            place = Path(address) if address else folder
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            return FileStore(LocalStore(place.absolute(), mkdir=True), contents)
        return FileStore(open_cloud(address), contents)
    except (BaseError, OSError, ValueError) as error:
        raise SettingError(
            f"{contents.setting} is not a usable place for {contents.called}: {why_unusable(error)}."
        ) from error


def find_store_problem(address: str) -> str | None:
    """Request the first entry of a store, and return the problem with its URL or credentials; None if there is none.

    Raises UnavailableError if it cannot be reached.
    """
    try:
        next(iter(open_cloud(address, patience=CHECK_PATIENCE, retries=0).list(chunk_size=1)), None)
    except (BaseError, OSError, ValueError) as error:
        # A failed listing raises a generic error, with the HTTP status only in its text.
        status = re.search(r"status code: (\d+)", str(error))
        if isinstance(error, NotFoundError) or (status and status[1] == "404"):
            return "there is no such store: create it, or correct the setting"
        if isinstance(error, PermissionDeniedError | UnauthenticatedError) or (status and status[1] in {"401", "403"}):
            return "the store rejects the keys in the environment of this server: correct them, or their permissions"
        raise UnavailableError(why_unusable(error), RetryAfter.QUEUE) from error
    return None


def why_unusable(error: Exception) -> str:
    """Describe why a store cannot be used, without a password that its URL may contain."""
    return without_password((error.strerror if isinstance(error, OSError) else None) or first_line(error))


def _stored(found: "ObjectMeta") -> StoredFile:
    return StoredFile(found["path"], found["size"], int(found["last_modified"].timestamp()))


def first_line(error: Exception) -> str:
    """Return the first line of a store's error message."""
    return str(error).partition("\n")[0].rstrip(".")


def open_cloud(address: str, *, patience: timedelta = ANSWER_PATIENCE, retries: int = MOST_RETRIES) -> ObjectStore:
    """Open an object store by its URL, without a request."""
    return from_url(
        address,
        client_options={
            "connect_timeout": CONNECT_PATIENCE,
            "timeout": patience,
            # A local store such as MinIO is often used without TLS; an endpoint with http:// allows it.
            "allow_http": any(os.environ.get(name, "").startswith("http://") for name in ENDPOINTS),
        },
        retry_config={"max_retries": retries, "retry_timeout": RETRY_PATIENCE},
    )


def new_key() -> str:
    """Return a new random key for files, in one of 256 folders."""
    name = secrets.token_hex(KEY_BYTES)
    return f"{name[:2]}/{name}"


def key_of(name: str) -> str | None:
    """Return the key in a file's name; None for a foreign file."""
    found = _OWN.fullmatch(name)
    return found[1] if found else None
