"""Rate limits: how many requests of each client are answered, counted for the whole machine.

Several machines over one database tell each other what they have let through (`platform/database/shared_limits.py`).
"""

import fcntl
import math
import mmap
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from typing import Final, NamedTuple

import structlog

from abhidhan.platform.http.client_address import limited_as
from abhidhan.platform.runtime.files import reserve
from abhidhan.records.errors import SettingError, cannot_be_written, quoted

_PERIODS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE: Final = re.compile(r"([1-9][0-9]{0,8})\s*/\s*(second|minute|hour|day)")


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of requests in a number of seconds; all of them may come at once."""

    requests: int
    seconds: int

    def __str__(self) -> str:
        """Write the rate as a person says it."""
        return f"{self.requests} requests in {self.seconds} s"

    @classmethod
    def parse(cls, text: str) -> "Rate":
        """Read a rate like `60/minute` (second, minute, hour, day). Raises SettingError."""
        found = _RATE.fullmatch(text.strip().lower())
        if not found:
            raise SettingError(f"{quoted(text)} is not a rate. Write it like 60/minute (second, minute, hour or day).")
        return cls(int(found[1]), _PERIODS[found[2]])


@lru_cache(maxsize=8192)
def client_number(client: str) -> int:
    """Return the number of whoever a limit counts: a hash of 64 bits, the same on all machines."""
    digest = blake2b(limited_as(client).encode(), digest_size=8, person=b"abhidhan limits").digest()
    return int.from_bytes(digest, signed=True)


class Buckets:
    """What the bucket of each client lacks, in a file that all workers of one machine share.

    The file has a fixed size: in a full row the client whose bucket is nearest to full is forgotten. A lock of the
    operating system guards it, which a killed worker gives back.
    """

    ROWS: Final = 4096
    PLACES: Final = 8
    PLACE: Final = Struct("=qd")
    """The number of a client, and when its bucket is full again."""

    def __init__(self, path: Path) -> None:
        """Open the file. Where the disk has no room for it, this worker counts for itself alone.

        Raises UnwritableError.
        """
        size = self.ROWS * self.PLACES * self.PLACE.size
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise cannot_be_written(path, error) from error
        try:
            reserve(self._file, size)
            self._map = mmap.mmap(self._file, size)
        except OSError as error:
            structlog.get_logger("abhidhan.web").warning(
                "a worker limits for itself alone", reason=str(cannot_be_written(path, error))
            )
            self._map = mmap.mmap(-1, size)

    def change(self, client: int, now: float, most: float, change: Callable[[float], float]) -> tuple[float, float]:
        """Change how many seconds a bucket lacks; return what it lacked before and lacks now.

        More than `most` was left by an earlier start of the machine, whose clock stood elsewhere.
        """
        start = client % self.ROWS * self.PLACES * self.PLACE.size
        fcntl.lockf(self._file, fcntl.LOCK_EX)
        try:
            row = list(self.PLACE.iter_unpack(self._map[start : start + self.PLACES * self.PLACE.size]))
            lacking = [full_at - now if now < full_at <= now + most else 0.0 for _, full_at in row]
            at = min(range(self.PLACES), key=lambda place: (row[place][0] != client, lacking[place]))
            before = lacking[at] if row[at][0] == client else 0.0
            after = change(before)
            self.PLACE.pack_into(self._map, start + at * self.PLACE.size, client, now + after)
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)
        return before, after


class Verdict(NamedTuple):
    """Whether a request may pass, and the headers that tell the client where it stands."""

    allowed: bool
    remaining: int
    retry_after: int
    headers: list[tuple[bytes, bytes]]


class Limiter:
    """A token bucket for each client: full it holds `rate.requests`, and it fills again in `rate.seconds`."""

    def __init__(self, rate: Rate, file: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Limit to `rate`, counted in a file of all workers. `clock` must be the same for all of them, in seconds."""
        self.rate = rate
        self.most = 2.0 * rate.seconds
        """Seconds that a bucket lacks at most by what other machines tell, which may have let too much through."""
        self.on_taken: Callable[[int, float], object] = lambda _client, _seconds: None
        """Hears how many seconds a client has taken of its bucket."""
        self._buckets = Buckets(file)
        self._clock = clock
        self._token = rate.seconds / rate.requests
        self._policy = f'"default";q={rate.requests};w={rate.seconds}'.encode()

    def ask(self, client: str, requests: int = 1) -> Verdict:
        """Take a token of this client for each request, if there are so many; else none."""
        number, price = client_number(client), self._token * requests
        room = self.rate.seconds - price + self._token / 1000

        def take(lacking: float) -> float:
            return lacking + price if lacking <= room else lacking

        before, lacking = self._buckets.change(number, self._clock(), self.most + self._token, take)
        if allowed := before <= room:
            self.on_taken(number, price)
        remaining = max(0, math.floor((self.rate.seconds - lacking) / self._token + 0.001))
        # The RateLimit header fields of HTTP, as of draft 10 of the IETF.
        standing = b'"default";r=%d;t=%d' % (remaining, math.ceil(lacking))
        headers = [(b"ratelimit-policy", self._policy), (b"ratelimit", standing)]
        return Verdict(allowed, remaining, max(1, math.ceil(lacking + price - self.rate.seconds)), headers)

    def learn(self, client: int, lacking: float) -> None:
        """Learn from other machines how many seconds the bucket of a client lacks: it lacks no less by that."""
        at_least = min(lacking, self.most)
        self._buckets.change(client, self._clock(), self.most + self._token, lambda before: max(before, at_least))


ALLOWANCE: Final = "abhidhan.allowance"
"""The key of the Allowance in the scope of a request that is counted."""


class Allowance(NamedTuple):
    """How a request that does the work of several has the others counted too.

    `take` raises TooManyRequestsError where there are not so many left.
    """

    rate: Rate
    take: Callable[[int], None]
