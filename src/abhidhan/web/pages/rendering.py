"""Pages written from templates, in the reader's language and theme."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, Protocol

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Request, Response
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import SkipValidation
from markupsafe import Markup

from abhidhan.domain.licences import licence_address
from abhidhan.domain.readers_languages import ReadersLanguages
from abhidhan.domain.text.normal import Script, script_of
from abhidhan.domain.text.paradigms import Label
from abhidhan.errors import sentence
from abhidhan.web.edge.errors import ProblemDocument
from abhidhan.web.pages.addresses import absolute, context_address, with_query, word_address
from abhidhan.web.pages.assets import asset_address
from abhidhan.web.pages.interface import (
    DEFAULT,
    LANGUAGES,
    THEMES,
    Interface,
    filled,
    interface_of,
    language_names,
    readers_interface,
)
from abhidhan.web.pages.language_lists import by_letter

PageRequest = Request[object, object, State]
"""A request for a page, whoever asks."""

VARY: Final = "Cookie, Accept-Language"
LANGUAGE_OF_LETTERS: Final = {Script.EASTERN_NAGARI: "as", Script.DEVANAGARI: "hi"}
ASSAMESE_INTERFACE: Final = "as"
HTML: Final = "text/html"
NAMED_PARAMETER: Final = "`%(parameter)s`"
"""The placeholder by which sentences name a field to programs; people see beside which field they stand."""

THIS_FIELD: Final = sentence("This field")
COMPILED_AT_START: Final = ("macros.html", "base.html", "word.html", "part.html", "whole-query.html", "first.html")
DATE: Final = sentence("%(day)s %(month)s %(year)s")
MONTHS: Final = (
    sentence("January"),
    sentence("February"),
    sentence("March"),
    sentence("April"),
    sentence("May"),
    sentence("June"),
    sentence("July"),
    sentence("August"),
    sentence("September"),
    sentence("October"),
    sentence("November"),
    sentence("December"),
)
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from another host, nothing inline; `blob:` shows a photo before it is sent."""

ALWAYS: Final = {"Vary": VARY, "Content-Security-Policy": POLICY, "Referrer-Policy": "same-origin"}


