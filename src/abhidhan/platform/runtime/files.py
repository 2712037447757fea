"""Files of the running program: locks, private files and folders, and free disk space."""

import errno
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from abhidhan.records.errors import cannot_be_written


class FileLock:
    """A lock on a file or folder, with the methods of `threading.Lock`.

    It excludes other processes, and other `FileLock` objects of this process. The file stays when the lock is
    released: a process that removed it could remove the lock of another one.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Lock nothing yet. With `create`, `acquire` creates the file if it is missing."""
        self._path = path
        self._create = os.O_CREAT if create else 0
        self._descriptor: int | None = None

    def acquire(self, *, blocking: bool = True) -> bool:
        """Acquire the lock and return True. Return False if another holds it and `blocking` is false.

        A lock that this object holds already stays held. Raises OSError when the file cannot be opened, or where the
        file system has no locks.
        """
        if self._descriptor is not None:
            return True
        descriptor = self._open()
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if blocking else fcntl.LOCK_NB))
        except BlockingIOError:
            os.close(descriptor)
            return False
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Release the lock, if it is held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> None:
        """Wait for the lock."""
        self.acquire()

    def __exit__(self, *_: object) -> None:
        """Release the lock."""
        self.release()

    def _open(self) -> int:
        # A link is not followed: in a folder for everybody's files it could make this process open any other file.
        flags = os.O_RDONLY if self._path.is_dir() else os.O_RDWR | os.O_NOFOLLOW | self._create
        return os.open(self._path, flags | os.O_CLOEXEC, 0o600)


NEEDED: Final = 1024 * 1024
"""Bytes for which there must be room: a transaction and a small photo."""

PREFIX: Final = ".abhidhan-"
UNLOCKED, LOCKED = ".new", ".part"
"""How the names of folders end that are just being made, and of those that somebody works in."""

LOCK: Final = ".lock"
"""The file whose lock says that somebody works in a folder."""

LONGEST_MAKING: Final = 3_600
"""Seconds after which a folder that is still being made was left by a process that died in that moment."""


def refuse_unwritable(file: Path) -> None:
    """Make sure that a file, or a new one in its folder, could be written now. Raises UnwritableError.

    The file itself is not opened: closing it would take from SQLite the locks that this process holds on it.
    """
    try:
        # It has no name where the system can do that, so that nothing of it stays whatever happens.
        with tempfile.TemporaryFile(dir=file.parent, buffering=0) as trial:
            reserve(trial.fileno(), NEEDED)
    except OSError as error:
        raise cannot_be_written(file, error) from error
    if file.exists() and not os.access(file, os.W_OK):
        raise cannot_be_written(file, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))


def reserve(descriptor: int, size: int) -> None:
    """Let a file have `size` bytes on the disk, not only in name. Raises OSError when there is no room.

    Whoever writes into a file's memory where the disk has no room for it is killed by the system.
    """
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
    else:  # pragma: no cover  # macOS
        os.pwrite(descriptor, bytes(size), 0)


@contextmanager
def unfinished(folder: Path) -> Iterator[Path]:
    """Return an empty folder in `folder` for what is not finished yet. It goes at the end, however that comes.

    What a killed process has left there goes when the next one begins: its lock went with it. Raises OSError.
    """
    _sweep(folder)
    place = Path(tempfile.mkdtemp(dir=folder, prefix=PREFIX, suffix=UNLOCKED))
    lock = FileLock(place / LOCK)
    try:
        (place / LOCK).touch(mode=0o600)
        with suppress(OSError):
            # A file system that knows no locks: then nobody can tell what is left over either, and all of it stays.
            lock.acquire()
        place = place.rename(place.with_suffix(LOCKED))
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        lock.release()


def _sweep(folder: Path) -> None:
    """Remove what killed processes have left."""
    for left in folder.glob(f"{PREFIX}*{LOCKED}"):
        with suppress(OSError):
            _remove_if_left(left)
    for left in folder.glob(f"{PREFIX}*{UNLOCKED}"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > LONGEST_MAKING:
                shutil.rmtree(left, ignore_errors=True)


def _remove_if_left(place: Path) -> None:
    lock = FileLock(place / LOCK, create=False)
    if lock.acquire(blocking=False):
        shutil.rmtree(place, ignore_errors=True)
        lock.release()


def make_private(file: Path) -> Path:
    """Make an empty file that its owner alone can read, if there is none; whoever writes it keeps its mode."""
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    return file


def make_private_folder(folder: Path) -> None:
    """Make a folder that its owner alone can look into, if there is none. Raises UnwritableError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_be_written(folder, error) from error
