"""Proverbs for readers and editors: pages of all proverbs, those that contain a word, and search."""

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import msgspec

from abhidhan.dictionary.model.phrases import Phrase, SimilarPhrase, choose_rare_grams, list_phrase_keys
from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.phrases import find_similar
from abhidhan.dictionary.store import phrase_lists, phrases
from abhidhan.dictionary.store.phrase_lists import PhraseFilter, ProverbPosition
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, Language
from abhidhan.records.lookup_lists import ListName, Named
from abhidhan.records.paging import AlphabeticalPage
from assamese.keys import exact_key, loose_key
from assamese.normalization import split_query
from assamese.phrase_similarity import phrase_grams
from assamese.search_keys import build_meaning_index_key, compute_phrase_sort_key

MAX_INDEXED_PROVERBS = 1_000
"""Number of indexed proverbs per language; others are found by the rare n-grams they share with a word."""

MAX_MEANING_MATCHES = 30
"""Maximum number of proverbs found by a word of their meaning; a more frequent word, such as "of", finds none."""

MIN_STEM_LENGTH = 2
MAX_ENDING_LENGTH = 3
"""Maximum number of characters by which an inflected form may be longer than its stem."""


CategorizedPhrase: TypeAlias = tuple[Phrase, Named | None]


class CategoryCount(msgspec.Struct, frozen=True):
    """Number of proverbs of a language in one category."""

    language: Language
    category: Named | None
    count: int


def count_by_category(connection: ReadConnection) -> tuple[CategoryCount, ...]:
    """Count the proverbs by language and category."""
    catalogue = connection.catalogue
    return tuple(
        CategoryCount(
            catalogue.language(language_id), catalogue.list_value(ListName.PHRASE_CATEGORIES, category_id), count
        )
        for language_id, category_id, count in phrase_lists.count_proverbs(connection)
    )


def list_proverb_page(
    connection: ReadConnection, language_id: int, category_id: int, start: str, limit: int
) -> AlphabeticalPage[CategorizedPhrase]:
    """Return one page of proverbs of a language, each with its category; category 0 means all."""
    key = compute_phrase_sort_key(start, connection.catalogue.language(language_id).code)
    rows = phrase_lists.load_proverb_page(connection, ProverbPosition(language_id, key, start), category_id, limit + 1)
    next_text = rows[limit].text if len(rows) > limit else None
    return AlphabeticalPage(
        [(phrase, _get_category(connection, phrase)) for phrase in rows[:limit]], language_id, next_text
    )


