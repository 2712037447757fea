"""Browsing: languages and their letters, words in alphabetical order, and the tree of contexts."""

from typing import Annotated
from urllib.parse import unquote

from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from abhidhan.domain.ids import GREATEST_ID
from abhidhan.services.dictionary.questions import LanguageName
from abhidhan.web.arguments import LONGEST_TEXT, GivenDictionary
from abhidhan.web.pages.addresses import context_address
from abhidhan.web.pages.rendering import GivenPages, PageRequest, readers_of


@get("/browse", include_in_schema=False)
async def show_alphabet(
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    language: FromQuery[str] = "as",
    start: Annotated[str, QueryParameter(max_length=LONGEST_TEXT)] = "",
) -> Response[str]:
    """Show the words of a language in its own order."""
    page = await dictionary.browse_page(LanguageName(language), start, readers_of(request))
    return pages.show(request, "browse.html", {"page": page})


@get("/context", include_in_schema=False)
async def show_contexts(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Show the tree of contexts."""
    tree = await dictionary.contexts()
    return pages.show(request, "contexts.html", {"tree": tree})


@get("/context/{name:path}", include_in_schema=False)
async def show_context(
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    name: FromPath[str],
    offset: Annotated[int, QueryParameter(name="from", ge=0, le=GREATEST_ID)] = 0,
) -> Response[str]:
    """Show the ideas of one context."""
    page = await dictionary.context_page(unquote(name).strip("/ "), offset, readers_of(request))
    canonical = context_address(page.subject.item.value)
    return pages.show(request, "context.html", {"page": page}, canonical=canonical)
