"""Visits: where somebody comes from, and under which name their tries are counted."""

import hashlib

import msgspec


class Visit(msgspec.Struct, frozen=True):
    """Where somebody comes from: the address that limits count, the program, and the token it brought, if any."""

    address: str
    agent: str | None = None
    token: str | None = None


def try_key(kind: str, *parts: str) -> str:
    """Name what tries are counted under, without names and addresses in clear."""
    return f"{kind}:{hashlib.sha256(chr(0).join(parts).encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
