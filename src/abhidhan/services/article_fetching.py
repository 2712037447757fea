"""Fetching articles: the sources of a language are asked in their order, each in its turn, and the answer is kept."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from typing import Final, NamedTuple

import structlog

from abhidhan.domain.articles import (
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
from abhidhan.domain.extracts import cut_at_sentence
from abhidhan.domain.text.keys import loose_key
from abhidhan.encyclopedia.source import ArticleSource
from abhidhan.errors import UnavailableError, UnwritableError
from abhidhan.services.article_sources import RETRY_WITHOUT_SOURCE, Sources
from abhidhan.services.wikis import Turn, Wikis
from abhidhan.storage import articles
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader

RETRY_AFTER_SECONDS: Final = 5
FORGOTTEN_AFTER: Final = 7 * 86_400
"""Seconds for which the knowledge that there is no article is kept after it has become stale."""

_log = structlog.get_logger("abhidhan.encyclopedia")


class Wanted(NamedTuple):
    """A title, made clean, that somebody asks for."""

    language_id: int
    title: str


class Rules(NamedTuple):
    """How long answers are good (seconds), how long a caller waits for one (seconds), how long extracts are."""

    lifetimes: Lifetimes
    patience: float
    length: int


class Fetching:
    """Asks sources for articles, and keeps what they answer in the database."""

    def __init__(
        self, database: Database, sources: Sources, rules: Rules, wikis: Wikis, clock: Callable[[], float]
    ) -> None:
        """Take the sources of each language in the order they are tried; nothing is asked yet."""
        self._database = database
        self._sources = sources
        self._rules = rules
        self._wikis = wikis
        self._clock = clock

    def fresh(self, wanted: Wanted, reader: Reader) -> Article | None:
        """Return what the cache has of a title, if it is fresh."""
        kept = articles.read(reader, wanted.language_id, wanted.title)
        return kept if kept is not None and kept.is_fresh(self._clock()) else None

    async def fetch(self, wanted: Wanted, slow: "asyncio.Future[None]") -> Article:
        """Ask the sources in their order, and keep what comes of it before the next process may ask.

        `slow` is set once a source does not answer for a while. Raises UnavailableError.
        """
        replies: list[Reply] = []
        async with AsyncExitStack() as turns:
            for source in self._sources.get(wanted.language_id, ()):
                try:
                    turn = await turns.enter_async_context(self._wikis.turn(source.address)) if source.address else None
                    if turn and (known := await turn.begin(partial(self.fresh, wanted))):
                        return known
                    with self._noticing(turn, slow):
                        replies.append(await self._ask(source, turn, wanted))
                except UnwritableError as error:
                    # Nothing can be agreed on with other processes: then none may ask.
                    _log.warning("a wiki is not asked", wiki=source.address, reason=str(error))
                    raise UnavailableError(error.said, error.retry_after) from error
                except UnavailableError as error:
                    replies.append(_out_of_reach(source, error.retry_after))
                if replies[-1].outcome is Outcome.FOUND:
                    break
            return await self._settled(wanted, replies)

    @contextmanager
    def _noticing(self, turn: Turn | None, slow: "asyncio.Future[None]") -> Iterator[None]:
        """Notice when a source does not answer for a while, and let those know who wait for it in vain."""

        def notice() -> None:
            if turn:
                turn.note_slowness()
            if not slow.done():
                slow.set_result(None)

        if turn and turn.in_trouble:
            notice()
        timer = asyncio.get_running_loop().call_later(self._wikis.manners.patience / 1000, notice)
        try:
            yield
        finally:
            timer.cancel()

    async def _ask(self, source: ArticleSource, turn: Turn | None, wanted: Wanted) -> Reply:
        """Ask one source for the title, and if there is none for its other spellings."""
        reply = await _noted(turn, source, [wanted.title])
        if reply.outcome is not Outcome.NO_ARTICLE:
            return reply
        variants = await self._database.read(partial(_variants, wanted))
        if not variants:
            return reply
        if turn:
            await turn.begin(_nothing)
        return await _noted(turn, source, variants)

    async def _settled(self, wanted: Wanted, replies: Sequence[Reply]) -> Article:
        if not replies:
            raise UnavailableError("No encyclopedia is connected in this language.", RETRY_WITHOUT_SOURCE)
        reply = settle(replies)
        if reply is None:
            name = next(each.source for each in replies if each.outcome is Outcome.UNREACHABLE)
            waits = [each.retry_after for each in replies if each.retry_after]
            raise UnavailableError(f"{name} cannot be reached at the moment.", min(waits, default=RETRY_AFTER_SECONDS))
        now = int(self._clock())
        article = Article(
            language_id=wanted.language_id,
            key=wanted.title,
            outcome=reply.outcome,
            title=reply.title or wanted.title,
            extract=cut_at_sentence(reply.extract, self._rules.length),
            url=reply.url,
            source=reply.source,
            licence=reply.licence,
            disambiguation=reply.disambiguation,
            retrieved=now,
            renew_after=now + lifetime(replies, self._rules.lifetimes),
        )
        if self._database.is_read_only:
            return article
        try:
            await self._wikis.write(partial(articles.save, saved=article, forgotten_before=now - FORGOTTEN_AFTER))
        except UnwritableError as error:
            # Whoever asks is answered all the same; the next one asks the source again.
            _log.warning("an article could not be kept", title=wanted.title, reason=str(error))
        return article


def _out_of_reach(source: ArticleSource, retry_after: int) -> Reply:
    return Reply(outcome=Outcome.UNREACHABLE, source=source.name, retry_after=retry_after)


async def _noted(turn: Turn | None, source: ArticleSource, titles: Sequence[str]) -> Reply:
    reply = await source.find(titles)
    if turn:
        turn.note(reply)
    return reply


def _variants(wanted: Wanted, reader: Reader) -> tuple[str, ...]:
    """List other spellings of a title: first those that are headwords of the dictionary, then those made by rule."""
    code = LANGUAGE_CODES[wanted.language_id]
    headwords = map(clean_title, articles.spelled_alike(reader, loose_key(wanted.title, code), wanted.language_id))
    variants = dict.fromkeys((*headwords, *spelling_variants(wanted.title, code)))
    return within_limits([variant for variant in variants if variant not in {"", wanted.title}])


def _nothing(_: Reader) -> None:
    """Know nothing yet: the request is to be sent in any case."""
