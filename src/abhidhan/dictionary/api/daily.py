"""/api/today, the word and the proverb of the day; /api/random, a random word."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.model.phrases import ListedPhrase
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.dictionary.service.random_entries import draw_word
from abhidhan.platform.http.parameters import LANGUAGE_EXAMPLES
from abhidhan.platform.http.policies import build_daily_cache_control
from abhidhan.records.words import Word

MAX_AGE_SECONDS: Final = 300
"""Maximum time, in seconds, for which today's response may be cached, limited by the rest of the day."""


class TodayAnswer(msgspec.Struct, frozen=True):
    """The word and the proverb of a day; null if deleted since, or if there was none."""

    date: str
    word: Word | None
    phrase: ListedPhrase | None


@get("/api/today", tags=["Browsing"], summary="Read the word and the proverb of the day")
async def show_today(
    dictionary: DictionaryDep,
    day: Annotated[
        str | None,
        QueryParameter(
            name="date",
            description="A day (UTC), not before the first word of the day. Default: today.",
            examples=[Example(summary="a date", value="2026-11-22")],
            schema_extra={"format": "date"},
        ),
    ] = None,
) -> Response[TodayAnswer]:
    """Return the word and the proverb of a day, which are the same for all users. Days begin at midnight UTC."""
    daily = await dictionary.calendar.load_day(day or "")
    answer = TodayAnswer(daily.date, daily.word, daily.phrase)
    return Response(answer, headers=build_daily_cache_control(daily.seconds_left, MAX_AGE_SECONDS))


@get("/api/random", tags=["Browsing"], summary="Read a random word")
async def show_random(
    dictionary: DictionaryDep,
    language: Annotated[
        str, QueryParameter(description="Only words of this language. 0: all.", examples=LANGUAGE_EXAMPLES)
    ] = "0",
) -> Word:
    """Return a random word that has a definition or a translation."""
    return await dictionary.read(draw_word, LanguageParam(language), dictionary.random)
