"""Batches of files: one process of all servers at a time generates a batch, and publishes it in one step.

The files are written to a new folder, which is invisible until the published list points to it. That list is
written last, and only by the process that still holds the lease under which the files were generated.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Final, Generic, TypeVar

import msgspec

from abhidhan.exchange.service.exporting import ExportError
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.import_lock import hold_lock
from abhidhan.platform.database.leases import FencingToken
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.records.errors import AbhidhanError, ConflictError

T = TypeVar("T")

CURRENT_FILE: Final = "current.json"
"""The file that names the published batch."""

BATCH_PREFIX: Final = "made-"
"""Prefix of the folders of batches: the published one, and leftovers."""

LEGACY_LINK: Final = "current"
"""The name of the link that pointed to the published folder in earlier versions."""

LEASE_SECONDS: Final = 60.0
"""Seconds after which another server may take over from one that died while generating files."""

CACHE_SECONDS: Final = 1.0
"""Seconds for which a worker caches what it has read from an object store; a folder is read each time."""


class PublishedBatch(msgspec.Struct, frozen=True):
    """The published batch: its folder and its list."""

    folder: str
    listed: msgspec.Raw


@contextmanager
def generation_lock(database: Database, store: ArtifactStore, name: str) -> Iterator[FencingToken | None]:
    """Lock the generation of files; yield None if another process holds the lock. Raises ExportError for a full disk.

    With SQLite, which serves one machine, a file lock is enough, and it works on a full disk.
    """
    try:
        with hold_lock(database, name, seconds=LEASE_SECONDS, folder=store.folder) as fence:
            yield fence
    except OSError as error:
        raise ExportError(f"The download files cannot be created: {error.strerror or error}.") from error


class Batch:
    """A batch that is being generated in a folder of its own, invisible until it is published."""

    def __init__(self, store: ArtifactStore, now: int) -> None:
        """Initialise with a new folder name."""
        self.store = store
        self.folder = f"{BATCH_PREFIX}{now}-{secrets.token_hex(4)}"
        self._names: set[str] = set()

    def write(self, name: str, content: bytes) -> None:
        """Write a small file. Raises UnavailableError, UnwritableError."""
        self.store.write(self._add_name(name), content)

    def add_file(self, name: str, file: Path) -> None:
        """Move a file from the scratch folder to the batch. Raises UnavailableError, UnwritableError."""
        self.store.add(self._add_name(name), file)

    def publish(self, database: Database, fence: FencingToken, file_list: object) -> None:
        """Publish the batch in place of the older one, in one step that survives a crash.

        Raises ConflictError if another process has started a batch since, or has removed these files as leftovers. No
        other process can start between that check and the publication.
        """
        published = PublishedBatch(self.folder, msgspec.Raw(msgspec.json.encode(file_list)))

        def write_list(connection: WriteConnection) -> None:
            fence.ensure_held(connection)
            if not self._names <= set(self.store.list_files(self.folder)):
                raise ConflictError("Unfinished download files have disappeared: another process has removed them.")
            self.store.write(CURRENT_FILE, msgspec.json.encode(published))

        database.write_now(write_list, public=False)

    def _add_name(self, name: str) -> str:
        full = f"{self.folder}/{name}"
        self._names.add(full)
        return full


@contextmanager
def open_batch(store: ArtifactStore, now: int, list_file: str) -> Iterator[Batch]:
    """Open a batch for writing; on exit remove all unpublished batches or, after an error, only this one."""
    delete_superseded_batches(store, list_file)
    files = Batch(store, now)
    try:
        yield files
    except BaseException:
        # Another process may be generating files by now, so only this batch is removed.
        with suppress(AbhidhanError):
            store.remove_folder(files.folder)
        raise
    delete_superseded_batches(store, list_file)


def read_published(store: ArtifactStore, list_file: str) -> PublishedBatch | None:
    """Return the published batch; None if there is none. `list_file` is the name of the list in earlier versions."""
    content = store.read(CURRENT_FILE)
    if content is None:
        return _read_legacy_batch(store, list_file)
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(content, type=PublishedBatch)
    return None


def delete_superseded_batches(store: ArtifactStore, list_file: str) -> None:
    """Remove the batches that are no longer published; open readers can still read to the end."""
    published = read_published(store, list_file)
    for folder in store.list_folders():
        if folder.startswith(BATCH_PREFIX) and (published is None or folder != published.folder):
            store.remove_folder(folder)
    if store.folder is not None and published is not None and published.folder != _legacy_folder(store):
        (store.folder / LEGACY_LINK).unlink(missing_ok=True)


def _read_legacy_batch(store: ArtifactStore, list_file: str) -> PublishedBatch | None:
    folder = _legacy_folder(store)
    content = store.read(f"{folder}/{list_file}") if folder else None
    return PublishedBatch(folder, msgspec.Raw(content)) if content else None


def _legacy_folder(store: ArtifactStore) -> str:
    """Return the name of the folder published by an earlier version; empty if there is none."""
    with suppress(OSError):
        return (store.folder / LEGACY_LINK).readlink().name if store.folder else ""
    return ""


class CachedValue(Generic[T]):
    """A value read from a store, cached briefly for concurrent callers."""

    def __init__(self, store: ArtifactStore, read: Callable[[ArtifactStore], T]) -> None:
        """Initialise with the store and the function that reads it."""
        self._store = store
        self._read = read
        self._cached: asyncio.Task[T] | None = None
        self._expires_at = float("-inf")

    async def __call__(self, *, refresh: bool = False) -> T:
        """Return the value; with `refresh`, discard the cached one. Raises UnavailableError."""
        if refresh or self._cached is None or monotonic() >= self._expires_at:
            self._cached = asyncio.create_task(asyncio.to_thread(self._read, self._store))
            self._expires_at = monotonic() + (CACHE_SECONDS if self._store.folder is None else 0.0)
        return await asyncio.shield(self._cached)
