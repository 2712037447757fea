"""The transliteration tool, from Assamese to Roman letters and back."""

from typing import Annotated, Literal

from litestar import Response, get
from litestar.params import FromQuery, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service import transliteration
from abhidhan.platform.http.parameters import MAX_PASSAGE_LENGTH
from abhidhan.platform.http.rendering import PageRequest, PagesDep
from assamese.normalization import nfc
from assamese.romanize import Scheme
from assamese.transliteration import Direction, Transliteration

DIRECTIONS = {"roman": Direction.TO_ROMAN, "assamese": Direction.TO_ASSAMESE}


@get("/transliterate", include_in_schema=False)
async def show_transliteration(  # noqa: PLR0913 (each is a query parameter or a dependency)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    pa: Annotated[str, QueryParameter(max_length=MAX_PASSAGE_LENGTH)] = "",
    to: FromQuery[Literal["", "roman", "assamese"]] = "",
    scheme: FromQuery[Scheme] = Scheme.XOBDO,
) -> Response[str]:
    """Show a text and its transliteration."""
    transliterated: Transliteration | None = None
    if pa:
        transliterated = await dictionary.read_in_thread(
            transliteration.transliterate, nfc(pa), DIRECTIONS.get(to), scheme
        )
    values = {"text": pa, "written": transliterated, "to": to, "scheme": scheme.value, "schemes": list(Scheme)}
    return pages.show(request, "transliterate.html", values)
