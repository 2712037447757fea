"""Pictures that stand for entries where their addresses are shared, and those of the word and proverb of the day."""

from typing import Annotated, Final

from litestar import Response, get
from litestar.params import PathParameter

from abhidhan.domain.ids import read_number
from abhidhan.domain.preview_cards import SITE_CARD, PreviewCard
from abhidhan.errors import NotFoundError, sentence
from abhidhan.services.previews import Previews
from abhidhan.web.arguments import GivenDictionary
from abhidhan.web.edge.ranges import is_unchanged
from abhidhan.web.freshness import until_midnight
from abhidhan.web.pages.rendering import PageRequest

PREVIEWS: Final = "previews"
"""The key of what makes pictures, in the application's state."""

PNG: Final = "image/png"
ENDING: Final = ".png"
LONGEST_FRESH: Final = 900
KEPT_AWHILE: Final = {"Cache-Control": "public, max-age=3600, stale-while-revalidate=86400, stale-if-error=86400"}
FOR_OTHER_SITES: Final = {"Cross-Origin-Resource-Policy": "cross-origin"}

Name = Annotated[str, PathParameter()]


@get("/preview/site.png", include_in_schema=False)
async def show_site(request: PageRequest) -> Response[bytes]:
    """Show the picture of pages that are of no one entry."""
    return await _picture(request, SITE_CARD, KEPT_AWHILE)


@get("/preview/word/{name:str}", include_in_schema=False)
async def show_word(request: PageRequest, dictionary: GivenDictionary, name: Name) -> Response[bytes]:
    """Show the picture of a word."""
    return await _picture(request, await dictionary.card_by_word(_number(name)), KEPT_AWHILE)


@get("/preview/sense/{name:str}", include_in_schema=False)
async def show_sense(request: PageRequest, dictionary: GivenDictionary, name: Name) -> Response[bytes]:
    """Show the picture of one meaning of a word."""
    return await _picture(request, await dictionary.card_by_sense(_number(name)), KEPT_AWHILE)


@get("/preview/proverb/{name:str}", include_in_schema=False)
async def show_proverb(request: PageRequest, dictionary: GivenDictionary, name: Name) -> Response[bytes]:
    """Show the picture of a proverb."""
    return await _picture(request, await dictionary.card_by_proverb(_number(name)), KEPT_AWHILE)


@get("/today.png", include_in_schema=False)
async def show_word_of_today(request: PageRequest, dictionary: GivenDictionary) -> Response[bytes]:
    """Show the picture of the word of today."""
    return await _of_day(request, dictionary, "", of_proverb=False)


@get("/today/proverb.png", include_in_schema=False)
async def show_proverb_of_today(request: PageRequest, dictionary: GivenDictionary) -> Response[bytes]:
    """Show the picture of the proverb of today."""
    return await _of_day(request, dictionary, "", of_proverb=True)


@get("/today/{name:str}", include_in_schema=False)
async def show_word_of_day(request: PageRequest, dictionary: GivenDictionary, name: Name) -> Response[bytes]:
    """Show the picture of the word of a day."""
    return await _of_day(request, dictionary, _without_ending(name), of_proverb=False)


@get("/today/{date:str}/proverb.png", include_in_schema=False)
async def show_proverb_of_day(request: PageRequest, dictionary: GivenDictionary, date: Name) -> Response[bytes]:
    """Show the picture of the proverb of a day."""
    return await _of_day(request, dictionary, date, of_proverb=True)


async def _of_day(request: PageRequest, dictionary: GivenDictionary, date: str, *, of_proverb: bool) -> Response[bytes]:
    day = await dictionary.day(date)
    card = await dictionary.card_of_day(day, of_proverb=of_proverb)
    return await _picture(request, card, until_midnight(day.seconds_left, LONGEST_FRESH) or KEPT_AWHILE)


async def _picture(request: PageRequest, card: PreviewCard, freshness: dict[str, str]) -> Response[bytes]:
    """Answer with the picture of a card; who has it is told so, before it is drawn."""
    previews = _previews(request)
    tag = f'"{previews.tag_of(card)}"'
    headers = {**freshness, **FOR_OTHER_SITES, "ETag": tag}
    if is_unchanged(request.headers, tag, 0):
        return Response(b"", status_code=304, headers=headers)
    return Response(await previews.picture_of(card), media_type=PNG, headers=headers)


def _previews(request: PageRequest) -> Previews:
    previews: Previews = request.app.state[PREVIEWS]
    return previews


def _number(name: str) -> int:
    """Read the ID in the name of a picture. Raises NotFoundError."""
    number = read_number(_without_ending(name))
    if number is None:
        raise NotFoundError(sentence("There is no such file."))
    return number


def _without_ending(name: str) -> str:
    if not name.endswith(ENDING):
        raise NotFoundError(sentence("There is no such file."))
    return name.removesuffix(ENDING)
