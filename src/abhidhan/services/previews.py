"""Pictures of entries, made when somebody asks: one at a time, with rests between them, and the latest kept.

A robot may ask for a picture of every word: they get no more than a quarter of one processor, and a bounded store.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Final

import msgspec

from abhidhan.domain.preview_cards import PreviewCard
from abhidhan.errors import UnavailableError, sentence

MOST_BYTES: Final = 8 * 1_048_576
"""So much of the pictures made last is kept: some four hundred."""

MOST_WAITING: Final = 16
"""So many may wait for their pictures; who comes later is asked to come again."""

RESTS: Final = 3
"""After each picture none is begun for so many times as long as it took."""

RETRY: Final = 20
FORM: Final = 1
"""Raised when cards are drawn otherwise: the pictures that others keep are then out of date."""


class Previews:
    """Makes pictures of cards."""

    def __init__(
        self, draw: Callable[[PreviewCard], bytes] | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take what draws a card, and the clock that says how long that took."""
        self._draw = draw or _draw
        self._clock = clock
        self._one_at_a_time = asyncio.Semaphore(1)
        self._waiting = 0
        self._rested_at = 0.0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    @staticmethod
    def tag_of(card: PreviewCard) -> str:
        """Make a short text that changes whenever the picture of a card does."""
        return sha256(msgspec.json.encode((FORM, card))).hexdigest()[:24]

    async def picture_of(self, card: PreviewCard) -> bytes:
        """Return the picture of a card as PNG. Raises UnavailableError where too many others wait for theirs."""
        tag = self.tag_of(card)
        body = self._find(tag)
        return await self._wait_and_make(card, tag) if body is None else body

    async def _wait_and_make(self, card: PreviewCard, tag: str) -> bytes:
        if self._waiting >= MOST_WAITING:
            raise UnavailableError(sentence("Many pictures are being made. Please try again soon."), RETRY)
        self._waiting += 1
        try:
            async with self._one_at_a_time:
                body = self._find(tag)
                return await self._make(card, tag) if body is None else body
        finally:
            self._waiting -= 1

    async def _make(self, card: PreviewCard, tag: str) -> bytes:
        await asyncio.sleep(max(0.0, self._rested_at - self._clock()))
        began = self._clock()
        body = await asyncio.to_thread(self._draw, card)
        ended = self._clock()
        self._rested_at = ended + RESTS * (ended - began)
        self._keep(tag, body)
        return body

    def _find(self, tag: str) -> bytes | None:
        if tag in self._kept:
            self._kept.move_to_end(tag)
        return self._kept.get(tag)

    def _keep(self, tag: str, body: bytes) -> None:
        self._kept[tag] = body
        self._bytes += len(body)
        while self._bytes > MOST_BYTES:
            self._bytes -= len(self._kept.popitem(last=False)[1])


def _draw(card: PreviewCard) -> bytes:
    # A server that nobody asks for a picture never loads what draws it.
    from abhidhan.media.previews import draw  # noqa: PLC0415

    return draw(card)
