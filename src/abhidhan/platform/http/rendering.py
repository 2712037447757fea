"""Write pages from templates, in the reader's language and theme."""

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from litestar import Request, Response
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import SkipValidation
from markupsafe import Markup, escape

from abhidhan.platform.http.assets import asset_address, page_folders
from abhidhan.platform.http.errors import ProblemDocument
from abhidhan.platform.http.labels import Wording, day, language_of
from abhidhan.platform.http.preferences import (
    LANGUAGES,
    LOCALES,
    THEME_COLOURS,
    THEMES,
    Interface,
    interface_of,
    language_names,
    readers_interface,
)
from abhidhan.platform.http.urls import absolute, context_address, list_address, with_query, word_address
from abhidhan.records.language_preferences import ReadersLanguages
from abhidhan.records.languages import Language
from abhidhan.records.sources import licence_address
from abhidhan.records.timestamps import timestamp


@cache
def lang(language: Language) -> Markup:
    """Return the attributes that tell in which language a text is and which way it is written."""
    return Markup('lang="%s" dir="%s"') % (language.code, language.direction)


def marked_text(text: str, language: Language) -> Markup:
    """Mark a text with its language."""
    return Markup(f"<span {lang(language)}>{escape(text)}</span>")  # noqa: S704 (the text is escaped)


LETTER: Final = "[^\\W_]|[\u0900-\u0903\u093c-\u094d\u0981-\u0983\u09bc-\u09cd]"
"""A letter or a sign of one, of which Python's \\w knows the letters only."""


def highlighted_text(text: str, language: Language, words: Collection[str]) -> Markup:
    """Mark a text with its language, and highlight some words in it."""
    if not words:
        return marked_text(text, language)
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    found = re.split(f"(?<!{LETTER})({'|'.join(map(re.escape, longest_first))})(?!{LETTER})", text)
    pieces = (f"<mark>{escape(piece)}</mark>" if at % 2 else escape(piece) for at, piece in enumerate(found))
    return Markup(f"<span {lang(language)}>{''.join(pieces)}</span>")  # noqa: S704 (the pieces are escaped)


def word_link(text: str, language: Language, css_class: str = "", starred: int = 0) -> Markup:
    """Write a word as a link to its page; `starred` is the ID of a word that a star may stand beside."""
    attributes = (f'class="{css_class}" ' if css_class else "") + (f'data-star="{starred}" ' if starred else "")
    address = escape(word_address(text))
    return Markup(f'<a {attributes}{lang(language)} href="{address}">{escape(text)}</a>')  # noqa: S704 (as above)


PageRequest = Request[object, object, State]
"""A request for a page, whoever asks."""

KnownLanguages = Callable[[tuple[str, ...]], tuple[str, ...]]
"""Chooses, of the codes of languages, those of languages that are there."""

VARY: Final = "Cookie, Accept-Language"
HTML: Final = "text/html"
COMPILED_AT_START: Final = ("macros.html", "base.html", "word.html", "part.html", "whole-query.html", "first.html")
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; font-src 'self'; "
    "media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from another host, nothing inline; `blob:` shows a photo before it is sent."""

NO_DEVICES: Final = "camera=(), geolocation=(), microphone=()"
WITH_MICROPHONE: Final = {
    "Content-Security-Policy": POLICY.replace("media-src 'self'", "media-src 'self' blob:"),
    "Permissions-Policy": NO_DEVICES.replace("microphone=()", "microphone=(self)"),
}
"""The headers of the one page that records: it may use the microphone, and play what was recorded."""

SAME_IN_EVERY_LANGUAGE: Final[Mapping[str, object]] = {
    "asset": asset_address,
    "word_address": word_address,
    "word_link": word_link,
    "marked_text": marked_text,
    "highlighted_text": highlighted_text,
    "context_address": context_address,
    "with_query": with_query,
    "list_address": list_address,
    "licence_address": licence_address,
    "absolute": absolute,
    "language_of": language_of,
    "interfaces": LANGUAGES,
    "locales": LOCALES,
    "themes": THEMES,
    "theme_colours": THEME_COLOURS,
}
"""What every template may call or read."""

