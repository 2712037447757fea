"""Limiter of a wiki: one request at a time over all processes, at a minimum interval, none during a pause."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, NamedTuple, TypeVar

import structlog
from msgspec import structs

from abhidhan.encyclopedia import store
from abhidhan.encyclopedia.model.wiki_rate_limit import (
    ALL_WIKIS,
    TOLERATED_FAILURES,
    Manners,
    Wiki,
    is_out_of_reach,
    record_answer,
    record_failure,
    take_turn,
    wait_for_turn,
)
from abhidhan.encyclopedia.service.article_sources import ArticleSource
from abhidhan.platform.database.database import Database, Writer
from abhidhan.platform.database.reader import Reader
from abhidhan.platform.runtime.metrics import WIKI_REQUESTS
from abhidhan.records.encyclopedia_articles import Outcome, Reply
from abhidhan.records.errors import RetryAfter, UnavailableError

T = TypeVar("T")


POLL_SECONDS: Final = 0.05
"""Interval at which the limiter checks whether another process has finished its request."""

_log = structlog.get_logger("abhidhan.encyclopedia")


class Shared(NamedTuple):
    """State shared by the limiters of a process; `clock` returns seconds since 1970.

    `next_requests` replaces the rows of a read-only database: the event loop's time from which each wiki may be asked.
    """

    database: Database
    manners: Manners
    clock: Callable[[], float]
    next_requests: dict[str, float]


class WikiLimiter:
    """Limiter that gives out turns at one wiki, shared by all processes through a row of the database.

    Within a process, callers queue; while the wiki is slow or out of reach, one of them asks and the others are
    refused.
    """

    def __init__(self, address: str, shared: Shared) -> None:
        """Initialise with the address of the wiki."""
        self.retry_after = 0
        """Seconds after which callers may retry while the wiki is slow or out of reach; else 0."""
        self._database, self._manners, self._clock, self._next_requests = shared
        self._address = address
        self._addresses = (address, ALL_WIKIS) if self._manners.over_all else (address,)
        self._queue = asyncio.Lock()
        self._waiting: set[asyncio.Timeout] = set()
        self._held: Wiki | None = None
        self._reply: Reply | None = None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for earlier callers, and release the turn at the end.

        Raises UnavailableError as soon as waiting is futile.
        """
        if self._queue.locked() and self.retry_after:
            raise _slow_or_away(self.retry_after)
        try:
            async with asyncio.timeout(None) as waiting:
                self._waiting.add(waiting)
                try:
                    await self._queue.acquire()
                finally:
                    self._waiting.discard(waiting)
        except TimeoutError:
            raise _slow_or_away(self.retry_after) from None
        try:
            yield
        finally:
            try:
                await self._give_back()
            finally:
                self._queue.release()

    def dismiss(self, retry_after: int = RetryAfter.MOMENT) -> None:
        """Refuse the callers that wait, and those that arrive during the current request."""
        self.retry_after = retry_after
        while self._waiting:
            self._waiting.pop().reschedule(0)

    async def take(self, known: Callable[[Reader], T | None]) -> T | None:
        """Wait until a request may be sent, and acquire the turn; call it again for another request of the same turn.

        Returns the result of `known` if another process has stored it in the meantime. Raises UnavailableError if the
        wiki must not be asked for now.
        """
        if self._held:
            await asyncio.sleep(self._manners.pace / 1000)
        while True:
            # Results are stored before a turn is released, so the turn is read first.
            seen, found = await self._database.read(lambda reader: (store.read_wikis(reader), known(reader)))
            if found is not None:
                return found
            wiki = seen.get(self._address, Wiki(address=self._address))
            if wiki.failures:
                self.dismiss()
            wait = self._wait(seen)
            if wiki != self._held and is_out_of_reach(wiki, self._now(), self._manners):
                raise _slow_or_away(math.ceil(wait / 1000) if wiki.failures else RetryAfter.MOMENT)
            if self._database.is_read_only:
                await self._keep_distance_alone()
                return None
            if not wait and (held := await self._database.write(partial(self._take, wiki), public=False)):
                self._held = held
                return None
            await asyncio.sleep(min(wait / 1000, POLL_SECONDS))

    async def ask(self, source: ArticleSource, titles: Sequence[str]) -> Reply:
        """Send one request."""
        self._reply = await source.find(titles)
        WIKI_REQUESTS.labels(self._address, self._reply.outcome).inc()
        if self._reply.outcome is Outcome.UNREACHABLE:
            self.dismiss(self._reply.retry_after or RetryAfter.MOMENT)
        else:
            self.retry_after = 0
        return self._reply

    async def _keep_distance_alone(self) -> None:
        """Keep the interval within this process only: the database is read-only, so turns cannot be shared."""
        now, row = asyncio.get_running_loop().time(), self._addresses[-1]
        free_at = max(now, self._next_requests.get(row, now))
        self._next_requests[row] = free_at + self._manners.pace / 1000
        await asyncio.sleep(free_at - now)

    def _wait(self, seen: Mapping[str, Wiki]) -> int:
        rows = (seen[each] for each in self._addresses if each in seen and seen[each] != self._held)
        return max((wait_for_turn(row, self._now(), self._manners) for row in rows), default=0)

    def _take(self, seen: Wiki, writer: Writer) -> Wiki | None:
        """Acquire the turn, unless another process has had one since the read: it may have fetched the same title."""
        held = take_turn(seen, self._now(), self._manners)
        is_free = self._wait(store.read_or_add_wikis(writer, self._addresses)) == 0
        return held if is_free and self._save(seen, held, writer) else None

    async def _give_back(self) -> None:
        """Release the turn, and record the outcome of the request in the row."""
        held, reply = self._held, self._reply
        self._held = self._reply = None
        if held is None:
            return
        now, reason = self._now(), reply.reason if reply else ""
        if reply is None:
            after = structs.replace(held, free_at=now + self._manners.pace)
        elif reply.outcome is Outcome.UNREACHABLE:
            after = record_failure(held, now, reply.retry_after * 1000, self._manners)
        else:
            after = record_answer(held, now, self._manners)
        try:
            await self._database.write(partial(self._save, held, after), public=False)
        except UnavailableError as error:
            # The turn expires by itself after a while.
            _log.warning("the lock of a wiki was not released", wiki=self._address, error=str(error))
            return
        if reason and after.free_at > now + self._manners.pace:
            rest = math.ceil((after.free_at - now) / 1000)
            _log.warning("a wiki cannot be reached and is paused", wiki=self._address, reason=reason, seconds=rest)
        elif reason:
            _log.info("a wiki could not be reached", wiki=self._address, reason=reason)
        elif after.failures == 0 and held.failures >= TOLERATED_FAILURES:
            _log.info("a wiki responds again", wiki=self._address)

    def _save(self, before: Wiki, after: Wiki, writer: Writer) -> bool:
        """Store the new state, unless another process has changed the row and so owns the turn."""
        if store.read_or_add_wikis(writer, self._addresses)[self._address] != before:
            return False
        store.save_wiki(writer, after)
        if self._manners.over_all:
            store.save_wiki(writer, Wiki(address=ALL_WIKIS, free_at=self._now() + self._manners.pace))
        return True

    def _now(self) -> int:
        return int(self._clock() * 1000)


def _slow_or_away(retry_after: int) -> UnavailableError:
    return UnavailableError("The encyclopedia is slow or cannot be reached at the moment.", retry_after)
