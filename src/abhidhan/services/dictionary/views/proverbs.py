"""Proverbs as readers leaf through them, and as editors look for one."""

from typing import Final

import msgspec

from abhidhan.domain.languages import ASSAMESE, Language
from abhidhan.domain.phrases import SimilarPhrase
from abhidhan.services.dictionary import lists, phrases, proverbs
from abhidhan.services.dictionary.proverbs import ProverbPage, Shelf
from abhidhan.storage.engine.reader import Reader

PROVERBS_ON_A_PAGE: Final = 30
MOST_SIMILAR: Final = 10

PROVERBS_TO_EDIT: Final = 50
MOST_SIMILAR_TO_EDIT: Final = 20


class ProverbsPage(msgspec.Struct, frozen=True):
    """Either what was found for a saying, or a page to leaf through."""

    language: Language
    shelves: tuple[Shelf, ...]
    category: int
    query: str
    similar: tuple[SimilarPhrase, ...]
    leaf: ProverbPage


def read_proverbs_page(reader: Reader, query: str, language: str, category: int, start: str) -> ProverbsPage:
    """Read proverbs like a saying, or else a page of them. Raises InputError for an unknown language."""
    language_id = lists.find_language_id(reader, "language", language) or ASSAMESE
    similar = phrases.find_similar(reader, query, language_id, MOST_SIMILAR) if query else ()
    return ProverbsPage(
        language=reader.catalogue.language(language_id),
        shelves=proverbs.list_shelves(reader),
        category=category,
        query=query,
        similar=similar,
        leaf=proverbs.leaf_through(reader, language_id, category, start, PROVERBS_ON_A_PAGE),
    )


class FoundProverbs(msgspec.Struct, frozen=True):
    """Proverbs like a saying, or a page of all."""

    language: Language
    similar: tuple[SimilarPhrase, ...]
    leaf: ProverbPage


def read_proverbs_to_edit(reader: Reader, query: str, start: str) -> FoundProverbs:
    """Read the proverbs that are like a saying, or a page of all."""
    return FoundProverbs(
        reader.catalogue.language(ASSAMESE),
        phrases.find_similar(reader, query, ASSAMESE, MOST_SIMILAR_TO_EDIT) if query else (),
        proverbs.leaf_through(reader, ASSAMESE, 0, start, PROVERBS_TO_EDIT),
    )
