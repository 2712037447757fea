"""Browsing: languages and their letters, words in alphabetical order, and the tree of contexts."""

from typing import Annotated, Literal
from urllib.parse import unquote

from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.contexts import read_tree
from abhidhan.dictionary.service.views.listings import read_browse_page, read_common_words, read_context_page
from abhidhan.dictionary.service.views.pictures import read_pictures_page
from abhidhan.platform.http.parameters import LONGEST_TEXT
from abhidhan.platform.http.rendering import GivenPages, PageRequest, readers_of
from abhidhan.platform.http.urls import context_address, with_query
from abhidhan.records.ids import GREATEST_ID


@get("/browse", include_in_schema=False)
async def show_alphabet(
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    language: FromQuery[str] = "as",
    start: Annotated[str, QueryParameter(max_length=LONGEST_TEXT)] = "",
) -> Response[str]:
    """Show the words of a language in its own order."""
    page = await dictionary.read_in_thread(read_browse_page, language, start, readers_of(request))
    return pages.show(request, "browse.html", {"page": page})


@get("/context", include_in_schema=False)
async def show_contexts(request: PageRequest, dictionary: GivenDictionary, pages: GivenPages) -> Response[str]:
    """Show the tree of contexts."""
    tree = await dictionary.read(read_tree)
    return pages.show(request, "contexts.html", {"tree": tree})


@get("/context/{name:path}", include_in_schema=False)
async def show_context(  # noqa: PLR0913 (each is one parameter of the address, or what it is answered from)
    *,
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    name: FromPath[str],
    offset: Annotated[int, QueryParameter(name="from", ge=0, le=GREATEST_ID)] = 0,
    idea: Annotated[int, QueryParameter(ge=0, le=GREATEST_ID)] = 0,
    part: FromQuery[Literal["", "words"]] = "",
) -> Response[str]:
    """Show the ideas of one context; with `part` its commonest words, as the page of a word of `idea` unfolds them."""
    name = unquote(name).strip("/ ")
    if part:
        common = await dictionary.read_in_thread(read_common_words, name, idea, readers_of(request))
        return pages.show(request, "common-words.html", {"common": common})
    page = await dictionary.read_in_thread(read_context_page, name, offset, readers_of(request))
    canonical = context_address(page.subject.item.value)
    return pages.show(request, "context.html", {"page": page}, canonical=canonical)


@get("/pictures", include_in_schema=False)
async def show_pictures(
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    context: Annotated[str, QueryParameter(max_length=LONGEST_TEXT)] = "",
    offset: Annotated[int, QueryParameter(name="from", ge=0, le=GREATEST_ID)] = 0,
) -> Response[str]:
    """Show ideas by their pictures, all or those of a context."""
    page = await dictionary.read_in_thread(read_pictures_page, context, offset, readers_of(request))
    canonical = with_query("/pictures", context=page.place.item.value if page.place else "")
    return pages.show(request, "pictures.html", {"page": page}, canonical=canonical)