ALWAYS: Final = {
    "Vary": VARY,
    "Content-Security-Policy": POLICY,
    "Permissions-Policy": NO_DEVICES,
    "Referrer-Policy": "same-origin",
}


class Pages:
    """Write the pages of one site."""

    def __init__(
        self,
        base_url: str = "",
        known_languages: KnownLanguages = tuple,
        *,
        embeds: bool = True,
        works_offline: bool = True,
    ) -> None:
        """Take the address under which the world sees the site (without it, that of each request counts).

        `known_languages` leaves out the codes of languages that are no longer there. `embeds`: other sites may have
        the script that looks words up. `works_offline`: browsers keep the pages that were seen.
        """
        self._base_url = base_url
        self._known_languages = known_languages
        self.embeds = embeds
        self.works_offline = works_offline

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
        interface = self._of_known_languages(interface_of(request.scope, request.query_params.get("interface")))
        own = request.url.path
        place = canonical if canonical is not None else own
        body = render(
            interface,
            template,
            {
                **values,
                "works_offline": self.works_offline,
                "canonical": absolute(self.base(request), place),
                "base": self.base(request),
                "here": _here(request),
                "embeds": self.embeds,
            },
        )
        return Response(body, media_type=HTML, status_code=status, headers={**ALWAYS, **(headers or {})})

    def error_page(self, document: ProblemDocument) -> str:
        """Write the page of an error, in the reader's language."""
        values = {
            "problem": document,
            "works_offline": self.works_offline,
            "canonical": "",
            "base": "",
            "here": "/",
        }
        return render(self._of_known_languages(readers_interface()), "error.html", values)

    def _of_known_languages(self, interface: Interface) -> Interface:
        """Leave out the languages that have gone since a reader chose them: the API refuses to hear of them."""
        return msgspec.structs.replace(interface, chosen=self._known_languages(interface.chosen))


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


def render(interface: Interface, template: str, values: Mapping[str, object]) -> str:
    """Write a template in a reader's language and theme."""
    return (
        environment_of(interface.language)
        .get_template(template)
        .render(values, interface=interface, number=interface.number, size=interface.size)
    )


@cache
def environment_of(language: str) -> Environment:
    """Make the templates of one language of the interface."""
    environment = Environment(
        loader=FileSystemLoader(page_folders("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    wording = Wording(language)
    names = language_names(language)
    environment.globals |= {
        **SAME_IN_EVERY_LANGUAGE,
        "_": wording.message,
        "ngettext": wording.plural_message,
        "text_here": wording.text_here,
        "language_names": msgspec.json.encode(names).decode() if names else "",
    }
    environment.filters |= {
        "named": wording.named,
        "said": wording.said,
        "said_in": wording.said_in,
        "reason": wording.reason,
        "origin": wording.origin,
        "by_letter": wording.lettered,
        "written_day": wording.written_day,
        "day": day,
        "lang": lang,
        "moment": timestamp,
        "json_text": json_text,
    }
    return environment


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in a folder, for the other languages, the other workers and the next start.

    Their code is the same in every language: it calls the translations when a page is written.
    """

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a compiled template, if the folder can be written: without it pages are as right, but later."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def warm_up(folder: Path) -> None:
    """Load the templates asked for most: the first reader of a page would otherwise wait a tenth of a second.

    Templates are compiled only if the folder does not have them; that of all these takes half a second.
    """
    compiled = CompiledTemplates(str(folder), "template-%s.cache")
    for language in LANGUAGES:
        environment = environment_of(language)
        environment.bytecode_cache = compiled
        for template in COMPILED_AT_START:
            environment.get_template(template)


def json_text(value: object) -> Markup:
    """Write JSON that may stand in a script element of data: nothing in it can end the element."""
    text = msgspec.json.encode(value).decode()
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 (what HTML would read was replaced above)
