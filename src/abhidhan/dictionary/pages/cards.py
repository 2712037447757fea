"""Flashcards of a set or of a list of words, and the list that an address holds."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.model.cards import Card, CardSet
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

Voices = Mapping[int, Mapping[str, Sequence[Audio]]]

OF_LISTS = "list"
"""Under this name the browser keeps what is known of the words of lists: a word is known in every list."""


class ShownCard(msgspec.Struct, frozen=True):
    """A card with the languages of its sides, the word that its answer leads to, and what is heard with it."""

    card: Card
    clue_language: Language
    answer_language: Language
    address: str
    voices: Sequence[tuple[str, Audio]] = ()


class Practised(msgspec.Struct, frozen=True):
    """What is practised: the name under which the browser keeps it, its deck, its cards.

    A set has names and descriptions in several languages. A list of words has one `name`, as its owner wrote it, and
    `of_list` is its address.
    """

    kept_as: str
    deck: str
    cards: Sequence[ShownCard]
    names: Sequence[LocalText] = ()
    descriptions: Sequence[LocalText] = ()
    name: str = ""
    of_list: str = ""


class CardsPage(msgspec.Struct, frozen=True):
    """The sets, or what is practised."""

    sets: tuple[CardSet, ...]
    languages: dict[int, Language]
    chosen: Practised | None = None


async def read_cards_page(dictionary: Dictionary, set_id: int) -> CardsPage:
    """Read the sets and the cards of one; 0 chooses none. Raises NotFoundError."""
    sets = await dictionary.read(cards.card_sets)
    chosen = next((each for each in sets if each.id == set_id), None)
    if set_id and chosen is None:
        raise NotFoundError(sentence("There is no set of flashcards with the ID %(set_id)s.", set_id=set_id))
    languages = (await dictionary.catalogue()).by_id
    if chosen is None:
        return CardsPage(sets, languages)
    return CardsPage(sets, languages, await _read_set(dictionary, chosen, languages))


async def _read_set(dictionary: Dictionary, chosen: CardSet, languages: dict[int, Language]) -> Practised:
    of_set = await dictionary.read(cards.cards_of, chosen.id)
    texts: dict[int, list[str]] = {chosen.language_id: [], chosen.answer_language_id: []}
    for card in of_set:
        texts[chosen.language_id].append(card.clue)
        texts[chosen.answer_language_id].append(card.answer)
    voices = await dictionary.read_in_thread(recordings_of, texts)
    sides = languages[chosen.language_id], languages[chosen.answer_language_id]
    shown = [ShownCard(each, *sides, word_address(each.answer), _voices_of(each, chosen, voices)) for each in of_set]
    deck = f"/flashcards/{chosen.id}.apkg"
    return Practised(str(chosen.id), deck, shown, chosen.names, chosen.descriptions)


def _voices_of(card: Card, chosen: CardSet, voices: Voices) -> list[tuple[str, Audio]]:
    """List the recordings of what stands on a card, its answer first, each with what it says."""
    sides = ((chosen.answer_language_id, card.answer), (chosen.language_id, card.clue))
    return [(text, each) for language_id, text in sides for each in voices.get(language_id, {}).get(text, ())]


async def read_cards_of_list(
    dictionary: Dictionary, word_ids: tuple[int, ...], name: str, readers: ReadersLanguages
) -> CardsPage:
    """Read the words of a list as cards: the word asks, what it means answers. One that says nothing asks nothing."""
    listed = await dictionary.read_in_thread(read_listed_words, word_ids, readers)
    cards = list(_cards_of(listed.words, listed.languages))
    there = [each.card.id for each in cards]
    deck, address = (list_address(path, there, name) for path in ("/list.apkg", "/list"))
    return CardsPage((), listed.languages, Practised(OF_LISTS, deck, cards, name=name, of_list=address))


def _cards_of(words: Iterable[Gloss], languages: dict[int, Language]) -> Iterable[ShownCard]:
    for each in words:
        word = each.word
        if each.language is not None:
            card = Card(word.id, word.word, word.roman, word.roman_generated, each.text, None, None)
            heard = [(word.word, one) for one in word.audio]
            yield ShownCard(card, languages[word.language_id], each.language, word_address(word.word), heard)


LONGEST_LIST: Final = 2_400
"""Characters of the numbers of a list: as many words as there may be, each of ten digits, and some spaces."""

Words = Annotated[str, QueryParameter(max_length=LONGEST_LIST)]
Name = Annotated[str, QueryParameter(max_length=1_000)]


@get("/flashcards", include_in_schema=False)
async def show_cards(  # noqa: PLR0913 (each is one parameter of the address, or what it is answered from)
    *,
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    set_id: Annotated[int, QueryParameter(name="set", ge=0)] = 0,
    words: Words = "",
    name: Name = "",
) -> Response[str]:
    """Show the sets, the cards of one, or the words of a list as cards."""
    if words:
        given = read_shared_words(words), shared_name(name)
        page = await read_cards_of_list(dictionary, *given, readers_of(request))
    else:
        page = await read_cards_page(dictionary, set_id)
    return pages.show(request, "flashcards.html", {"page": page})


@get("/list", include_in_schema=False)
async def show_shared(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, words: Words = "", name: Name = ""
) -> Response[str]:
    """Show a list that its address has in itself. Raises InputError."""
    word_ids, title = read_shared_words(words), shared_name(name)
    listed = await dictionary.read_in_thread(read_listed_words, word_ids, readers_of(request))
    there = [each.word.id for each in listed.words]
    address = absolute(pages.base(request), list_address("/list", there, title))
    values = {"page": listed, "name": title, "word_ids": there, "address": address}
    return pages.show(request, "list.html", values)
