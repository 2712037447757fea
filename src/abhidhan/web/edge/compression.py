"""Compression of answers with gzip: which bodies are worth it, and whether the client accepts it."""

import asyncio
import re
import zlib
from functools import lru_cache
from typing import Final

from abhidhan.web.edge.headers import qualities

WORTH_COMPRESSING: Final = 1024
"""Smallest body that is compressed, in bytes."""

COMPRESSED_IN_THREAD: Final = 100 * 1024
"""Bytes above which a body is compressed in a thread, so that no other request waits for it."""

COMPRESSIBLE: Final = re.compile(rb"text/|application/(?:[a-z.+-]*(?:json|xml)|javascript)|image/svg")


@lru_cache(maxsize=256)
def accepts_gzip(accepted: bytes) -> bool:
    """Return whether an `Accept-Encoding` header prefers gzip: q-values, `*` and identity are honoured."""
    named = qualities(accepted)
    gzip = named.get("gzip", named.get("x-gzip", named.get("*", 0.0)))
    return gzip > 0 and gzip >= named.get("identity", 0.0)


def is_worth_compressing(body: bytes, media_type: bytes) -> bool:
    """Return whether a body of this type gets smaller by enough."""
    return len(body) > WORTH_COMPRESSING and COMPRESSIBLE.match(media_type) is not None


async def compress(body: bytes) -> bytes:
    """Compress with gzip, a large body in a thread; the same body always becomes the same bytes."""
    return await asyncio.to_thread(_gzip, body) if len(body) > COMPRESSED_IN_THREAD else _gzip(body)


def _gzip(body: bytes) -> bytes:
    return zlib.compress(body, 5, 31)
