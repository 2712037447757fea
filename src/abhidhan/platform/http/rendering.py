"""Rendering of pages from templates, in the reader's language and theme."""

from collections.abc import Callable, Mapping
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
from litestar.types import Scope
from markupsafe import Markup, escape

from abhidhan.platform.http.assets import asset_address, find_page_folders
from abhidhan.platform.http.errors import ProblemDocument
from abhidhan.platform.http.labels import Wording, detect_language
from abhidhan.platform.http.preferences import (
    INTERFACE_LANGUAGES,
    LOCALES,
    THEME_COLOURS,
    THEMES,
    VARY_HEADER,
    InterfacePreferences,
    get_current_interface,
    get_interface,
    load_language_names,
)
from abhidhan.platform.http.services import get_page_languages
from abhidhan.platform.http.urls import add_query, build_absolute_url, context_address, list_address, word_address
from abhidhan.records.language_preferences import LanguagePreferences
from abhidhan.records.languages import Language
from abhidhan.records.sources import licence_url
from abhidhan.records.timestamps import format_timestamp


@cache
def build_language_attributes(language: Language) -> Markup:
    """Build the HTML attributes `lang` and `dir` for a text in a language."""
    return Markup('lang="%s" dir="%s"') % (language.code, language.direction)


def render_marked_text(text: str, language: Language) -> Markup:
    """Wrap a text in an element with its language."""
    return Markup(f"<span {build_language_attributes(language)}>{escape(text)}</span>")  # noqa: S704 (the text is escaped)


def render_word_link(text: str, language: Language, css_class: str = "", starred: int = 0) -> Markup:
    """Render a link to a word's page; `starred` is the word's ID if it can be saved with a star."""
    attributes = (f'class="{css_class}" ' if css_class else "") + (f'data-star="{starred}" ' if starred else "")
    address = escape(word_address(text))
    return Markup(f'<a {attributes}{build_language_attributes(language)} href="{address}">{escape(text)}</a>')  # noqa: S704 (as above)


PageRequest = Request[object, object, State]
"""A request for a page, signed in or not."""

LanguageCodeFilter = Callable[[tuple[str, ...]], tuple[str, ...]]
"""Filters language codes by the languages that the dictionary has."""

HTML_MEDIA_TYPE: Final = "text/html"
WARM_UP_TEMPLATES: Final = ("macros.html", "base.html", "word.html", "part.html", "whole-query.html", "first.html")
CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; font-src 'self'; "
    "media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Allows nothing inline and nothing from other hosts; `blob:` is for previews of photos before the upload."""

PERMISSIONS_POLICY: Final = "camera=(), geolocation=(), microphone=()"
MICROPHONE_HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace("media-src 'self'", "media-src 'self' blob:"),
    "Permissions-Policy": PERMISSIONS_POLICY.replace("microphone=()", "microphone=(self)"),
}
"""The headers of the recording page, which may use the microphone and play the new recording."""

COMMON_GLOBALS: Final[Mapping[str, object]] = {
    "asset": asset_address,
    "word_address": word_address,
    "word_link": render_word_link,
    "marked_text": render_marked_text,
    "context_address": context_address,
    "with_query": add_query,
    "list_address": list_address,
    "licence_address": licence_url,
    "absolute": build_absolute_url,
    "language_of": detect_language,
    "interfaces": INTERFACE_LANGUAGES,
    "locales": LOCALES,
    "themes": THEMES,
    "theme_colours": THEME_COLOURS,
}
"""Globals of all templates, the same in every language."""

PAGE_HEADERS: Final = {
    "Vary": VARY_HEADER,
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Referrer-Policy": "same-origin",
}


