"""Asking wikis politely: one request at a time, not too often, and not while they refuse; over all processes."""

import asyncio
import math
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, TypeVar
from uuid import uuid4

import structlog
from msgspec import structs

from abhidhan.domain.articles import Outcome, Reply
from abhidhan.domain.figures import Count
from abhidhan.domain.wikis import (
    Manners,
    Wiki,
    answered,
    begun,
    closed_for,
    failed,
    has_closed,
    has_recovered,
    is_tried_by_another,
    released,
    wait_for_turn,
)
from abhidhan.errors import UnavailableError
from abhidhan.storage import wikis
from abhidhan.storage.engine.database import Database, Writer
from abhidhan.storage.engine.reader import Reader

T = TypeVar("T")

RETRY_AFTER_SECONDS: Final = 5

LONGEST_NAP: Final = 0.05
"""Seconds between two looks at whether another process has finished its request."""

_log = structlog.get_logger("abhidhan.encyclopedia")


class Lane:
    """The callers of this process who wait for one wiki. While it is slow or away, one asks and nobody else waits."""

    def __init__(self) -> None:
        """Begin with nobody there."""
        self._taken = False
        self.in_trouble = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> None:
        """Wait for those who came before. Raises UnavailableError when that would be in vain."""
        if not self._taken:
            self._taken = True
            return
        if self.in_trouble:
            raise _slow_or_away()
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self.leave()
            raise

    def leave(self) -> None:
        """Let the next one in."""
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                return
        self._taken = False

    def close(self, retry_after: int = RETRY_AFTER_SECONDS) -> None:
        """Send everybody away who waits, for so many seconds, and whoever comes while somebody asks."""
        self.in_trouble = True
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_exception(_slow_or_away(retry_after))

    def reopen(self) -> None:
        """Let callers wait again."""
        self.in_trouble = False


def _slow_or_away(retry_after: int = RETRY_AFTER_SECONDS) -> UnavailableError:
    return UnavailableError("The encyclopedia is slow or cannot be reached at the moment.", retry_after)


class Wikis:
    """Turns at wikis. What all processes must agree on is in the database; within one, callers queue up."""

    def __init__(self, database: Database, manners: Manners, clock: Callable[[], float]) -> None:
        """Take the database, the manners, and a clock in seconds since 1970."""
        self.database = database
        self.manners = manners
        self.holder = uuid4().hex
        self.last_answer: dict[str, int] = {}
        self.asked = Count("abhidhan_wiki_requests")
        self._last_sent: dict[str, int] = {}
        self._clock = clock
        self._lanes: dict[str, Lane] = {}
        # A long import of another process may keep writers waiting: this thread, which serves nobody else.
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="articles")

    def now(self) -> int:
        """Return the time in milliseconds."""
        return int(self._clock() * 1000)

    def reserve(self, address: str) -> float:
        """Choose the moment for a request whose turn is taken, and tell in how many seconds that is.

        Taking the turn may itself have been slow, and the one before too: what was distance then is none any more.
        """
        now, pace = self.now(), self.manners.pace
        sent = self._last_sent.values() if self.manners.over_all else [self._last_sent.get(address, 0)]
        wait = min(max(0, max(sent, default=0) + pace - now), pace)
        self._last_sent[address] = now + wait
        return wait / 1000

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator["Turn"]:
        """Wait for the callers before, and give back whatever the turn took of the wiki's time.

        Raises UnavailableError at once while the wiki is slow or away and somebody asks it already.
        """
        lane = self._lanes.setdefault(address, Lane())
        await lane.enter()
        try:
            turn = Turn(self, address, lane)
            try:
                yield turn
            finally:
                await turn.give_back()
        finally:
            lane.leave()

    async def write(self, job: Callable[[Writer], T]) -> T:
        """Write what no public answer's version depends on."""
        work = partial(self.database.write_now, job, public=False)
        return await asyncio.get_running_loop().run_in_executor(self._writer, work)

    def close(self) -> None:
        """Let the writing thread end after what it has begun."""
        self._writer.shutdown(wait=True)


