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
from abhidhan.records.language_preferences import read_codes

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "as": "অসমীয়া"}
"""The interface languages by code, with their native names. The templates are in English."""

LOCALES: Final[Mapping[str, str]] = {"en": "en_US", "as": "as_IN"}
"""Locales of the interface languages for link previews (Open Graph, `og:locale`)."""

DEFAULT: Final = "en"
THEMES: Final = ("auto", "light", "dark")
THEME_COLOURS: Final[Mapping[str, str]] = {"light": "#fbfaf7", "dark": "#151719"}
"""Background of each theme (`static/style.css`), used by mobile browsers for their toolbar."""

LANGUAGE_COOKIE: Final = "interface"
THEME_COOKIE: Final = "theme"
LANGUAGES_COOKIE: Final = "languages"
YEAR_SECONDS: Final = 365 * 86_400

VARY: Final = "Cookie, Accept-Language"
"""The `Vary` header of pages."""

READER: Final = "abhidhan.reader"
"""Key of the reader's preferences in a request's scope, set by the edge."""

_DIGITS: Final = {"as": str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")}
_COOKIE: Final = re.compile(r"(?:^|;)\s*(interface|theme|languages)=([A-Za-z0-9.-]{2,200})\s*(?=;|$)")
_ACCEPTED: Final = re.compile(r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]+)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?))?\s*(?:,|$)")


class Unit(NamedTuple):
    """A unit of size; amounts of at least `rounded_from` are formatted without a fraction."""

    name: str
    bytes: int
    rounded_from: float


UNITS: Final = (Unit("GB", 10**9, 100), Unit("MB", 10**6, 10), Unit("kB", 10**3, 1), Unit("B", 1, 0))


class Interface(msgspec.Struct, frozen=True):
    """A language of `INTERFACE_LANGUAGES`, a theme of `THEMES`, and the codes of the chosen languages of words."""

    language: str = DEFAULT
    theme: str = "auto"
    chosen: tuple[str, ...] = ()

    @property
    def translations(self) -> gettext.NullTranslations:
        """The message catalogue of the language."""
        return translations_of(self.language)

    def number(self, number: int | str) -> str:
        """Format a number with the digits and grouping of the language: ১২,৩৪,৫৬৭ in Assamese."""
        plain = str(number)
        if isinstance(number, int):
            plain = grouped(number) if self.language == "as" else f"{number:,}"
        return plain.translate(_DIGITS.get(self.language, {}))

    def size(self, size: int) -> str:
        """Format a file size in a suitable unit."""
        unit = next((unit for unit in UNITS if size >= unit.bytes), UNITS[-1])
        amount = size / unit.bytes
        return f"{self.number(f'{amount:.0f}' if amount >= unit.rounded_from else f'{amount:.1f}')} {unit.name}"


def grouped(number: int) -> str:
    """Group the digits of an integer in the Indian way: the last three, then pairs."""
    head, last = divmod(abs(number), 1000)
    if not head:
        return str(number)
    pairs = re.sub(r"(?<=\d)(?=(?:\d\d)+$)", ",", str(head))
    return f"{'-' if number < 0 else ''}{pairs},{last:03}"


@cache
def translations_of(language: str) -> gettext.NullTranslations:
    """Read the compiled message catalogue of a language; English has none, as the templates contain its texts."""
    catalogue = files("abhidhan.platform.http") / "locale" / language / "LC_MESSAGES" / "messages.mo"
    if not catalogue.is_file():
        return gettext.NullTranslations()
    return gettext.GNUTranslations(BytesIO(catalogue.read_bytes()))


@cache
def language_names(language: str) -> Mapping[str, str]:
    """Return the translated names of the built-in languages by code, without those equal to the English names.

    Scripts in the browser show them in place of the English names in API responses.
    """
    lines = (files("abhidhan.data") / "languages.jsonl").read_bytes().splitlines()
    languages = [
        (record["code"], record["name"]) for record in map(msgspec.json.decode, lines) if record["record"] == "language"
    ]
    translations = {code: translations_of(language).gettext(name) for code, name in languages}
    return {code: translations[code] for code, name in languages if translations[code] != name}


def in_assamese(name: str) -> str:
    """Return the Assamese name of a list value or a language; the name itself if it has no translation."""
    return translations_of("as").gettext(name) if name else name


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
    return fill_pattern(language, translations_of(language).gettext(text.pattern), text)


def interface_of(scope: Scope, query_language: str | None = None) -> Interface:
    """Return the reader's preferences: from the query (`query_language`), else cookies, else the browser's headers."""
    interface = scope.get(READER)
    if isinstance(interface, Interface):
        return interface
    headers = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _USED_HEADERS}
    chosen = dict(_COOKIE.findall(headers.get(b"cookie", "")))
    theme = chosen.get(THEME_COOKIE, "")
    language = next((code for code in (query_language, chosen.get(LANGUAGE_COOKIE)) if code in LANGUAGES), None)
    return Interface(
        language or accepted_language(headers.get(b"accept-language", "")),
        theme if theme in THEMES else "auto",
        read_codes(chosen.get(LANGUAGES_COOKIE, "")),
    )


_USED_HEADERS: Final = {b"cookie", b"accept-language"}


def accepted_language(header: str) -> str:
    """Return the interface language with the highest q-value in an `Accept-Language` header, by default English."""
    liked = {
        match[1].lower(): float(match[2] or 1) for match in _ACCEPTED.finditer(header) if match[1].lower() in LANGUAGES
    }
    best = max(liked, key=lambda code: liked[code], default=DEFAULT)
    return best if liked.get(best) else DEFAULT


_CURRENT_SCOPE: ContextVar[Scope | None] = ContextVar("abhidhan.request", default=None)
"""The scope of the current request, for error pages, which are rendered without access to it."""


def current_interface() -> Interface:
    """Return the preferences of the current request's reader."""
    scope = _CURRENT_SCOPE.get()
    return Interface() if scope is None else interface_of(scope)


def remember_request(app: ASGIApp) -> ASGIApp:
    """Wrap an application so that error pages can use the preferences of the current request's reader."""

    async def remember(scope: Scope, receive: Receive, send: Send) -> None:
        _CURRENT_SCOPE.set(scope if str(scope["type"]) == "http" else None)
        await app(scope, receive, send)

    return remember
