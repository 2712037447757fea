"""The gate that all uploads of photos and recordings pass: it bounds how many are read at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

OPEN_AT_ONCE: Final = 16
"""Maximum number of uploads read at a time, by all workers together; more wait, so that memory stays bounded."""

OPEN_BY_ONE_PERSON: Final = 4
"""Maximum number of these per person: somebody with a slow line, or a bad intention, leaves places to others."""


class Gate:
    """Limit the uploads that are open at a time, and those of one person: to this worker's part of what all may."""

    def __init__(self, workers: int = 1) -> None:
        """Open the gate of one of several workers."""
        self._all = asyncio.Semaphore(max(1, OPEN_AT_ONCE // workers))
        self._places_of_one = max(1, OPEN_BY_ONE_PERSON // workers)
        self._own: WeakValueDictionary[int, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def passing(self, person_id: int) -> AsyncIterator[None]:
        """Wait for a place, and hold it."""
        own = self._own.setdefault(person_id, asyncio.Semaphore(self._places_of_one))
        async with own, self._all:
            yield
