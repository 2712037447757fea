"""Encyclopedia articles from the cache or from the sources; concurrent callers share one request for a title."""

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
from abhidhan.encyclopedia.model.wiki_rate_limit import RequestPolicy
from abhidhan.encyclopedia.service.article_fetching import (
    ArticleRequest,
    FetchContext,
    Rules,
    as_article,
    fetch_article,
    read_fresh,
)
from abhidhan.encyclopedia.service.article_sources import Sources, open_sources, request_policy
from abhidhan.encyclopedia.service.wiki_client_limits import LimiterContext, WikiLimiter
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.encyclopedia_articles import (
    LANGUAGE_CODES,
    Article,
    ArticleOutcome,
    EncyclopediaChoices,
    Reply,
    clean_title,
)
from abhidhan.records.errors import AbhidhanError, RetryAfter, UnavailableError
from abhidhan.records.languages import ENGLISH

MAX_FLIGHTS: Final = 200
"""Maximum number of titles being fetched or queued in one process; callers with further ones must retry later."""

MAX_ATTEMPTS: Final = 4
MAX_PAUSE_SECONDS: Final = 600
"""Maximum number of attempts per title, and maximum pause between them in seconds, for `fetch_all`."""

_log = structlog.get_logger("abhidhan.encyclopedia")


class Flight(NamedTuple):
    """A running fetch of a title, and a future that is set if its source is slow."""

    task: "asyncio.Task[Article]"
    slow: "asyncio.Future[None]"


