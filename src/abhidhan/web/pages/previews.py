"""Pictures that stand for entries where their addresses are shared, and those of the word and proverb of the day."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from litestar import Response, get
from litestar.params import FromQuery, PathParameter

from abhidhan.domain.ids import read_number
from abhidhan.domain.languages import ASSAMESE, ENGLISH
from abhidhan.domain.preview_cards import IN_ENGLISH, SITE_CARD, WHAT_IT_IS, PreviewCard, Telling, card_of_site
from abhidhan.errors import NotFoundError, sentence
from abhidhan.services.previews import Previews
from abhidhan.web.arguments import GivenDictionary
from abhidhan.web.edge.ranges import is_unchanged
from abhidhan.web.freshness import until_midnight
from abhidhan.web.pages.interface import Interface, in_assamese
from abhidhan.web.pages.rendering import PageRequest

PREVIEWS: Final = "previews"
"""The key of what makes pictures, in the application's state."""

PNG: Final = "image/png"
ENDING: Final = ".png"
LONGEST_FRESH: Final = 900
KEPT_AWHILE: Final = {"Cache-Control": "public, max-age=3600, stale-while-revalidate=86400, stale-if-error=86400"}
FOR_OTHER_SITES: Final = {"Cross-Origin-Resource-Policy": "cross-origin"}

Name = Annotated[str, PathParameter()]
Told = FromQuery[Literal["en", "as"]]
"""In which language of the interface a picture tells what it is. Only the address says so: all who ask get the same."""


def _say_in_assamese(text: str) -> str:
    """Say a name in Assamese, or write a date in Assamese digits."""
    return Interface("as").number(text) if text[:1].isdecimal() else in_assamese(text)


TELLINGS: Final[Mapping[str, Telling]] = {
    "en": IN_ENGLISH,
    "as": Telling("as", _say_in_assamese, (ASSAMESE, ENGLISH)),
}


@get("/preview/site.png", include_in_schema=False)
async def show_site(request: PageRequest, interface: Told = "en") -> Response[bytes]:
    """Show the picture of pages that are of no one entry."""
    # Pages say it as a sentence, which is what has a translation.
    said = in_assamese(f"{WHAT_IT_IS}.").removesuffix("।")
    return await _picture(request, card_of_site(said, "as") if interface == "as" else SITE_CARD, KEPT_AWHILE)


@get("/preview/word/{name:str}", include_in_schema=False)
async def show_word(
    request: PageRequest, dictionary: GivenDictionary, name: Name, interface: Told = "en"
) -> Response[bytes]:
    """Show the picture of a word."""
    return await _picture(request, await dictionary.card_by_word(_number(name), TELLINGS[interface]), KEPT_AWHILE)


@get("/preview/sense/{name:str}", include_in_schema=False)
async def show_sense(
    request: PageRequest, dictionary: GivenDictionary, name: Name, interface: Told = "en"
) -> Response[bytes]:
    """Show the picture of one meaning of a word."""
    return await _picture(request, await dictionary.card_by_sense(_number(name), TELLINGS[interface]), KEPT_AWHILE)


@get("/preview/proverb/{name:str}", include_in_schema=False)
async def show_proverb(
    request: PageRequest, dictionary: GivenDictionary, name: Name, interface: Told = "en"
) -> Response[bytes]:
    """Show the picture of a proverb."""
    return await _picture(request, await dictionary.card_by_proverb(_number(name), TELLINGS[interface]), KEPT_AWHILE)


@get("/today.png", include_in_schema=False)
async def show_word_of_today(
    request: PageRequest, dictionary: GivenDictionary, interface: Told = "en"
) -> Response[bytes]:
    """Show the picture of the word of today."""
    return await _of_day(request, dictionary, "", TELLINGS[interface], of_proverb=False)


@get("/today/proverb.png", include_in_schema=False)
async def show_proverb_of_today(
    request: PageRequest, dictionary: GivenDictionary, interface: Told = "en"
) -> Response[bytes]:
    """Show the picture of the proverb of today."""
    return await _of_day(request, dictionary, "", TELLINGS[interface], of_proverb=True)


@get("/today/{name:str}", include_in_schema=False)
async def show_word_of_day(
    request: PageRequest, dictionary: GivenDictionary, name: Name, interface: Told = "en"
) -> Response[bytes]:
    """Show the picture of the word of a day."""
    return await _of_day(request, dictionary, _without_ending(name), TELLINGS[interface], of_proverb=False)


@get("/today/{date:str}/proverb.png", include_in_schema=False)
async def show_proverb_of_day(
    request: PageRequest, dictionary: GivenDictionary, date: Name, interface: Told = "en"
) -> Response[bytes]:
    """Show the picture of the proverb of a day."""
    return await _of_day(request, dictionary, date, TELLINGS[interface], of_proverb=True)


async def _of_day(
    request: PageRequest, dictionary: GivenDictionary, date: str, telling: Telling, *, of_proverb: bool
) -> Response[bytes]:
    day = await dictionary.day(date)
    card = await dictionary.card_of_day(day, telling, of_proverb=of_proverb)
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
