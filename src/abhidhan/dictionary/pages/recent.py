"""Recently added words as a page and a feed, and the feed of recent words of the day."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from litestar import Response, get
from litestar.params import FromQuery

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.views.recent import RecentEntry, read_recent_page
from abhidhan.platform.http.labels import format_iso_day
from abhidhan.platform.http.policies import build_daily_cache_control
from abhidhan.platform.http.preferences import InterfacePreferences
from abhidhan.platform.http.rendering import PageRequest, PagesDep, get_language_preferences, render
from abhidhan.records.language_preferences import LanguagePreferences

PAGE_SIZE: Final = 60
FEED_SIZE: Final = 50


def group_by_day(words: Iterable[RecentEntry]) -> list[tuple[str, list[RecentEntry]]]:
    """Group words by the day of their addition."""
    return [
        (key, list(group)) for key, group in groupby(words, key=lambda new_word: format_iso_day(new_word.word.added))
    ]


@get("/recent", include_in_schema=False)
async def show_recent(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, language: FromQuery[str] = "0"
) -> Response[str]:
    """Show the newest words."""
    page = await dictionary.read_in_thread(
        read_recent_page, language, PAGE_SIZE, get_language_preferences(request), one_per_idea=True
    )
    return pages.show(request, "recent.html", {"page": page, "days": group_by_day(page.words)})


@get("/feed.atom", include_in_schema=False)
async def show_feed(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, language: FromQuery[str] = "0"
) -> Response[str]:
    """Return the newest words as an Atom feed (RFC 4287)."""
    page = await dictionary.read_in_thread(
        read_recent_page, language, FEED_SIZE, LanguagePreferences(), one_per_idea=False
    )
    body = render(InterfacePreferences(), "feed.xml", {"page": page, "base": pages.get_base_url(request)})
    return Response(body, media_type="application/atom+xml", headers={"Cache-Control": "public, max-age=900"})


MAX_AGE_SECONDS: Final = 900


@get(
    "/today.xml",
    tags=["Browsing"],
    summary="Follow the word and the proverb of the day",
    media_type="application/atom+xml",
)
async def show_daily_feed(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Return the words and proverbs of the last days as an Atom feed (RFC 4287)."""
    page = await dictionary.calendar.load_recent()
    body = render(InterfacePreferences(), "today.xml", {"page": page, "base": pages.get_base_url(request)})
    headers = build_daily_cache_control(page.days[0].seconds_left, MAX_AGE_SECONDS)
    return Response(body, media_type="application/atom+xml", headers=headers)
