"""Well-known files for machines: sitemap, robots.txt, OpenSearch, llms.txt."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Final
from xml.sax.saxutils import escape

from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service import browse
from abhidhan.dictionary.service.lookup import suggest_headwords
from abhidhan.platform.http.assets import asset_address
from abhidhan.platform.http.labels import format_iso_day
from abhidhan.platform.http.parameters import MAX_TEXT_LENGTH
from abhidhan.platform.http.preferences import InterfacePreferences
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to, render
from abhidhan.platform.http.urls import build_absolute_url, word_address

XML_MEDIA_TYPE: Final = "application/xml"
CACHE_ONE_HOUR: Final = {"Cache-Control": "public, max-age=3600"}
MAX_COMPLETIONS: Final = 10

SITEMAP_PAGES: Final = (
    "/",
    "/browse",
    "/context",
    "/pictures",
    "/proverbs",
    "/transliterate",
    "/flashcards",
    "/recent",
    "/about",
    "/downloads",
    "/take-along",
    "/api/docs",
)
"""Pages in the sitemap besides those of words."""

_XML_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE: Final = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


@get("/sitemap.xml", include_in_schema=False)
async def show_sitemap(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, part: Annotated[int, QueryParameter(ge=0)] = 0
) -> Response[str]:
    """Return the sitemap index or, with `part`, one of its files: 1 lists the pages, the others words."""
    base = pages.get_base_url(request)
    if part == 0:
        count = await dictionary.read(browse.count_sitemap_files)
        body = format_sitemap_index(base, count + 1)
    elif part == 1:
        body = format_sitemap_file([(base + page, None) for page in SITEMAP_PAGES])
    else:
        body = await dictionary.read_in_thread(
            browse.format_sitemap_file, part - 1, partial(_format_word_sitemap, base)
        )
    return Response(body, media_type=XML_MEDIA_TYPE, headers=CACHE_ONE_HOUR)


def _format_word_sitemap(base: str, words: Iterable[tuple[str, int]]) -> str:
    return format_sitemap_file([(build_absolute_url(base, word_address(text)), changed) for text, changed in words])


def format_sitemap_index(base: str, count: int) -> str:
    """Format the sitemap index for `count` files."""
    files = "".join(
        f"<sitemap><loc>{escape(base)}/sitemap.xml?part={number}</loc></sitemap>\n" for number in range(1, count + 1)
    )
    return f"{_XML_DECLARATION}<sitemapindex {_NAMESPACE}>\n{files}</sitemapindex>\n"


def format_sitemap_file(addresses: list[tuple[str, int | None]]) -> str:
    """Format a sitemap file of URLs, each with the time of its last change if known."""
    days = {changed: f"<lastmod>{format_iso_day(changed)}</lastmod>" if changed else "" for _, changed in addresses}
    lines = [f"<url><loc>{escape(address)}</loc>{days[changed]}</url>\n" for address, changed in addresses]
    return f"{_XML_DECLARATION}<urlset {_NAMESPACE}>\n{''.join(lines)}</urlset>\n"


@get("/robots.txt", include_in_schema=False)
async def show_robots(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Return the rules for crawlers."""
    body = render(InterfacePreferences(), "robots.txt", {"base": pages.get_base_url(request)})
    return Response(body, media_type="text/plain", headers=CACHE_ONE_HOUR)


@get("/llms.txt", include_in_schema=False)
async def show_guide_for_models(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Return the guide for language models and their developers."""
    body = render(
        InterfacePreferences(), "llms.txt", {"base": pages.get_base_url(request), "embeds": pages.allows_embedding}
    )
    return Response(body, media_type="text/plain", headers=CACHE_ONE_HOUR)


@get("/opensearch.xml", include_in_schema=False)
async def show_open_search(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Return the OpenSearch description for browsers."""
    body = render(InterfacePreferences(), "opensearch.xml", {"base": pages.get_base_url(request)})
    return Response(body, media_type="application/opensearchdescription+xml", headers=CACHE_ONE_HOUR)


@get("/opensearch/suggest", include_in_schema=False)
async def complete(
    dictionary: DictionaryDep, q: Annotated[str, QueryParameter(max_length=MAX_TEXT_LENGTH)] = ""
) -> Response[list[object]]:
    """Complete a text typed into a browser's search bar, in OpenSearch format."""
    completions: tuple[str, ...] = ()
    if q:
        completions = await suggest_headwords(dictionary, q, limit=MAX_COMPLETIONS)
    return Response([q, list(completions)], media_type="application/x-suggestions+json")


@get("/favicon.ico", include_in_schema=False)
async def show_icon() -> Response[str]:
    """Redirect requests for the default icon."""
    return redirect_to(asset_address("icon-192.png"), 301, headers=CACHE_ONE_HOUR)
