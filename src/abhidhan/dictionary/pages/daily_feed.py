"""The words and proverbs of the last days as an Atom feed."""

from typing import Final

from litestar import Response, get

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.platform.http.policies import until_midnight
from abhidhan.platform.http.preferences import Interface
from abhidhan.platform.http.rendering import GivenPages, PageRequest, render

LONGEST_FRESH: Final = 900


@get(
    "/today.xml",
    tags=["Browsing"],
    summary="Follow the word and the proverb of the day",
    media_type="application/atom+xml",
)
async def show_daily_feed(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Write the words and proverbs of the last days as an Atom feed (RFC 4287)."""
    page = await dictionary.calendar.recent()
    body = render(Interface(), "today.xml", {"page": page, "base": pages.base(request)})
    headers = until_midnight(page.days[0].seconds_left, LONGEST_FRESH)
    return Response(body, media_type="application/atom+xml", headers=headers)
