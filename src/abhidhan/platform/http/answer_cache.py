"""The cache of public answers that each worker keeps in memory: bounded, and emptied when the data change."""

import sys
from collections import OrderedDict
from operator import itemgetter
from typing import Final

from abhidhan.platform.http.policies import PUBLIC_FOR_A_WHILE
from abhidhan.platform.http.query import SPELLINGS_BYTES
from abhidhan.platform.http.response import Response

CACHE_LIMIT: Final = 16 * 1024 * 1024
"""Memory limit of one worker's cached answers in bytes, keys and bookkeeping included."""

MAX_BODY_BYTES: Final = 1024 * 1024
"""Largest body that is cached, in bytes."""

ENTRY_OVERHEAD: Final = 2200
"""Memory in bytes that Python spends on one cached answer beside its body, path and query; measured, rounded up."""

DOORKEEPER_BITS: Final = 2**17
MAX_NOTED: Final = DOORKEEPER_BITS // 8
"""In how many bits questions are noted, and how many until all are forgotten: of others, one of sixteen seems noted."""

Key = tuple[str, bytes, bool, bool]
"""Of an answer: its path, its query, whether it is compressed, and whether it is linked data."""

_VALUE: Final = itemgetter(1)


class AnswerCache:
    """An LRU cache of answers to public GETs, all of one data version, bounded by bytes."""

    def __init__(self, limit: int = CACHE_LIMIT - SPELLINGS_BYTES, largest: int = MAX_BODY_BYTES) -> None:
        """Make an empty cache of at most `limit` bytes; answers of more than `largest` bytes are not cached."""
        self._limit = limit
        self._largest = largest
        self._answers: OrderedDict[Key, Response] = OrderedDict()
        self._version: int | None = None
        self._doorkeeper = Doorkeeper()
        self._is_full = False
        self.size = 0

    def __len__(self) -> int:
        """Return the number of cached answers."""
        return len(self._answers)

    def get(self, key: Key, version: int) -> Response | None:
        """Return the response cached under a key, and count it as used; another data version empties the cache."""
        if version != self._version:
            self._answers.clear()
            self._version = version
            self._is_full = False
            self.size = 0
        response = self._answers.get(key)
        if response is not None:
            self._answers.move_to_end(key)
        return response

    def put(self, key: Key, response: Response, version: int) -> None:
        """Cache the response made from this version of the data; the least recently used ones make room.

        Once some had to, one is cached only when its question comes again: most of many questions are asked once,
        and would drive out others for nothing (the doorkeeper of G. Einziger, R. Friedman and B. Manes, TinyLFU, 2017).
        """
        if self._is_full and not self._doorkeeper.admits(key):
            return
        path, query, *_ = key
        headers = sum(map(len, map(_VALUE, response.headers)))
        size = sys.getsizeof(path) + len(query) + headers + len(response.body) + ENTRY_OVERHEAD
        if version != self._version or len(response.body) > self._largest or size > self._limit:
            return
        if (old := self._answers.pop(key, None)) is not None:
            self.size -= old.size
        response.size = size
        self._answers[key] = response
        self.size += size
        while self.size > self._limit:
            _, gone = self._answers.popitem(last=False)
            self.size -= gone.size
            self._is_full = True


class Doorkeeper:
    """Which questions were asked lately, by a bit for the hash of each."""

    __slots__ = ("_bits", "_left")

    def __init__(self) -> None:
        """Remember none."""
        self._clear()

    def admits(self, key: Key) -> bool:
        """Return whether a question was asked lately, or seems so, and note it."""
        place = hash(key) % DOORKEEPER_BITS
        byte, bit = place >> 3, 1 << (place & 7)
        if self._bits[byte] & bit:
            return True
        if not self._left:
            self._clear()
        self._bits[byte] |= bit
        self._left -= 1
        return False

    def _clear(self) -> None:
        self._bits = bytearray(DOORKEEPER_BITS // 8)
        self._left = MAX_NOTED


def may_be_cached(response: Response) -> bool:
    """Return whether a response may be cached: a whole 200 that the handler did not make for one caller alone."""
    named = dict(response.headers)
    return response.status == 200 and b"set-cookie" not in named and named[b"cache-control"] == PUBLIC_FOR_A_WHILE  # noqa: PLR2004
