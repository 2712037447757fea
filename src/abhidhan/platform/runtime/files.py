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

from abhidhan.records.errors import unwritable_error


class FileLock:
    """A lock on a file or folder, with the methods of `threading.Lock`.

    It excludes other processes and other `FileLock` objects of this process. The file is not removed when the lock is
    released: that could remove the lock of another process.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Create a lock without acquiring it. With `create`, `acquire` creates the file if it is missing."""
        self._path = path
        self._create_flag = os.O_CREAT if create else 0
        self._descriptor: int | None = None

    def acquire(self, *, blocking: bool = True) -> bool:
        """Acquire the lock and return True; return False if it is taken and `blocking` is false.

        Has no effect if this object holds the lock already. Raises OSError if the file cannot be opened, or if the
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
        # Symbolic links are not followed: in a shared folder another user could point one to any file.
        flags = os.O_RDONLY if self._path.is_dir() else os.O_RDWR | os.O_NOFOLLOW | self._create_flag
        return os.open(self._path, flags | os.O_CLOEXEC, 0o600)


MIN_FREE_BYTES: Final = 1024 * 1024
"""Required free space in bytes: for a transaction and a small photo."""

STAGING_PREFIX: Final = ".abhidhan-"
UNLOCKED_SUFFIX, LOCKED_SUFFIX = ".new", ".part"
"""Suffixes of folders that are being created, and of those in use."""

LOCK_FILE_NAME: Final = ".lock"
"""The lock file of a folder in use."""

MAX_UNLOCKED_AGE_SECONDS: Final = 3_600
"""Age in seconds above which an unlocked folder is a leftover of a process that died while creating it."""


def ensure_writable(file: Path) -> None:
    """Check that a file can be written, or created if it is missing. Raises UnwritableError.

    The file itself is not opened: closing it would release SQLite's locks of this process on it.
    """
    try:
        # Without a name where the system supports that (O_TMPFILE), so that a crash leaves no file.
        with tempfile.TemporaryFile(dir=file.parent, buffering=0) as trial:
            reserve_disk_space(trial.fileno(), MIN_FREE_BYTES)
    except OSError as error:
        raise unwritable_error(file, error) from error
    if file.exists() and not os.access(file, os.W_OK):
        raise unwritable_error(file, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))


def reserve_disk_space(descriptor: int, size: int) -> None:
    """Allocate `size` bytes on the disk for a file. Raises OSError if there is no space.

    Writing to a mapped file without space on the disk would kill the process (SIGBUS).
    """
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
    else:  # pragma: no cover  # macOS
        os.pwrite(descriptor, bytes(size), 0)


@contextmanager
def open_staging_folder(folder: Path) -> Iterator[Path]:
    """Create a temporary folder in `folder` for unfinished files, and remove it at the end of the block.

    Folders that killed processes have left, whose locks are free, are removed at the next call. Raises OSError.
    """
    _remove_leftovers(folder)
    staging = Path(tempfile.mkdtemp(dir=folder, prefix=STAGING_PREFIX, suffix=UNLOCKED_SUFFIX))
    lock = FileLock(staging / LOCK_FILE_NAME)
    try:
        (staging / LOCK_FILE_NAME).touch(mode=0o600)
        with suppress(OSError):
            # On a file system without locks, leftover folders cannot be recognised and stay.
            lock.acquire()
        staging = staging.rename(staging.with_suffix(LOCKED_SUFFIX))
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        lock.release()


def _remove_leftovers(folder: Path) -> None:
    """Remove the folders that killed processes have left."""
    for leftover in folder.glob(f"{STAGING_PREFIX}*{LOCKED_SUFFIX}"):
        with suppress(OSError):
            _remove_if_unlocked(leftover)
    for leftover in folder.glob(f"{STAGING_PREFIX}*{UNLOCKED_SUFFIX}"):
        with suppress(OSError):
            if time.time() - leftover.stat().st_mtime > MAX_UNLOCKED_AGE_SECONDS:
                shutil.rmtree(leftover, ignore_errors=True)


def _remove_if_unlocked(folder: Path) -> None:
    lock = FileLock(folder / LOCK_FILE_NAME, create=False)
    if lock.acquire(blocking=False):
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def create_private_file(file: Path) -> Path:
    """Create an empty file with mode 0600, unless it exists; later writers keep the mode."""
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    return file


def create_private_folder(folder: Path) -> None:
    """Create a folder with mode 0700, unless it exists. Raises UnwritableError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable_error(folder, error) from error
