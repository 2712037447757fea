"""Proverbs as readers leaf through them, and as editors look for one."""

from typing import Final

import msgspec

from abhidhan.dictionary.model.phrases import Phrase, SimilarPhrase
from abhidhan.dictionary.service import lookup_lists, phrases, proverbs
from abhidhan.dictionary.service.proverbs import CategorizedPhrase, Shelf
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ASSAMESE, Language
from abhidhan.records.paging import AlphabeticalPage
from assamese.normalization import query_words

PROVERBS_ON_A_PAGE: Final = 30
MOST_SIMILAR: Final = 10
MOST_WITH_WORDS: Final = 20

PROVERBS_TO_EDIT: Final = 50
MOST_SIMILAR_TO_EDIT: Final = 20


class ProverbsPage(msgspec.Struct, frozen=True):
    """What was found for a query: sayings like it, and others that have its words; and a page to leaf through."""

    language: Language
    shelves: tuple[Shelf, ...]
    category: int
    query: str
    similar: tuple[SimilarPhrase, ...]
    with_words: tuple[Phrase, ...]
    leaf: AlphabeticalPage[CategorizedPhrase]


def read_proverbs_page(reader: Reader, query: str, language: str, category: int, start: str) -> ProverbsPage:
    """Read proverbs for a query, and a page of all. Raises InputError for an unknown language."""
    language_id = lookup_lists.find_language_id(reader, lookup_lists.LanguageParam(language)) or ASSAMESE
    similar = phrases.find_similar(reader, query, language_id, MOST_SIMILAR) if query else ()
    return ProverbsPage(
        language=reader.catalogue.language(language_id),
        shelves=proverbs.list_shelves(reader),
        category=category,
        query=query,
        similar=similar,
        with_words=_with_words(reader, query, language_id, {each.id for each in similar}) if query else (),
        leaf=proverbs.leaf_through(reader, language_id, category, start, PROVERBS_ON_A_PAGE),
    )


def _with_words(reader: Reader, query: str, language_id: int, shown: set[int]) -> tuple[Phrase, ...]:
    """Find proverbs that have the words of a query, in themselves or in their meanings, as the main search does."""
    found = [*proverbs.find_by_words(reader, query, MOST_WITH_WORDS + len(shown))]
    if len(query_words(query)) == 1:
        found += proverbs.find_containing(reader, query, reader.catalogue.language(language_id), MOST_WITH_WORDS)
        found += proverbs.find_by_meaning(reader, query, MOST_WITH_WORDS)
    fresh = {each.id: each for each in found if each.id not in shown and each.language_id == language_id}
    return tuple(fresh.values())[:MOST_WITH_WORDS]


class FoundProverbs(msgspec.Struct, frozen=True):
    """Proverbs like a saying, or a page of all."""

    language: Language
    similar: tuple[SimilarPhrase, ...]
    leaf: AlphabeticalPage[CategorizedPhrase]


def read_proverbs_to_edit(reader: Reader, query: str, start: str) -> FoundProverbs:
    """Read the proverbs that are like a saying, or a page of all."""
    return FoundProverbs(
        reader.catalogue.language(ASSAMESE),
        phrases.find_similar(reader, query, ASSAMESE, MOST_SIMILAR_TO_EDIT) if query else (),
        proverbs.leaf_through(reader, ASSAMESE, 0, start, PROVERBS_TO_EDIT),
    )
