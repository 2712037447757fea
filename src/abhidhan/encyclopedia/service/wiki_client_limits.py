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
    WikiState,
    is_unavailable,
    milliseconds_to_wait,
    record_failure,
    record_success,
    start_turn,
)
from abhidhan.encyclopedia.service.article_sources import ArticleSource
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.runtime.metrics import WIKI_REQUESTS
from abhidhan.records.encyclopedia_articles import ArticleOutcome, ArticleReply
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
    next_request_times: dict[str, float]


class WikiLimiter:
    """Grants turns, the permissions to send a request to a wiki, to one process at a time through a database row.

    Within a process, callers queue. While the wiki is slow or unreachable, one caller sends a request, and the others
    are rejected.
    """

    def __init__(self, address: str, context: LimiterContext) -> None:
        """Initialise with the address of the wiki."""
        self.retry_after = 0
        """Seconds after which rejected callers may retry while the wiki is slow or unreachable; 0 if it is neither."""
        self._database, self._policy, self._clock, self._next_request_times = context
        self._address = address
        self._addresses = (address, ALL_WIKIS) if self._policy.is_interval_shared else (address,)
        self._turn_lock = asyncio.Lock()
        self._waiting_timeouts: set[asyncio.Timeout] = set()
        self._current_turn: WikiState | None = None
        self._reply: ArticleReply | None = None

    @asynccontextmanager
    async def hold_turn(self) -> AsyncIterator[None]:
        """Wait for earlier callers of this process, and release the turn at the end.

        Raises UnavailableError as soon as waiting is useless.
        """
        if self._turn_lock.locked() and self.retry_after:
            raise _unavailable_error(self.retry_after)
        try:
            async with asyncio.timeout(None) as waiting:
                self._waiting_timeouts.add(waiting)
                try:
                    await self._turn_lock.acquire()
                finally:
                    self._waiting_timeouts.discard(waiting)
        except TimeoutError:
            raise _unavailable_error(self.retry_after) from None
        try:
            yield
        finally:
            try:
                await self._release()
            finally:
                self._turn_lock.release()

    def reject_waiting(self, retry_after: int = RetryAfter.MOMENT) -> None:
        """Reject the waiting callers, and all that arrive before the current request ends."""
        self.retry_after = retry_after
        while self._waiting_timeouts:
            self._waiting_timeouts.pop().reschedule(0)

    async def acquire(self, read: Callable[[ReadConnection], T | None]) -> T | None:
        """Acquire the turn as soon as a request may be sent; call it again before each further request.

        Returns the result of `read` if another process has stored it in the meantime, else None. Raises
        UnavailableError if the wiki is paused or slow.
        """
        if self._current_turn:
            await asyncio.sleep(self._policy.interval_milliseconds / 1000)
        while True:
            # Results are stored before a turn is released, so the turn is read first.
            states, result = await self._database.read(lambda reader: (store.read_wikis(reader), read(reader)))
            if result is not None:
                return result
            wiki = states.get(self._address, WikiState(address=self._address))
            if wiki.failures:
                self.reject_waiting()
            wait = self._milliseconds_to_wait(states)
            if wiki != self._current_turn and is_unavailable(wiki, self._now(), self._policy):
                raise _unavailable_error(math.ceil(wait / 1000) if wiki.failures else RetryAfter.MOMENT)
            if self._database.is_read_only:
                await self._wait_locally()
                return None
            if not wait and (turn := await self._database.write(partial(self._try_acquire, wiki), public=False)):
                self._current_turn = turn
                return None
            await asyncio.sleep(min(wait / 1000, POLL_SECONDS))

    async def send_request(self, source: ArticleSource, titles: Sequence[str]) -> ArticleReply:
        """Send one request to the wiki, count its outcome, and reject waiting callers if it is unreachable."""
        self._reply = await source.find(titles)
        WIKI_REQUESTS.labels(self._address, self._reply.outcome).inc()
        if self._reply.outcome is ArticleOutcome.UNREACHABLE:
            self.reject_waiting(self._reply.retry_after or RetryAfter.MOMENT)
        else:
            self.retry_after = 0
        return self._reply

    async def _wait_locally(self) -> None:
        """Wait for the interval within this process only, since a read-only database cannot store turns."""
        now, row = asyncio.get_running_loop().time(), self._addresses[-1]
        free_at = max(now, self._next_request_times.get(row, now))
        self._next_request_times[row] = free_at + self._policy.interval_milliseconds / 1000
        await asyncio.sleep(free_at - now)

    def _milliseconds_to_wait(self, states: Mapping[str, WikiState]) -> int:
        rows = (
            states[address]
            for address in self._addresses
            if address in states and states[address] != self._current_turn
        )
        return max((milliseconds_to_wait(row, self._now(), self._policy) for row in rows), default=0)

    def _try_acquire(self, state: WikiState, writer: WriteConnection) -> WikiState | None:
        """Acquire the turn unless another process has had it since `state` was read: it may have cached the title."""
        turn = start_turn(state, self._now(), self._policy)
        is_free = self._milliseconds_to_wait(store.read_or_add_wikis(writer, self._addresses)) == 0
        return turn if is_free and self._save(state, turn, writer) else None

    async def _release(self) -> None:
        """Release the turn, and record the outcome of the request in the row."""
        turn, reply = self._current_turn, self._reply
        self._current_turn = self._reply = None
        if turn is None:
            return
        now, reason = self._now(), reply.reason if reply else ""
        if reply is None:
            new_state = structs.replace(turn, free_at=now + self._policy.interval_milliseconds)
        elif reply.outcome is ArticleOutcome.UNREACHABLE:
            new_state = record_failure(turn, now, reply.retry_after * 1000, self._policy)
        else:
            new_state = record_success(turn, now, self._policy)
        try:
            await self._database.write(partial(self._save, turn, new_state), public=False)
        except UnavailableError as error:
            # The turn expires by itself after a while.
            _log.warning("the lock of a wiki was not released", wiki=self._address, error=str(error))
            return
        if reason and new_state.free_at > now + self._policy.interval_milliseconds:
            pause = math.ceil((new_state.free_at - now) / 1000)
            _log.warning("a wiki cannot be reached and is paused", wiki=self._address, reason=reason, seconds=pause)
        elif reason:
            _log.info("a wiki could not be reached", wiki=self._address, reason=reason)
        elif new_state.failures == 0 and turn.failures >= TOLERATED_FAILURES:
            _log.info("a wiki responds again", wiki=self._address)

    def _save(self, before: WikiState, after: WikiState, writer: WriteConnection) -> bool:
        """Store the new state; return False if another process has changed the row since it was read."""
        if store.read_or_add_wikis(writer, self._addresses)[self._address] != before:
            return False
        store.save_wiki(writer, after)
        if self._policy.is_interval_shared:
            store.save_wiki(
                writer, WikiState(address=ALL_WIKIS, free_at=self._now() + self._policy.interval_milliseconds)
            )
        return True

    def _now(self) -> int:
        return int(self._clock() * 1000)


def _unavailable_error(retry_after: int) -> UnavailableError:
    return UnavailableError("The encyclopedia is slow or cannot be reached at the moment.", retry_after)
