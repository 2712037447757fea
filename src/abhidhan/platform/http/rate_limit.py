"""Rate limits for each client, shared by all workers of a machine.

Several machines with one database share them through the database (`platform/database/shared_limits.py`).
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

from abhidhan.platform.http.client_address import rate_limit_key
from abhidhan.platform.runtime.files import reserve_disk_space
from abhidhan.records.errors import SettingError, quoted, unwritable_error

_PERIOD_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE_PATTERN: Final = re.compile(r"([1-9][0-9]{0,8})\s*/\s*(second|minute|hour|day)")


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: `requests` per `seconds`; all of them may come in one burst."""

    requests: int
    seconds: int

    def __str__(self) -> str:
        """Format the rate for messages."""
        return f"{self.requests} requests in {self.seconds} s"

    @classmethod
    def parse(cls, text: str) -> "Rate":
        """Parse a rate like `60/minute` (second, minute, hour, day). Raises SettingError."""
        match = _RATE_PATTERN.fullmatch(text.strip().lower())
        if not match:
            raise SettingError(f"{quoted(text)} is not a rate. Write it as in 60/minute (second, minute, hour or day).")
        return cls(int(match[1]), _PERIOD_SECONDS[match[2]])


@lru_cache(maxsize=8192)
def hash_client(client: str) -> int:
    """Return the number that identifies a client in rate limits: a 64-bit hash, the same on all machines."""
    digest = blake2b(rate_limit_key(client).encode(), digest_size=8, person=b"abhidhan limits").digest()
    return int.from_bytes(digest, signed=True)


class BucketFile:
    """File with the deficit of each client's bucket, shared by all workers of a machine.

    The file is a hash table of fixed size: in a full row the client with the smallest deficit is evicted. It is
    guarded by a lock of the operating system, which is released if a worker is killed.
    """

    ROWS: Final = 4096
    SLOTS_PER_ROW: Final = 8
    SLOT_FORMAT: Final = Struct("=qd")
    """Format of a slot: the number of a client, and the time when its bucket is full again."""

    def __init__(self, path: Path) -> None:
        """Open or create the file; if the disk is full, this worker counts alone.

        Raises UnwritableError.
        """
        size = self.ROWS * self.SLOTS_PER_ROW * self.SLOT_FORMAT.size
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise unwritable_error(path, error) from error
        try:
            reserve_disk_space(self._file, size)
            self._map = mmap.mmap(self._file, size)
        except OSError as error:
            structlog.get_logger("abhidhan.web").warning(
                "a worker limits requests on its own", reason=str(unwritable_error(path, error))
            )
            self._map = mmap.mmap(-1, size)

    def update_deficit(
        self, client: int, now: float, max_deficit: float, update: Callable[[float], float]
    ) -> tuple[float, float]:
        """Update the deficit of a client's bucket, in seconds; return the deficits before and after.

        Deficits over `max_deficit` are ignored: they date from before a reboot, when the clock started elsewhere.
        """
        start = client % self.ROWS * self.SLOTS_PER_ROW * self.SLOT_FORMAT.size
        fcntl.lockf(self._file, fcntl.LOCK_EX)
        try:
            row = list(
                self.SLOT_FORMAT.iter_unpack(self._map[start : start + self.SLOTS_PER_ROW * self.SLOT_FORMAT.size])
            )
            deficits = [full_at - now if now < full_at <= now + max_deficit else 0.0 for _, full_at in row]
            slot_index = min(range(self.SLOTS_PER_ROW), key=lambda slot: (row[slot][0] != client, deficits[slot]))
            before = deficits[slot_index] if row[slot_index][0] == client else 0.0
            after = update(before)
            self.SLOT_FORMAT.pack_into(self._map, start + slot_index * self.SLOT_FORMAT.size, client, now + after)
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)
        return before, after


class RateLimitResult(NamedTuple):
    """The decision on a request, and the rate limit headers of its response."""

    is_allowed: bool
    remaining: int
    retry_after: int
    headers: list[tuple[bytes, bytes]]


class RateLimiter:
    """A token bucket for each client with a capacity of `rate.requests`, refilled within `rate.seconds`."""

    def __init__(self, rate: Rate, file: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Limit to `rate`, counted in a shared file. `clock` returns seconds and must be common to all workers."""
        self.rate = rate
        self.max_deficit = 2.0 * rate.seconds
        """Maximum deficit in seconds; above the capacity, since several machines may have allowed too many requests."""
        self.on_consumption: Callable[[int, float], object] = lambda _client, _seconds: None
        """Callback that receives a client and the seconds taken from its bucket."""
        self._buckets = BucketFile(file)
        self._clock = clock
        self._token_seconds = rate.seconds / rate.requests
        self._policy = f'"default";q={rate.requests};w={rate.seconds}'.encode()

    def acquire(self, client: str, requests: int = 1) -> RateLimitResult:
        """Remove a token from the client's bucket for each request, or none if there are too few."""
        number, price = hash_client(client), self._token_seconds * requests
        threshold = self.rate.seconds - price + self._token_seconds / 1000

        def add_price(deficit: float) -> float:
            return deficit + price if deficit <= threshold else deficit

        before, deficit = self._buckets.update_deficit(
            number, self._clock(), self.max_deficit + self._token_seconds, add_price
        )
        if is_allowed := before <= threshold:
            self.on_consumption(number, price)
        remaining = max(0, math.floor((self.rate.seconds - deficit) / self._token_seconds + 0.001))
        # RateLimit header fields for HTTP, IETF draft 10.
        status = b'"default";r=%d;t=%d' % (remaining, math.ceil(deficit))
        headers = [(b"ratelimit-policy", self._policy), (b"ratelimit", status)]
        return RateLimitResult(is_allowed, remaining, max(1, math.ceil(deficit + price - self.rate.seconds)), headers)

    def raise_deficit(self, client: int, deficit: float) -> None:
        """Raise the deficit of a client's bucket to the total of all machines; never lower it."""
        at_least = min(deficit, self.max_deficit)
        self._buckets.update_deficit(
            client, self._clock(), self.max_deficit + self._token_seconds, lambda before: max(before, at_least)
        )


ALLOWANCE_KEY: Final = "abhidhan.allowance"
"""Key of the `Allowance` in the scope of a rate-limited request."""


class Allowance(NamedTuple):
    """The rate limit for a request that counts as several requests because it does their work.

    `consume` raises TooManyRequestsError if too few requests are left.
    """

    rate: Rate
    consume: Callable[[int], None]
