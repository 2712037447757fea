"""Encyclopedia articles: immediately from the cache, or from the sources, with one request for all callers."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, NamedTuple

import structlog
from msgspec import structs

from abhidhan.encyclopedia import store
from abhidhan.encyclopedia.model.article_extracts import cut_at_sentence
from abhidhan.encyclopedia.model.wiki_rate_limit import Manners
from abhidhan.encyclopedia.service.article_fetching import Place, Rules, Wanted, as_article, fetch_article, read_fresh
from abhidhan.encyclopedia.service.article_sources import Sources, manners, open_sources
from abhidhan.encyclopedia.service.wiki_client_limits import Shared, WikiLimiter
from abhidhan.platform.database.database import Database, Writer
from abhidhan.platform.database.reader import Reader
from abhidhan.records.encyclopedia_articles import (
    LANGUAGE_CODES,
    Article,
    EncyclopediaChoices,
    Outcome,
    Reply,
    clean_title,
)
from abhidhan.records.errors import AbhidhanError, RetryAfter, UnavailableError
from abhidhan.records.languages import ENGLISH

MOST_FLIGHTS: Final = 200
"""Maximum number of titles being fetched or queued in one process; callers with further ones must retry later."""

TRIES: Final = 4
LONGEST_REST: Final = 600
"""Fetching ahead: attempts for each title, and the longest pause (seconds) that a wiki is granted between them."""

_log = structlog.get_logger("abhidhan.encyclopedia")


class Flight(NamedTuple):
    """A running request for a title, and a future that is set when its source turns out to be slow."""

    task: "asyncio.Task[Article]"
    slow: "asyncio.Future[None]"


class Encyclopedia:
    """Articles in several languages. Each instance serves one event loop; processes share the cache and rate limits."""

    def __init__(
        self,
        database: Database,
        sources: Sources,
        rules: Rules,
        manners: Manners,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Initialise with the sources of each language, in the order in which they are tried; send no request yet."""
        addresses = {source.address for group in sources.values() for source in group if source.address}
        shared = Shared(database, manners, clock, {})
        limiters = {each: WikiLimiter(each, shared) for each in addresses}
        self._place = Place(database, sources, limiters, rules, manners.patience / 1000, clock)
        self._flights: dict[Wanted, Flight] = {}
        self._no_renewals_before: dict[int, float] = {}

    async def show(self, language_id: int, text: str) -> Article:
        """Return the article of a title: from the cache, fresh or stale, else as soon as a source has it.

        A language without an encyclopedia counts as English. Raises UnavailableError if the title is not cached and no
        source responds in time.
        """
        wanted = Wanted(language_id if language_id in LANGUAGE_CODES else ENGLISH, clean_title(text))
        if not wanted.title and (sources := self._place.sources.get(wanted.language_id)):
            nothing = Reply(outcome=Outcome.NO_ARTICLE, title=text, source=sources[0].name, licence=sources[0].licence)
            return as_article(self._place, wanted, [nothing])
        reading = partial(store.read_article, language_id=wanted.language_id, key=wanted.title)
        kept = await self._place.database.read(reading)
        if kept is None:
            is_first = wanted not in self._flights
            return self._cut(await self._patiently(self._flight(wanted), is_first=is_first))
        if not kept.is_fresh(self._place.clock()) and not self._place.database.is_read_only:
            self._renew(wanted)
        return self._cut(kept)

    async def fetch_all(self, language_id: int, titles: Iterable[str]) -> AsyncIterator[Article | None]:
        """Fetch titles into the cache one by one, and yield each article.

        Yields None for a title that is fresh in the cache or cannot have an article. Waits if a wiki asks for a pause;
        raises UnavailableError if it is still out of reach after that.
        """
        for text in titles:
            wanted = Wanted(language_id, clean_title(text))
            known = await self._place.database.read(partial(read_fresh, self._place, wanted))
            yield await self._fetch_patiently(wanted) if wanted.title and known is None else None

    async def _fetch_patiently(self, wanted: Wanted) -> Article:
        for _ in range(TRIES):
            try:
                return await asyncio.shield(self._flight(wanted).task)
            except UnavailableError as error:
                if error.retry_after > LONGEST_REST:
                    raise
                await asyncio.sleep(error.retry_after)
        return await asyncio.shield(self._flight(wanted).task)

    @asynccontextmanager
    async def running(self, _: object = None) -> AsyncIterator[None]:
        """Close the encyclopedia at the end of the application's lifetime."""
        try:
            yield
        finally:
            await self.close()

    async def close(self) -> None:
        """Cancel running requests and close the sources."""
        flights = [flight.task for flight in self._flights.values()]
        for flight in flights:
            flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)
        for source in {id(source): source for group in self._place.sources.values() for source in group}.values():
            await source.close()

    def _flight(self, wanted: Wanted) -> Flight:
        """Return the running request of this process for a title, or start one."""
        flight = self._flights.get(wanted)
        if flight is None:
            if len(self._flights) >= MOST_FLIGHTS:
                raise UnavailableError("Too many articles are being requested at once.", RetryAfter.MOMENT)
            loop = asyncio.get_running_loop()
            slow = loop.create_future()
            flight = Flight(loop.create_task(fetch_article(self._place, wanted, slow)), slow)
            self._flights[wanted] = flight
            flight.task.add_done_callback(partial(self._landed, wanted))
        return flight

    def _landed(self, wanted: Wanted, flight: asyncio.Task[Article]) -> None:
        self._flights.pop(wanted, None)
        error = None if flight.cancelled() else flight.exception()
        if isinstance(error, UnavailableError):
            self._no_renewals_before[wanted.language_id] = self._place.clock() + error.retry_after
        elif error is not None and not isinstance(error, AbhidhanError):
            _log.error("an article could not be fetched", title=wanted.title, exc_info=error)

    def _renew(self, wanted: Wanted) -> None:
        """Refresh an article in the background, unless a source was recently out of reach."""
        may_ask = self._place.clock() >= self._no_renewals_before.get(wanted.language_id, 0)
        if may_ask and len(self._flights) < MOST_FLIGHTS:
            self._flight(wanted)

    async def _patiently(self, flight: Flight, *, is_first: bool) -> Article:
        """Wait for a request up to the deadline; it continues without its callers.

        While a source is slow, only the first caller waits for it.
        """
        awaited: set[asyncio.Future[Any]] = {flight.task} if is_first else {flight.task, flight.slow}
        await asyncio.wait(awaited, timeout=self._place.rules.patience, return_when=asyncio.FIRST_COMPLETED)
        if not flight.task.done():
            raise UnavailableError(
                "The encyclopedia has not responded in time. Please try again soon.", RetryAfter.MOMENT
            )
        return flight.task.result()

    def _cut(self, article: Article) -> Article:
        """Cut the extract to the current length setting, which may differ from the one at fetch time."""
        return structs.replace(article, extract=cut_at_sentence(article.extract, self._place.rules.length))


async def show_article(encyclopedia: Encyclopedia | None, language_id: int, title: str) -> Article:
    """Return the introduction of an article. Raises UnavailableError, also if there is no encyclopedia."""
    if encyclopedia is None:
        raise UnavailableError("This server has no encyclopedia.", RetryAfter.NOT_SET_UP)
    return await encyclopedia.show(language_id, title)


def connect(database: Database, choices: EncyclopediaChoices) -> Encyclopedia:
    """Build the encyclopedia of the settings; a file that cannot be opened counts as out of reach."""
    sources = {choice.language_id: open_sources(choice, choices) for choice in choices.sources}
    rules = Rules(choices.lifetimes, choices.total_seconds + 1, choices.length)
    return Encyclopedia(database, sources, rules, manners(choices))


def headwords(reader: Reader, language_id: int) -> list[str]:
    """List the headwords of a language, for fetching their articles ahead."""
    return list(store.headwords(reader, language_id))


def purge(writer: Writer, *, now: int | None, only_missing: bool) -> int:
    """Delete cached articles and return their number: all, only misses, or only those that are stale at `now`."""
    return store.purge(writer, only_missing=only_missing, stale_at=now)
