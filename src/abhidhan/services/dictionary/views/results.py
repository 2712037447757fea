"""The page of a search by fields or with wildcards; a plain word has a page of its own."""

from typing import Final

import msgspec

from abhidhan.domain.languages import Language
from abhidhan.domain.matching.fields import Signs
from abhidhan.domain.readers_languages import ReadersLanguages, languages_of
from abhidhan.domain.text.keys import exact_key
from abhidhan.errors import InputError
from abhidhan.services.dictionary.dictionary import Dictionary
from abhidhan.services.dictionary.field_search import Found, SearchRequest, asks_for_more_than_a_word, search_words
from abhidhan.services.dictionary.views.discover import Gloss, gloss
from abhidhan.storage import words
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.key_columns import KeyColumn

WORDS_ON_A_PAGE: Final = 100


class SearchPage(msgspec.Struct, frozen=True):
    """What a search found, or the sentences that say what is wrong with it."""

    text: str
    words: tuple[Gloss, ...] = ()
    languages: dict[int, Language] = {}
    has_more: bool = False
    is_complete: bool = True
    problems: tuple[str, ...] = ()


async def read_search_page(dictionary: Dictionary, text: str, readers: ReadersLanguages) -> SearchPage | None:
    """Read what the page of a search with fields or wildcards shows; None if the text is to be looked up.

    What is wrong with the text is shown on the page, and not raised.
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
    """Return whether what somebody has typed is a word to look up: no search at all, or a headword spelled so."""
    if not asks_for_more_than_a_word(text):
        return True
    return bool(words.find(reader, KeyColumn.EXACT, [exact_key(text)], limit=1))


def read_page(reader: Reader, text: str, found: Found, readers: ReadersLanguages) -> SearchPage:
    """Show what a search found, each word with what it means."""
    languages = reader.catalogue.by_id
    mine = languages_of(readers, reader.catalogue)
    return SearchPage(
        text,
        tuple(gloss(word, languages, mine) for word in found.words[:WORDS_ON_A_PAGE]),
        languages,
        has_more=len(found.words) > WORDS_ON_A_PAGE,
        is_complete=found.is_complete is not False,
    )
