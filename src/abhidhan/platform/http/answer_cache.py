"""In-memory cache of public responses for each worker, bounded in size and emptied when the data change."""

import sys
from collections import OrderedDict
from operator import itemgetter
from typing import Final, NamedTuple

from abhidhan.platform.http.policies import ResponsePolicy
from abhidhan.platform.http.query import QUERY_CACHE_BYTES
from abhidhan.platform.http.response import EdgeResponse

MAX_CACHE_BYTES: Final = 16 * 1024 * 1024
"""Memory limit of a worker's cached responses in bytes, including keys and overhead."""

MAX_BODY_BYTES: Final = 1024 * 1024
"""Largest body that is cached, in bytes."""

ENTRY_OVERHEAD_BYTES: Final = 2200
"""Memory overhead of a cached response in bytes, without its body, path and query; measured, rounded up."""

DOORKEEPER_BITS: Final = 2**17
MAX_DOORKEEPER_KEYS: Final = DOORKEEPER_BITS // 8
"""Number of bits of the doorkeeper, and the number of keys after which it is reset.

By then one in eight bits is set; on average, one new key in sixteen is mistaken for a known one.
"""


class CacheKey(NamedTuple):
    """The cache key of a response; `variant` is that of a page (`page_variant.py`), and empty for others."""

    path: str
    query: bytes
    gzip: bool = False
    linked_data: bool = False
    variant: str = ""


_GET_HEADER_VALUE: Final = itemgetter(1)


class ResponseCache:
    """An LRU cache of responses to public GETs, all of one data version, bounded in bytes."""

    def __init__(self, max_bytes: int = MAX_CACHE_BYTES - QUERY_CACHE_BYTES) -> None:
        """Create an empty cache of at most `max_bytes`; bodies larger than MAX_BODY_BYTES are not cached."""
        self._max_bytes = max_bytes
        self._responses: OrderedDict[CacheKey, EdgeResponse] = OrderedDict()
        self._version: int | None = None
        self._doorkeeper = Doorkeeper()
        self._is_full = False
        self.size_bytes = 0

    def __len__(self) -> int:
        """Return the number of cached responses."""
        return len(self._responses)

    def get(self, key: CacheKey, version: int) -> EdgeResponse | None:
        """Return a key's cached response, marking it as the most recently used. A new version empties the cache."""
        if version != self._version:
            self._responses.clear()
            self._version = version
            self._is_full = False
            self.size_bytes = 0
        response = self._responses.get(key)
        if response is not None:
            self._responses.move_to_end(key)
        return response

    def put(self, key: CacheKey, response: EdgeResponse, version: int) -> None:
        """Cache a response for a data version; evict the least recently used ones if the cache is full.

        Once the cache is full, a response is stored only on its second request: most requests are never repeated, and
        would evict others (the doorkeeper of G. Einziger, R. Friedman and B. Manes, TinyLFU, 2017).
        """
        if self._is_full and not self._doorkeeper.admits(key):
            return
        headers = sum(map(len, map(_GET_HEADER_VALUE, response.headers)))
        texts = sys.getsizeof(key.path) + len(key.query) + sys.getsizeof(key.variant)
        size = texts + headers + len(response.body) + ENTRY_OVERHEAD_BYTES
        if version != self._version or len(response.body) > MAX_BODY_BYTES or size > self._max_bytes:
            return
        if (old := self._responses.pop(key, None)) is not None:
            self.size_bytes -= old.cached_bytes
        response.cached_bytes = size
        self._responses[key] = response
        self.size_bytes += size
        while self.size_bytes > self._max_bytes:
            _, evicted = self._responses.popitem(last=False)
            self.size_bytes -= evicted.cached_bytes
            self._is_full = True


class Doorkeeper:
    """Filter that remembers recently requested keys, with one bit per hash."""

    __slots__ = ("_bits", "_remaining")

    def __init__(self) -> None:
        """Start with an empty filter."""
        self._clear()

    def admits(self, key: CacheKey) -> bool:
        """Return whether a key was requested recently (with false positives), and record it."""
        position = hash(key) % DOORKEEPER_BITS
        byte, bit = position >> 3, 1 << (position & 7)
        if self._bits[byte] & bit:
            return True
        if not self._remaining:
            self._clear()
        self._bits[byte] |= bit
        self._remaining -= 1
        return False

    def _clear(self) -> None:
        self._bits = bytearray(DOORKEEPER_BITS // 8)
        self._remaining = MAX_DOORKEEPER_KEYS


def is_response_cacheable(response: EdgeResponse, policy: ResponsePolicy) -> bool:
    """Return whether a response may be cached: a 200 without cookies and with the policy's own Cache-Control."""
    headers = dict(response.headers)
    return response.status == 200 and b"set-cookie" not in headers and headers[b"cache-control"] == policy.cache_control  # noqa: PLR2004
