"""Parsing of request headers: repeated lines, `Host`, bearer tokens, and content negotiation."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Any, Final

Headers = list[tuple[bytes, bytes]]

_HOST: Final = re.compile(r"(?:([A-Za-z0-9._~-]+)|\[([0-9A-Fa-f:.]+)\])(?::([0-9]{0,5}))?")
"""A name or an IPv4 address, or an IPv6 address in brackets, and a port (RFC 9112, section 3.2; RFC 3986, 3.2.2)."""

MAX_PORT: Final = 65_535

CONNECTION_CLOSE: Final = (b"connection", b"close")
"""The header of a response after which the connection is closed."""

BEARER_SCHEME: Final = b"bearer"

SESSION_COOKIE: Final = "abhidhan"
SECURE_SESSION_COOKIE: Final = "__Host-abhidhan"
"""The cookie's name over HTTPS: browsers accept the prefix `__Host-` only from the host itself."""

LINKED_DATA_KEY: Final = "abhidhan.linked_data"
"""Key in a request's scope that is true if the client prefers linked data."""

LINKED_DATA_TYPE: Final = "application/ld+json"

_LINKED_DATA_TYPE_BYTES: Final = LINKED_DATA_TYPE.encode()


def join_header_lines(lines: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Join header lines of the same name with commas (RFC 9110, section 5.3), and cookies with semicolons."""
    values: dict[bytes, list[bytes]] = {}
    for name, value in lines:
        values.setdefault(name, []).append(value)
    return [(name, (b"; " if name == b"cookie" else b", ").join(parts)) for name, parts in values.items()]


@lru_cache(maxsize=256)
def is_valid_host(value: bytes) -> bool:
    """Return whether a `Host` header is valid, including its port."""
    match = _HOST.fullmatch(value.decode("latin-1").strip())
    if match is None or int(match[3] or 0) > MAX_PORT:
        return False
    if match[2] is None:
        return True
    try:
        IPv6Address(match[2])
    except ValueError:
        return False
    return True


def parse_bearer_token(authorization: bytes) -> str | None:
    """Return the bearer token of an `Authorization` header; None for an empty header or another scheme."""
    scheme, _, token = authorization.strip().partition(b" ")
    return token.strip().decode("latin-1") if scheme.lower() == BEARER_SCHEME else None


@lru_cache(maxsize=256)
def accepts_gzip(header: bytes) -> bool:
    """Return whether an `Accept-Encoding` header prefers gzip, considering q-values, `*` and `identity`."""
    q_values = parse_q_values(header)
    gzip = q_values.get("gzip", q_values.get("x-gzip", q_values.get("*", 0.0)))
    return gzip > 0 and gzip >= q_values.get("identity", 0.0)


def prefers_linked_data(header: bytes, default_media_type: str) -> bool:
    """Return whether an `Accept` header prefers linked data over the default type.

    Linked data must be named explicitly, not by a wildcard; it wins if both types have the same q-value.
    """
    if _LINKED_DATA_TYPE_BYTES not in header.lower():
        return False
    q_values = parse_q_values(header)
    linked = q_values.get(LINKED_DATA_TYPE, 0.0)
    # The most specific range that matches the default type counts.
    ranges = (default_media_type, f"{default_media_type.partition('/')[0]}/*", "*/*")
    return linked > 0 and linked >= next(
        (q_values[media_range] for media_range in ranges if media_range in q_values), 0.0
    )


def wants_linked_data(scope: Mapping[str, Any]) -> bool:
    """Return whether the client of a request wants linked data."""
    return bool(scope.get(LINKED_DATA_KEY))


def parse_q_values(header: bytes) -> dict[str, float]:
    """Parse an `Accept` or `Accept-Encoding` header into q-values by name; an invalid q-value counts as 0."""
    q_values: dict[str, float] = {}
    for part in header.decode("latin-1").lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        if name:
            q_values[name] = min((_parse_q_value(parameter) for parameter in parameters), default=1.0)
    return q_values


def _parse_q_value(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if name.strip() != "q":
        return 1.0
    return float(value) if re.fullmatch(r"[01](?:\.[0-9]{0,3})?", value.strip()) else 0.0
