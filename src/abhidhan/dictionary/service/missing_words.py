"""Counts of words that were not found, collected in memory and written to the database periodically."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import structlog

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.model.missing_words import (
    MAX_COUNTED_WORDS,
    MAX_STORED_WORDS,
    RETENTION_DAYS,
    MissingWord,
    find_missing_word,
)
from abhidhan.dictionary.store import missing_words as stored
from abhidhan.dictionary.store.missing_words import RetentionLimits
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import AbhidhanError
from abhidhan.records.paging import Page
from abhidhan.records.timestamps import DAY_SECONDS

WRITE_INTERVAL_SECONDS: Final = 900.0
"""Seconds between writes of the counts."""

_log = structlog.get_logger("abhidhan")


class MissingWords:
    """Counter of words that were not found. It stores neither users nor times, only the day."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Initialise with a database. `clock` returns the seconds since 1970."""
        self._database = database
        self._clock = clock
        self._counts: dict[str, int] = {}

    def count(self, lookups: Sequence[tuple[str, Match]]) -> None:
        """Count the word of a look-up of one word without a match, in memory; runs on the event loop."""
        if self._database.is_read_only:
            return
        word = find_missing_word(lookups)
        counts = self._counts
        if word is not None and (word in counts or len(counts) < MAX_COUNTED_WORDS):
            counts[word] = counts.get(word, 0) + 1

    async def flush(self) -> int:
        """Write the counts to the database and reset them; return the number of words.

        Counts that cannot be written stay in memory until the next write. Raises AbhidhanError.
        """
        counts, self._counts = self._counts, {}
        if counts:
            day = int(self._clock()) // DAY_SECONDS
            try:
                await self._database.write(partial(stored.add_counts, counts=counts, day=day), public=False)
            except AbhidhanError:
                self._restore(counts)
                raise
            retention = RetentionLimits(MAX_STORED_WORDS, day - RETENTION_DAYS)
            await self._database.write(partial(stored.delete_old, limits=retention), public=False)
        return len(counts)

    def _restore(self, counts: dict[str, int]) -> None:
        """Merge counts that could not be written into those collected since, up to `MAX_COUNTED_WORDS` words."""
        for word, count in self._counts.items():
            if word in counts or len(counts) < MAX_COUNTED_WORDS:
                counts[word] = counts.get(word, 0) + count
        self._counts = counts

    async def finish(self) -> None:
        """Write the remaining counts at shutdown; log a warning if they cannot be written."""
        try:
            await self.flush()
        except AbhidhanError as error:
            _log.warning("missing words could not be counted", reason=str(error), words=len(self._counts))


def list_missing(connection: ReadConnection, limit: int, offset: int) -> Page[MissingWord]:
    """List one page of the missing words looked up on several days, those with most days first."""
    return stored.list_missing(connection, limit, offset)
