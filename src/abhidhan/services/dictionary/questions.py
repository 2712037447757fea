"""Questions: what a request asks, naming languages and values of lists, each answered of one moment."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final, NamedTuple, TypeVar

import msgspec

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.ideas import Idea
from abhidhan.domain.languages import ALL_LANGUAGES, ASSAMESE, Language
from abhidhan.domain.lists import ListName
from abhidhan.domain.matching.cascade import QueryWord
from abhidhan.domain.matching.fields import Signs
from abhidhan.domain.phrases import SimilarPhrase
from abhidhan.domain.selection import LANGS, Choice
from abhidhan.domain.words import DetailedSuggestion, Word
from abhidhan.services.dictionary import (
    browse,
    completions,
    drawing,
    field_search,
    idea_lists,
    lists,
    lookup,
    phrase_lists,
    phrases,
    sitemap,
)
from abhidhan.services.dictionary.browse import CodedList, RecentWord, Stretch, WordPage
from abhidhan.services.dictionary.field_search import Asked, Found
from abhidhan.services.dictionary.idea_lists import IdeaPage
from abhidhan.services.dictionary.lookup import Begun
from abhidhan.services.dictionary.named_fields import Translate
from abhidhan.services.dictionary.phrase_lists import PhrasePage
from abhidhan.services.dictionary.selection import (
    read_selection_of_coded_words,
    read_selection_of_ideas,
    read_selection_of_words,
)
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.idea_lists import IdeaFilter

T = TypeVar("T")

MOST_FIRST: Final = 10
"""How many languages may come first in suggestions."""


class LanguageName(msgspec.Struct, frozen=True):
    """A language as a request names it, by ID or code (0: all), and the parameter that errors about it tell of."""

    name: str
    parameter: str = "language"

    @property
    def is_every(self) -> bool:
        """Say whether all languages are meant."""
        return self.name == EVERY_LANGUAGE.name


EVERY_LANGUAGE: Final = LanguageName("0")


class SearchRequest(NamedTuple):
    """What a request searches: a text, which may hold fields, and with `wildcards` is a pattern where it has signs."""

    text: str
    language: LanguageName = EVERY_LANGUAGE
    limit: int = 20
    fuzzy: bool = True
    wildcards: Signs = Signs.NOWHERE


class LookedUp(msgspec.Struct, frozen=True):
    """What a look-up answers: the language asked for, the items, the licences of the data, and what sayings it is."""

    language_id: int
    items: tuple[QueryWord, ...]
    licences: str
    phrases: tuple[SimilarPhrase, ...] = ()


class WordInSetting(NamedTuple):
    """A word, and what stands round it: the languages, by ID, and the licences of the data."""

    word: Word
    languages: dict[int, Language]
    licences: str


def _language_id(reader: Reader, language: LanguageName) -> int:
    return lists.find_language_id(reader, language.parameter, language.name)


def look_up_quickly(reader: Reader, query: str, language: LanguageName, choice: Choice) -> LookedUp | Begun:
    """Look up what is there as it is spelled, or begin what takes longer, as a saying does. Raises InputError."""
    language_id = _language_id(reader, language)
    selection = read_selection_of_words(reader, choice)
    if phrases.may_be_one(query):
        return lookup.begin(query, language_id, selection)
    items = lookup.look_up_quickly(reader, query, language_id, selection)
    return items if isinstance(items, Begun) else LookedUp(language_id, items, reader.catalogue.licences)


def look_up_the_rest(reader: Reader, begun: Begun) -> LookedUp:
    """Go on with a look-up that has begun."""
    items = lookup.look_up_the_rest(reader, begun)
    sayings = phrases.find_same(reader, begun.query, begun.language_id)
    return LookedUp(begun.language_id, items, reader.catalogue.licences, sayings)


def look_up_each(reader: Reader, queries: list[str], language: LanguageName, choice: Choice) -> list[LookedUp]:
    """Look up several queries to the end. Raises InputError."""
    begun = (look_up_quickly(reader, query, language, choice) for query in queries)
    return [each if isinstance(each, LookedUp) else look_up_the_rest(reader, each) for each in begun]


def search(reader: Reader, query: SearchRequest, choice: Choice, translate: Translate) -> Found:
    """Search words. Raises InputError."""
    language_id, selection = _language_id(reader, query.language), read_selection_of_words(reader, choice)
    asked = Asked(query.text, language_id, query.fuzzy, query.limit, query.wildcards, selection)
    return field_search.find(reader, asked, translate)


def suggest(reader: Reader, text: str, language: LanguageName, limit: int) -> tuple[str, ...]:
    """Suggest headwords. Raises InputError."""
    return completions.suggest(reader, text, _language_id(reader, language) or None, limit)


def _languages_first(reader: Reader, names: str) -> tuple[int, ...]:
    """Find the languages whose words come first; all of them (0) are no language that comes before others."""
    found = lists.find_language_ids(reader, LANGS, names, MOST_FIRST) if names else ()
    return tuple(language_id for language_id in found if language_id != ALL_LANGUAGES)


def suggest_first(reader: Reader, text: str, language: LanguageName, limit: int, first: str) -> tuple[str, ...]:
    """Suggest headwords, those of some languages before others. Raises InputError."""
    languages = _languages_first(reader, first)
    found = completions.suggest_first(reader, text, _language_id(reader, language) or None, limit, languages)
    return tuple(each.text for each in found)


def suggest_in_detail(
    reader: Reader, text: str, language: LanguageName, limit: int, first: str
) -> tuple[DetailedSuggestion, ...]:
    """Suggest headwords with what they mean. Raises InputError."""
    languages = _languages_first(reader, first)
    return completions.suggest_in_detail(reader, text, _language_id(reader, language) or None, limit, languages)


def suggest_with_phrases(
    reader: Reader, text: str, language: LanguageName, limit: int, first: str
) -> tuple[DetailedSuggestion, ...]:
    """Suggest headwords and sayings with what they mean. Raises InputError."""
    languages = _languages_first(reader, first)
    return completions.suggest_with_phrases(reader, text, _language_id(reader, language) or None, limit, languages)


def list_alphabetically(  # noqa: PLR0913, PLR0917  # what is asked for
    reader: Reader, stretch: Stretch, language: LanguageName, pos: str, limit: int, choice: Choice
) -> CodedList:
    """List words in alphabetical order, of all parts of speech or those of an ID or a code. Raises InputError."""
    language_id, pos_ids = _language_id(reader, language), lists.find_pos_ids(reader, "p", pos)
    selection, line_languages = read_selection_of_coded_words(reader, choice)
    asked = msgspec.structs.replace(stretch, language_id=language_id, pos_ids=pos_ids)
    return browse.list_coded(reader, asked, limit, selection, line_languages)


def list_recent(reader: Reader, language: LanguageName, limit: int, shape: Callable[[RecentWord], T]) -> list[T]:
    """List the newest words, each in a shape of the caller's. Raises InputError."""
    return [shape(word) for word in browse.list_recent(reader, _language_id(reader, language), limit)]


