"""Proverbs for readers and editors: pages of all proverbs, those that contain a word, and search."""

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import msgspec

from abhidhan.dictionary.model.phrases import Phrase, SimilarPhrase, rarest_grams, word_keys
from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.phrases import find_similar
from abhidhan.dictionary.store import phrase_lists, phrases
from abhidhan.dictionary.store.phrase_lists import PhraseFilter, ProverbPosition
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, Language
from abhidhan.records.lookup_lists import ListName, Named
from abhidhan.records.paging import AlphabeticalPage
from assamese.keys import exact_key, loose_key
from assamese.normalization import query_words
from assamese.phrase_similarity import phrase_grams
from assamese.search_keys import meaning_index_key, phrase_sort_key

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


def count_by_category(reader: ReadConnection) -> tuple[CategoryCount, ...]:
    """Count the proverbs by language and category."""
    catalogue = reader.catalogue
    return tuple(
        CategoryCount(
            catalogue.language(language_id), catalogue.list_value(ListName.PHRASE_CATEGORIES, category_id), count
        )
        for language_id, category_id, count in phrase_lists.proverb_counts(reader)
    )


def list_proverb_page(
    reader: ReadConnection, language_id: int, category_id: int, start: str, limit: int
) -> AlphabeticalPage[CategorizedPhrase]:
    """Return one page of proverbs of a language, each with its category; category 0 means all."""
    key = phrase_sort_key(start, reader.catalogue.language(language_id).code)
    rows = phrase_lists.proverb_page(reader, ProverbPosition(language_id, key, start), category_id, limit + 1)
    next_text = rows[limit].text if len(rows) > limit else None
    return AlphabeticalPage([(phrase, _category(reader, phrase)) for phrase in rows[:limit]], language_id, next_text)


