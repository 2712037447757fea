"""A number for each client, kept in a file that all workers of one machine share."""

import fcntl
import mmap
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

import structlog

from abhidhan.disk import reserve
from abhidhan.errors import cannot_be_written


class CounterFile:
    """A small table in a file that all workers of one machine share: client → when its bucket is full again.

    A database write a request would be too dear, and counters of one worker alone would let a client ask as often as
    there are workers. The table never grows: it has a fixed number of places, and in a full row the client whose
    bucket is nearest to full is forgotten. A lock of the operating system guards it, which a killed worker gives back.
    """

    ROWS: Final = 4096
    PLACES: Final = 8
    SALT: Final = 16
    PLACE: Final = struct.Struct("=Qd")

    def __init__(self, path: Path) -> None:
        """Open the table, making it if there is none.

        Where the disk has no room for it, this worker counts for itself alone. Raises UnwritableError.
        """
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise cannot_be_written(path, error) from error
        self._map = self._memory(path, self.SALT + self.ROWS * self.PLACES * self.PLACE.size)
        self._salt = self._map[: self.SALT]

    def _memory(self, path: Path, size: int) -> mmap.mmap:
        try:
            with self._locked():
                if os.fstat(self._file).st_size != size:
                    os.ftruncate(self._file, 0)
                    reserve(self._file, size)
                    os.pwrite(self._file, os.urandom(self.SALT), 0)
            return mmap.mmap(self._file, size)
        except OSError as error:
            structlog.get_logger("abhidhan.web").warning(
                "a worker limits for itself alone", reason=str(cannot_be_written(path, error))
            )
            with suppress(OSError):
                os.ftruncate(self._file, 0)
            alone = mmap.mmap(-1, size)
            alone[: self.SALT] = os.urandom(self.SALT)
            return alone

    def close(self) -> None:
        """Let go of the file."""
        self._map.close()
        with suppress(OSError):
            os.close(self._file)

    def change(self, client: str, change: Callable[[float], float]) -> None:
        """Replace the number kept for a client (0.0 if none) by what `change` makes of it; nobody comes between."""
        digest = blake2b(client.encode(), digest_size=12, key=self._salt).digest()
        name, row = struct.unpack("=QL", digest)
        start = self.SALT + (row % self.ROWS) * self.PLACES * self.PLACE.size
        end = start + self.PLACES * self.PLACE.size
        with self._locked():
            places = list(self.PLACE.iter_unpack(self._map[start:end]))
            known = next((at for at, (other, _) in enumerate(places) if other == name), None)
            at = min(range(self.PLACES), key=lambda place: places[place][1]) if known is None else known
            number = 0.0 if known is None else places[known][1]
            self.PLACE.pack_into(self._map, start + at * self.PLACE.size, name, change(number))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        fcntl.lockf(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)
