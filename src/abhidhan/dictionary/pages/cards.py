"""Flashcards of a set, of several sets, or of a list of words, and lists in a link."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.model.cards import Card, CardSet, GroupedCardSets
from abhidhan.dictionary.model.list_links import clean_list_name, parse_linked_words
from abhidhan.dictionary.service import cards
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.listings import GlossedWord
from abhidhan.dictionary.service.views.word_lists import load_recordings, read_word_list
from abhidhan.platform.http.rendering import PageRequest, PagesDep, get_language_preferences
from abhidhan.platform.http.urls import build_absolute_url, list_address, word_address
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.language_preferences import LanguagePreferences
from abhidhan.records.languages import Language
from abhidhan.records.local_texts import LocalText
from abhidhan.records.recordings import Audio

LIST_PROGRESS_KEY = "list"
"""Browser storage key of the learning progress with words of lists, which all lists share."""


class CardView(msgspec.Struct, frozen=True):
    """Card as shown on a page.

    `progress` is the browser storage key of the learning progress; `address` is the page of the answer.
    """

    card: Card
    clue_language: Language
    answer_language: Language
    answer_roman: str | None
    address: str
    progress: str
    voices: Sequence[tuple[str, Audio]] = ()


class PracticeSession(msgspec.Struct, frozen=True):
    """Cards to practise, the URL of the previous page, and the URL of their Anki deck, if they have one.

    A set has names and descriptions in several languages. A list of words has one `name`, written by its owner. Cards
    of several sets have no name.
    """

    cards: Sequence[CardView]
    back: str = "/flashcards"
    deck: str = ""
    names: Sequence[LocalText] = ()
    descriptions: Sequence[LocalText] = ()
    name: str = ""
    is_list: bool = False


class CardsPage(msgspec.Struct, frozen=True):
    """Values of the flashcards page: all sets, or the cards to practise."""

    sets: GroupedCardSets | None = None
    chosen: PracticeSession | None = None


async def load_set(dictionary: Dictionary, set_id: int) -> PracticeSession:
    """Load the cards of a set. Raises NotFoundError."""
    card_set = next((item for item in await dictionary.read(cards.list_card_sets) if item.id == set_id), None)
    if card_set is None:
        raise NotFoundError(sentence("There is no flashcard set with the ID %(set_id)s.", set_id=set_id))
    set_cards = await dictionary.read(cards.list_cards, card_set.id)
    views = await _build_card_views(dictionary, [(item, card_set) for item in set_cards])
    deck = f"/flashcards/{card_set.id}.apkg"
    return PracticeSession(views, deck=deck, names=card_set.names, descriptions=card_set.descriptions)


async def load_cards(dictionary: Dictionary, card_ids: Sequence[int]) -> PracticeSession:
    """Load cards of any sets, such as those that are due."""
    cards_with_sets = await dictionary.read(cards.load_cards_with_sets, card_ids)
    return PracticeSession(await _build_card_views(dictionary, cards_with_sets))


async def _build_card_views(dictionary: Dictionary, cards_with_sets: Sequence[tuple[Card, CardSet]]) -> list[CardView]:
    languages = (await dictionary.catalogue()).languages_by_id
    texts: defaultdict[int, list[str]] = defaultdict(list)
    for card, card_set in cards_with_sets:
        texts[card_set.language_id].append(card.clue)
        texts[card_set.answer_language_id].append(card.answer)
    voices = await dictionary.read_in_thread(load_recordings, texts) if cards_with_sets else {}

    def build_card_view(card: Card, card_set: CardSet) -> CardView:
        # The recordings of both sides are played with the answer.
        sides = ((card_set.answer_language_id, card.answer), (card_set.language_id, card.clue))
        return CardView(
            card,
            languages[card_set.language_id],
            languages[card_set.answer_language_id],
            cards.romanize_assamese(card.answer, card_set.answer_language_id),
            word_address(card.answer),
            str(card_set.id),
            [(text, audio) for language_id, text in sides for audio in voices.get(language_id, {}).get(text, ())],
        )

    return [build_card_view(card, card_set) for card, card_set in cards_with_sets]


async def load_list(
    dictionary: Dictionary, word_ids: tuple[int, ...], name: str, preferences: LanguagePreferences
) -> PracticeSession:
    """Load the words of a list as cards, with the gloss as the answer; skip words without one."""
    list_page = await dictionary.read_in_thread(read_word_list, word_ids, preferences)
    views = list(_build_list_cards(list_page.words, list_page.languages))
    known_ids = [view.card.id for view in views]
    deck, address = (list_address(path, known_ids, name) for path in ("/list.apkg", "/list"))
    return PracticeSession(views, back=address, deck=deck, name=name, is_list=True)


def _build_list_cards(words: Iterable[GlossedWord], languages: Mapping[int, Language]) -> Iterable[CardView]:
    for gloss in words:
        word = gloss.word
        if gloss.language is not None:
            card = Card(word.id, word.word, word.roman, word.roman_generated, gloss.text, None, None)
            roman = cards.romanize_assamese(gloss.text, gloss.language.id)
            voices = [(word.word, audio) for audio in word.audio]
            address = word_address(word.word)
            yield CardView(card, languages[word.language_id], gloss.language, roman, address, LIST_PROGRESS_KEY, voices)


MAX_ID_LIST_LENGTH: Final = 2_400
"""Maximum number of characters of a list of IDs: 200 words with ten digits each, commas, and some spaces."""

WordsParam = Annotated[str, QueryParameter(max_length=MAX_ID_LIST_LENGTH)]
NameParam = Annotated[str, QueryParameter(max_length=1_000)]


@get("/flashcards", include_in_schema=False)
async def show_cards(  # noqa: PLR0913 (each is a query parameter or a dependency)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    set_id: Annotated[int, QueryParameter(name="set", ge=0)] = 0,
    card_ids: Annotated[str, QueryParameter(name="cards", max_length=MAX_ID_LIST_LENGTH)] = "",
    words: WordsParam = "",
    name: NameParam = "",
) -> Response[str]:
    """Show all sets, the cards of one set, the cards with given IDs, or the words of a list as cards."""
    if words:
        linked_list = parse_linked_words(words), clean_list_name(name)
        page = CardsPage(chosen=await load_list(dictionary, *linked_list, get_language_preferences(request)))
    elif card_ids:
        page = CardsPage(chosen=await load_cards(dictionary, parse_linked_words(card_ids)))
    elif set_id:
        page = CardsPage(chosen=await load_set(dictionary, set_id))
    else:
        page = CardsPage(await dictionary.read(cards.list_sets_by_topic))
    return pages.show(request, "flashcards.html", {"page": page})


@get("/list", include_in_schema=False)
async def show_linked_list(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, words: WordsParam = "", name: NameParam = ""
) -> Response[str]:
    """Show the list contained in a link. Raises InputError."""
    word_ids, title = parse_linked_words(words), clean_list_name(name)
    list_page = await dictionary.read_in_thread(read_word_list, word_ids, get_language_preferences(request))
    known_ids = [gloss.word.id for gloss in list_page.words]
    address = build_absolute_url(pages.get_base_url(request), list_address("/list", known_ids, title))
    values = {"page": list_page, "name": title, "word_ids": known_ids, "address": address}
    return pages.show(request, "list.html", values, canonical=list_address("/list", known_ids, title))
