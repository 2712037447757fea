"""A lock that processes of one machine share; the operating system releases it when its process dies."""

import fcntl
import os
from pathlib import Path


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
