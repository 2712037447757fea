"""Upkeep of the database while the server runs: what is old is removed, the words of the next days are chosen."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from abhidhan.dictionary.service.word_of_the_day import Calendar
from abhidhan.dictionary.store import changes
from abhidhan.people.store import sessions
from abhidhan.platform.database.database import Database
from abhidhan.records.change_feed import DAYS_KEPT

SECONDS_KEPT: Final = DAYS_KEPT * 86_400

BETWEEN_STEPS: Final = 0.1
"""Seconds for which nothing is removed, so that whoever waits to write comes first."""


class Upkeep:
    """Removes what is old, in small transactions, and chooses the word of the next day for standbys."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Work on a database. `clock` tells the seconds since 1970."""
        self._database = database
        self._clock = clock
        self._calendar = Calendar(database, clock=clock)

    async def choose_ahead(self) -> None:
        """Choose the words of the next days, which standbys show but cannot choose."""
        # SQLite has no standbys: there a day is chosen when somebody asks for it.
        if not self._database.is_sqlite:
            await self._calendar.choose_ahead()

    async def forget_tokens(self) -> int:
        """Forget the personal tokens that have expired; return how many."""
        return await self._database.write(partial(sessions.forget_expired, now=int(self._clock())), public=False)

    async def forget_changes(self) -> int:
        """Forget the changes that are older than a year; return how many rows that were."""
        job = partial(changes.forget, before=int(self._clock()) - SECONDS_KEPT)
        gone = 0
        while some := await self._database.write(job, public=False):
            gone += some
            await asyncio.sleep(BETWEEN_STEPS)
        return gone
