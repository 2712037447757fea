"""wordgames.php and wordgames_cards.php."""

from functools import partial
from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from abhidhan.domain.cards import Card, CardSet
from abhidhan.services.dictionary import cards
from abhidhan.web.arguments import GivenDatabase


@get("/api/wordgames.php", tags=["Flashcards"], summary="List the sets of flashcards")
async def list_card_sets(database: GivenDatabase) -> tuple[CardSet, ...]:
    """List every set, with the number of its cards."""
    return await database.read(cards.card_sets)


@get("/api/wordgames_cards.php", tags=["Flashcards"], summary="List the cards of a set")
async def list_cards(
    database: GivenDatabase,
    set_id: Annotated[int, QueryParameter(name="set", ge=1, description="The ID of a set.")] = 1,
) -> tuple[Card, ...]:
    """List the cards of one set in their own order."""
    return await database.read(partial(cards.cards_of, set_id=set_id))
