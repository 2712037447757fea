"""Flashcards of a set, of several sets, or of a list of words, and lists in a link."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.model.cards import Card, CardSet, GroupedSets
from abhidhan.dictionary.model.list_links import read_shared_words, shared_name
from abhidhan.dictionary.service import cards
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.listings import Gloss
from abhidhan.dictionary.service.views.word_lists import read_listed_words, recordings_of
from abhidhan.platform.http.rendering import GivenPages, PageRequest, readers_of
from abhidhan.platform.http.urls import absolute, list_address, word_address
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.language_preferences import ReadersLanguages
from abhidhan.records.languages import Language
from abhidhan.records.local_texts import LocalText
from abhidhan.records.recordings import Audio

OF_LISTS = "list"
"""Key for the progress with words of lists in the browser: a word is known in every list."""


class ShownCard(msgspec.Struct, frozen=True):
    """Card as shown on a page.

    `progress` is the key in the browser for the progress with it, `address` is the page of its answer.
    """

    card: Card
    clue_language: Language
    answer_language: Language
    answer_roman: str | None
    address: str
    progress: str
    voices: Sequence[tuple[str, Audio]] = ()


class Practised(msgspec.Struct, frozen=True):
    """Cards to practise, the URL of the previous page, and the URL of their Anki deck, if they have one.

    A set has names and descriptions in several languages. A list of words has one `name`, written by its owner. Cards
    of several sets have no name.
    """

    cards: Sequence[ShownCard]
    back: str = "/flashcards"
    deck: str = ""
    names: Sequence[LocalText] = ()
    descriptions: Sequence[LocalText] = ()
    name: str = ""
    is_list: bool = False


class CardsPage(msgspec.Struct, frozen=True):
    """The sets, or the cards to practise."""

    sets: GroupedSets | None = None
    chosen: Practised | None = None


async def read_set(dictionary: Dictionary, set_id: int) -> Practised:
    """Load the cards of a set. Raises NotFoundError."""
    chosen = next((each for each in await dictionary.read(cards.card_sets) if each.id == set_id), None)
    if chosen is None:
        raise NotFoundError(sentence("There is no flashcard set with the ID %(set_id)s.", set_id=set_id))
    of_set = await dictionary.read(cards.cards_of, chosen.id)
    shown = await _shown(dictionary, [(each, chosen) for each in of_set])
    deck = f"/flashcards/{chosen.id}.apkg"
    return Practised(shown, deck=deck, names=chosen.names, descriptions=chosen.descriptions)


async def read_cards(dictionary: Dictionary, card_ids: Sequence[int]) -> Practised:
    """Load cards of any sets, such as those that are due."""
    found = await dictionary.read(cards.cards_with_sets, card_ids)
    return Practised(await _shown(dictionary, found))


async def _shown(dictionary: Dictionary, found: Sequence[tuple[Card, CardSet]]) -> list[ShownCard]:
    languages = (await dictionary.catalogue()).by_id
    texts: defaultdict[int, list[str]] = defaultdict(list)
    for card, card_set in found:
        texts[card_set.language_id].append(card.clue)
        texts[card_set.answer_language_id].append(card.answer)
    voices = await dictionary.read_in_thread(recordings_of, texts) if found else {}

    def shown(card: Card, card_set: CardSet) -> ShownCard:
        # The recordings of both sides are played with the answer.
        sides = ((card_set.answer_language_id, card.answer), (card_set.language_id, card.clue))
        return ShownCard(
            card,
            languages[card_set.language_id],
            languages[card_set.answer_language_id],
            cards.roman_of(card.answer, card_set.answer_language_id),
            word_address(card.answer),
            str(card_set.id),
            [(text, each) for language_id, text in sides for each in voices.get(language_id, {}).get(text, ())],
        )

    return [shown(card, card_set) for card, card_set in found]


async def read_list(
    dictionary: Dictionary, word_ids: tuple[int, ...], name: str, readers: ReadersLanguages
) -> Practised:
    """Load the words of a list as cards, with the gloss as the answer; skip words without one."""
    listed = await dictionary.read_in_thread(read_listed_words, word_ids, readers)
    shown = list(_cards_of(listed.words, listed.languages))
    there = [each.card.id for each in shown]
    deck, address = (list_address(path, there, name) for path in ("/list.apkg", "/list"))
    return Practised(shown, back=address, deck=deck, name=name, is_list=True)


def _cards_of(words: Iterable[Gloss], languages: Mapping[int, Language]) -> Iterable[ShownCard]:
    for each in words:
        word = each.word
        if each.language is not None:
            card = Card(word.id, word.word, word.roman, word.roman_generated, each.text, None, None)
            roman = cards.roman_of(each.text, each.language.id)
            heard = [(word.word, one) for one in word.audio]
            address = word_address(word.word)
            yield ShownCard(card, languages[word.language_id], each.language, roman, address, OF_LISTS, heard)


LONGEST_LIST: Final = 2_400
"""Maximum number of characters of a list of IDs: the maximum number of words, with ten digits each, and some spaces."""

Words = Annotated[str, QueryParameter(max_length=LONGEST_LIST)]
Name = Annotated[str, QueryParameter(max_length=1_000)]


@get("/flashcards", include_in_schema=False)
async def show_cards(  # noqa: PLR0913 (each is a query parameter or a dependency)
    *,
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    set_id: Annotated[int, QueryParameter(name="set", ge=0)] = 0,
    card_ids: Annotated[str, QueryParameter(name="cards", max_length=LONGEST_LIST)] = "",
    words: Words = "",
    name: Name = "",
) -> Response[str]:
    """Show the sets, the cards of one, some cards, or the words of a list as cards."""
    if words:
        given = read_shared_words(words), shared_name(name)
        page = CardsPage(chosen=await read_list(dictionary, *given, readers_of(request)))
    elif card_ids:
        page = CardsPage(chosen=await read_cards(dictionary, read_shared_words(card_ids)))
    elif set_id:
        page = CardsPage(chosen=await read_set(dictionary, set_id))
    else:
        page = CardsPage(await dictionary.read(cards.grouped_sets))
    return pages.show(request, "flashcards.html", {"page": page})


@get("/list", include_in_schema=False)
async def show_shared(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, words: Words = "", name: Name = ""
) -> Response[str]:
    """Show the list contained in a link. Raises InputError."""
    word_ids, title = read_shared_words(words), shared_name(name)
    listed = await dictionary.read_in_thread(read_listed_words, word_ids, readers_of(request))
    there = [each.word.id for each in listed.words]
    address = absolute(pages.base(request), list_address("/list", there, title))
    values = {"page": listed, "name": title, "word_ids": there, "address": address}
    return pages.show(request, "list.html", values, canonical=list_address("/list", there, title))
