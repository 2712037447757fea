"""Preferences of a reader: the language of the interface and the theme, by cookie, address or browser."""

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
from abhidhan.records.language_preferences import ReadersLanguages, read_codes

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "as": "অসমীয়া"}
"""The languages of the interface, by code, each under its own name. English is what the pages are written in."""

LOCALES: Final[Mapping[str, str]] = {"en": "en_US", "as": "as_IN"}
"""What sites and apps call these languages where a page is shared: with a country (Open Graph, `og:locale`)."""

DEFAULT: Final = "en"
THEMES: Final = ("auto", "light", "dark")
THEME_COLOURS: Final[Mapping[str, str]] = {"light": "#fbfaf7", "dark": "#141618"}
"""The paper of each theme (`static/style.css`), in which a telephone colours its own bar above the page."""

LANGUAGE_COOKIE: Final = "interface"
THEME_COOKIE: Final = "theme"
LANGUAGES_COOKIE: Final = "languages"
YEAR: Final = 365 * 86_400

_DIGITS: Final = {"as": str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")}
_COOKIE: Final = re.compile(r"(?:^|;)\s*(interface|theme|languages)=([A-Za-z0-9.-]{2,200})\s*(?=;|$)")
_ACCEPTED: Final = re.compile(r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]+)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?))?\s*(?:,|$)")


class Unit(NamedTuple):
    """A unit of size: from `rounded_from` of it on, a size is written without a fraction."""

    name: str
    bytes: int
    rounded_from: float


UNITS: Final = (Unit("GB", 10**9, 100), Unit("MB", 10**6, 10), Unit("kB", 10**3, 1), Unit("B", 1, 0))


class Interface(msgspec.Struct, frozen=True):
    """What a reader chose: a language of LANGUAGES, a theme of THEMES, and languages of words, by their codes."""

    language: str = DEFAULT
    theme: str = "auto"
    chosen: tuple[str, ...] = ()

    @property
    def readers(self) -> ReadersLanguages:
        """What tells in which languages the reader wants words."""
        return ReadersLanguages(self.chosen, self.language)

    @property
    def translations(self) -> gettext.NullTranslations:
        """The messages of the language."""
        return translations_of(self.language)

    def number(self, number: int | str) -> str:
        """Write a number with the digits of the language and its grouping: 12,34,567 in Assamese."""
        plain = str(number)
        if isinstance(number, int):
            plain = grouped(number) if self.language == "as" else f"{number:,}"
        return plain.translate(_DIGITS.get(self.language, {}))

    def size(self, size: int) -> str:
        """Write how large a file is, in the unit that suits it."""
        unit = next((unit for unit in UNITS if size >= unit.bytes), UNITS[-1])
        amount = size / unit.bytes
        return f"{self.number(f'{amount:.0f}' if amount >= unit.rounded_from else f'{amount:.1f}')} {unit.name}"


def grouped(number: int) -> str:
    """Group the digits of a whole number as India does: three, and then two by two."""
    head, last = divmod(abs(number), 1000)
    if not head:
        return str(number)
    pairs = re.sub(r"(?<=\d)(?=(?:\d\d)+$)", ",", str(head))
    return f"{'-' if number < 0 else ''}{pairs},{last:03}"


@cache
def translations_of(language: str) -> gettext.NullTranslations:
    """Read the compiled catalogue of a language; English has none, its texts stand in the templates."""
    catalogue = files("abhidhan.platform.http") / "locale" / language / "LC_MESSAGES" / "messages.mo"
    if not catalogue.is_file():
        return gettext.NullTranslations()
    return gettext.GNUTranslations(BytesIO(catalogue.read_bytes()))


@cache
def language_names(language: str) -> Mapping[str, str]:
    """Return how an interface names the languages that the program knows, by code, where that is not in English.

    Scripts write these names beside what the API answers, which is English.
    """
    named = (files("abhidhan.data") / "languages.jsonl").read_bytes().splitlines()
    known = [(each["code"], each["name"]) for each in map(msgspec.json.decode, named) if each["record"] == "language"]
    said = {code: translations_of(language).gettext(name) for code, name in known}
    return {code: said[code] for code, name in known if said[code] != name}


def in_assamese(name: str) -> str:
    """Say the name of a list value or a language in Assamese; one without a translation stays as it is."""
    return translations_of("as").gettext(name) if name else name


def filled(language: str, pattern: str, text: str) -> str:
    """Put the values of a sentence into a pattern of it; those that are sentences are said in the same language."""
    values: Mapping[str, str] = getattr(text, "values", {})
    said = {name: said_in(language, value) if isinstance(value, Sentence) else value for name, value in values.items()}
    return pattern % said if said else pattern


def said_in(language: str, text: Sentence) -> str:
    """Say a sentence of the program in a language."""
    return filled(language, translations_of(language).gettext(text.pattern), text)


def interface_of(scope: Scope, asked: str | None = None) -> Interface:
    """Return what the reader of a request wants: the address first (`asked`), then cookies, then the browser."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _NEEDED}
    chosen = dict(_COOKIE.findall(headers.get(b"cookie", "")))
    theme = chosen.get(THEME_COOKIE, "")
    language = next((each for each in (asked, chosen.get(LANGUAGE_COOKIE)) if each in LANGUAGES), None)
    return Interface(
        language or accepted_language(headers.get(b"accept-language", "")),
        theme if theme in THEMES else "auto",
        read_codes(chosen.get(LANGUAGES_COOKIE, "")),
    )


_NEEDED: Final = {b"cookie", b"accept-language"}


def accepted_language(header: str) -> str:
    """Choose the language that an `Accept-Language` header likes best among LANGUAGES."""
    liked = {
        match[1].lower(): float(match[2] or 1) for match in _ACCEPTED.finditer(header) if match[1].lower() in LANGUAGES
    }
    best = max(liked, key=lambda code: liked[code], default=DEFAULT)
    return best if liked.get(best) else DEFAULT


_AT_HAND: ContextVar[Scope | None] = ContextVar("abhidhan.request", default=None)
"""The request at hand: error pages are written where nothing else tells who reads them."""


def readers_interface() -> Interface:
    """Return what the reader of the request at hand wants."""
    scope = _AT_HAND.get()
    return Interface() if scope is None else interface_of(scope)


def remembering_request(app: ASGIApp) -> ASGIApp:
    """Wrap an application so that each request's reader is known wherever an error of it becomes a page."""

    async def remember(scope: Scope, receive: Receive, send: Send) -> None:
        _AT_HAND.set(scope if str(scope["type"]) == "http" else None)
        await app(scope, receive, send)

    return remember
