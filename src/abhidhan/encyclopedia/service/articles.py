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
from abhidhan.encyclopedia.model.article_extracts import truncate_at_sentence
from abhidhan.encyclopedia.model.wiki_rate_limit import RequestPolicy
from abhidhan.encyclopedia.service.article_fetching import (
    ArticleRequest,
    FetchContext,
    FetchRules,
    build_article,
    fetch_article,
    load_fresh_article,
)
from abhidhan.encyclopedia.service.article_sources import SourcesByLanguage, build_request_policy, open_sources
from abhidhan.encyclopedia.service.wiki_client_limits import LimiterContext, WikiLimiter
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.encyclopedia_articles import (
    LANGUAGE_CODES,
    Article,
    ArticleOutcome,
    ArticleReply,
    EncyclopediaSettings,
    clean_title,
)
from abhidhan.records.errors import AbhidhanError, RetryAfter, UnavailableError
from abhidhan.records.languages import ENGLISH

MAX_RUNNING_FETCHES: Final = 200
"""Maximum number of titles being fetched or queued in one process; callers with further ones must retry later."""

MAX_FETCH_ATTEMPTS: Final = 4
MAX_PAUSE_SECONDS: Final = 600
"""Maximum number of attempts per title, and maximum pause between them in seconds, for `fetch_all`."""

_log = structlog.get_logger("abhidhan.encyclopedia")


class RunningFetch(NamedTuple):
    """A running fetch of a title, and a future that is set if its source is slow."""

    task: "asyncio.Task[Article]"
    slow_signal: "asyncio.Future[None]"


