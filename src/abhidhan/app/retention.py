"""Periodic maintenance of the database: deletes old data, and chooses the next words of the day."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from abhidhan.dictionary.service.word_of_the_day import Calendar
from abhidhan.dictionary.store import changes
from abhidhan.people.store import sessions
from abhidhan.platform.database.database import Database
from abhidhan.records.change_feed import RETENTION_DAYS
from abhidhan.records.timestamps import DAY_SECONDS

RETENTION_SECONDS: Final = RETENTION_DAYS * DAY_SECONDS

STEP_DELAY_SECONDS: Final = 0.1
"""Pause in seconds between two transactions, so that other writers get their turn."""


class RetentionTasks:
    """Maintenance tasks: delete old data in small transactions, and choose the next words of the day."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock
        self._calendar = Calendar(database, clock=clock)

    async def choose_upcoming_words(self) -> None:
        """Choose the words of the next days in advance, since standbys show them but cannot write."""
        # SQLite has no standbys; there a word is chosen on the day's first request.
        if not self._database.is_sqlite:
            await self._calendar.choose_ahead()

    async def delete_expired_tokens(self) -> int:
        """Delete expired API tokens; return their number."""
        return await self._database.write(partial(sessions.delete_expired_tokens, now=int(self._clock())), public=False)

    async def delete_old_changes(self) -> int:
        """Delete entries of the change feed that are older than a year; return the number of rows."""
        job = partial(changes.delete_old, before=int(self._clock()) - RETENTION_SECONDS)
        deleted = 0
        while count := await self._database.write(job, public=False):
            deleted += count
            await asyncio.sleep(STEP_DELAY_SECONDS)
        return deleted
