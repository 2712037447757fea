"""Fetching of an article: try the sources of its language in order, and store the result."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Final, NamedTuple

import structlog

from abhidhan.encyclopedia import store
from abhidhan.encyclopedia.model.article_extracts import truncate_at_sentence
from abhidhan.encyclopedia.service.article_sources import ArticleSource, SourcesByLanguage
from abhidhan.encyclopedia.service.wiki_client_limits import WikiLimiter
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.encyclopedia_articles import (
    LANGUAGE_CODES,
    Article,
    ArticleOutcome,
    ArticleReply,
    CacheLifetimes,
    choose_lifetime,
    choose_reply,
    clean_title,
    limit_titles,
    list_spelling_variants,
)
from abhidhan.records.errors import RetryAfter, UnavailableError, UnwritableError
from abhidhan.records.timestamps import DAY_SECONDS
from assamese.keys import loose_key

MISS_RETENTION_SECONDS: Final = 7 * DAY_SECONDS
"""Seconds for which a stored miss is kept after it has become stale."""

_log = structlog.get_logger("abhidhan.encyclopedia")


class ArticleRequest(NamedTuple):
    """A requested title, after cleaning."""

    language_id: int
    title: str


class FetchRules(NamedTuple):
    """Cache lifetimes, the maximum wait of a caller in seconds, and the maximum length of extracts in characters."""

    lifetimes: CacheLifetimes
    max_wait_seconds: float
    max_extract_length: int


class FetchContext(NamedTuple):
    """Dependencies of a fetch. `limiters` are by wiki address; a source is slow after `slow_after_seconds`."""

    database: Database
    sources: SourcesByLanguage
    limiters: Mapping[str, WikiLimiter]
    rules: FetchRules
    slow_after_seconds: float
    clock: Callable[[], float]


async def fetch_article(context: FetchContext, request: ArticleRequest, slow_signal: "asyncio.Future[None]") -> Article:
    """Query the sources in order, and store the result before releasing the turns at their wikis.

    `slow_signal` is set when a source has not responded for `slow_after_seconds`. Raises UnavailableError.
    """
    replies: list[ArticleReply] = []
    async with AsyncExitStack() as turns:
        for source in context.sources.get(request.language_id, ()):
            limiter = context.limiters[source.address] if source.address else None
            try:
                if limiter:
                    await turns.enter_async_context(limiter.hold_turn())
                    if article := await limiter.acquire(partial(load_fresh_article, context, request)):
                        return article
                replies.append(await _query_source(context, request, source, limiter, slow_signal))
            except UnwritableError as error:
                # Without the database, processes cannot agree on turns, so none may send requests.
                _log.warning("a wiki is not queried", wiki=source.address, reason=str(error))
                raise UnavailableError(error.message, error.retry_after) from error
            except UnavailableError as error:
                replies.append(
                    ArticleReply(outcome=ArticleOutcome.UNREACHABLE, source=source.name, retry_after=error.retry_after)
                )
            if replies[-1].outcome is ArticleOutcome.FOUND:
                break
        article = build_article(context, request, replies)
        if context.database.is_read_only:
            return article
        save_job = partial(store.save_article, entry=article, delete_before=article.retrieved - MISS_RETENTION_SECONDS)
        try:
            await context.database.write(save_job, public=False)
        except UnwritableError as error:
            # The caller still gets the article; the next one fetches it again.
            _log.warning("an article could not be cached", title=request.title, reason=str(error))
    return article


def load_fresh_article(context: FetchContext, request: ArticleRequest, connection: ReadConnection) -> Article | None:
    """Return the cached article of a title if it is fresh."""
    article = store.read_article(connection, request.language_id, request.title)
    return article if article is not None and article.is_fresh(context.clock()) else None


def build_article(context: FetchContext, request: ArticleRequest, replies: Sequence[ArticleReply]) -> Article:
    """Build the article to store from the sources' replies. Raises UnavailableError if an article may still exist."""
    if not replies:
        raise UnavailableError("There is no encyclopedia in this language.", RetryAfter.NOT_SET_UP)
    reply = choose_reply(replies)
    if reply is None:
        name = next(answer.source for answer in replies if answer.outcome is ArticleOutcome.UNREACHABLE)
        waits = [answer.retry_after for answer in replies if answer.retry_after]
        raise UnavailableError(f"{name} cannot be reached at the moment.", min(waits, default=RetryAfter.MOMENT))
    now = int(context.clock())
    return Article(
        language_id=request.language_id,
        key=request.title,
        outcome=reply.outcome,
        title=reply.title or request.title,
        extract=truncate_at_sentence(reply.extract, context.rules.max_extract_length),
        url=reply.url,
        source=reply.source,
        licence=reply.licence,
        disambiguation=reply.disambiguation,
        retrieved=now,
        renew_after=now + choose_lifetime(replies, context.rules.lifetimes),
    )


async def _query_source(
    context: FetchContext,
    request: ArticleRequest,
    source: ArticleSource,
    limiter: WikiLimiter | None,
    slow_signal: "asyncio.Future[None]",
) -> ArticleReply:
    """Query one source for the title, then for its other spellings."""

    def report_slowness() -> None:
        if limiter:
            limiter.reject_waiting()
        if not slow_signal.done():
            slow_signal.set_result(None)

    ask = partial(limiter.send_request, source) if limiter else source.find
    if limiter and limiter.retry_after:
        report_slowness()
    timer = asyncio.get_running_loop().call_later(context.slow_after_seconds, report_slowness)
    try:
        reply = await ask([request.title])
        if reply.outcome is not ArticleOutcome.NO_ARTICLE:
            return reply
        variants = await context.database.read(partial(_list_variants, request))
        if not variants:
            return reply
        if limiter:
            await limiter.acquire(lambda _: None)
        return await ask(variants)
    finally:
        timer.cancel()


def _list_variants(request: ArticleRequest, connection: ReadConnection) -> tuple[str, ...]:
    """List other spellings of a title: headwords of the dictionary first, then generated ones."""
    code = LANGUAGE_CODES[request.language_id]
    headwords = map(
        clean_title, store.find_headwords_by_loose_key(connection, loose_key(request.title, code), request.language_id)
    )
    variants = dict.fromkeys((*headwords, *list_spelling_variants(request.title, code)))
    return limit_titles([variant for variant in variants if variant not in {"", request.title}])
