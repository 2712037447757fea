"""Determines the address of a request's client, also behind trusted proxies."""

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple

from litestar.types import HTTPScope

UNIX_SOCKET_ADDRESS: Final = "unix"
"""The client address of a peer on a UNIX socket."""

_ADDRESS_WITH_PORT: Final = re.compile(r"\[(.+)\](?::[0-9]+)?|([0-9.]+):[0-9]+")


class Client(NamedTuple):
    """A client's address, whether a trusted proxy forwarded the request, and the scheme of the client's connection."""

    address: str
    is_proxied: bool
    scheme: str


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The networks of the proxies whose forwarding headers are trusted."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    def find_client(self, scope: HTTPScope) -> Client:
        """Find the client: the peer, or the address that a trusted peer reports in `X-Forwarded-For`.

        That header is read from its end, hop by hop, as long as the hop that added the value is trusted, so values
        forged by a client are never reached.
        """
        connected = scope.get("client")
        peer = (connected[0] or UNIX_SOCKET_ADDRESS) if connected else UNIX_SOCKET_ADDRESS
        if not self.networks or not self.trusts(peer):
            return Client(peer, is_proxied=False, scheme=scope["scheme"])
        client = peer
        for hop in reversed(_split_header_values(scope, b"x-forwarded-for")):
            address = _parse_address(hop)
            if address is None:
                break
            client = str(address)
            if not self.trusts(client):
                break
        schemes = (value.lower() for value in reversed(_split_header_values(scope, b"x-forwarded-proto")))
        scheme = next((each for each in schemes if each in {"http", "https"}), scope["scheme"])
        return Client(client, is_proxied=True, scheme=scheme)

    def trusts(self, peer: str) -> bool:
        """Return whether a peer's forwarding headers are trusted."""
        address = _parse_address(peer)
        return address is not None and any(address in network for network in self.networks)


NO_TRUSTED_PROXIES: Final = TrustedProxies()


@lru_cache(maxsize=1024)
def rate_limit_key(client: str) -> str:
    """Return the key under which a client is rate-limited: its IPv4 address, or the /64 network of its IPv6 address."""
    address = _parse_address(client)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address) >> 64 << 64, 64)))
    return client if address is None else str(address)


def _split_header_values(scope: HTTPScope, name: bytes) -> list[str]:
    """Return the values of a header that may occur several times, in order."""
    lines = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return [value.strip() for line in lines for value in line.split(",") if value.strip()]


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an address, with or without a port; map an IPv4-mapped IPv6 address to IPv4."""
    match = _ADDRESS_WITH_PORT.fullmatch(text)
    try:
        address = ip_address((match[1] or match[2]) if match else text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or address
    return address
