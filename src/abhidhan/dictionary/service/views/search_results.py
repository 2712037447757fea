"""Results page of a search by fields or with wildcards; plain words have entry pages."""

from typing import Final

import msgspec

from abhidhan.dictionary.model.field_queries import WildcardMode
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.field_search import SearchRequest, SearchResult, has_fields_or_wildcards, search_words
from abhidhan.dictionary.service.views.listings import GlossedWord, gloss_word
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError
from abhidhan.records.language_preferences import LanguagePreferences, resolve_languages
from abhidhan.records.languages import Language
from assamese.keys import exact_key

WORDS_PER_PAGE: Final = 100


class SearchPage(msgspec.Struct, frozen=True):
    """Results of a search, or messages about problems with it."""

    text: str
    words: tuple[GlossedWord, ...] = ()
    languages: dict[int, Language] = {}
    has_more: bool = False
    is_complete: bool = True
    problems: tuple[str, ...] = ()


async def read_search_page(dictionary: Dictionary, text: str, preferences: LanguagePreferences) -> SearchPage | None:
    """Load the results page of a search with fields or wildcards; return None for a look-up.

    Problems with the text are shown on the page, not raised.
    """
    if await dictionary.read(is_plain_lookup, text):
        return None
    request = SearchRequest(text, limit=WORDS_PER_PAGE + 1, wildcards=WildcardMode.EXCEPT_PUNCTUATION)
    try:
        result = await search_words(dictionary, request)
    except InputError as error:
        return SearchPage(text, problems=tuple(problem.detail for problem in error.problems))
    return await dictionary.read(build_search_page, text, result, preferences)


def is_plain_lookup(connection: ReadConnection, text: str) -> bool:
    """Return whether a text is to be looked up: it has no fields or wildcards, or is the spelling of a headword."""
    if not has_fields_or_wildcards(text):
        return True
    return bool(words.find_by_key(connection, KeyColumn.EXACT, [exact_key(text)], limit=1))


def build_search_page(
    connection: ReadConnection, text: str, result: SearchResult, preferences: LanguagePreferences
) -> SearchPage:
    """Build the results page, with a gloss for each word."""
    languages = connection.catalogue.languages_by_id
    preferred_ids = resolve_languages(preferences, connection.catalogue)
    return SearchPage(
        text,
        tuple(gloss_word(word, languages, preferred_ids) for word in result.words[:WORDS_PER_PAGE]),
        languages,
        has_more=len(result.words) > WORDS_PER_PAGE,
        is_complete=result.is_complete is not False,
    )
