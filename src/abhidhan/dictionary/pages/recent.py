"""Recently added words as a page and a feed, and the feed of recent words of the day."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from litestar import Response, get
from litestar.params import FromQuery

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.views.recent import NewWord, read_recent_page
from abhidhan.platform.http.labels import day
from abhidhan.platform.http.policies import until_midnight
from abhidhan.platform.http.preferences import Interface
from abhidhan.platform.http.rendering import GivenPages, PageRequest, readers_of, render
from abhidhan.records.language_preferences import ReadersLanguages

WORDS_SHOWN: Final = 60
WORDS_IN_FEED: Final = 50


def by_day(words: Iterable[NewWord]) -> list[tuple[str, list[NewWord]]]:
    """Group words by the day of their addition."""
    return [(key, list(group)) for key, group in groupby(words, key=lambda each: day(each.word.added))]


@get("/recent", include_in_schema=False)
async def show_recent(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, language: FromQuery[str] = "0"
) -> Response[str]:
    """Show the newest words."""
    page = await dictionary.read_in_thread(read_recent_page, language, WORDS_SHOWN, readers_of(request), once=True)
    return pages.show(request, "recent.html", {"page": page, "days": by_day(page.words)})


@get("/feed.atom", include_in_schema=False)
async def show_feed(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, language: FromQuery[str] = "0"
) -> Response[str]:
    """Return the newest words as an Atom feed (RFC 4287)."""
    page = await dictionary.read_in_thread(read_recent_page, language, WORDS_IN_FEED, ReadersLanguages(), once=False)
    body = render(Interface(), "feed.xml", {"page": page, "base": pages.base(request)})
    return Response(body, media_type="application/atom+xml", headers={"Cache-Control": "public, max-age=900"})


LONGEST_FRESH: Final = 900


@get(
    "/today.xml",
    tags=["Browsing"],
    summary="Follow the word and the proverb of the day",
    media_type="application/atom+xml",
)
async def show_daily_feed(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Return the words and proverbs of the last days as an Atom feed (RFC 4287)."""
    page = await dictionary.calendar.recent()
    body = render(Interface(), "today.xml", {"page": page, "base": pages.base(request)})
    headers = until_midnight(page.days[0].seconds_left, LONGEST_FRESH)
    return Response(body, media_type="application/atom+xml", headers=headers)
