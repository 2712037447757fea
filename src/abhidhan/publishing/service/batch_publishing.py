"""Files that are made together: by one process of all servers at a time, and offered as one, in one step.

They stand below a name of their own, which nobody looks for until what is offered leads there. That is written last,
and only by whoever still holds the lease under which they were made.
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
from abhidhan.platform.database.database import Database, Writer
from abhidhan.platform.database.import_lock import alone
from abhidhan.platform.database.leases import Fence
from abhidhan.platform.sandbox.artifact_store import MadeStore
from abhidhan.records.errors import AbhidhanError, ConflictError

T = TypeVar("T")

CURRENT: Final = "current.json"
"""The file that tells what is offered."""

MADE: Final = "made-"
"""How the names begin below which files stand that were made together: those offered, and what was left over."""

EARLIER: Final = "current"
"""What led to the files of a folder in earlier versions: a link."""

LEASE_SECONDS: Final = 60.0
"""So long after a server has died while it made files, another may make them."""

SECONDS_KNOWN: Final = 1.0
"""So long a worker goes by what it has read of an object store; a folder is read each time."""


class Offered(msgspec.Struct, frozen=True):
    """What is offered: the name below which its files stand, and their list."""

    folder: str
    listed: msgspec.Raw


@contextmanager
def made_alone(database: Database, store: MadeStore, name: str) -> Iterator[Fence | None]:
    """Let one process of all servers make files; None while another does. Raises ExportError for a full disk.

    Over SQLite, which is one machine's, a lock beside the files is enough: it needs no room on a disk that is full.
    """
    try:
        with alone(database, name, seconds=LEASE_SECONDS, folder=store.folder) as held:
            yield held
    except OSError as error:
        raise ExportError(f"Files to download cannot be made: {error.strerror or error}.") from error


class Making:
    """Files that are being made below a name of their own, unseen until they are offered."""

    def __init__(self, store: MadeStore, now: int) -> None:
        """Make up the name."""
        self.store = store
        self.folder = f"{MADE}{now}-{secrets.token_hex(4)}"
        self._names: set[str] = set()

    def write(self, name: str, content: bytes) -> None:
        """Write a small file. Raises UnavailableError, UnwritableError."""
        self.store.write(self._named(name), content)

    def take(self, name: str, file: Path) -> None:
        """Move a file of the scratch folder here. Raises UnavailableError, UnwritableError."""
        self.store.take(self._named(name), file)

    def offer(self, database: Database, held: Fence, listed: object) -> None:
        """Let these files take the place of the older ones, in one step that outlives a crash.

        Raises ConflictError where another has begun to make files since, or has taken these for left over. Nobody
        begins between that look and the step.
        """
        offered = Offered(self.folder, msgspec.Raw(msgspec.json.encode(listed)))

        def step(connection: Writer) -> None:
            held.make_sure(connection)
            if not self._names <= set(self.store.names(self.folder)):
                raise ConflictError("Files that were being made are gone: another process has removed them.")
            self.store.write(CURRENT, msgspec.json.encode(offered))

        database.write_now(step, public=False)

    def _named(self, name: str) -> str:
        full = f"{self.folder}/{name}"
        self._names.add(full)
        return full


@contextmanager
def making(store: MadeStore, now: int, list_file: str) -> Iterator[Making]:
    """Make files, and remove them if they are not offered in the end, or the older ones if they are."""
    sweep(store, list_file)
    files = Making(store, now)
    try:
        yield files
    except BaseException:
        # Another may be making files by now: what is not of this process is left alone.
        with suppress(AbhidhanError):
            store.remove_folder(files.folder)
        raise
    sweep(store, list_file)


def read_offered(store: MadeStore, list_file: str) -> Offered | None:
    """Read what is offered; None while nothing is. `list_file` is the name that its list had in earlier versions."""
    content = store.read(CURRENT)
    if content is None:
        return _of_earlier_version(store, list_file)
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(content, type=Offered)
    return None


def sweep(store: MadeStore, list_file: str) -> None:
    """Remove the files that nobody is offered any more; whoever reads one just now reads it to its end."""
    known = read_offered(store, list_file)
    for left in store.folders():
        if left.startswith(MADE) and (known is None or left != known.folder):
            store.remove_folder(left)
    if store.folder is not None and known is not None and known.folder != _earlier(store):
        (store.folder / EARLIER).unlink(missing_ok=True)


def _of_earlier_version(store: MadeStore, list_file: str) -> Offered | None:
    folder = _earlier(store)
    listed = store.read(f"{folder}/{list_file}") if folder else None
    return Offered(folder, msgspec.Raw(listed)) if listed else None


def _earlier(store: MadeStore) -> str:
    """Return the name of the folder that an earlier version offers; empty where there is none."""
    with suppress(OSError):
        return (store.folder / EARLIER).readlink().name if store.folder else ""
    return ""


class Lately(Generic[T]):
    """Something that is read of a store, once for all who ask at about the same time."""

    def __init__(self, store: MadeStore, read: Callable[[MadeStore], T]) -> None:
        """Take the store, and what reads it."""
        self._store = store
        self._read = read
        self._known: asyncio.Task[T] | None = None
        self._until = float("-inf")

    async def __call__(self, *, anew: bool = False) -> T:
        """Read it; `anew` where what was read last turned out to be out of date. Raises UnavailableError."""
        if anew or self._known is None or monotonic() >= self._until:
            self._known = asyncio.create_task(asyncio.to_thread(self._read, self._store))
            self._until = monotonic() + (SECONDS_KNOWN if self._store.folder is None else 0.0)
        return await asyncio.shield(self._known)
