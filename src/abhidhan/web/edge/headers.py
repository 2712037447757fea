"""Heads of requests: repeated lines joined, and `Host` checked before anything relies on it."""

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Final

Lines = list[tuple[bytes, bytes]]

_HOST: Final = re.compile(r"(?:([A-Za-z0-9._~-]+)|\[([0-9A-Fa-f:.]+)\])(?::([0-9]{0,5}))?")
"""A name or an IPv4 address, or an IPv6 address in brackets, and a port (RFC 9112, section 3.2; RFC 3986, 3.2.2)."""

LAST_PORT: Final = 65_535

CLOSING: Final = (b"connection", b"close")
"""The header of an answer after which its connection cannot be used again."""


BEARER: Final = b"bearer"

SESSION_COOKIE: Final = "abhidhan"
SECURE_SESSION_COOKIE: Final = "__Host-abhidhan"
"""The name over https: browsers take a cookie of this name only from the very host it is for."""


def bearer_of(authorization: bytes) -> str | None:
    """Return the token of an `Authorization` header; None where it holds none, as there is none or another scheme."""
    scheme, _, token = authorization.strip().partition(b" ")
    return token.strip().decode("latin-1") if scheme.lower() == BEARER else None


def joined(lines: Iterable[tuple[bytes, bytes]]) -> Lines:
    """Make one line of those with the same name: with commas between (RFC 9110, 5.3), of cookies with semicolons."""
    values: dict[bytes, list[bytes]] = {}
    for name, value in lines:
        values.setdefault(name, []).append(value)
    return [(name, (b"; " if name == b"cookie" else b", ").join(each)) for name, each in values.items()]


def qualities(accepted: bytes) -> dict[str, float]:
    """Read a header that says what is accepted, and how gladly: each name with its q-value; one that is none is 0."""
    found: dict[str, float] = {}
    for part in accepted.decode("latin-1").lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        if name:
            found[name] = min((_quality(parameter) for parameter in parameters), default=1.0)
    return found


def _quality(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if name.strip() != "q":
        return 1.0
    return float(value) if re.fullmatch(r"[01](?:\.[0-9]{0,3})?", value.strip()) else 0.0


@lru_cache(maxsize=256)
def is_host(value: bytes) -> bool:
    """Return whether a `Host` header names a host, and a port that exists."""
    found = _HOST.fullmatch(value.decode("latin-1").strip())
    if found is None or int(found[3] or 0) > LAST_PORT:
        return False
    if found[2] is None:
        return True
    try:
        IPv6Address(found[2])
    except ValueError:
        return False
    return True