def list_page(  # noqa: PLR0913, PLR0917 (each is one parameter of the address)
    reader: Reader, prefix: str | None, language: LanguageName, limit: int, offset: int, choice: Choice
) -> WordPage:
    """List words by their beginning, a page of them. Raises InputError."""
    language_id, selection = _language_id(reader, language), read_selection_of_words(reader, choice)
    return browse.list_page(reader, prefix, language_id, limit, offset, selection)


def list_by_id(reader: Reader, word_ids: Sequence[int], choice: Choice) -> WordPage:
    """List the words with these IDs; unknown ones are left out. Raises InputError."""
    return browse.list_by_id(reader, word_ids, read_selection_of_words(reader, choice))


def read_word(reader: Reader, word_id: int, choice: Choice) -> Word:
    """Read a word. Raises NotFoundError, InputError."""
    return lookup.look_up_one(reader, word_id, read_selection_of_words(reader, choice))


def read_word_in_setting(reader: Reader, word_id: int, choice: Choice) -> WordInSetting:
    """Read a word and what stands round it. Raises NotFoundError, InputError."""
    languages = reader.catalogue.by_id
    return WordInSetting(read_word(reader, word_id, choice), languages, reader.catalogue.licences)


def read_idea(reader: Reader, idea_id: int, choice: Choice) -> Idea:
    """Read an idea. Raises NotFoundError, InputError."""
    return browse.show_idea(reader, idea_id, read_selection_of_ideas(reader, choice))


def list_ideas(  # noqa: PLR0913, PLR0917  # what is asked for
    reader: Reader, context: str, pos: str, language: LanguageName, limit: int, offset: int, choice: Choice
) -> IdeaPage:
    """List ideas by context, part of speech and language, a page of them. Raises InputError."""
    selection = read_selection_of_ideas(reader, choice)
    context_id = lists.find_item_id(reader, ListName.CONTEXTS, "context", context)
    chosen = IdeaFilter(
        lists.with_those_below(reader, ListName.CONTEXTS, context_id) if context_id else (),
        lists.find_pos_id(reader, "pos", pos),
        _language_id(reader, language),
    )
    return idea_lists.list_page(reader, chosen, limit, offset, selection)


def draw_word(reader: Reader, language: LanguageName, lot: Random) -> Word:
    """Draw a word. Raises InputError, NotFoundError where there is none."""
    return drawing.draw_word(reader, _language_id(reader, language), lot)


def list_phrases(  # noqa: PLR0913, PLR0917  # what is asked for
    reader: Reader, query: str, language: LanguageName, category: str, limit: int, offset: int
) -> PhrasePage:
    """List phrases by their words, language and category, a page of them. Raises InputError."""
    category_id = lists.find_item_id(reader, ListName.PHRASE_CATEGORIES, "category", category)
    return phrase_lists.list_page(reader, query, _language_id(reader, language), category_id, limit, offset)


def similar_phrases(reader: Reader, text: str, language: LanguageName, limit: int) -> tuple[SimilarPhrase, ...]:
    """Find phrases that are like a text; Assamese ones where no language is named. Raises InputError."""
    return phrases.find_similar(reader, text, _language_id(reader, language) or ASSAMESE, limit)


def read_sitemap_file(reader: Reader, number: int, shape: Callable[[Iterable[tuple[str, int]]], T]) -> T:
    """Read what a file of the sitemap lists, in a shape of the caller's."""
    return shape(sitemap.words_of_file(reader, number))


def read_catalogue(reader: Reader) -> Catalogue:
    """Read the languages and lists."""
    return reader.catalogue
