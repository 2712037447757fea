"""wordgames.php and wordgames_cards.php."""

from typing import Annotated

from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.model.cards import Card, CardSet
from abhidhan.dictionary.service import cards
from abhidhan.platform.http.public_reads import public_read


@public_read("/api/wordgames.php", tags=["Flashcards"], summary="List the sets of flashcards")
async def list_card_sets(dictionary: GivenDictionary) -> tuple[CardSet, ...]:
    """List every set, with its number of cards."""
    return await dictionary.read(cards.card_sets)


@public_read("/api/wordgames_cards.php", tags=["Flashcards"], summary="List the cards of a set")
async def list_cards(
    dictionary: GivenDictionary,
    set_id: Annotated[int, QueryParameter(name="set", ge=1, description="The ID of a set.")] = 1,
) -> tuple[Card, ...]:
    """List the cards of one set, in order."""
    return await dictionary.read(cards.cards_of, set_id)
