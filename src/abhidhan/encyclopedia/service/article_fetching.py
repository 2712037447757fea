"""Fetching of an article: try the sources of its language in order, and store the result."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Final, NamedTuple

import structlog

from abhidhan.encyclopedia import store
from abhidhan.encyclopedia.model.article_extracts import cut_at_sentence
from abhidhan.encyclopedia.service.article_sources import ArticleSource, Sources
from abhidhan.encyclopedia.service.wiki_client_limits import WikiLimiter
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import Reader
from abhidhan.records.encyclopedia_articles import (
    LANGUAGE_CODES,
    Article,
    Lifetimes,
    Outcome,
    Reply,
    clean_title,
    lifetime,
    settle,
    spelling_variants,
    within_limits,
)
from abhidhan.records.errors import RetryAfter, UnavailableError, UnwritableError
from assamese.keys import loose_key

FORGOTTEN_AFTER: Final = 7 * 86_400
"""Seconds for which a stored miss is kept after it has become stale."""

_log = structlog.get_logger("abhidhan.encyclopedia")


class Wanted(NamedTuple):
    """A requested title, after cleaning."""

    language_id: int
    title: str


class Rules(NamedTuple):
    """Lifetimes of cached articles, the longest wait of a caller (seconds), and the maximum length of extracts."""

    lifetimes: Lifetimes
    patience: float
    length: int


class Place(NamedTuple):
    """Dependencies of a fetch: database, sources, limiters. A source counts as slow after `slow_after` seconds."""

    database: Database
    sources: Sources
    limiters: Mapping[str, WikiLimiter]
    rules: Rules
    slow_after: float
    clock: Callable[[], float]


async def fetch_article(place: Place, wanted: Wanted, slow: "asyncio.Future[None]") -> Article:
    """Query the sources in order, and store the result before another process may query them.

    `slow` is set when a source has not responded for `slow_after` seconds. Raises UnavailableError.
    """
    replies: list[Reply] = []
    async with AsyncExitStack() as turns:
        for source in place.sources.get(wanted.language_id, ()):
            limiter = place.limiters[source.address] if source.address else None
            try:
                if limiter:
                    await turns.enter_async_context(limiter.turn())
                    if article := await limiter.take(partial(read_fresh, place, wanted)):
                        return article
                replies.append(await _ask(place, wanted, source, limiter, slow))
            except UnwritableError as error:
                # Without the database, processes cannot agree on turns, so none may send requests.
                _log.warning("a wiki is not queried", wiki=source.address, reason=str(error))
                raise UnavailableError(error.said, error.retry_after) from error
            except UnavailableError as error:
                replies.append(Reply(outcome=Outcome.UNREACHABLE, source=source.name, retry_after=error.retry_after))
            if replies[-1].outcome is Outcome.FOUND:
                break
        article = as_article(place, wanted, replies)
        if place.database.is_read_only:
            return article
        saving = partial(store.save_article, saved=article, forgotten_before=article.retrieved - FORGOTTEN_AFTER)
        try:
            await place.database.write(saving, public=False)
        except UnwritableError as error:
            # The caller still gets the article; the next one fetches it again.
            _log.warning("an article could not be cached", title=wanted.title, reason=str(error))
    return article


def read_fresh(place: Place, wanted: Wanted, reader: Reader) -> Article | None:
    """Return the cached article of a title if it is fresh."""
    article = store.read_article(reader, wanted.language_id, wanted.title)
    return article if article is not None and article.is_fresh(place.clock()) else None


def as_article(place: Place, wanted: Wanted, replies: Sequence[Reply]) -> Article:
    """Combine the sources' replies into the article to store. Raises UnavailableError if the outcome is unknown."""
    if not replies:
        raise UnavailableError("There is no encyclopedia in this language.", RetryAfter.NOT_SET_UP)
    reply = settle(replies)
    if reply is None:
        name = next(each.source for each in replies if each.outcome is Outcome.UNREACHABLE)
        waits = [each.retry_after for each in replies if each.retry_after]
        raise UnavailableError(f"{name} cannot be reached at the moment.", min(waits, default=RetryAfter.MOMENT))
    now = int(place.clock())
    return Article(
        language_id=wanted.language_id,
        key=wanted.title,
        outcome=reply.outcome,
        title=reply.title or wanted.title,
        extract=cut_at_sentence(reply.extract, place.rules.length),
        url=reply.url,
        source=reply.source,
        licence=reply.licence,
        disambiguation=reply.disambiguation,
        retrieved=now,
        renew_after=now + lifetime(replies, place.rules.lifetimes),
    )


async def _ask(
    place: Place, wanted: Wanted, source: ArticleSource, limiter: WikiLimiter | None, slow: "asyncio.Future[None]"
) -> Reply:
    """Query one source for the title, then for its other spellings."""

    def note_slowness() -> None:
        if limiter:
            limiter.dismiss()
        if not slow.done():
            slow.set_result(None)

    ask = partial(limiter.ask, source) if limiter else source.find
    if limiter and limiter.retry_after:
        note_slowness()
    timer = asyncio.get_running_loop().call_later(place.slow_after, note_slowness)
    try:
        reply = await ask([wanted.title])
        if reply.outcome is not Outcome.NO_ARTICLE:
            return reply
        variants = await place.database.read(partial(_variants, wanted))
        if not variants:
            return reply
        if limiter:
            await limiter.take(lambda _: None)
        return await ask(variants)
    finally:
        timer.cancel()


def _variants(wanted: Wanted, reader: Reader) -> tuple[str, ...]:
    """List other spellings of a title: headwords of the dictionary first, then generated ones."""
    code = LANGUAGE_CODES[wanted.language_id]
    headwords = map(clean_title, store.spelled_alike(reader, loose_key(wanted.title, code), wanted.language_id))
    variants = dict.fromkeys((*headwords, *spelling_variants(wanted.title, code)))
    return within_limits([variant for variant in variants if variant not in {"", wanted.title}])
