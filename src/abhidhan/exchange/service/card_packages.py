"""Sets of flashcards as decks for Anki, each made once for all who ask."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from abhidhan.exchange.service import exporting
from abhidhan.formats.writers.recordings import MOST_HEARD, Sound, credit_of, sound_name
from abhidhan.platform.database.database import Database
from abhidhan.records.recordings import Audio, read_recording_name

MOST_KEPT: Final = 16 * 1024 * 1024
Listen = Callable[[int], Awaitable[bytes | None]]
"""Reads the bytes of an approved recording by its ID; None where they are not to be had."""


async def nothing_heard(_: int) -> None:
    """Read no recording."""


class CardPackages:
    """Sets of flashcards written for Anki, kept until the dictionary changes."""

    def __init__(self, database: Database, listen: Listen = nothing_heard, limit: int = MOST_KEPT) -> None:
        """Read from a database and the recordings, and keep at most so many bytes."""
        self._database = database
        self._listen = listen
        self._limit = limit
        self._kept: dict[int, bytes] = {}
        self._version: int | None = None
        self._one_by_one = asyncio.Lock()

    async def read(self, set_id: int) -> bytes:
        """Return a set as Anki reads it; it is written once, in a thread. Raises NotFoundError."""
        async with self._one_by_one:
            version = await self._database.version()
            if version != self._version:
                self._kept.clear()
                self._version = version
            if set_id not in self._kept:
                made = await self._made(set_id)
                if sum(map(len, self._kept.values())) + len(made) > self._limit:
                    self._kept.clear()
                self._kept[set_id] = made
            return self._kept[set_id]

    async def _made(self, set_id: int) -> bytes:
        spoken = await self._database.read(partial(exporting.audio_of_cards, set_id=set_id), long=True)
        sounds = {text: await self._heard(audio) for text, audio in spoken.items()}
        job = partial(exporting.card_set_package, set_id=set_id, sounds=sounds)
        return await self._database.read(job, long=True)

    async def _heard(self, heard: Sequence[Audio]) -> list[Sound]:
        sounds = []
        for each in heard[:MOST_HEARD]:
            number = read_recording_name(each.url.rpartition("/")[2]) or 0
            body = await self._listen(number)
            if body is not None:
                credit = credit_of(each.speaker, each.place, each.licence)
                sounds.append(Sound(sound_name(number), partial(bytes, body), credit))
        return sounds