class Encyclopedia:
    """Articles in several languages. Each instance serves one event loop; processes share the cache and rate limits."""

    def __init__(
        self,
        database: Database,
        sources: Sources,
        rules: Rules,
        policy: RequestPolicy,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Initialise with the sources of each language, in the order in which they are tried; send no request yet."""
        addresses = {source.address for group in sources.values() for source in group if source.address}
        limiter_context = LimiterContext(database, policy, clock, {})
        limiters = {address: WikiLimiter(address, limiter_context) for address in addresses}
        self._context = FetchContext(database, sources, limiters, rules, policy.patience / 1000, clock)
        self._flights: dict[ArticleRequest, Flight] = {}
        self._no_renewals_before: dict[int, float] = {}

    async def show(self, language_id: int, text: str) -> Article:
        """Return the article with a title from the cache, even if it is stale, or else from a source.

        English replaces a language without an encyclopedia. Raises UnavailableError if the title is not cached and no
        source responds in time.
        """
        request = ArticleRequest(language_id if language_id in LANGUAGE_CODES else ENGLISH, clean_title(text))
        if not request.title and (sources := self._context.sources.get(request.language_id)):
            nothing = Reply(
                outcome=ArticleOutcome.NO_ARTICLE, title=text, source=sources[0].name, licence=sources[0].licence
            )
            return as_article(self._context, request, [nothing])
        reading = partial(store.read_article, language_id=request.language_id, key=request.title)
        cached = await self._context.database.read(reading)
        if cached is None:
            is_first = request not in self._flights
            return self._cut(await self._wait_for(self._flight(request), is_first=is_first))
        if not cached.is_fresh(self._context.clock()) and not self._context.database.is_read_only:
            self._renew(request)
        return self._cut(cached)

    async def fetch_all(self, language_id: int, titles: Iterable[str]) -> AsyncIterator[Article | None]:
        """Fetch titles into the cache one by one, and yield each article.

        Yields None for a title whose cache entry is fresh, and for an invalid title. Waits if a wiki asks for a pause.
        Raises UnavailableError if the wiki is still unreachable after that.
        """
        for text in titles:
            request = ArticleRequest(language_id, clean_title(text))
            cached = await self._context.database.read(partial(read_fresh, self._context, request))
            yield await self._fetch_with_retries(request) if request.title and cached is None else None

    async def _fetch_with_retries(self, request: ArticleRequest) -> Article:
        for _ in range(MAX_ATTEMPTS):
            try:
                return await asyncio.shield(self._flight(request).task)
            except UnavailableError as error:
                if error.retry_after > MAX_PAUSE_SECONDS:
                    raise
                await asyncio.sleep(error.retry_after)
        return await asyncio.shield(self._flight(request).task)

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
        for source in {id(source): source for group in self._context.sources.values() for source in group}.values():
            await source.close()

    def _flight(self, request: ArticleRequest) -> Flight:
        """Return this process's running fetch of a title; start one if there is none."""
        flight = self._flights.get(request)
        if flight is None:
            if len(self._flights) >= MAX_FLIGHTS:
                raise UnavailableError("Too many articles are being requested at once.", RetryAfter.MOMENT)
            loop = asyncio.get_running_loop()
            slow = loop.create_future()
            flight = Flight(loop.create_task(fetch_article(self._context, request, slow)), slow)
            self._flights[request] = flight
            flight.task.add_done_callback(partial(self._finish_flight, request))
        return flight

    def _finish_flight(self, request: ArticleRequest, flight: asyncio.Task[Article]) -> None:
        self._flights.pop(request, None)
        error = None if flight.cancelled() else flight.exception()
        if isinstance(error, UnavailableError):
            self._no_renewals_before[request.language_id] = self._context.clock() + error.retry_after
        elif error is not None and not isinstance(error, AbhidhanError):
            _log.error("an article could not be fetched", title=request.title, exc_info=error)

    def _renew(self, request: ArticleRequest) -> None:
        """Refresh an article in the background, unless a source was unreachable recently."""
        may_ask = self._context.clock() >= self._no_renewals_before.get(request.language_id, 0)
        if may_ask and len(self._flights) < MAX_FLIGHTS:
            self._flight(request)

    async def _wait_for(self, flight: Flight, *, is_first: bool) -> Article:
        """Wait for a fetch until the deadline, after which it continues in the background.

        While a source is slow, only the first caller waits for it.
        """
        awaited: set[asyncio.Future[Any]] = {flight.task} if is_first else {flight.task, flight.slow}
        await asyncio.wait(awaited, timeout=self._context.rules.patience, return_when=asyncio.FIRST_COMPLETED)
        if not flight.task.done():
            raise UnavailableError(
                "The encyclopedia has not responded in time. Please try again soon.", RetryAfter.MOMENT
            )
        return flight.task.result()

    def _cut(self, article: Article) -> Article:
        """Shorten the extract to the current setting, which may be lower than when the article was fetched."""
        return structs.replace(article, extract=cut_at_sentence(article.extract, self._context.rules.length))


async def show_article(encyclopedia: Encyclopedia | None, language_id: int, title: str) -> Article:
    """Return the introduction of an article. Raises UnavailableError, also if there is no encyclopedia."""
    if encyclopedia is None:
        raise UnavailableError("This server has no encyclopedia.", RetryAfter.NOT_SET_UP)
    return await encyclopedia.show(language_id, title)


def connect(database: Database, choices: EncyclopediaChoices) -> Encyclopedia:
    """Build the encyclopedia from the settings; a ZIM file that cannot be opened becomes an unreachable source."""
    sources = {choice.language_id: open_sources(choice, choices) for choice in choices.sources}
    rules = Rules(choices.lifetimes, choices.total_seconds + 1, choices.length)
    return Encyclopedia(database, sources, rules, request_policy(choices))


def headwords(reader: ReadConnection, language_id: int) -> list[str]:
    """List the headwords of a language, whose articles a command can fetch into the cache."""
    return list(store.headwords(reader, language_id))


def purge(writer: WriteConnection, *, now: int | None, only_missing: bool) -> int:
    """Delete all cached articles, only misses, or only those stale at `now`; return the number deleted."""
    return store.purge(writer, only_missing=only_missing, stale_at=now)
