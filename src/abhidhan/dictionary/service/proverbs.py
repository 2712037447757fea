"""Proverbs for readers and editors: pages of all proverbs, those that contain a word, and search."""

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import msgspec

from abhidhan.dictionary.model.phrases import Phrase, SimilarPhrase, rarest, word_keys
from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.phrases import find_similar
from abhidhan.dictionary.store import phrase_lists, phrases
from abhidhan.dictionary.store.phrase_lists import PhraseFilter, Place
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, Language
from abhidhan.records.lookup_lists import ListName, Named
from abhidhan.records.paging import AlphabeticalPage
from assamese.keys import exact_key, loose_key
from assamese.normalization import query_words
from assamese.phrase_similarity import phrase_grams
from assamese.search_keys import of_meaning, phrase_sort_key

MOST_LOOKED_THROUGH = 1_000
"""Number of indexed proverbs per language; others are found by the rare n-grams they share with a word."""

MOST_MEANT = 30
"""Maximum number of proverbs for a word in their meanings; a more frequent word, such as "of", matches none."""

SHORTEST_STEM = 2
LONGEST_ENDING = 3
"""Maximum number of characters that an inflected form may have more than its stem."""


CategorizedPhrase: TypeAlias = tuple[Phrase, Named | None]


class Shelf(msgspec.Struct, frozen=True):
    """Number of proverbs of a language in one category."""

    language: Language
    category: Named | None
    count: int


def list_shelves(reader: Reader) -> tuple[Shelf, ...]:
    """Count the proverbs by language and category."""
    catalogue = reader.catalogue
    return tuple(
        Shelf(catalogue.language(language_id), catalogue.named(ListName.PHRASE_CATEGORIES, category_id), count)
        for language_id, category_id, count in phrase_lists.proverb_counts(reader)
    )


def leaf_through(
    reader: Reader, language_id: int, category_id: int, start: str, limit: int
) -> AlphabeticalPage[CategorizedPhrase]:
    """Return one page of proverbs of a language, each with its category; category 0 means all."""
    key = phrase_sort_key(start, reader.catalogue.language(language_id).code)
    found = phrase_lists.proverb_page(reader, Place(language_id, key, start), category_id, limit + 1)
    following = found[limit].text if len(found) > limit else None
    return AlphabeticalPage([(each, _category(reader, each)) for each in found[:limit]], language_id, following)