def find_by_word(reader: ReadConnection, word: str, language: Language, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs of a language that contain a word; if there are few, add those whose meaning contains it."""
    phrase_ids = _containing(reader, word, language, limit)
    if len(phrase_ids) < limit:
        phrase_ids = [*dict.fromkeys([*phrase_ids, *_with_meaning(reader, word)[:limit]])]
    return tuple(phrases.read(reader, phrase_ids[:limit]))


def find_containing(reader: ReadConnection, word: str, language: Language, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs of a language that contain a word, unchanged or with a short ending, best first."""
    return tuple(phrases.read(reader, _containing(reader, word, language, limit)))


def _containing(reader: ReadConnection, word: str, language: Language, limit: int) -> list[int]:
    key = loose_key(word, language.code)
    if len(key) < MIN_STEM_LENGTH:
        return []
    index = _index_of(reader, language)
    by_spelling = index.find_part(key, language.code) if " " in word else index.by_word.get(key, [])
    phrase_ids = list(dict.fromkeys([*by_spelling, *index.by_stem.get(key, ())]))[:limit]
    if len(index.texts) == MAX_INDEXED_PROVERBS and len(phrase_ids) < limit:
        phrase_ids += [phrase_id for phrase_id in _by_sound(reader, word, language, key) if phrase_id not in phrase_ids]
    return phrase_ids[:limit]


def find_by_words(reader: ReadConnection, text: str, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs that contain all words of a text, in any script, in their text or their meaning."""
    orthographies = reader.catalogue.orthographies(ALL_LANGUAGES)
    keys = tuple(tuple(word_keys(word, orthographies)) for word in query_words(text))
    phrase_ids = phrase_lists.list_phrases(reader, PhraseFilter(keys=keys), limit, 0) if keys else []
    return tuple(phrases.read(reader, phrase_ids))


def find_by_meaning(reader: ReadConnection, word: str, limit: int) -> tuple[Phrase, ...]:
    """Find proverbs whose meaning contains a word; return none for a very frequent word."""
    return tuple(phrases.read(reader, _with_meaning(reader, word)[:limit]))


def _with_meaning(reader: ReadConnection, word: str) -> list[int]:
    phrase_filter = PhraseFilter(keys=((meaning_index_key(exact_key(word)),),))
    phrase_ids = phrase_lists.list_phrases(reader, phrase_filter, MAX_MEANING_MATCHES + 1, 0)
    return phrase_ids if len(phrase_ids) <= MAX_MEANING_MATCHES else []


class _Index(NamedTuple):
    """Index of the first proverbs of a language: their IDs by loose keys of words and by possible stems."""

    texts: dict[int, str]
    by_word: dict[str, list[int]]
    by_stem: dict[str, list[int]]

    def find_part(self, key: str, code: str) -> list[int]:
        """List the proverbs with a word that contains a key: several words may be written as one."""
        return [
            phrase_id
            for phrase_id, text in self.texts.items()
            if any(key in word_key for word_key in _keys(text, code))
        ]


def _index_of(reader: ReadConnection, language: Language) -> _Index:
    """Return the index of a language's proverbs, built once per version of the data."""
    indexes = reader.cached(_empty_indexes)
    if language.id not in indexes:
        index = _Index(dict(phrase_lists.proverb_texts(reader, language.id, MAX_INDEXED_PROVERBS)), {}, {})
        for phrase_id, text in index.texts.items():
            keys = _keys(text, language.code)
            for key in dict.fromkeys(keys):
                index.by_word.setdefault(key, []).append(phrase_id)
            for stem in {stem for key in keys for stem in _stems(key)}:
                index.by_stem.setdefault(stem, []).append(phrase_id)
        indexes[language.id] = index
    return indexes[language.id]


def _empty_indexes(_: ReadConnection, __: dict[int, _Index] | None) -> dict[int, _Index]:
    return {}


def _stems(word: str) -> list[str]:
    """List the possible stems of a word."""
    shortest = max(MIN_STEM_LENGTH + 1, len(word) - MAX_ENDING_LENGTH)
    return [word[:length] for length in range(shortest, len(word))]


def _by_sound(reader: ReadConnection, word: str, language: Language, key: str) -> list[int]:
    counts = phrases.count_grams(reader, phrase_grams(word, language.code), language.id)
    postings = phrases.postings(reader, rarest_grams(counts), language.id).values()
    candidates = phrases.read(reader, sorted({phrase_id for ids in postings for phrase_id in ids.tolist()}))
    return [candidate.id for candidate in candidates if key in _keys(candidate.text, language.code)]


@lru_cache(maxsize=2 * MAX_INDEXED_PROVERBS)
def _keys(text: str, code: str) -> tuple[str, ...]:
    """Return the loose keys of the words of a proverb."""
    return tuple(loose_key(word, code) for word in query_words(text))


def _category(reader: ReadConnection, phrase: Phrase) -> Named | None:
    return reader.catalogue.list_value(ListName.PHRASE_CATEGORIES, phrase.category_id)


PAGE_SIZE: Final = 30
MAX_SIMILAR: Final = 10
MAX_WITH_WORDS: Final = 20

EDIT_PAGE_SIZE: Final = 50
MAX_SIMILAR_TO_EDIT: Final = 20


class ProverbsPage(msgspec.Struct, frozen=True):
    """Results of a proverb search: similar proverbs, others that contain the words, and a page of all proverbs."""

    language: Language
    shelves: tuple[CategoryCount, ...]
    category: int
    query: str
    similar: tuple[SimilarPhrase, ...]
    with_words: tuple[Phrase, ...]
    leaf: AlphabeticalPage[CategorizedPhrase]


def read_proverbs_page(reader: ReadConnection, query: str, language: str, category: int, start: str) -> ProverbsPage:
    """Load the proverbs for a query, and a page of all. Raises InputError for an unknown language."""
    language_id = lookup_lists.find_language_id(reader, lookup_lists.LanguageParam(language)) or ASSAMESE
    similar = find_similar(reader, query, language_id, MAX_SIMILAR) if query else ()
    return ProverbsPage(
        language=reader.catalogue.language(language_id),
        shelves=count_by_category(reader),
        category=category,
        query=query,
        similar=similar,
        with_words=_with_words(reader, query, language_id, {phrase.id for phrase in similar}) if query else (),
        leaf=list_proverb_page(reader, language_id, category, start, PAGE_SIZE),
    )


def _with_words(reader: ReadConnection, query: str, language_id: int, shown_ids: set[int]) -> tuple[Phrase, ...]:
    """Find proverbs with the words of a query in their text or meaning, like the main search."""
    candidates = [*find_by_words(reader, query, MAX_WITH_WORDS + len(shown_ids))]
    if len(query_words(query)) == 1:
        candidates += find_containing(reader, query, reader.catalogue.language(language_id), MAX_WITH_WORDS)
        candidates += find_by_meaning(reader, query, MAX_WITH_WORDS)
    new_phrases = {
        phrase.id: phrase for phrase in candidates if phrase.id not in shown_ids and phrase.language_id == language_id
    }
    return tuple(new_phrases.values())[:MAX_WITH_WORDS]


class ProverbsToEdit(msgspec.Struct, frozen=True):
    """Proverbs similar to a query, and a page of all proverbs."""

    language: Language
    similar: tuple[SimilarPhrase, ...]
    leaf: AlphabeticalPage[CategorizedPhrase]


def read_proverbs_to_edit(reader: ReadConnection, query: str, start: str) -> ProverbsToEdit:
    """Load the proverbs similar to a query, and a page of all proverbs."""
    return ProverbsToEdit(
        reader.catalogue.language(ASSAMESE),
        find_similar(reader, query, ASSAMESE, MAX_SIMILAR_TO_EDIT) if query else (),
        list_proverb_page(reader, ASSAMESE, 0, start, EDIT_PAGE_SIZE),
    )
