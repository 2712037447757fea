"""Rate limiter of a wiki: one request at a time over all processes, at an interval, and none during a pause."""

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
    RequestPolicy,
    Wiki,
    acquire_turn,
    is_out_of_reach,
    record_answer,
    record_failure,
    wait_for_turn,
)
from abhidhan.encyclopedia.service.article_sources import ArticleSource
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.runtime.metrics import WIKI_REQUESTS
from abhidhan.records.encyclopedia_articles import ArticleOutcome, Reply
from abhidhan.records.errors import RetryAfter, UnavailableError

T = TypeVar("T")


POLL_SECONDS: Final = 0.05
"""Interval at which the limiter checks whether another process has finished its request."""

_log = structlog.get_logger("abhidhan.encyclopedia")


class LimiterContext(NamedTuple):
    """State that all limiters of a process share; `clock` returns seconds since 1970.

    `next_request_times` replaces the rows of a read-only database: the earliest time of the next request to each wiki,
    by the clock of the event loop.
    """

    database: Database
    policy: RequestPolicy
    clock: Callable[[], float]
    next_requests: dict[str, float]


class WikiLimiter:
    """Grants turns, the permissions to send a request to a wiki, to one process at a time through a database row.

    Within a process, callers queue. While the wiki is slow or unreachable, one caller sends a request, and the others
    are rejected.
    """

    def __init__(self, address: str, context: LimiterContext) -> None:
        """Initialise with the address of the wiki."""
        self.retry_after = 0
        """Seconds after which rejected callers may retry while the wiki is slow or unreachable; 0 if it is neither."""
        self._database, self._policy, self._clock, self._next_requests = context
        self._address = address
        self._addresses = (address, ALL_WIKIS) if self._policy.over_all else (address,)
        self._queue = asyncio.Lock()
        self._waiting: set[asyncio.Timeout] = set()
        self._held: Wiki | None = None
        self._reply: Reply | None = None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for earlier callers of this process, and release the turn at the end.

        Raises UnavailableError as soon as waiting is useless.
        """
        if self._queue.locked() and self.retry_after:
            raise _unavailable(self.retry_after)
        try:
            async with asyncio.timeout(None) as waiting:
                self._waiting.add(waiting)
                try:
                    await self._queue.acquire()
                finally:
                    self._waiting.discard(waiting)
        except TimeoutError:
            raise _unavailable(self.retry_after) from None
        try:
            yield
        finally:
            try:
                await self._release()
            finally:
                self._queue.release()

    def dismiss(self, retry_after: int = RetryAfter.MOMENT) -> None:
        """Reject the waiting callers, and all that arrive before the current request ends."""
        self.retry_after = retry_after
        while self._waiting:
            self._waiting.pop().reschedule(0)

    async def acquire(self, read: Callable[[ReadConnection], T | None]) -> T | None:
        """Acquire the turn as soon as a request may be sent; call it again before each further request.

        Returns the result of `read` if another process has stored it in the meantime, else None. Raises
        UnavailableError if the wiki is paused or slow.
        """
        if self._held:
            await asyncio.sleep(self._policy.pace / 1000)
        while True:
            # Results are stored before a turn is released, so the turn is read first.
            seen, result = await self._database.read(lambda reader: (store.read_wikis(reader), read(reader)))
            if result is not None:
                return result
            wiki = seen.get(self._address, Wiki(address=self._address))
            if wiki.failures:
                self.dismiss()
            wait = self._wait(seen)
            if wiki != self._held and is_out_of_reach(wiki, self._now(), self._policy):
                raise _unavailable(math.ceil(wait / 1000) if wiki.failures else RetryAfter.MOMENT)
            if self._database.is_read_only:
                await self._wait_locally()
                return None
            if not wait and (turn := await self._database.write(partial(self._acquire, wiki), public=False)):
                self._held = turn
                return None
            await asyncio.sleep(min(wait / 1000, POLL_SECONDS))

    async def ask(self, source: ArticleSource, titles: Sequence[str]) -> Reply:
        """Send one request to the wiki, count its outcome, and reject waiting callers if it is unreachable."""
        self._reply = await source.find(titles)
        WIKI_REQUESTS.labels(self._address, self._reply.outcome).inc()
        if self._reply.outcome is ArticleOutcome.UNREACHABLE:
            self.dismiss(self._reply.retry_after or RetryAfter.MOMENT)
        else:
            self.retry_after = 0
        return self._reply

    async def _wait_locally(self) -> None:
        """Wait for the interval within this process only, since a read-only database cannot store turns."""
        now, row = asyncio.get_running_loop().time(), self._addresses[-1]
        free_at = max(now, self._next_requests.get(row, now))
        self._next_requests[row] = free_at + self._policy.pace / 1000
        await asyncio.sleep(free_at - now)

    def _wait(self, seen: Mapping[str, Wiki]) -> int:
        rows = (seen[address] for address in self._addresses if address in seen and seen[address] != self._held)
        return max((wait_for_turn(row, self._now(), self._policy) for row in rows), default=0)

    def _acquire(self, seen: Wiki, writer: WriteConnection) -> Wiki | None:
        """Acquire the turn unless another process has had it since `state` was read: it may have cached the title."""
        turn = acquire_turn(seen, self._now(), self._policy)
        is_free = self._wait(store.read_or_add_wikis(writer, self._addresses)) == 0
        return turn if is_free and self._save(seen, turn, writer) else None

    async def _release(self) -> None:
        """Release the turn, and record the outcome of the request in the row."""
        turn, reply = self._held, self._reply
        self._held = self._reply = None
        if turn is None:
            return
        now, reason = self._now(), reply.reason if reply else ""
        if reply is None:
            after = structs.replace(turn, free_at=now + self._policy.pace)
        elif reply.outcome is ArticleOutcome.UNREACHABLE:
            after = record_failure(turn, now, reply.retry_after * 1000, self._policy)
        else:
            after = record_answer(turn, now, self._policy)
        try:
            await self._database.write(partial(self._save, turn, after), public=False)
        except UnavailableError as error:
            # The turn expires by itself after a while.
            _log.warning("the lock of a wiki was not released", wiki=self._address, error=str(error))
            return
        if reason and after.free_at > now + self._policy.pace:
            pause = math.ceil((after.free_at - now) / 1000)
            _log.warning("a wiki cannot be reached and is paused", wiki=self._address, reason=reason, seconds=pause)
        elif reason:
            _log.info("a wiki could not be reached", wiki=self._address, reason=reason)
        elif after.failures == 0 and turn.failures >= TOLERATED_FAILURES:
            _log.info("a wiki responds again", wiki=self._address)

    def _save(self, before: Wiki, after: Wiki, writer: WriteConnection) -> bool:
        """Store the new state; return False if another process has changed the row since it was read."""
        if store.read_or_add_wikis(writer, self._addresses)[self._address] != before:
            return False
        store.save_wiki(writer, after)
        if self._policy.over_all:
            store.save_wiki(writer, Wiki(address=ALL_WIKIS, free_at=self._now() + self._policy.pace))
        return True

    def _now(self) -> int:
        return int(self._clock() * 1000)


def _unavailable(retry_after: int) -> UnavailableError:
    return UnavailableError("The encyclopedia is slow or cannot be reached at the moment.", retry_after)
