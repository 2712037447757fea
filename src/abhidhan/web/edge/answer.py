"""An answer in one piece, as the layers of the edge hand it on."""

from typing import Final

import msgspec

Headers = list[tuple[bytes, bytes]]

UNMATCHED: Final = "unmatched"
"""The route of a request that no handler saw."""


class Answer(msgspec.Struct):
    """A finished answer, before what belongs to one request (its id, its limits) is added."""

    status: int
    headers: Headers
    body: bytes
    template: str = UNMATCHED
    tag: bytes = b""
    unchanged: Headers = []
    size: int = 0
