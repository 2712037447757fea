"""Preferences for pages: interface language, theme and languages of words, from query, cookie or browser."""

import gettext
import re
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final, NamedTuple

import msgspec
from litestar.types import ASGIApp, Receive, Scope, Send

from abhidhan.records.errors import Sentence
from abhidhan.records.language_preferences import parse_codes
from abhidhan.records.timestamps import DAY_SECONDS

INTERFACE_LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "as": "অসমীয়া"}
"""The interface languages by code, with their native names. The templates are in English."""

LOCALES: Final[Mapping[str, str]] = {"en": "en_US", "as": "as_IN"}
"""Locales of the interface languages for link previews (Open Graph, `og:locale`)."""

DEFAULT_LANGUAGE: Final = "en"
THEMES: Final = ("auto", "light", "dark")
THEME_COLOURS: Final[Mapping[str, str]] = {"light": "#fbfaf7", "dark": "#151719"}
"""Background of each theme (`static/style.css`), used by mobile browsers for their toolbar."""

LANGUAGE_COOKIE: Final = "interface"
THEME_COOKIE: Final = "theme"
LANGUAGES_COOKIE: Final = "languages"
YEAR_SECONDS: Final = 365 * DAY_SECONDS

VARY_HEADER: Final = "Cookie, Accept-Language"
"""The `Vary` header of pages."""

INTERFACE_KEY: Final = "abhidhan.reader"
"""Key of the reader's preferences in a request's scope, set by the edge."""

_DIGITS: Final = {"as": str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")}
_PREFERENCE_COOKIES: Final = re.compile(r"(?:^|;)\s*(interface|theme|languages)=([A-Za-z0-9.-]{2,200})\s*(?=;|$)")
_ACCEPTED_LANGUAGE: Final = re.compile(
    r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]+)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?))?\s*(?:,|$)"
)


class SizeUnit(NamedTuple):
    """A unit of size; amounts of at least `rounded_from` are formatted without a fraction."""

    name: str
    bytes: int
    rounded_from: float


SIZE_UNITS: Final = (
    SizeUnit("GB", 10**9, 100),
    SizeUnit("MB", 10**6, 10),
    SizeUnit("kB", 10**3, 1),
    SizeUnit("B", 1, 0),
)


class InterfacePreferences(msgspec.Struct, frozen=True):
    """A language of `INTERFACE_LANGUAGES`, a theme of `THEMES`, and the codes of the chosen languages of words."""

    language: str = DEFAULT_LANGUAGE
    theme: str = "auto"
    chosen: tuple[str, ...] = ()

    @property
    def translations(self) -> gettext.NullTranslations:
        """The message catalogue of the language."""
        return load_translations(self.language)

    def number(self, number: int | str) -> str:
        """Format a number with the digits and grouping of the language: ১২,৩৪,৫৬৭ in Assamese."""
        plain = str(number)
        if isinstance(number, int):
            plain = group_digits(number) if self.language == "as" else f"{number:,}"
        return plain.translate(_DIGITS.get(self.language, {}))

    def size(self, size: int) -> str:
        """Format a file size in a suitable unit."""
        unit = next((unit for unit in SIZE_UNITS if size >= unit.bytes), SIZE_UNITS[-1])
        amount = size / unit.bytes
        return f"{self.number(f'{amount:.0f}' if amount >= unit.rounded_from else f'{amount:.1f}')} {unit.name}"


def group_digits(number: int) -> str:
    """Group the digits of an integer in the Indian way: the last three, then pairs."""
    head, last = divmod(abs(number), 1000)
    if not head:
        return str(number)
    pairs = re.sub(r"(?<=\d)(?=(?:\d\d)+$)", ",", str(head))
    return f"{'-' if number < 0 else ''}{pairs},{last:03}"


@cache
def load_translations(language: str) -> gettext.NullTranslations:
    """Read the compiled message catalogue of a language; English has none, as the templates contain its texts."""
    catalogue = files("abhidhan.platform.http") / "locale" / language / "LC_MESSAGES" / "messages.mo"
    if not catalogue.is_file():
        return gettext.NullTranslations()
    return gettext.GNUTranslations(BytesIO(catalogue.read_bytes()))


@cache
def load_language_names(language: str) -> Mapping[str, str]:
    """Return the translated names of the built-in languages by code, without those equal to the English names.

    Scripts in the browser show them in place of the English names in API responses.
    """
    lines = (files("abhidhan.data") / "languages.jsonl").read_bytes().splitlines()
    languages = [
        (record["code"], record["name"]) for record in map(msgspec.json.decode, lines) if record["record"] == "language"
    ]
    translations = {code: load_translations(language).gettext(name) for code, name in languages}
    return {code: translations[code] for code, name in languages if translations[code] != name}


def translate_to_assamese(name: str) -> str:
    """Return the Assamese name of a list value or a language; the name itself if it has no translation."""
    return load_translations("as").gettext(name) if name else name


def fill_pattern(language: str, pattern: str, text: str) -> str:
    """Insert the values of a message into its translated pattern; values that are messages are translated too."""
    values: Mapping[str, str] = getattr(text, "values", {})
    translated = {
        name: translate_message(language, value) if isinstance(value, Sentence) else value
        for name, value in values.items()
    }
    return pattern % translated if translated else pattern


def translate_message(language: str, text: Sentence) -> str:
    """Translate a message of the program."""
    return fill_pattern(language, load_translations(language).gettext(text.pattern), text)


def get_interface(scope: Scope, query_language: str | None = None) -> InterfacePreferences:
    """Return the reader's preferences: from the query (`query_language`), else cookies, else the browser's headers."""
    interface = scope.get(INTERFACE_KEY)
    if isinstance(interface, InterfacePreferences):
        return interface
    headers = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _PREFERENCE_HEADERS}
    chosen = dict(_PREFERENCE_COOKIES.findall(headers.get(b"cookie", "")))
    theme = chosen.get(THEME_COOKIE, "")
    language = next(
        (code for code in (query_language, chosen.get(LANGUAGE_COOKIE)) if code in INTERFACE_LANGUAGES), None
    )
    return InterfacePreferences(
        language or choose_accepted_language(headers.get(b"accept-language", "")),
        theme if theme in THEMES else "auto",
        parse_codes(chosen.get(LANGUAGES_COOKIE, "")),
    )


_PREFERENCE_HEADERS: Final = {b"cookie", b"accept-language"}


def choose_accepted_language(header: str) -> str:
    """Return the interface language with the highest q-value in an `Accept-Language` header, by default English."""
    q_values = {
        match[1].lower(): float(match[2] or 1)
        for match in _ACCEPTED_LANGUAGE.finditer(header)
        if match[1].lower() in INTERFACE_LANGUAGES
    }
    best = max(q_values, key=lambda code: q_values[code], default=DEFAULT_LANGUAGE)
    return best if q_values.get(best) else DEFAULT_LANGUAGE


_CURRENT_SCOPE: ContextVar[Scope | None] = ContextVar("abhidhan.request", default=None)
"""The scope of the current request, for error pages, which are rendered without access to it."""


def get_current_interface() -> InterfacePreferences:
    """Return the preferences of the current request's reader."""
    scope = _CURRENT_SCOPE.get()
    return InterfacePreferences() if scope is None else get_interface(scope)


def provide_current_scope(app: ASGIApp) -> ASGIApp:
    """Wrap an application so that error pages can use the preferences of the current request's reader."""

    async def run_with_scope(scope: Scope, receive: Receive, send: Send) -> None:
        _CURRENT_SCOPE.set(scope if str(scope["type"]) == "http" else None)
        await app(scope, receive, send)

    return run_with_scope
