"""Proverbs: which ones a phrase is, or nearly is."""

from typing import Final

from abhidhan.dictionary.model.phrase_matching import (
    ALIKE_ENOUGH,
    COMPARED,
    PhraseSound,
    alike_enough,
    rarest,
    sharing_most,
    worth_comparing,
)
from abhidhan.dictionary.model.phrases import Phrase, SimilarPhrase
from abhidhan.dictionary.model.query import clean
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id
from abhidhan.dictionary.store import phrase_index, phrases
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, ENGLISH, HINDI, Language
from abhidhan.records.lookup_lists import ListName
from assamese.keys import exact_key, roman_sound, sound_key
from assamese.normalization import Script, script_of, words_of
from assamese.phrase_similarity import phrase_grams, similarity

MOST_CHARACTERS = 500
"""Longer text is no proverb: only so much of it is compared."""


WORDS_OF_A_PHRASE: Final = 3
"""A query of so many words may be a saying; of fewer, it is words that are looked up."""

SAME: Final = 0.8
"""From this similarity on a person would say that two phrases are the same."""

SPELLED_SO: Final = 0.95
"""A query of two words is a saying from this similarity on: many sayings share two words."""

MOST_SAME: Final = 5

LANGUAGE_OF_SCRIPT: Final = {Script.LATIN: ENGLISH, Script.DEVANAGARI: HINDI}
"""In which language a saying may be, besides Assamese, when none is named."""


def may_be_phrase(query: str) -> bool:
    """Return whether a query has enough words for a saying."""
    return " " in query and len(words_of(query)) >= WORDS_OF_A_PHRASE


def find_same(reader: Reader, query: str, language_id: int = ALL_LANGUAGES) -> tuple[SimilarPhrase, ...]:
    """Find the sayings that a query of three or more words is, though not letter by letter, most alike first."""
    return _at_least(SAME, reader, query, language_id)


def find_sayings(reader: Reader, query: str) -> tuple[SimilarPhrase, ...]:
    """Find the sayings that a query of two words or more is; those of two words only as they are spelled."""
    return _at_least(SAME if may_be_phrase(query) else SPELLED_SO, reader, query, ALL_LANGUAGES)


def _at_least(least: float, reader: Reader, query: str, language_id: int) -> tuple[SimilarPhrase, ...]:
    languages = (language_id,) if language_id else (ASSAMESE, LANGUAGE_OF_SCRIPT.get(script_of(query), ASSAMESE))
    found = [each for one in dict.fromkeys(languages) for each in find_similar(reader, query, one, MOST_SAME)]
    same = sorted((each for each in found if each.similarity >= least), key=lambda each: -each.similarity)
    return tuple(same[:MOST_SAME])


def find_similar(reader: Reader, phrase_text: str, language_id: int, limit: int) -> tuple[SimilarPhrase, ...]:
    """Find the proverbs of a language that are like `phrase_text`, most alike first; none when nothing is alike enough.

    A word left out, put in, exchanged or moved, punctuation, old spelling and Roman letters do not hide a proverb.
    """
    query = clean(phrase_text, MOST_CHARACTERS)
    language = reader.catalogue.language(language_id)
    found = _candidates(reader, query, language)
    compared = worth_comparing(found, lambda: _sound(query, language), max(limit, COMPARED))
    degrees = {each: similarity(query, each.text, language.code, ALIKE_ENOUGH) for each in compared}
    degree_of = {each.id: degrees[each] for each in alike_enough(degrees)[:limit]}
    return tuple(_shown(reader, each, degree_of[each.id], query) for each in phrases.read(reader, [*degree_of]))


def similar_phrases(reader: Reader, text: str, language: LanguageParam, limit: int) -> tuple[SimilarPhrase, ...]:
    """Find the proverbs that are like a text; Assamese ones if the request names no language. Raises InputError."""
    return find_similar(reader, text, find_language_id(reader, language) or ASSAMESE, limit)


def _candidates(reader: Reader, query: str, language: Language) -> list[PhraseSound]:
    held = phrase_index.phrase_indexes(reader)
    if held is not None:
        index = held.get(language.id)
        return index.choose(exact_key(query), phrase_grams(query, language.code)) if index else []
    counts = phrases.count_grams(reader, phrase_grams(query, language.code), language.id)
    shared = sharing_most(phrases.postings(reader, rarest(counts), language.id), counts)
    exact = phrases.with_exact_key(reader, exact_key(query), language.id)
    return phrases.read_sounds(reader, list(dict.fromkeys((*exact, *shared))))


def _sound(query: str, language: Language) -> str:
    """Make the key that the query's sound has among the stored ones, also when it is typed in Roman letters."""
    if query.isascii() and language.script != Script.LATIN:
        return roman_sound(query)
    return sound_key(query, language.code)


def _shown(reader: Reader, phrase: Phrase, degree: float, query: str) -> SimilarPhrase:
    return SimilarPhrase(
        id=phrase.id,
        phrase=phrase.text,
        roman=phrase.roman,
        roman_generated=phrase.roman_generated,
        language_id=phrase.language_id,
        meaning=phrase.meaning,
        meanings=phrase.meanings,
        category=reader.catalogue.named(ListName.PHRASE_CATEGORIES, phrase.category_id),
        similarity=round(degree, 4),
        exact=exact_key(phrase.text) == exact_key(query),
        licence=phrase.licence,
        audio=phrase.audio,
    )