class Pages:
    """Renders the pages of one site."""

    def __init__(
        self,
        base_url: str = "",
        filter_known_languages: LanguageCodeFilter = tuple,
        *,
        allows_embedding: bool = True,
        works_offline: bool = True,
    ) -> None:
        """`base_url` is the public URL of the site; if empty, it is taken from each request.

        `filter_known_languages` removes the codes of languages that no longer exist. With `allows_embedding`, other
        sites may embed the look-up script. With `works_offline`, browsers store visited pages for offline use.
        """
        self._base_url = base_url
        self._filter_known_languages = filter_known_languages
        self.allows_embedding = allows_embedding
        self.works_offline = works_offline

    def get_base_url(self, request: PageRequest) -> str:
        """Return the URL of the site, without a trailing slash."""
        return self._base_url or str(request.base_url).rstrip("/")

    def show(  # noqa: PLR0913 (each is a part of a page, passed by keyword)
        self,
        request: PageRequest,
        template: str,
        values: Mapping[str, object],
        *,
        canonical: str | None = None,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> Response[str]:
        """Render a page. `canonical` is its canonical path, by default that of the request."""
        interface = self.get_interface(request.scope, request.query_params.get("interface"))
        path = request.url.path
        canonical_path = canonical if canonical is not None else path
        body = render(
            interface,
            template,
            {
                **values,
                "works_offline": self.works_offline,
                "canonical": build_absolute_url(self.get_base_url(request), canonical_path),
                "base": self.get_base_url(request),
                "here": _get_current_address(request),
                "embeds": self.allows_embedding,
            },
        )
        return Response(
            body, media_type=HTML_MEDIA_TYPE, status_code=status, headers={**PAGE_HEADERS, **(headers or {})}
        )

    def render_error_page(self, document: ProblemDocument) -> str:
        """Render the page of an error, in the reader's language."""
        values = {
            "problem": document,
            "works_offline": self.works_offline,
            "canonical": "",
            "base": "",
            "here": "/",
        }
        return render(self._filter_languages(get_current_interface()), "error.html", values)

    def get_interface(self, scope: Scope, query_language: str | None) -> InterfacePreferences:
        """Return the reader's preferences (`preferences.get_interface`), without languages that no longer exist."""
        return self._filter_languages(get_interface(scope, query_language))

    def _filter_languages(self, interface: InterfacePreferences) -> InterfacePreferences:
        """Drop chosen languages that no longer exist: the API rejects them as unknown."""
        return msgspec.structs.replace(interface, chosen=self._filter_known_languages(interface.chosen))


def get_language_preferences(request: PageRequest) -> LanguagePreferences:
    """Return the reader's preferred languages of words."""
    interface = get_interface(request.scope, request.query_params.get("interface"))
    return LanguagePreferences(interface.chosen, interface.language, get_page_languages(request))


PagesDep = NamedDependency[SkipValidation[Pages]]


def _get_current_address(request: PageRequest) -> str:
    """Return the path and query of the request, to return to after an action."""
    query = request.scope["query_string"].decode("latin-1")
    return build_absolute_url("", request.url.path) + (f"?{query}" if query else "")


def redirect_to(address: str, status: int = 303, **options: Any) -> Response[str]:  # noqa: ANN401 (arguments of every response)
    """Redirect to another path of this site."""
    headers = {"Location": build_absolute_url("", address), **options.pop("headers", {})}
    return Response("", status_code=status, media_type="text/plain", headers=headers, **options)


def render(interface: InterfacePreferences, template: str, values: Mapping[str, object]) -> str:
    """Render a template in a reader's language and theme."""
    return (
        get_environment(interface.language)
        .get_template(template)
        .render(values, interface=interface, number=interface.number, size=interface.size)
    )


@cache
def get_environment(language: str) -> Environment:
    """Return the template environment of an interface language."""
    environment = Environment(
        loader=FileSystemLoader(find_page_folders("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    wording = Wording(language)
    names = load_language_names(language)
    environment.globals |= {
        **COMMON_GLOBALS,
        "_": wording.translate_template_text,
        "ngettext": wording.translate_plural,
        "text_here": wording.select_text,
        "language_names": msgspec.json.encode(names).decode() if names else "",
    }
    environment.filters |= {
        "named": wording.translate_name,
        "grammar": wording.translate_grammar,
        "said": wording.translate,
        "said_in": wording.inflection_label,
        "reason": wording.translate_reason,
        "origin": wording.format_origin,
        "by_letter": wording.group_by_letter,
        "join_words": wording.join_names,
        "written_day": wording.format_date,
        "day": wording.format_day,
        "written_moment": wording.format_moment,
        "lang": build_language_attributes,
        "moment": format_timestamp,
        "json_text": encode_json_for_script,
    }
    return environment


class CompiledTemplateCache(FileSystemBytecodeCache):
    """Cache of compiled templates in a folder, shared by all languages, workers and later starts.

    The code is the same for every language: translations are looked up when a page is rendered.
    """

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a compiled template, ignoring write errors: without the cache pages are only slower."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def warm_up_templates(folder: Path) -> None:
    """Load the most used templates: otherwise the first request for a page would take a tenth of a second longer.

    Templates are compiled only if they are missing in the folder; compiling all of these takes half a second.
    """
    compiled = CompiledTemplateCache(str(folder), "template-%s.cache")
    for language in INTERFACE_LANGUAGES:
        environment = get_environment(language)
        environment.bytecode_cache = compiled
        for template in WARM_UP_TEMPLATES:
            environment.get_template(template)


def encode_json_for_script(value: object) -> Markup:
    """Encode a value as JSON that is safe inside a script element: it cannot contain the end tag."""
    text = msgspec.json.encode(value).decode()
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 (special characters of HTML were replaced above)
