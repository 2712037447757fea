"""Proverbs that match a phrase exactly or nearly, or begin with it."""

from collections.abc import Sequence
from typing import Final

from abhidhan.dictionary.model.phrases import (
    ALIKE_ENOUGH,
    COMPARED,
    Phrase,
    PhraseSound,
    SimilarPhrase,
    alike_enough,
    rarest,
    sharing_most,
    word_keys,
    worth_comparing,
)
from abhidhan.dictionary.model.query import clean, read_query
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id
from abhidhan.dictionary.store import phrase_lists, phrases
from abhidhan.dictionary.store.phrase_lists import PhraseFilter
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, ENGLISH, HINDI, Language
from abhidhan.records.lookup_lists import ListName
from assamese.keys import exact_key, roman_sound, sound_key
from assamese.normalization import Script, query_words, script_of, words_of
from assamese.phrase_similarity import phrase_grams, similarity
from assamese.search_keys import of_sound

MOST_CHARACTERS = 500
"""Maximum number of characters of a query that are compared; no proverb is longer."""


WORDS_OF_A_PHRASE: Final = 3
"""Minimum number of words of a query that may be a proverb; shorter queries are only looked up as words."""

SAME: Final = 0.8
"""Similarity from which a reader would call two phrases the same."""

SPELLED_SO: Final = 0.95
"""Minimum similarity for a query of two words; many proverbs share two words."""

MOST_SAME: Final = 5

LANGUAGE_OF_SCRIPT: Final = {Script.LATIN: ENGLISH, Script.DEVANAGARI: HINDI}
"""Language in which proverbs are searched besides Assamese, if the request names none."""


def may_be_phrase(query: str) -> bool:
    """Return whether a query has enough words for a proverb."""
    return " " in query and len(words_of(query)) >= WORDS_OF_A_PHRASE


def find_same(reader: Reader, query: str, language_id: int = ALL_LANGUAGES) -> tuple[SimilarPhrase, ...]:
    """Find the proverbs that are the same as a query of three or more words, most similar first."""
    return _at_least(SAME, reader, query, language_id)


def find_sayings(reader: Reader, query: str) -> tuple[SimilarPhrase, ...]:
    """Find the proverbs that are the same as a query; with two words, only those spelled almost identically."""
    return _at_least(SAME if may_be_phrase(query) else SPELLED_SO, reader, query, ALL_LANGUAGES)


def _at_least(least: float, reader: Reader, query: str, language_id: int) -> tuple[SimilarPhrase, ...]:
    languages = (language_id,) if language_id else (ASSAMESE, LANGUAGE_OF_SCRIPT.get(script_of(query), ASSAMESE))
    found = [each for one in dict.fromkeys(languages) for each in find_similar(reader, query, one, MOST_SAME)]
    same = sorted((each for each in found if each.similarity >= least), key=lambda each: -each.similarity)
    return tuple(same[:MOST_SAME])


def find_similar(reader: Reader, phrase_text: str, language_id: int, limit: int) -> tuple[SimilarPhrase, ...]:
    """Find the proverbs of a language that are similar to `phrase_text`, most similar first.

    Omitted, added, replaced or moved words, punctuation, old spellings and Roman letters are tolerated.
    """
    query = clean(phrase_text, MOST_CHARACTERS)
    language = reader.catalogue.language(language_id)
    found = _candidates(reader, query, language)
    compared = worth_comparing(found, lambda: _sound(query, language), max(limit, COMPARED))
    degrees = {each: similarity(query, each.text, language.code, ALIKE_ENOUGH) for each in compared}
    degree_of = {each.id: degrees[each] for each in alike_enough(degrees)[:limit]}
    return tuple(_shown(reader, each, degree_of[each.id], query) for each in phrases.read(reader, [*degree_of]))


def similar_phrases(reader: Reader, text: str, language: LanguageParam, limit: int) -> tuple[SimilarPhrase, ...]:
    """Find the proverbs that are similar to a text, in Assamese if the request names no language. Raises InputError."""
    return find_similar(reader, text, find_language_id(reader, language) or ASSAMESE, limit)


def _candidates(reader: Reader, query: str, language: Language) -> list[PhraseSound]:
    held = phrases.phrase_indexes(reader)
    if held is not None:
        index = held.get(language.id)
        return index.choose(exact_key(query), phrase_grams(query, language.code)) if index else []
    counts = phrases.count_grams(reader, phrase_grams(query, language.code), language.id)
    shared = sharing_most(phrases.postings(reader, rarest(counts), language.id), counts)
    exact = phrases.with_exact_key(reader, exact_key(query), language.id)
    return phrases.read_sounds(reader, list(dict.fromkeys((*exact, *shared))))


def _sound(query: str, language: Language) -> str:
    """Return the sound key of a query, also if it is typed in Roman letters."""
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


MAX_PHRASES_OFFERED: Final = 2
"""Maximum number of proverbs listed after words."""

MIN_COMPLETED_LENGTH: Final = 3
"""Minimum length of a text that is completed to a proverb; shorter texts match too many."""

MAX_PHRASES_READ: Final = 40
"""Maximum number of candidates for completion: proverbs with the prefix, or with all words but the last."""


def complete_phrases(
    reader: Reader, text: str, language_id: int, first: Sequence[int], *, by_words: bool
) -> tuple[Phrase, ...]:
    """List proverbs that begin with a text, those in the languages of `first` before others.

    If there are none and `by_words` is set, list those that contain all words of the text; the last may be incomplete.
    """
    exact = exact_key(clean(text))
    if len(exact) < MIN_COMPLETED_LENGTH:
        return ()
    begun = phrases.beginning(reader, exact, MAX_PHRASES_READ)
    chosen = [phrase_id for phrase_id, of in _in_language_order(begun, first) if language_id in {ALL_LANGUAGES, of}]
    if chosen or not by_words:
        return tuple(phrases.read(reader, chosen[:MAX_PHRASES_OFFERED]))
    return _with_words(reader, text, language_id)[:MAX_PHRASES_OFFERED]


def _in_language_order(found: Sequence[tuple[int, int]], first: Sequence[int]) -> list[tuple[int, int]]:
    places = {language_id: place for place, language_id in enumerate(first)}
    return sorted(found, key=lambda each: places.get(each[1], len(places)))


def _with_words(reader: Reader, text: str, language_id: int) -> tuple[Phrase, ...]:
    """Find proverbs that contain all words of a text, by sound; return none for a single word."""
    *whole, begun = query_words(clean(text)) or ("",)
    orthographies = reader.catalogue.orthographies(language_id)
    keys = tuple(tuple(key for key in word_keys(word, orthographies) if key.startswith(of_sound(""))) for word in whole)
    if not keys or not all(keys):
        return ()
    phrase_ids = phrase_lists.list_phrases(reader, PhraseFilter(language_id, keys=keys), MAX_PHRASES_READ, 0)
    sounds = read_query(begun, orthographies).sound_keys()
    found = phrases.read(reader, phrase_ids)
    return tuple(phrase for phrase in found if _has_word_that_begins(reader, phrase, sounds))


def _has_word_that_begins(reader: Reader, phrase: Phrase, sounds: tuple[str, ...]) -> bool:
    code = reader.catalogue.language(phrase.language_id).code
    return any(sound_key(word, code).startswith(sounds) for word in query_words(phrase.text))
