"""The file store: what people send, in a folder or in S3, Azure or Google Cloud Storage, named by one address."""

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
    # Names for type checkers only, absent when the program runs.
    from obstore import Attributes, GetResult, ObjectMeta

CONNECT_PATIENCE: Final = timedelta(seconds=5)
ANSWER_PATIENCE: Final = timedelta(seconds=30)
CHECK_PATIENCE: Final = timedelta(seconds=5)
RETRY_PATIENCE: Final = timedelta(seconds=20)
MOST_RETRIES: Final = 3
PIECE: Final = 256 * 1024
"""Bytes of a file that are read at once."""

ENDPOINTS: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT", "AZURE_STORAGE_ENDPOINT")
"""Variables that name another server than the cloud's own."""

KEY_BYTES: Final = 16
NO_ROOM: Final = ("(os error 28)", "(os error 122)")
"""How the store tells of ENOSPC and EDQUOT: only in the text of an error of its own."""
FOLDERS: Final = 256
"""How many folders the files are in, by the first two digits of their key."""

_OWN: Final = re.compile(r"(([0-9a-f]{2})/\2[0-9a-f]{30})(?:-thumb)?\.[a-z0-9]{3,4}")
LISTED_AT_ONCE: Final = 1_000


class StoredFile(msgspec.Struct, frozen=True):
    """A file in the store: its name there, its size in bytes, and when it was written (seconds since 1970)."""

    name: str
    size: int
    written: int


class OpenedFile(NamedTuple):
    """A file that is being read: its size in bytes, and the bytes piece by piece."""

    size: int
    pieces: AsyncIterator[bytes]


class Contents(NamedTuple):
    """What a store is for: how it is called, the setting that names it, and what is said where it is out of reach."""

    called: str
    setting: str
    out_of_reach: Sentence


PHOTOS: Final = Contents("photos", "ABHIDHAN_PHOTOS", sentence("The store of the photos cannot be reached."))
RECORDINGS: Final = Contents(
    "recordings", "ABHIDHAN_RECORDINGS", sentence("The store of the recordings cannot be reached.")
)
MEDIA_TYPES: Final[Mapping[str, str]] = {**photos.MEDIA_TYPES, recordings.EXTENSION: recordings.MEDIA_TYPE}


class FileStore:
    """The bytes of what people send. All files of one thing are named by its key and a suffix of each."""

    def __init__(self, store: ObjectStore, contents: Contents) -> None:
        """Keep files in an open store."""
        self._store = store
        self._contents = contents

    async def keep(self, key: str, files: Mapping[str, bytes]) -> None:
        """Write all files of a key, by their suffixes, or none. Raises UnavailableError."""
        try:
            with self._translating_errors():
                for suffix, content in files.items():
                    await self._put(key + suffix, content)
        except BaseException:
            await self.forget_if_possible(key, files)
            raise

    async def open(self, name: str) -> OpenedFile | None:
        """Open a file to be read piece by piece; None when there is none of this name. Raises UnavailableError."""
        try:
            with self._translating_errors():
                found = await self._store.get_async(name)
        except FileNotFoundError:
            return None
        return OpenedFile(found.meta["size"], self._pieces(found))

    def read_now(self, name: str) -> bytes | None:
        """Read a small file whole, here and now; None when there is none of this name. Raises UnavailableError."""
        try:
            with self._translating_errors():
                return bytes(self._store.get(name).bytes())
        except FileNotFoundError:
            return None

    def keep_now(self, name: str, content: bytes) -> None:
        """Write a file here and now. Raises UnavailableError."""
        with self._translating_errors():
            self._store.put(name, content, attributes=self._attributes(name))

    def list_now(self) -> list[StoredFile]:
        """List every file here and now. Raises UnavailableError."""
        with self._translating_errors():
            return [_stored(each) for some in self._store.list() for each in some]

    async def forget(self, key: str, suffixes: Iterable[str]) -> None:
        """Remove the files of a key; what is gone already is no error. Raises UnavailableError."""
        await self.remove(key + suffix for suffix in suffixes)

    async def forget_if_possible(self, key: str, suffixes: Iterable[str]) -> None:
        """Remove the files of a key; if the store does not let us, `abhidhan review check` will find them."""
        try:
            await self.forget(key, suffixes)
        except UnavailableError:
            return

    async def remove(self, names: Iterable[str]) -> None:
        """Remove files by name; what another worker has removed already is no error. Raises UnavailableError."""
        for name in names:
            with suppress(FileNotFoundError), self._translating_errors():
                await self._store.delete_async(name)

    async def list(self) -> list[StoredFile]:
        """List every file. Raises UnavailableError."""
        with self._translating_errors():
            return [_stored(each) async for some in self._store.list() for each in some]

    async def list_folder(self, number: int) -> Sequence[StoredFile]:
        """List every file of one of the folders. Raises UnavailableError."""
        try:
            with self._translating_errors():
                listed = self._store.list(f"{number:02x}", chunk_size=LISTED_AT_ONCE)
                return [_stored(each) async for some in listed for each in some]
        except FileNotFoundError:
            return []

    async def _put(self, name: str, content: bytes) -> None:
        await self._store.put_async(name, content, attributes=self._attributes(name))

    def _attributes(self, name: str) -> "Attributes | None":
        """Return with what type an object store answers where it is asked directly; a folder keeps no attributes."""
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
    """Turn the failures of a store into one sentence; that a file is not there passes through."""
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
    """Open the store that an address names, such as `s3://bucket/photos`; without one, `folder` itself.

    Keys and regions come from the environment, as that cloud's own tools read them. Raises SettingError.
    """
    try:
        if not address or "://" not in address:
            place = Path(address) if address else folder
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            return FileStore(LocalStore(place.absolute(), mkdir=True), contents)
        return FileStore(open_cloud(address), contents)
    except (BaseError, OSError, ValueError) as error:
        raise SettingError(
            f"{contents.setting} names no place for {contents.called} that can be used: {why_unusable(error)}."
        ) from error


