"""About the dictionary: what it holds, where it is from, how to use its data; and what a reader prefers."""

from importlib.metadata import version
from typing import Final, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from litestar import Response, get
from litestar.datastructures import Cookie
from litestar.params import FromQuery

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.statistics import read_about_page
from abhidhan.platform.http.preferences import LANGUAGE_COOKIE, LANGUAGES_COOKIE, THEME_COOKIE, YEAR
from abhidhan.platform.http.rendering import GivenPages, PageRequest, lead_to, readers_of
from abhidhan.platform.http.urls import local_address
from abhidhan.records.language_preferences import ReadersLanguages, changed, write_codes

NONE_CHOSEN: Final = "--"
"""What the cookie holds when the last language was removed: no code, so that the usual languages are shown."""


@get("/about", include_in_schema=False)
async def show_about(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Show what the dictionary holds, its sources and licences."""
    page = await dictionary.read_in_thread(read_about_page)
    return pages.show(request, "about.html", {"page": page, "version": version("abhidhan")})


@get("/preferences", include_in_schema=False)
async def keep_preference(  # noqa: PLR0913 (each is one parameter of the address)
    *,
    request: PageRequest,
    dictionary: GivenDictionary,
    interface: FromQuery[Literal["", "en", "as"]] = "",
    theme: FromQuery[Literal["", "auto", "light", "dark"]] = "",
    add: FromQuery[str] = "",
    remove: FromQuery[str] = "",
    earlier: FromQuery[str] = "",
    back: FromQuery[str] = "",
) -> Response[str]:
    """Keep what a reader chose, and lead back to the page.

    That is the language of the interface, the theme, or a language of words to add, remove or move before another.
    """
    secure = request.url.scheme == "https"
    kept: dict[str, str] = {LANGUAGE_COOKIE: interface, THEME_COOKIE: theme}
    if add or remove or earlier:
        chosen = changed(_known_to(dictionary, readers_of(request)), add, remove, earlier)
        kept[LANGUAGES_COOKIE] = write_codes(dictionary.known_languages(chosen)) or NONE_CHOSEN
    cookies = [
        Cookie(key=key, value=value, max_age=YEAR, path="/", samesite="lax", secure=secure)
        for key, value in kept.items()
        if value
    ]
    return lead_to(local_address(back or _asked_from(request)), headers={"Cache-Control": "no-store"}, cookies=cookies)


def _known_to(dictionary: Dictionary, readers: ReadersLanguages) -> ReadersLanguages:
    """Leave out the languages that have gone since they were chosen: they would take the places of others."""
    return readers._replace(chosen=dictionary.known_languages(readers.chosen))


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
