"""Flashcards: the sets, and the cards of one."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.domain.audio import Audio
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
    voices: Mapping[int, Mapping[str, Sequence[Audio]]] = {}

    def voices_of(self, card: Card) -> list[tuple[str, Audio]]:
        """List the recordings of what stands on a card, its answer first, each with what it says."""
        if self.chosen is None:
            return []
        sides = ((self.chosen.answer_language_id, card.answer), (self.chosen.language_id, card.clue))
        return [(text, each) for language_id, text in sides for each in self.voices.get(language_id, {}).get(text, ())]


async def read_cards_page(dictionary: Dictionary, set_id: int) -> CardsPage:
    """Read the sets and the cards of one; 0 chooses none. Raises NotFoundError."""
    sets = await dictionary.card_sets()
    chosen = next((each for each in sets if each.id == set_id), None)
    if set_id and chosen is None:
        raise NotFoundError(sentence("There is no set of flashcards with the ID %(set_id)s.", set_id=set_id))
    catalogue = await dictionary.catalogue()
    languages = catalogue.by_id
    if chosen is None:
        return CardsPage(sets, None, (), languages)
    cards = await dictionary.cards_of(set_id)
    texts: dict[int, list[str]] = {chosen.language_id: [], chosen.answer_language_id: []}
    for card in cards:
        texts[chosen.language_id].append(card.clue)
        texts[chosen.answer_language_id].append(card.answer)
    return CardsPage(sets, chosen, cards, languages, await dictionary.audio_of_words(texts))


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