def find_store_problem(address: str) -> str | None:
    """Ask a store for its first file, and say what is wrong with its address, if anything is.

    Raises UnavailableError if it cannot be reached.
    """
    try:
        next(iter(open_cloud(address, patience=CHECK_PATIENCE, retries=0).list(chunk_size=1)), None)
    except (BaseError, OSError, ValueError) as error:
        # A list that fails is a general error, which has the status of HTTP in its text alone.
        status = re.search(r"status code: (\d+)", str(error))
        if isinstance(error, NotFoundError) or (status and status[1] == "404"):
            return "there is no such store: create it, or correct the setting"
        if isinstance(error, PermissionDeniedError | UnauthenticatedError) or (status and status[1] in {"401", "403"}):
            return "that store refuses the keys in the environment of this server: correct them, or their rights"
        raise UnavailableError(why_unusable(error), RetryAfter.QUEUE) from error
    return None


def why_unusable(error: Exception) -> str:
    """Say why a store cannot be used, without a password that its address may hold."""
    return without_password((error.strerror if isinstance(error, OSError) else None) or first_line(error))


def _stored(found: "ObjectMeta") -> StoredFile:
    return StoredFile(found["path"], found["size"], int(found["last_modified"].timestamp()))


def first_line(error: Exception) -> str:
    """Return the beginning of what a store says of an error."""
    return str(error).partition("\n")[0].rstrip(".")


def open_cloud(address: str, *, patience: timedelta = ANSWER_PATIENCE, retries: int = MOST_RETRIES) -> ObjectStore:
    """Open an object store by its address. It is asked nothing yet."""
    return from_url(
        address,
        client_options={
            "connect_timeout": CONNECT_PATIENCE,
            "timeout": patience,
            # A store beside this server, such as MinIO, is often reached without TLS: if its address says so, it is.
            "allow_http": any(os.environ.get(name, "").startswith("http://") for name in ENDPOINTS),
        },
        retry_config={"max_retries": retries, "retry_timeout": RETRY_PATIENCE},
    )


def new_key() -> str:
    """Make up a name for files that nobody can guess, in one of 256 folders."""
    name = secrets.token_hex(KEY_BYTES)
    return f"{name[:2]}/{name}"


def key_of(name: str) -> str | None:
    """Return the key that a file has by its name; None for a file that is none of ours."""
    found = _OWN.fullmatch(name)
    return found[1] if found else None