def find_with(reader: Reader, word: str, language: Language, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs of a language that contain a word; if there are few, add those whose meaning contains it."""
    found = _containing(reader, word, language, limit)
    if len(found) < limit:
        found = [*dict.fromkeys([*found, *_with_meaning(reader, word)[:limit]])]
    return tuple(phrases.read(reader, found[:limit]))


def find_containing(reader: Reader, word: str, language: Language, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs of a language that contain a word, unchanged or with a short ending, best first."""
    return tuple(phrases.read(reader, _containing(reader, word, language, limit)))


def _containing(reader: Reader, word: str, language: Language, limit: int) -> list[int]:
    key = loose_key(word, language.code)
    if len(key) < SHORTEST_STEM:
        return []
    index = _index_of(reader, language)
    same = index.with_part(key, language.code) if " " in word else index.by_word.get(key, [])
    found = list(dict.fromkeys([*same, *index.by_stem.get(key, ())]))[:limit]
    if len(index.texts) == MOST_LOOKED_THROUGH and len(found) < limit:
        found += [each for each in _by_sound(reader, word, language, key) if each not in found]
    return found[:limit]


def find_by_words(reader: Reader, text: str, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs that contain all words of a text, in any script; each may also be in the meaning."""
    orthographies = reader.catalogue.orthographies(ALL_LANGUAGES)
    keys = tuple(tuple(word_keys(word, orthographies)) for word in query_words(text))
    found = phrase_lists.list_phrases(reader, PhraseFilter(keys=keys), limit, 0) if keys else []
    return tuple(phrases.read(reader, found))


def find_by_meaning(reader: Reader, word: str, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs whose meaning contains a word; return none for a very frequent word."""
    return tuple(phrases.read(reader, _with_meaning(reader, word)[:limit]))


def _with_meaning(reader: Reader, word: str) -> list[int]:
    chosen = PhraseFilter(keys=((of_meaning(exact_key(word)),),))
    found = phrase_lists.list_phrases(reader, chosen, MOST_MEANT + 1, 0)
    return found if len(found) <= MOST_MEANT else []


class _Index(NamedTuple):
    """Index of the first proverbs of a language: their IDs by loose keys of words and by possible stems."""

    texts: dict[int, str]
    by_word: dict[str, list[int]]
    by_stem: dict[str, list[int]]

    def with_part(self, key: str, code: str) -> list[int]:
        """List the proverbs with a word that contains a key: several words may be written as one."""
        return [phrase_id for phrase_id, text in self.texts.items() if any(key in each for each in _keys(text, code))]


def _index_of(reader: Reader, language: Language) -> _Index:
    """Return the index of a language's proverbs, built once per version of the data."""
    indexes = reader.kept(_no_indexes)
    if language.id not in indexes:
        index = _Index(dict(phrase_lists.proverb_texts(reader, language.id, MOST_LOOKED_THROUGH)), {}, {})
        for phrase_id, text in index.texts.items():
            keys = _keys(text, language.code)
            for key in dict.fromkeys(keys):
                index.by_word.setdefault(key, []).append(phrase_id)
            for stem in {stem for key in keys for stem in _stems(key)}:
                index.by_stem.setdefault(stem, []).append(phrase_id)
        indexes[language.id] = index
    return indexes[language.id]


def _no_indexes(_: Reader, __: dict[int, _Index] | None) -> dict[int, _Index]:
    return {}


def _stems(word: str) -> list[str]:
    """List the possible stems of a word."""
    shortest = max(SHORTEST_STEM + 1, len(word) - LONGEST_ENDING)
    return [word[:length] for length in range(shortest, len(word))]


def _by_sound(reader: Reader, word: str, language: Language, key: str) -> list[int]:
    counts = phrases.count_grams(reader, phrase_grams(word, language.code), language.id)
    postings = phrases.postings(reader, rarest(counts), language.id).values()
    read = phrases.read(reader, sorted({phrase_id for ids in postings for phrase_id in ids.tolist()}))
    return [each.id for each in read if key in _keys(each.text, language.code)]


@lru_cache(maxsize=2 * MOST_LOOKED_THROUGH)
def _keys(text: str, code: str) -> tuple[str, ...]:
    """Return the loose keys of the words of a proverb."""
    return tuple(loose_key(word, code) for word in query_words(text))


def _category(reader: Reader, phrase: Phrase) -> Named | None:
    return reader.catalogue.named(ListName.PHRASE_CATEGORIES, phrase.category_id)


PROVERBS_ON_A_PAGE: Final = 30
MOST_SIMILAR: Final = 10
MOST_WITH_WORDS: Final = 20

PROVERBS_TO_EDIT: Final = 50
MOST_SIMILAR_TO_EDIT: Final = 20


class ProverbsPage(msgspec.Struct, frozen=True):
    """Results of a proverb search: similar proverbs, others that contain the words, and a page of all proverbs."""

    language: Language
    shelves: tuple[Shelf, ...]
    category: int
    query: str
    similar: tuple[SimilarPhrase, ...]
    with_words: tuple[Phrase, ...]
    leaf: AlphabeticalPage[CategorizedPhrase]


def read_proverbs_page(reader: Reader, query: str, language: str, category: int, start: str) -> ProverbsPage:
    """Load the proverbs for a query, and a page of all. Raises InputError for an unknown language."""
    language_id = lookup_lists.find_language_id(reader, lookup_lists.LanguageParam(language)) or ASSAMESE
    similar = find_similar(reader, query, language_id, MOST_SIMILAR) if query else ()
    return ProverbsPage(
        language=reader.catalogue.language(language_id),
        shelves=list_shelves(reader),
        category=category,
        query=query,
        similar=similar,
        with_words=_with_words(reader, query, language_id, {each.id for each in similar}) if query else (),
        leaf=leaf_through(reader, language_id, category, start, PROVERBS_ON_A_PAGE),
    )


def _with_words(reader: Reader, query: str, language_id: int, shown: set[int]) -> tuple[Phrase, ...]:
    """Find proverbs with the words of a query in their text or meaning, like the main search."""
    found = [*find_by_words(reader, query, MOST_WITH_WORDS + len(shown))]
    if len(query_words(query)) == 1:
        found += find_containing(reader, query, reader.catalogue.language(language_id), MOST_WITH_WORDS)
        found += find_by_meaning(reader, query, MOST_WITH_WORDS)
    fresh = {each.id: each for each in found if each.id not in shown and each.language_id == language_id}
    return tuple(fresh.values())[:MOST_WITH_WORDS]


class FoundProverbs(msgspec.Struct, frozen=True):
    """Proverbs similar to a query, and a page of all proverbs."""

    language: Language
    similar: tuple[SimilarPhrase, ...]
    leaf: AlphabeticalPage[CategorizedPhrase]


def read_proverbs_to_edit(reader: Reader, query: str, start: str) -> FoundProverbs:
    """Load the proverbs similar to a query, and a page of all proverbs."""
    return FoundProverbs(
        reader.catalogue.language(ASSAMESE),
        find_similar(reader, query, ASSAMESE, MOST_SIMILAR_TO_EDIT) if query else (),
        leaf_through(reader, ASSAMESE, 0, start, PROVERBS_TO_EDIT),
    )
