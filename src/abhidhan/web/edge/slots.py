"""Slots that all workers of one machine share: how many of something each client or person holds at the moment."""

import mmap
import os
import time
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

from abhidhan.disk import reserve
from abhidhan.file_lock import FileLock


class SharedSlots:
    """Count what is held, in a file that all workers of one machine share: a row of numbers for each worker.

    A worker writes its own row alone and adds up everybody's, so nobody waits for anybody. It keeps a lock on its row
    as long as it lives, which the operating system gives back when it is killed; what it held is then not counted any
    more. A name stands for two numbers of each row, found by a hash with a secret, and the smaller sum counts: somebody
    else shares both once in 16 million.
    """

    NUMBERS: Final = 4096
    ROW: Final = 2 * NUMBERS * 2
    """Bytes of a row: two tables of numbers of two bytes."""

    SALT: Final = 16
    SPARE: Final = 6
    SECONDS_BETWEEN_CHECKS: Final = 0.25
    """Minimum interval between checks for workers that are gone: one takes 0.1 ms; refusals come by the thousand."""

    def __init__(self, folder: Path, name: str, *, workers: int = 1) -> None:
        """Take a row in the file `name`. There are more rows than workers: a new one comes before an old one goes."""
        folder.mkdir(parents=True, exist_ok=True)
        self._locks = [FileLock(folder / f"{name}-{row}.lock") for row in range(2 * workers + self.SPARE)]
        self._row = self._take_row(folder)
        self._map = self._open_map(folder / f"{name}.places")
        self._salt = self._map[: self.SALT]
        self._numbers = memoryview(self._map)[self.SALT :].cast("H")
        self._clear(self._row)
        self._looked = 0.0

    def close(self) -> None:
        """Let go of all that is held."""
        self._clear(self._row)
        self._numbers.release()
        self._map.close()
        self._locks[self._row].release()

    def take(self, name: str, limit: int) -> bool:
        """Take a place of a name, if fewer than `limit` are held over all workers."""
        places = self._find(name)
        self._add(places, 1)
        if self._held(places) <= limit or (self._forget_the_dead() and self._held(places) <= limit):
            return True
        self._add(places, -1)
        return False

    def give_back(self, name: str) -> None:
        """Release one place of a name."""
        # After the end a request may still be on its way out; there is nothing left to count then.
        with suppress(ValueError):
            self._add(self._find(name), -1)

    def held(self, name: str) -> int:
        """Return how many places of a name are held over all workers."""
        return self._held(self._find(name))

    def _take_row(self, folder: Path) -> int:
        """Lock the first row that no other worker has."""
        for row, lock in enumerate(self._locks):
            if lock.acquire(blocking=False):
                return row
        raise BlockingIOError(f"All {len(self._locks)} rows of {folder} are taken by other workers.")

    def _open_map(self, file: Path) -> mmap.mmap:
        """Map the file into memory; while it is new, one worker alone writes its size and its secret."""
        size = self.SALT + len(self._locks) * self.ROW
        with FileLock(file), file.open("r+b", buffering=0) as opened:
            if not file.stat().st_size:
                opened.write(os.urandom(self.SALT))
            if file.stat().st_size < size:
                reserve(opened.fileno(), size)
            return mmap.mmap(opened.fileno(), size)

    def _find(self, name: str) -> tuple[int, int]:
        digest = blake2b(name.encode(), digest_size=4, key=self._salt).digest()
        first, second = int.from_bytes(digest[:2], "big"), int.from_bytes(digest[2:], "big")
        return first % self.NUMBERS, self.NUMBERS + second % self.NUMBERS

    def _add(self, places: tuple[int, int], more: int) -> None:
        start = self._row * 2 * self.NUMBERS
        for place in places:
            self._numbers[start + place] += more

    def _held(self, places: tuple[int, int]) -> int:
        rows = range(0, len(self._numbers), 2 * self.NUMBERS)
        return min(sum(self._numbers[start + place] for start in rows) for place in places)

    def _forget_the_dead(self) -> bool:
        """Clear the rows whose workers are gone without having given back what they held."""
        now = time.monotonic()
        if now - self._looked < self.SECONDS_BETWEEN_CHECKS:
            return False
        self._looked = now
        return sum(self._forgotten(row) for row in range(len(self._locks)) if row != self._row) > 0

    def _forgotten(self, row: int) -> bool:
        if not self._locks[row].acquire(blocking=False):
            return False
        self._clear(row)
        self._locks[row].release()
        return True

    def _clear(self, row: int) -> None:
        start = self.SALT + row * self.ROW
        self._map[start : start + self.ROW] = bytes(self.ROW)
