"""The about page, and readers' settings."""

from importlib.metadata import version
from typing import Final, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromQuery

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.statistics import read_about_page
from abhidhan.dictionary.service.views.listings import read_languages_page
from abhidhan.platform.http.forms import read_form
from abhidhan.platform.http.preferences import (
    LANGUAGE_COOKIE,
    LANGUAGES,
    LANGUAGES_COOKIE,
    THEME_COOKIE,
    THEMES,
    YEAR,
)
from abhidhan.platform.http.rendering import GivenPages, PageRequest, lead_to, readers_of
from abhidhan.platform.http.urls import local_address
from abhidhan.records.language_preferences import (
    MOST_CHOSEN,
    ReadersLanguages,
    changed,
    read_codes,
    write_codes,
)

NONE_CHOSEN: Final = "--"
"""Value of the cookie after the last language was removed; it is not a code, so the usual languages are shown."""


@get("/about", include_in_schema=False)
async def show_about(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Show the statistics of the dictionary, its sources and licences."""
    page = await dictionary.read_in_thread(read_about_page)
    return pages.show(request, "about.html", {"page": page, "version": version("abhidhan")})


WORD_LANGUAGE: Final = "language_"
"""Prefix of the form fields that select a language of words."""

MOST_OTHERS_OFFERED: Final = 12
"""Maximum number of languages in the settings besides the reader's; `/languages` lists all."""


@get("/settings", include_in_schema=False)
async def show_settings(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, saved: FromQuery[str] = ""
) -> Response[str]:
    """Show the settings: the language of the pages, the theme and the languages of words."""
    page = await dictionary.read(read_languages_page, readers_of(request))
    others = [each for each in page.languages if each.words and each not in page.mine]
    values = {
        "mine": page.mine,
        "others": others[:MOST_OTHERS_OFFERED],
        "count": len(page.languages),
        "most": MOST_CHOSEN,
        "saved": bool(saved),
    }
    return pages.show(request, "settings.html", values)


@post("/settings", include_in_schema=False)
async def save_settings(request: PageRequest, dictionary: GivenDictionary) -> Response[str]:
    """Save all settings. The languages of words are ordered as in the form."""
    form = await read_form(request)
    readers = _known_to(dictionary, readers_of(request))
    ticked = [name.removeprefix(WORD_LANGUAGE) for name in form.fields if name.startswith(WORD_LANGUAGE)]
    codes = read_codes(write_codes(ticked))
    # Readers who leave the usual languages unchanged have chosen none: theirs follow the interface language.
    is_usual = not readers.chosen and codes == readers.usual_codes
    interface, theme = form.value("interface"), form.value("theme")
    kept = {
        LANGUAGE_COOKIE: interface if interface in LANGUAGES else "",
        THEME_COOKIE: theme if theme in THEMES else "",
        LANGUAGES_COOKIE: NONE_CHOSEN if is_usual else _written(dictionary, codes),
    }
    return _save(request, kept, "/settings?saved=1")


@get("/preferences", include_in_schema=False)
async def keep_preference(  # noqa: PLR0913 (each is a query parameter)
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
    """Save a preference of a reader, and redirect back to the page.

    This is the language of the interface, the theme, or a language of words to add, remove or move up.
    """
    kept: dict[str, str] = {LANGUAGE_COOKIE: interface, THEME_COOKIE: theme}
    if add or remove or earlier:
        chosen = changed(_known_to(dictionary, readers_of(request)), add, remove, earlier)
        kept[LANGUAGES_COOKIE] = _written(dictionary, chosen)
    return _save(request, kept, local_address(back or _asked_from(request)))


def _written(dictionary: Dictionary, codes: tuple[str, ...]) -> str:
    return write_codes(dictionary.known_languages(codes)) or NONE_CHOSEN


def _save(request: PageRequest, kept: dict[str, str], address: str) -> Response[str]:
    """Save non-empty values in cookies, and redirect."""
    secure = request.url.scheme == "https"
    cookies = [
        Cookie(key=key, value=value, max_age=YEAR, path="/", samesite="lax", secure=secure)
        for key, value in kept.items()
        if value
    ]
    return lead_to(address, headers={"Cache-Control": "no-store"}, cookies=cookies)


def _known_to(dictionary: Dictionary, readers: ReadersLanguages) -> ReadersLanguages:
    """Drop languages removed since they were chosen, as they would displace others."""
    return readers._replace(chosen=dictionary.known_languages(readers.chosen))


def _asked_from(request: PageRequest) -> str:
    """Return the page of this site that links here, without its own choice of language."""
    try:
        came = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return "/"
    if came.netloc != request.headers.get("host"):
        return "/"
    rest = [(name, value) for name, value in parse_qsl(came.query) if name != LANGUAGE_COOKIE]
    return came.path + (f"?{urlencode(rest)}" if rest else "")