class Pages:
    """Write the pages of one site."""

    def __init__(self, base_url: str = "") -> None:
        """Take the address under which the world sees the site; without it, that of each request counts."""
        self._base_url = base_url

    def base(self, request: PageRequest) -> str:
        """Return the address of the site, without a slash at its end."""
        return self._base_url or str(request.base_url).rstrip("/")

    def show(  # noqa: PLR0913 (each is one part of a page, named where it is written)
        self,
        request: PageRequest,
        template: str,
        values: Mapping[str, object],
        *,
        canonical: str | None = None,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> Response[str]:
        """Write a page. `canonical` is the address that stands for it, when it is not the one asked for."""
        interface = interface_of(request.scope, request.query_params.get("interface"))
        own = request.url.path
        place = canonical if canonical is not None else own
        body = render(
            interface,
            template,
            {
                **values,
                "canonical": absolute(self.base(request), place),
                "base": self.base(request),
                "here": _here(request),
            },
        )
        return Response(body, media_type=HTML, status_code=status, headers={**ALWAYS, **(headers or {})})


def readers_of(request: PageRequest) -> ReadersLanguages:
    """Return what a request tells of the languages in which its reader wants words."""
    return interface_of(request.scope, request.query_params.get("interface")).readers


GivenPages = NamedDependency[SkipValidation[Pages]]


def _here(request: PageRequest) -> str:
    """Write the address asked for as one to come back to."""
    query = request.scope["query_string"].decode("latin-1")
    return absolute("", request.url.path) + (f"?{query}" if query else "")


def lead_to(address: str, status: int = 303, **rest: Any) -> Response[str]:  # noqa: ANN401 (what every response takes)
    """Lead to another address of this site."""
    headers = {"Location": absolute("", address), **rest.pop("headers", {})}
    return Response("", status_code=status, media_type="text/plain", headers=headers, **rest)


def error_page(document: ProblemDocument) -> str:
    """Write the page of an error, in the reader's language."""
    return render(readers_interface(), "error.html", {"problem": document, "canonical": "", "base": "", "here": "/"})


def render(interface: Interface, template: str, values: Mapping[str, object]) -> str:
    """Write a template in a reader's language and theme."""
    return (
        environment_of(interface.language)
        .get_template(template)
        .render(values, interface=interface, number=interface.number, size=interface.size)
    )


class _Translating(Protocol):
    """What Jinja's extension for translations adds to an environment."""

    def install_gettext_translations(self, translations: object, *, newstyle: bool) -> None: ...


@cache
def environment_of(language: str) -> Environment:
    """Make the templates of one language of the interface."""
    environment = Environment(
        loader=PackageLoader("abhidhan.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    installing: _Translating = environment  # type: ignore[assignment]  # the extension adds the method when it runs
    translations = Interface(language).translations
    installing.install_gettext_translations(translations, newstyle=True)

    def named(value: str) -> str:
        """Translate a value of a lookup list or the name of a language, where the catalogue has it."""
        return translations.gettext(value) if value else value

    def said(text: str) -> Markup:
        """Say a sentence of the program in the reader's language; one that has no translation is marked as English."""
        known = translations.gettext(getattr(text, "pattern", text))
        marked = language if known != getattr(text, "pattern", text) else DEFAULT
        here = known.replace(NAMED_PARAMETER, translations.gettext(THIS_FIELD))
        return Markup('<span lang="{}" dir="ltr">{}</span>').format(marked, filled(language, here, text))

    def said_in(label: Label) -> str:
        """Say a label of the tables of forms, which come in both languages of the interface."""
        return label.assamese if language == ASSAMESE_INTERFACE else label.english

    def lettered(items: Iterable[Any]) -> list[tuple[str, Sequence[Any]]]:
        """Group languages, or what has a language, by the first letter of their names."""
        return by_letter(items, lambda item: named(getattr(item, "language", item).name))

    def written_day(text: str) -> str:
        """Write a date such as 2026-11-22 as people do."""
        interface = Interface(language)
        year, month, number = map(int, text.split("-"))
        pattern = translations.gettext(DATE)
        month_named = translations.gettext(MONTHS[month - 1])
        return pattern % {"day": interface.number(number), "month": month_named, "year": interface.number(str(year))}

    environment.globals |= {
        "said_in": said_in,
        "asset": asset_address,
        "word_address": word_address,
        "context_address": context_address,
        "with_query": with_query,
        "licence_address": licence_address,
        "absolute": absolute,
        "language_of": language_of,
        "interfaces": LANGUAGES,
        "language_names": msgspec.json.encode(language_names(language)).decode() if language_names(language) else "",
        "themes": THEMES,
    }
    environment.filters |= {
        "named": named,
        "said": said,
        "day": day,
        "moment": moment,
        "json_text": json_text,
        "by_letter": lettered,
        "written_day": written_day,
    }
    return environment


def warm_up() -> None:
    """Compile the templates asked for most: the first reader of a page would otherwise wait a tenth of a second."""
    for language in LANGUAGES:
        for template in COMPILED_AT_START:
            environment_of(language).get_template(template)


def day(seconds: int) -> str:
    """Write a moment as the day it lies on, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def moment(seconds: int) -> str:
    """Write a moment as RFC 3339 does."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def language_of(text: str) -> str:
    """Return the `lang` of a text about words by its letters, where nothing else tells it."""
    return LANGUAGE_OF_LETTERS.get(script_of(text), "en")


def json_text(value: object) -> Markup:
    """Write JSON that may stand in a script element of data: nothing in it can end the element."""
    text = msgspec.json.encode(value).decode()
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 (what HTML would read was replaced above)
