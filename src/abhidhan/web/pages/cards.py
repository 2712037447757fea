"""Flashcards: the sets, and the cards of one."""

from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.domain.cards import Card, CardSet
from abhidhan.domain.languages import Language
from abhidhan.errors import NotFoundError, sentence
from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.web.arguments import GivenDictionary
from abhidhan.web.pages.rendering import GivenPages, PageRequest


class CardsPage(msgspec.Struct, frozen=True):
    """The sets, and, where one was chosen, its cards."""

    sets: tuple[CardSet, ...]
    chosen: CardSet | None
    cards: tuple[Card, ...]
    languages: dict[int, Language]


async def read_cards_page(dictionary: Dictionary, set_id: int) -> CardsPage:
    """Read the sets and the cards of one; 0 chooses none. Raises NotFoundError."""
    sets = await dictionary.card_sets()
    chosen = next((each for each in sets if each.id == set_id), None)
    if set_id and chosen is None:
        raise NotFoundError(sentence("There is no set of flashcards with the ID %(set_id)s.", set_id=set_id))
    catalogue = await dictionary.catalogue()
    languages = catalogue.by_id
    return CardsPage(sets, chosen, await dictionary.cards_of(set_id) if chosen else (), languages)


@get("/flashcards", include_in_schema=False)
async def show_cards(
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    set_id: Annotated[int, QueryParameter(name="set", ge=0)] = 0,
) -> Response[str]:
    """Show the sets, or the cards of one."""
    page = await read_cards_page(dictionary, set_id)
    return pages.show(request, "flashcards.html", {"page": page})
