"""The about page, and readers' settings."""

from importlib.metadata import version
from typing import Final, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromQuery

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.statistics import read_about_page
from abhidhan.dictionary.service.views.listings import read_languages_page
from abhidhan.platform.http.forms import read_form
from abhidhan.platform.http.preferences import (
    INTERFACE_LANGUAGES,
    LANGUAGE_COOKIE,
    LANGUAGES_COOKIE,
    THEME_COOKIE,
    THEMES,
    YEAR_SECONDS,
)
from abhidhan.platform.http.rendering import PageRequest, PagesDep, get_language_preferences, redirect_to
from abhidhan.platform.http.urls import restrict_to_local_address
from abhidhan.records.language_preferences import (
    MAX_LANGUAGES,
    LanguagePreferences,
    format_codes,
    parse_codes,
    update_codes,
)

NONE_CHOSEN: Final = "--"
"""Value of the languages cookie if none is chosen; it is not a language code, so the default languages apply."""


@get("/about", include_in_schema=False)
async def show_about(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep) -> Response[str]:
    """Show the statistics of the dictionary, its sources and licences."""
    page = await dictionary.read_in_thread(read_about_page)
    return pages.show(request, "about.html", {"page": page, "version": version("abhidhan")})


LANGUAGE_FIELD_PREFIX: Final = "language_"
"""Prefix of the form fields that select a language of words."""

MAX_OTHER_LANGUAGES: Final = 12
"""Maximum number of languages in the settings besides the reader's; `/languages` lists all."""


@get("/settings", include_in_schema=False)
async def show_settings(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, saved: FromQuery[str] = ""
) -> Response[str]:
    """Show the settings: the language of the pages, the theme and the languages of words."""
    page = await dictionary.read(read_languages_page, get_language_preferences(request))
    other_languages = [language for language in page.languages if language.words and language not in page.mine]
    values = {
        "mine": page.mine,
        "others": other_languages[:MAX_OTHER_LANGUAGES],
        "count": len(page.languages),
        "most": MAX_LANGUAGES,
        "saved": bool(saved),
    }
    return pages.show(request, "settings.html", values)


@post("/settings", include_in_schema=False)
async def save_settings(request: PageRequest, dictionary: DictionaryDep) -> Response[str]:
    """Save all settings. The languages of words are ordered as in the form."""
    form = await read_form(request)
    preferences = _drop_unknown_languages(dictionary, get_language_preferences(request))
    selected_codes = [
        name.removeprefix(LANGUAGE_FIELD_PREFIX) for name in form.fields if name.startswith(LANGUAGE_FIELD_PREFIX)
    ]
    codes = parse_codes(format_codes(selected_codes))
    # If the default languages are unchanged, none is saved, so that they still follow the interface language.
    is_usual = not preferences.chosen and codes == preferences.default_codes
    interface, theme = form.value("interface"), form.value("theme")
    values = {
        LANGUAGE_COOKIE: interface if interface in INTERFACE_LANGUAGES else "",
        THEME_COOKIE: theme if theme in THEMES else "",
        LANGUAGES_COOKIE: NONE_CHOSEN if is_usual else _format_languages_cookie(dictionary, codes),
    }
    return _save_cookies(request, values, "/settings?saved=1")


@get("/preferences", include_in_schema=False)
async def save_preference(  # noqa: PLR0913 (each is a query parameter)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
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
    values: dict[str, str] = {LANGUAGE_COOKIE: interface, THEME_COOKIE: theme}
    if add or remove or earlier:
        codes = update_codes(
            _drop_unknown_languages(dictionary, get_language_preferences(request)), add, remove, earlier
        )
        values[LANGUAGES_COOKIE] = _format_languages_cookie(dictionary, codes)
    return _save_cookies(request, values, restrict_to_local_address(back or _find_referring_page(request)))


def _format_languages_cookie(dictionary: Dictionary, codes: tuple[str, ...]) -> str:
    return format_codes(dictionary.filter_known_languages(codes)) or NONE_CHOSEN


def _save_cookies(request: PageRequest, values: dict[str, str], address: str) -> Response[str]:
    """Save non-empty values in cookies, and redirect."""
    secure = request.url.scheme == "https"
    cookies = [
        Cookie(key=key, value=value, max_age=YEAR_SECONDS, path="/", samesite="lax", secure=secure)
        for key, value in values.items()
        if value
    ]
    return redirect_to(address, headers={"Cache-Control": "no-store"}, cookies=cookies)


def _drop_unknown_languages(dictionary: Dictionary, preferences: LanguagePreferences) -> LanguagePreferences:
    """Drop chosen languages that the dictionary no longer has, as they would displace others."""
    return preferences._replace(chosen=dictionary.filter_known_languages(preferences.chosen))


def _find_referring_page(request: PageRequest) -> str:
    """Return the URL of the referring page without its parameter `interface`; `/` for other sites."""
    try:
        referrer = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return "/"
    if referrer.netloc != request.headers.get("host"):
        return "/"
    parameters = [(name, value) for name, value in parse_qsl(referrer.query) if name != LANGUAGE_COOKIE]
    return referrer.path + (f"?{urlencode(parameters)}" if parameters else "")
