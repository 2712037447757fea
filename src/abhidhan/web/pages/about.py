"""About the dictionary: what it holds, where it is from, how to use its data; and what a reader prefers."""

from importlib.metadata import version
from typing import Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from litestar import Response, get
from litestar.datastructures import Cookie
from litestar.params import FromQuery

from abhidhan.web.arguments import GivenDictionary
from abhidhan.web.pages.addresses import local_address
from abhidhan.web.pages.interface import LANGUAGE_COOKIE, THEME_COOKIE, YEAR
from abhidhan.web.pages.rendering import GivenPages, PageRequest, lead_to


@get("/about", include_in_schema=False)
async def show_about(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Show what the dictionary holds, its sources and licences."""
    page = await dictionary.about_page()
    return pages.show(request, "about.html", {"page": page, "version": version("abhidhan")})


@get("/preferences", include_in_schema=False)
async def keep_preference(
    request: PageRequest,
    interface: FromQuery[Literal["", "en", "as"]] = "",
    theme: FromQuery[Literal["", "auto", "light", "dark"]] = "",
    back: FromQuery[str] = "",
) -> Response[str]:
    """Keep the language or the theme that a reader chose, and lead back to the page."""
    secure = request.url.scheme == "https"
    kept = {LANGUAGE_COOKIE: interface, THEME_COOKIE: theme}
    cookies = [
        Cookie(key=key, value=value, max_age=YEAR, path="/", samesite="lax", secure=secure)
        for key, value in kept.items()
        if value
    ]
    return lead_to(local_address(back or _asked_from(request)), headers={"Cache-Control": "no-store"}, cookies=cookies)


def _asked_from(request: PageRequest) -> str:
    """Return the page of this site on which a reader followed a link; its own choice of language is forgotten."""
    try:
        came = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return "/"
    if came.netloc != request.headers.get("host"):
        return "/"
    rest = [(name, value) for name, value in parse_qsl(came.query) if name != LANGUAGE_COOKIE]
    return came.path + (f"?{urlencode(rest)}" if rest else "")
