"""Proverbs: leafing through them, and finding those that are like a saying."""

from functools import partial
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import FromQuery, QueryParameter

from abhidhan.domain.languages import ASSAMESE, Language
from abhidhan.domain.phrases import SimilarPhrase
from abhidhan.services.dictionary import lists, phrases, proverbs
from abhidhan.services.dictionary.proverbs import ProverbPage, Shelf
from abhidhan.storage.database import Reader
from abhidhan.web.arguments import LONGEST_PHRASE, GivenDatabase
from abhidhan.web.pages.rendering import Asked, GivenPages

PROVERBS_ON_A_PAGE: Final = 30
MOST_SIMILAR: Final = 10


class ProverbsPage(msgspec.Struct, frozen=True):
    """Either what was found for a saying, or a page to leaf through."""

    language: Language
    shelves: tuple[Shelf, ...]
    category: int
    query: str
    similar: tuple[SimilarPhrase, ...]
    leaf: ProverbPage


def read_proverbs_page(reader: Reader, query: str, language: str, category: int, start: str) -> ProverbsPage:
    """Read proverbs like a saying, or else a page of them. Raises InputError for an unknown language."""
    language_id = lists.find_language_id(reader, "language", language) or ASSAMESE
    similar = phrases.find_similar(reader, query, language_id, MOST_SIMILAR) if query else ()
    return ProverbsPage(
        language=reader.catalogue.language(language_id),
        shelves=proverbs.list_shelves(reader),
        category=category,
        query=query,
        similar=similar,
        leaf=proverbs.leaf_through(reader, language_id, category, start, PROVERBS_ON_A_PAGE),
    )


@get("/proverbs", include_in_schema=False)
async def show_proverbs(  # noqa: PLR0913 (each is one parameter of the address, or what it is answered from)
    *,
    request: Asked,
    database: GivenDatabase,
    pages: GivenPages,
    q: Annotated[str, QueryParameter(max_length=LONGEST_PHRASE)] = "",
    language: FromQuery[str] = "as",
    category: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
    start: Annotated[str, QueryParameter(max_length=LONGEST_PHRASE)] = "",
) -> Response[str]:
    """Show proverbs: those like `q`, and all of a language and category page by page."""
    job = partial(read_proverbs_page, query=q, language=language, category=category, start=start)
    return pages.show(request, "proverbs.html", {"page": await database.read(job, long=True)})
