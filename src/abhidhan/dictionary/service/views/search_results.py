"""Results page of a search by fields or with wildcards; plain words have entry pages."""

from typing import Final

import msgspec

from abhidhan.dictionary.model.field_queries import Signs
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.field_search import Found, SearchRequest, asks_for_more_than_a_word, search_words
from abhidhan.dictionary.service.views.listings import Gloss, gloss
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import InputError
from abhidhan.records.language_preferences import ReadersLanguages, languages_of
from abhidhan.records.languages import Language
from assamese.keys import exact_key

WORDS_ON_A_PAGE: Final = 100


class SearchPage(msgspec.Struct, frozen=True):
    """Results of a search, or messages about problems with it."""

    text: str
    words: tuple[Gloss, ...] = ()
    languages: dict[int, Language] = {}
    has_more: bool = False
    is_complete: bool = True
    problems: tuple[str, ...] = ()


async def read_search_page(dictionary: Dictionary, text: str, readers: ReadersLanguages) -> SearchPage | None:
    """Load the results page of a search with fields or wildcards; return None for a look-up.

    Problems with the text are shown on the page, not raised.
    """
    if await dictionary.read(is_to_be_looked_up, text):
        return None
    request = SearchRequest(text, limit=WORDS_ON_A_PAGE + 1, wildcards=Signs.AS_TYPED)
    try:
        found = await search_words(dictionary, request)
    except InputError as error:
        return SearchPage(text, problems=tuple(problem.detail for problem in error.problems))
    return await dictionary.read(read_page, text, found, readers)


def is_to_be_looked_up(reader: Reader, text: str) -> bool:
    """Return whether a text is to be looked up: it has no fields or wildcards, or is the spelling of a headword."""
    if not asks_for_more_than_a_word(text):
        return True
    return bool(words.find(reader, KeyColumn.EXACT, [exact_key(text)], limit=1))


def read_page(reader: Reader, text: str, found: Found, readers: ReadersLanguages) -> SearchPage:
    """Build the results page, with a gloss for each word."""
    languages = reader.catalogue.by_id
    mine = languages_of(readers, reader.catalogue)
    return SearchPage(
        text,
        tuple(gloss(word, languages, mine) for word in found.words[:WORDS_ON_A_PAGE]),
        languages,
        has_more=len(found.words) > WORDS_ON_A_PAGE,
        is_complete=found.is_complete is not False,
    )
