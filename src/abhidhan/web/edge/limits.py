"""Who asks, and how often they may: client addresses behind proxies, and rate limits for the whole machine.

Several machines over one database tell each other what they have let through (`services/shared_limits.py`).
"""

import math
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final, NamedTuple

from litestar.types import HTTPScope

from abhidhan.errors import SettingError, quoted
from abhidhan.web.edge.counter_file import CounterFile

UNIX: Final = "unix"
"""The client address of a peer on a UNIX socket."""

UNKNOWN: Final = "unknown"
_PERIODS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE: Final = re.compile(r"([1-9][0-9]{0,8})\s*/\s*(second|minute|hour|day)")
_WITH_PORT: Final = re.compile(r"\[(.+)\](?::[0-9]+)?|([0-9.]+):[0-9]+")


MOST_LACKING: Final = 2
"""So many times over a bucket may be empty: machines that knew nothing of each other may have let too much through."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of requests in a number of seconds; all of them may come at once."""

    requests: int
    seconds: int

    @property
    def most_lacking(self) -> float:
        """Return how many seconds a bucket may lack at most."""
        return MOST_LACKING * float(self.seconds)

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


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The proxies whose word about a client counts: networks, and whoever is on our UNIX socket."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    unix: bool = False

    def client(self, scope: HTTPScope) -> tuple[str, bool]:
        """Return the address of the client, and whether the peer is a proxy we trust.

        `X-Forwarded-For` is read from its end, hop by hop, as long as the hop that added it is trusted: what a client
        wrote there itself is never reached.
        """
        peer = _peer(scope)
        if not (self.networks or self.unix) or not self.trusts(peer):
            return peer, False
        client = peer
        for hop in reversed(_values(scope, b"x-forwarded-for")):
            address = _address(hop)
            if address is None:
                break
            client = str(address)
            if not self.trusts(client):
                break
        return client, True

    def scheme(self, scope: HTTPScope) -> str:
        """Return the scheme of the client's own connection: `X-Forwarded-Proto`, if a trusted proxy says so."""
        if self.trusts(_peer(scope)):
            for value in reversed(_values(scope, b"x-forwarded-proto")):
                if value.lower() in {"http", "https"}:
                    return value.lower()
        return scope["scheme"]

    def trusts(self, peer: str) -> bool:
        """Return whether a peer's word about others counts."""
        if peer == UNIX:
            return self.unix
        if not self.networks:
            return False
        address = _address(peer)
        return address is not None and any(address in network for network in self.networks)


TRUST_NOBODY: Final = TrustedProxies()


def _peer(scope: HTTPScope) -> str:
    client = scope.get("client")
    return client[0] or UNIX if client else UNIX


def _values(scope: HTTPScope, name: bytes) -> list[str]:
    """List the values of a header that may stand several times, in order."""
    lines = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return [value.strip() for line in lines for value in line.split(",") if value.strip()]


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Read an address, with or without a port; an IPv4 address within IPv6 is the IPv4 address."""
    found = _WITH_PORT.fullmatch(text)
    try:
        address = ip_address((found[1] or found[2]) if found else text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or address
    return address


@lru_cache(maxsize=1024)
def limited_as(client: str) -> str:
    """Return whom a limit counts: the IPv4 address, or the /64 network that one IPv6 customer has whole."""
    address = _address(client)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address) >> 64 << 64, 64)))
    return client if address is None else str(address)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request may pass, and the headers that tell the client where it stands."""

    allowed: bool
    remaining: int
    reset: int
    retry_after: int
    headers: list[tuple[bytes, bytes]]


class Limiter:
    """A token bucket for each client: full it holds `rate.requests`, and it fills again in `rate.seconds`."""

    def __init__(
        self,
        rate: Rate,
        counters: CounterFile,
        *,
        clock: Callable[[], float] = time.monotonic,
        on_taken: Callable[[str, float], object] | None = None,
    ) -> None:
        """Limit to `rate`. `clock` gives seconds and must be the same for all processes of the machine.

        `on_taken` hears how many seconds a client has taken of its bucket.
        """
        self.rate = rate
        self._counters = counters
        self._clock = clock
        self._on_taken = on_taken
        self._furthest = rate.most_lacking + rate.seconds / rate.requests
        self._policy = f'"default";q={rate.requests};w={rate.seconds}'.encode()

    def ask(self, client: str, requests: int = 1) -> Verdict:
        """Take a token of this client for each request, if there are so many; else none."""
        now, seconds = self._clock(), float(self.rate.seconds)
        token = seconds / self.rate.requests
        price = token * requests
        taken: list[tuple[bool, float]] = []

        def take(full_at: float) -> float:
            due = self._due(full_at, now)
            allowed = due + price <= now + seconds + token / 1000
            taken.append((allowed, due + price if allowed else due))
            return taken[0][1]

        name = limited_as(client)
        self._counters.change(name, take)
        allowed, due = taken[0]
        if allowed and self._on_taken is not None:
            self._on_taken(name, price)
        return self._verdict(due - now, token, price, allowed=allowed)

    def learn(self, name: str, lacking: float) -> None:
        """Learn how many seconds the bucket of a client lacks, as `limited_as` names it: it lacks no less by that."""
        now = self._clock()
        at_least = now + min(lacking, self.rate.most_lacking)
        self._counters.change(name, lambda full_at: max(at_least, self._due(full_at, now)))

    def _due(self, full_at: float, now: float) -> float:
        """Return when a bucket is full. What an earlier start of the machine has left lies too far ahead to be true."""
        return now if full_at > now + self._furthest else max(now, full_at)

    def _verdict(self, wait: float, token: float, price: float, *, allowed: bool) -> Verdict:
        """Write what the client may know (RateLimit header fields for HTTP, IETF draft 10)."""
        remaining = max(0, math.floor((self.rate.seconds - wait) / token + 0.001))
        reset = max(0, math.ceil(wait))
        retry = max(1, math.ceil(wait + price - self.rate.seconds))
        headers = [
            (b"ratelimit-policy", self._policy),
            (b"ratelimit", b'"default";r=%d;t=%d' % (remaining, reset)),
        ]
        return Verdict(allowed, remaining, reset, retry, headers)


ALLOWANCE: Final = "abhidhan.allowance"
"""The key of the Allowance in the scope of a request that is counted."""


class Allowance(NamedTuple):
    """How a request that does the work of several has the others counted too.

    `take` raises TooManyRequestsError where there are not so many left.
    """

    rate: Rate
    take: Callable[[int], None]


def allowance_of(scope: Mapping[str, Any]) -> Allowance | None:
    """Return how more is counted for a request; None where nothing is limited."""
    allowance: Allowance | None = scope.get(ALLOWANCE)
    return allowance
