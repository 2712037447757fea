"""Uploads of photos and recordings: one way from a request to the service, by a gate that bounds how many are read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from abhidhan.services.contributions.photos import Photos
from abhidhan.services.contributions.recordings import Recordings
from abhidhan.web.edge.slots import SharedSlots

OPEN_AT_ONCE: Final = 16
"""Maximum number of uploads read at a time, by all workers together; more wait, so that memory stays bounded."""

OPEN_BY_ONE_PERSON: Final = 4
"""Maximum number of these per person: somebody with a slow line, or a bad intention, leaves places to others."""

POLL_SECONDS: Final = 0.1
"""Interval in seconds at which an upload that waits for another worker's polls for a free place."""


class Gate:
    """Limit the uploads that are open at a time, and those of one person: over all workers, where they share slots."""

    def __init__(
        self, places: int = OPEN_AT_ONCE, of_one: int = OPEN_BY_ONE_PERSON, *, shared: SharedSlots | None = None
    ) -> None:
        """Open the gate."""
        self._places = places
        self._all = asyncio.Semaphore(places)
        self._of_one = of_one
        self._own: dict[int, tuple[asyncio.Semaphore, int]] = {}
        self._shared = shared

    @asynccontextmanager
    async def passing(self, person_id: int) -> AsyncIterator[None]:
        """Wait for a place, and hold it."""
        own, holders = self._own.get(person_id, (asyncio.Semaphore(self._of_one), 0))
        self._own[person_id] = (own, holders + 1)
        try:
            async with (
                own,
                self._place(f"uploads of {person_id}", self._of_one),
                self._all,
                self._place("uploads", self._places),
            ):
                yield
        finally:
            own, holders = self._own.pop(person_id)
            if holders > 1:
                self._own[person_id] = (own, holders - 1)

    @asynccontextmanager
    async def _place(self, name: str, limit: int) -> AsyncIterator[None]:
        """Wait for a place among those that all workers share, and hold it."""
        if self._shared is None:
            yield
            return
        # No event of this process announces that another one has given a place back.
        while not self._shared.take(name, limit):  # noqa: ASYNC110 (for that reason)
            await asyncio.sleep(POLL_SECONDS)
        try:
            yield
        finally:
            self._shared.give_back(name)


class UploadService:
    """The photos and recordings of this dictionary, and the gate that uploads pass."""

    def __init__(self, photos: Photos, recordings: Recordings, slots: SharedSlots | None = None) -> None:
        """Open the gate. Workers that share `slots` let as many uploads in together as one alone would."""
        self.photos = photos
        self.recordings = recordings
        self.gate = Gate(shared=slots)