class Encyclopedia:
    """Articles in several languages. Each instance serves one event loop; processes share the cache and rate limits."""

    def __init__(
        self,
        database: Database,
        sources: SourcesByLanguage,
        rules: FetchRules,
        policy: RequestPolicy,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Initialise with the sources of each language, in the order in which they are tried; send no request yet."""
        addresses = {source.address for group in sources.values() for source in group if source.address}
        limiter_context = LimiterContext(database, policy, clock, {})
        limiters = {address: WikiLimiter(address, limiter_context) for address in addresses}
        self._context = FetchContext(database, sources, limiters, rules, policy.slow_after_milliseconds / 1000, clock)
        self._running_fetches: dict[ArticleRequest, RunningFetch] = {}
        self._renewal_times: dict[int, float] = {}

    async def get_article(self, language_id: int, text: str) -> Article:
        """Return the article with a title from the cache, even if it is stale, or else from a source.

        English replaces a language without an encyclopedia. Raises UnavailableError if the title is not cached and no
        source responds in time.
        """
        request = ArticleRequest(language_id if language_id in LANGUAGE_CODES else ENGLISH, clean_title(text))
        if not request.title and (sources := self._context.sources.get(request.language_id)):
            no_article = ArticleReply(
                outcome=ArticleOutcome.NO_ARTICLE, title=text, source=sources[0].name, licence=sources[0].licence
            )
            return build_article(self._context, request, [no_article])
        read_job = partial(store.read_article, language_id=request.language_id, key=request.title)
        cached = await self._context.database.read(read_job)
        if cached is None:
            is_first = request not in self._running_fetches
            return self._truncate_extract(await self._wait_for(self._find_or_start_fetch(request), is_first=is_first))
        if not cached.is_fresh(self._context.clock()) and not self._context.database.is_read_only:
            self._renew(request)
        return self._truncate_extract(cached)

    async def fetch_all(self, language_id: int, titles: Iterable[str]) -> AsyncIterator[Article | None]:
        """Fetch titles into the cache one by one, and yield each article.

        Yields None for a title whose cache entry is fresh, and for an invalid title. Waits if a wiki asks for a pause.
        Raises UnavailableError if the wiki is still unreachable after that.
        """
        for text in titles:
            request = ArticleRequest(language_id, clean_title(text))
            cached = await self._context.database.read(partial(load_fresh_article, self._context, request))
            yield await self._fetch_with_retries(request) if request.title and cached is None else None

    async def _fetch_with_retries(self, request: ArticleRequest) -> Article:
        for _ in range(MAX_FETCH_ATTEMPTS):
            try:
                return await asyncio.shield(self._find_or_start_fetch(request).task)
            except UnavailableError as error:
                if error.retry_after > MAX_PAUSE_SECONDS:
                    raise
                await asyncio.sleep(error.retry_after)
        return await asyncio.shield(self._find_or_start_fetch(request).task)

    @asynccontextmanager
    async def running(self, _: object = None) -> AsyncIterator[None]:
        """Close the encyclopedia at the end of the application's lifetime."""
        try:
            yield
        finally:
            await self.close()

    async def close(self) -> None:
        """Cancel running requests and close the sources."""
        tasks = [task.task for task in self._running_fetches.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for source in {id(source): source for group in self._context.sources.values() for source in group}.values():
            await source.close()

    def _find_or_start_fetch(self, request: ArticleRequest) -> RunningFetch:
        """Return this process's running fetch of a title; start one if there is none."""
        fetch = self._running_fetches.get(request)
        if fetch is None:
            if len(self._running_fetches) >= MAX_RUNNING_FETCHES:
                raise UnavailableError("Too many articles are being requested at the same time.", RetryAfter.MOMENT)
            loop = asyncio.get_running_loop()
            slow_signal = loop.create_future()
            fetch = RunningFetch(loop.create_task(fetch_article(self._context, request, slow_signal)), slow_signal)
            self._running_fetches[request] = fetch
            fetch.task.add_done_callback(partial(self._finish_fetch, request))
        return fetch

    def _finish_fetch(self, request: ArticleRequest, task: asyncio.Task[Article]) -> None:
        self._running_fetches.pop(request, None)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, UnavailableError):
            self._renewal_times[request.language_id] = self._context.clock() + error.retry_after
        elif error is not None and not isinstance(error, AbhidhanError):
            _log.error("an article could not be fetched", title=request.title, exc_info=error)

    def _renew(self, request: ArticleRequest) -> None:
        """Refresh an article in the background, unless a source was unreachable recently."""
        can_fetch = self._context.clock() >= self._renewal_times.get(request.language_id, 0)
        if can_fetch and len(self._running_fetches) < MAX_RUNNING_FETCHES:
            self._find_or_start_fetch(request)

    async def _wait_for(self, fetch: RunningFetch, *, is_first: bool) -> Article:
        """Wait for a fetch until the deadline, after which it continues in the background.

        While a source is slow, only the first caller waits for it.
        """
        awaited: set[asyncio.Future[Any]] = {fetch.task} if is_first else {fetch.task, fetch.slow_signal}
        await asyncio.wait(awaited, timeout=self._context.rules.max_wait_seconds, return_when=asyncio.FIRST_COMPLETED)
        if not fetch.task.done():
            raise UnavailableError(
                "The encyclopedia has not responded in time. Please try again soon.", RetryAfter.MOMENT
            )
        return fetch.task.result()

    def _truncate_extract(self, article: Article) -> Article:
        """Shorten the extract to the current setting, which may be lower than when the article was fetched."""
        return structs.replace(
            article, extract=truncate_at_sentence(article.extract, self._context.rules.max_extract_length)
        )


async def load_article(encyclopedia: Encyclopedia | None, language_id: int, title: str) -> Article:
    """Return the introduction of an article. Raises UnavailableError, also if there is no encyclopedia."""
    if encyclopedia is None:
        raise UnavailableError("This server has no encyclopedia.", RetryAfter.NOT_SET_UP)
    return await encyclopedia.get_article(language_id, title)


def open_encyclopedia(database: Database, settings: EncyclopediaSettings) -> Encyclopedia:
    """Build the encyclopedia from the settings; a ZIM file that cannot be opened becomes an unreachable source."""
    sources = {choice.language_id: open_sources(choice, settings) for choice in settings.sources}
    rules = FetchRules(settings.lifetimes, settings.total_seconds + 1, settings.max_extract_length)
    return Encyclopedia(database, sources, rules, build_request_policy(settings))


def list_headwords(connection: ReadConnection, language_id: int) -> list[str]:
    """List the headwords of a language, whose articles a command can fetch into the cache."""
    return list(store.iter_headwords(connection, language_id))


def delete_articles(writer: WriteConnection, *, now: int | None, only_missing: bool) -> int:
    """Delete all cached articles, only misses, or only those stale at `now`; return the number deleted."""
    return store.delete_articles(writer, only_missing=only_missing, stale_at=now)