class Turn:
    """The right to send requests to one wiki, one after the other."""

    def __init__(self, wikis: Wikis, address: str, lane: Lane) -> None:
        """Make the turn; it holds nothing before `begin`."""
        self._wikis = wikis
        self._lane = lane
        self._address = address
        self._reply: Reply | None = None
        self._begun = False

    async def begin(self, known: Callable[[Reader], T | None]) -> T | None:
        """Wait until the next request may be sent, and take the right to send it.

        If meanwhile another process has learned what was to be asked, `known` finds it: then nothing is taken, and
        what it found is given back. Raises UnavailableError when the wiki is not to be asked for now.
        """
        while True:
            seen, found = await self._wikis.database.read(partial(self._look, known))
            if found is not None:
                return found
            wiki = seen.get(self._address, Wiki(address=self._address))
            if closed := closed_for(wiki, self._wikis.now()):
                raise UnavailableError("The encyclopedia cannot be reached at the moment.", math.ceil(closed / 1000))
            if wiki.failures:
                self._lane.close()
            if self._wikis.database.is_read_only:
                # Processes agree on turns in the database; where nothing can be written, this one keeps the pace alone.
                await asyncio.sleep(self._wikis.reserve(self._address))
                return None
            if is_tried_by_another(wiki, self._wikis.holder, self._wikis.now(), self._wikis.manners):
                raise _slow_or_away()
            if (wait := self._wait(wiki, seen)) == 0 and await self._wikis.write(partial(self._take, wiki)):
                self._begun = True
                await asyncio.sleep(self._wikis.reserve(self._address))
                return None
            await asyncio.sleep(min(wait / 1000, LONGEST_NAP))

    @property
    def in_trouble(self) -> bool:
        """Whether the wiki was slow or away the last time."""
        return self._lane.in_trouble

    def note_slowness(self) -> None:
        """Remember that the answer is late: whoever else wants to ask need not wait for it."""
        self._lane.close()

    def note(self, reply: Reply) -> None:
        """Remember how the request went."""
        self._reply = reply
        self._wikis.asked.add(self._address, str(reply.outcome))
        if reply.outcome is Outcome.UNREACHABLE:
            self._lane.close(reply.retry_after or RETRY_AFTER_SECONDS)
        else:
            self._lane.reopen()
        self._wikis.last_answer[self._address] = self._wikis.now()

    async def give_back(self) -> None:
        """Let the next process ask, and tell it how the last request went."""
        if not self._begun:
            return
        try:
            before, after = await self._wikis.write(self._finish)
        except UnavailableError as error:
            # The turn ends by itself after a while.
            _log.warning("the turn at a wiki was not given back", wiki=self._address, error=str(error))
            return
        self._tell(before, after)

    def _look(self, known: Callable[[Reader], T | None], reader: Reader) -> tuple[dict[str, Wiki], T | None]:
        # The order matters: what another process learned is there before it gives its turn back.
        return wikis.read(reader), known(reader)

    def _wait(self, wiki: Wiki, seen: Mapping[str, Wiki]) -> int:
        """Return how long to wait, counting from the last answer to this process."""
        since = [self._since_answer(each) for each in seen.values()]
        return wait_for_turn(
            self._since_answer(wiki), since, self._wikis.holder, self._wikis.now(), self._wikis.manners
        )

    def _since_answer(self, wiki: Wiki) -> Wiki:
        """Count the pace from the end of a request: how long sending one takes, nobody knows at its beginning."""
        return structs.replace(wiki, asked=max(wiki.asked, self._wikis.last_answer.get(wiki.address, 0)))

    def _take(self, expected: Wiki, writer: Writer) -> bool:
        """Take the turn, unless another process has had one since the look: it may have learned the same thing."""
        seen = wikis.read_or_add(writer, self._address)
        wiki, now = seen[self._address], self._wikis.now()
        if wiki != expected or wait_for_turn(wiki, seen.values(), self._wikis.holder, now, self._wikis.manners):
            return False
        wikis.save(writer, begun(wiki, self._wikis.holder, now, self._wikis.manners))
        return True

    def _finish(self, writer: Writer) -> tuple[Wiki, Wiki]:
        before = wikis.read_or_add(writer, self._address)[self._address]
        after = self._judged(self._since_answer(before))
        if before.holder != self._wikis.holder:
            # It took too long, and somebody else has the turn now.
            after = structs.replace(after, holder=before.holder, held_until=before.held_until)
        wikis.save(writer, after)
        return before, after

    def _judged(self, wiki: Wiki) -> Wiki:
        if self._reply is None:
            return released(wiki)
        if self._reply.outcome is Outcome.UNREACHABLE:
            return failed(wiki, self._wikis.now(), self._reply.retry_after * 1000)
        return answered(wiki)

    def _tell(self, before: Wiki, after: Wiki) -> None:
        reason = self._reply.reason if self._reply else ""
        if has_closed(before, after):
            seconds = math.ceil(closed_for(after, self._wikis.now()) / 1000)
            _log.warning(
                "a wiki cannot be reached and is left alone", wiki=self._address, reason=reason, seconds=seconds
            )
        elif reason:
            _log.info("a wiki could not be reached", wiki=self._address, reason=reason)
        elif has_recovered(before, after):
            _log.info("a wiki answers again", wiki=self._address)
