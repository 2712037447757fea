"""Counting what people look for and do not find: in memory, and written down now and then."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import structlog

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.model.missing_words import (
    DAYS_KEPT,
    MOST_HELD,
    MOST_KEPT,
    SECONDS_OF_A_DAY,
    MissingWord,
    missing_among,
)
from abhidhan.dictionary.store import missing_words as stored
from abhidhan.dictionary.store.missing_words import Kept
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import AbhidhanError
from abhidhan.records.paging import Page

BETWEEN_WRITES: Final = 900.0
"""Seconds after which what was counted is written down."""

_log = structlog.get_logger("abhidhan")


class MissingWords:
    """Counts words that were not found. Nothing is kept of who looked for them, nor when, but the day."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        """Count for a database. `clock` tells the seconds since 1970."""
        self._database = database
        self._clock = clock
        self._counts: dict[str, int] = {}

    def note(self, asked: Sequence[tuple[str, Match]]) -> None:
        """Count a look-up if it asked for one word and found nothing: in memory, on the event loop."""
        if self._database.is_read_only:
            return
        word = missing_among(asked)
        counts = self._counts
        if word is not None and (word in counts or len(counts) < MOST_HELD):
            counts[word] = counts.get(word, 0) + 1

    async def write_down(self) -> int:
        """Write down what was counted since the last time; return how many words that were.

        What cannot be written is held until the next time. Raises AbhidhanError.
        """
        counts, self._counts = self._counts, {}
        if counts:
            day = int(self._clock()) // SECONDS_OF_A_DAY
            try:
                await self._database.write(partial(stored.add, counts=counts, day=day), public=False)
            except AbhidhanError:
                self._hold(counts)
                raise
            kept = Kept(MOST_KEPT, day - DAYS_KEPT)
            await self._database.write(partial(stored.forget, kept=kept), public=False)
        return len(counts)

    def _hold(self, counts: dict[str, int]) -> None:
        """Take back what could not be written, with what was counted meanwhile: no more words than before."""
        for word, count in self._counts.items():
            if word in counts or len(counts) < MOST_HELD:
                counts[word] = counts.get(word, 0) + count
        self._counts = counts

    async def finish(self) -> None:
        """Write down what was counted, at last; what cannot be written is kept in memory, and the log says so."""
        try:
            await self.write_down()
        except AbhidhanError as error:
            _log.warning("what was not found could not be written down", reason=str(error), words=len(self._counts))


def list_missing(reader: Reader, limit: int, offset: int) -> Page[MissingWord]:
    """List one page of the words that were looked for on several days and are still missing, the most wanted first."""
    return stored.list_missing(reader, limit, offset)