def find_by_word(connection: ReadConnection, word: str, language: Language, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs of a language that contain a word; if there are few, add those whose meaning contains it."""
    phrase_ids = _find_ids_by_word(connection, word, language, limit)
    if len(phrase_ids) < limit:
        phrase_ids = [*dict.fromkeys([*phrase_ids, *_find_ids_by_meaning(connection, word)[:limit]])]
    return tuple(phrases.load_phrases(connection, phrase_ids[:limit]))


def find_containing(connection: ReadConnection, word: str, language: Language, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs of a language that contain a word, unchanged or with a short ending, best first."""
    return tuple(phrases.load_phrases(connection, _find_ids_by_word(connection, word, language, limit)))


def _find_ids_by_word(connection: ReadConnection, word: str, language: Language, limit: int) -> list[int]:
    key = loose_key(word, language.code)
    if len(key) < MIN_STEM_LENGTH:
        return []
    index = _get_index(connection, language)
    by_spelling = index.find_substring(key, language.code) if " " in word else index.by_word.get(key, [])
    phrase_ids = list(dict.fromkeys([*by_spelling, *index.by_stem.get(key, ())]))[:limit]
    if len(index.texts) == MAX_INDEXED_PROVERBS and len(phrase_ids) < limit:
        phrase_ids += [
            phrase_id
            for phrase_id in _find_ids_by_sound(connection, word, language, key)
            if phrase_id not in phrase_ids
        ]
    return phrase_ids[:limit]


def find_by_words(connection: ReadConnection, text: str, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs that contain all words of a text, in any script, in their text or their meaning."""
    orthographies = connection.catalogue.orthographies(ALL_LANGUAGES)
    keys = tuple(tuple(list_phrase_keys(word, orthographies)) for word in split_query(text))
    phrase_ids = phrase_lists.list_phrases(connection, PhraseFilter(keys=keys), limit, 0) if keys else []
    return tuple(phrases.load_phrases(connection, phrase_ids))


def find_by_meaning(connection: ReadConnection, word: str, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs whose meaning contains a word; return none for a very frequent word."""
    return tuple(phrases.load_phrases(connection, _find_ids_by_meaning(connection, word)[:limit]))


def _find_ids_by_meaning(connection: ReadConnection, word: str) -> list[int]:
    phrase_filter = PhraseFilter(keys=((build_meaning_index_key(exact_key(word)),),))
    phrase_ids = phrase_lists.list_phrases(connection, phrase_filter, MAX_MEANING_MATCHES + 1, 0)
    return phrase_ids if len(phrase_ids) <= MAX_MEANING_MATCHES else []


class _ProverbIndex(NamedTuple):
    """Index of the first proverbs of a language: their IDs by loose keys of words and by possible stems."""

    texts: dict[int, str]
    by_word: dict[str, list[int]]
    by_stem: dict[str, list[int]]

    def find_substring(self, key: str, code: str) -> list[int]:
        """List the proverbs with a word that contains a key: several words may be written as one."""
        return [
            phrase_id
            for phrase_id, text in self.texts.items()
            if any(key in word_key for word_key in _compute_word_keys(text, code))
        ]


def _get_index(connection: ReadConnection, language: Language) -> _ProverbIndex:
    """Return the index of a language's proverbs, built once per version of the data."""
    indexes = connection.cached(_empty_indexes)
    if language.id not in indexes:
        index = _ProverbIndex(
            dict(phrase_lists.list_proverb_texts(connection, language.id, MAX_INDEXED_PROVERBS)), {}, {}
        )
        for phrase_id, text in index.texts.items():
            keys = _compute_word_keys(text, language.code)
            for key in dict.fromkeys(keys):
                index.by_word.setdefault(key, []).append(phrase_id)
            for stem in {stem for key in keys for stem in _list_stems(key)}:
                index.by_stem.setdefault(stem, []).append(phrase_id)
        indexes[language.id] = index
    return indexes[language.id]


def _empty_indexes(_: ReadConnection, __: dict[int, _ProverbIndex] | None) -> dict[int, _ProverbIndex]:
    return {}


def _list_stems(word: str) -> list[str]:
    """List the possible stems of a word."""
    shortest = max(MIN_STEM_LENGTH + 1, len(word) - MAX_ENDING_LENGTH)
    return [word[:length] for length in range(shortest, len(word))]


def _find_ids_by_sound(connection: ReadConnection, word: str, language: Language, key: str) -> list[int]:
    counts = phrases.count_grams(connection, phrase_grams(word, language.code), language.id)
    postings = phrases.load_postings(connection, choose_rare_grams(counts), language.id).values()
    candidates = phrases.load_phrases(connection, sorted({phrase_id for ids in postings for phrase_id in ids.tolist()}))
    return [candidate.id for candidate in candidates if key in _compute_word_keys(candidate.text, language.code)]


@lru_cache(maxsize=2 * MAX_INDEXED_PROVERBS)
def _compute_word_keys(text: str, code: str) -> tuple[str, ...]:
    """Return the loose keys of the words of a proverb."""
    return tuple(loose_key(word, code) for word in split_query(text))


def _get_category(connection: ReadConnection, phrase: Phrase) -> Named | None:
    return connection.catalogue.list_value(ListName.PHRASE_CATEGORIES, phrase.category_id)


PAGE_SIZE: Final = 30
MAX_SIMILAR_PROVERBS: Final = 10
MAX_WORD_MATCHES: Final = 20

EDIT_PAGE_SIZE: Final = 50
MAX_SIMILAR_ON_EDIT_PAGE: Final = 20


class ProverbsPage(msgspec.Struct, frozen=True):
    """Results of a proverb search: similar proverbs, others that contain the words, and a page of all proverbs."""

    language: Language
    shelves: tuple[CategoryCount, ...]
    category: int
    query: str
    similar: tuple[SimilarPhrase, ...]
    with_words: tuple[Phrase, ...]
    leaf: AlphabeticalPage[CategorizedPhrase]


def read_proverbs_page(
    connection: ReadConnection, query: str, language: str, category: int, start: str
) -> ProverbsPage:
    """Load the proverbs for a query, and a page of all. Raises InputError for an unknown language."""
    language_id = lookup_lists.find_language_id(connection, lookup_lists.LanguageParam(language)) or ASSAMESE
    similar = find_similar(connection, query, language_id, MAX_SIMILAR_PROVERBS) if query else ()
    return ProverbsPage(
        language=connection.catalogue.language(language_id),
        shelves=count_by_category(connection),
        category=category,
        query=query,
        similar=similar,
        with_words=_find_containing_words(connection, query, language_id, {phrase.id for phrase in similar})
        if query
        else (),
        leaf=list_proverb_page(connection, language_id, category, start, PAGE_SIZE),
    )


def _find_containing_words(
    connection: ReadConnection, query: str, language_id: int, shown_ids: set[int]
) -> tuple[Phrase, ...]:
    """Find proverbs with the words of a query in their text or meaning, like the main search."""
    candidates = [*find_by_words(connection, query, MAX_WORD_MATCHES + len(shown_ids))]
    if len(split_query(query)) == 1:
        candidates += find_containing(connection, query, connection.catalogue.language(language_id), MAX_WORD_MATCHES)
        candidates += find_by_meaning(connection, query, MAX_WORD_MATCHES)
    new_phrases = {
        phrase.id: phrase for phrase in candidates if phrase.id not in shown_ids and phrase.language_id == language_id
    }
    return tuple(new_phrases.values())[:MAX_WORD_MATCHES]


class ProverbsToEdit(msgspec.Struct, frozen=True):
    """Proverbs similar to a query, and a page of all proverbs."""

    language: Language
    similar: tuple[SimilarPhrase, ...]
    leaf: AlphabeticalPage[CategorizedPhrase]


def read_proverbs_to_edit(connection: ReadConnection, query: str, start: str) -> ProverbsToEdit:
    """Load the proverbs similar to a query, and a page of all proverbs."""
    return ProverbsToEdit(
        connection.catalogue.language(ASSAMESE),
        find_similar(connection, query, ASSAMESE, MAX_SIMILAR_ON_EDIT_PAGE) if query else (),
        list_proverb_page(connection, ASSAMESE, 0, start, EDIT_PAGE_SIZE),
    )
