"""Proverbs: leafing through them, and finding those that are like a saying."""

from typing import Annotated

from litestar import Response, get
from litestar.params import FromQuery, QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.views.proverbs import read_proverbs_page
from abhidhan.platform.http.parameters import LONGEST_PHRASE
from abhidhan.platform.http.rendering import GivenPages, PageRequest


@get("/proverbs", include_in_schema=False)
async def show_proverbs(  # noqa: PLR0913 (each is one parameter of the address, or what it is answered from)
    *,
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    q: Annotated[str, QueryParameter(max_length=LONGEST_PHRASE)] = "",
    language: FromQuery[str] = "as",
    category: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
    start: Annotated[str, QueryParameter(max_length=LONGEST_PHRASE)] = "",
) -> Response[str]:
    """Show proverbs: those like `q`, and all of a language and category page by page."""
    page = await dictionary.read_in_thread(read_proverbs_page, q, language, category, start)
    return pages.show(request, "proverbs.html", {"page": page})
