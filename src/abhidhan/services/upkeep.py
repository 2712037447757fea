"""Looking after what the database holds while the server serves: what is old is removed, the next day chosen."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Final

import structlog

from abhidhan.domain.changes import DAYS_KEPT
from abhidhan.errors import AbhidhanError
from abhidhan.services.dictionary.daily import Calendar
from abhidhan.storage import changes, tokens
from abhidhan.storage.engine.database import Database

SECONDS_KEPT: Final = DAYS_KEPT * 86_400
BETWEEN_LOOKS: Final = 3600.0

BETWEEN_STEPS: Final = 0.1
"""Seconds for which nothing is removed, so that whoever waits to write comes first."""

_log = structlog.get_logger("abhidhan")


class Upkeep:
    """Removes what is old, in small transactions, and chooses the word of the next day for standbys."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Work on a database. `clock` tells the seconds since 1970."""
        self._database = database
        self._clock = clock
        self._calendar = Calendar(database, clock=clock)

    async def keep_house(self) -> None:
        """Do all that now and then, until cancelled."""
        while True:
            try:
                await self.forget_changes()
                await self.forget_tokens()
                # SQLite has no standbys: there a day is chosen when somebody asks for it.
                if not self._database.is_sqlite:
                    await self._calendar.choose_ahead()
            except AbhidhanError as error:
                _log.warning("the database could not be looked after", reason=str(error))
            await asyncio.sleep(BETWEEN_LOOKS)

    async def forget_tokens(self) -> int:
        """Forget the personal tokens that have expired; return how many."""
        return await self._database.write(partial(tokens.forget_expired, now=int(self._clock())), public=False)

    async def forget_changes(self) -> int:
        """Forget the changes that are older than a year; return how many rows that were."""
        job = partial(changes.forget, before=int(self._clock()) - SECONDS_KEPT)
        gone = 0
        while some := await self._database.write(job, public=False):
            gone += some
            await asyncio.sleep(BETWEEN_STEPS)
        return gone
