"""Sets of flashcards as decks for Anki, each made once for all who ask."""

import asyncio
from functools import partial
from typing import Final

from abhidhan.services.exchange import exporting
from abhidhan.storage.engine.database import Database

MOST_KEPT: Final = 16 * 1024 * 1024


class CardPackages:
    """Sets of flashcards written for Anki, kept until the dictionary changes."""

    def __init__(self, database: Database, limit: int = MOST_KEPT) -> None:
        """Read from a database, and keep at most so many bytes."""
        self._database = database
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
                made = await self._database.read(partial(exporting.card_set_package, set_id=set_id), long=True)
                if sum(map(len, self._kept.values())) + len(made) > self._limit:
                    self._kept.clear()
                self._kept[set_id] = made
            return self._kept[set_id]
