"""Proverbs that match a phrase exactly or nearly, or begin with it."""

from collections.abc import Sequence
from typing import Final

from abhidhan.dictionary.model.phrases import (
    MAX_COMPARED,
    MIN_SIMILARITY,
    Phrase,
    PhraseSound,
    SimilarPhrase,
    rarest_grams,
    sharing_most,
    shortlist,
    sort_similar,
    word_keys,
)
from abhidhan.dictionary.model.query import clean, read_query
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id
from abhidhan.dictionary.store import phrase_lists, phrases
from abhidhan.dictionary.store.phrase_lists import PhraseFilter
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, ENGLISH, HINDI, Language
from abhidhan.records.lookup_lists import ListName
from assamese.keys import exact_key, roman_sound, sound_key
from assamese.normalization import Script, query_words, script_of, words_of
from assamese.phrase_similarity import phrase_grams, similarity
from assamese.search_keys import sound_index_key

MAX_QUERY_LENGTH = 500
"""Maximum number of characters of a query that are compared; no proverb is longer."""


MIN_PHRASE_WORDS: Final = 3
"""Minimum number of words of a query that may be a proverb; shorter queries are only looked up as words."""

MIN_SAME_SIMILARITY: Final = 0.8
"""Minimum similarity of two phrases that count as the same proverb."""

MIN_TWO_WORD_SIMILARITY: Final = 0.95
"""Minimum similarity for a query of two words; many proverbs share two words."""

MAX_SAME_PHRASES: Final = 5

LANGUAGE_OF_SCRIPT: Final = {Script.LATIN: ENGLISH, Script.DEVANAGARI: HINDI}
"""Language in which proverbs are searched besides Assamese, if the request names none."""


def may_be_phrase(query: str) -> bool:
    """Return whether a query has enough words for a proverb."""
    return " " in query and len(words_of(query)) >= MIN_PHRASE_WORDS


def find_same(reader: ReadConnection, query: str, language_id: int = ALL_LANGUAGES) -> tuple[SimilarPhrase, ...]:
    """Find proverbs nearly identical to a query of three or more words, most similar first."""
    return _find_at_least(MIN_SAME_SIMILARITY, reader, query, language_id)


def find_sayings(reader: ReadConnection, query: str) -> tuple[SimilarPhrase, ...]:
    """Find proverbs nearly identical to a query; for two words, only those with almost the same spelling."""
    return _find_at_least(
        MIN_SAME_SIMILARITY if may_be_phrase(query) else MIN_TWO_WORD_SIMILARITY, reader, query, ALL_LANGUAGES
    )


def _find_at_least(
    min_similarity: float, reader: ReadConnection, query: str, language_id: int
) -> tuple[SimilarPhrase, ...]:
    languages = (language_id,) if language_id else (ASSAMESE, LANGUAGE_OF_SCRIPT.get(script_of(query), ASSAMESE))
    candidates = [
        phrase
        for language in dict.fromkeys(languages)
        for phrase in find_similar(reader, query, language, MAX_SAME_PHRASES)
    ]
    same = sorted(
        (phrase for phrase in candidates if phrase.similarity >= min_similarity), key=lambda phrase: -phrase.similarity
    )
    return tuple(same[:MAX_SAME_PHRASES])


def find_similar(reader: ReadConnection, phrase_text: str, language_id: int, limit: int) -> tuple[SimilarPhrase, ...]:
    """Find the proverbs of a language that are similar to `phrase_text`, most similar first.

    Omitted, added, replaced or moved words, punctuation, old spellings and Roman letters are tolerated.
    """
    query = clean(phrase_text, MAX_QUERY_LENGTH)
    language = reader.catalogue.language(language_id)
    candidates = _candidates(reader, query, language)
    compared = shortlist(candidates, lambda: _sound(query, language), max(limit, MAX_COMPARED))
    degrees = {phrase: similarity(query, phrase.text, language.code, MIN_SIMILARITY) for phrase in compared}
    degrees_by_id = {phrase.id: degrees[phrase] for phrase in sort_similar(degrees)[:limit]}
    return tuple(
        _similar_phrase(reader, phrase, degrees_by_id[phrase.id], query)
        for phrase in phrases.read(reader, [*degrees_by_id])
    )


def similar_phrases(
    reader: ReadConnection, text: str, language: LanguageParam, limit: int
) -> tuple[SimilarPhrase, ...]:
    """Find the proverbs that are similar to a text, in Assamese if the request names no language. Raises InputError."""
    return find_similar(reader, text, find_language_id(reader, language) or ASSAMESE, limit)


def _candidates(reader: ReadConnection, query: str, language: Language) -> list[PhraseSound]:
    indexes = phrases.phrase_indexes(reader)
    if indexes is not None:
        index = indexes.get(language.id)
        return index.choose(exact_key(query), phrase_grams(query, language.code)) if index else []
    counts = phrases.count_grams(reader, phrase_grams(query, language.code), language.id)
    shared = sharing_most(phrases.postings(reader, rarest_grams(counts), language.id), counts)
    exact = phrases.with_exact_key(reader, exact_key(query), language.id)
    return phrases.read_sounds(reader, list(dict.fromkeys((*exact, *shared))))


def _sound(query: str, language: Language) -> str:
    """Return the sound key of a query, also if it is typed in Roman letters."""
    if query.isascii() and language.script != Script.LATIN:
        return roman_sound(query)
    return sound_key(query, language.code)


def _similar_phrase(reader: ReadConnection, phrase: Phrase, degree: float, query: str) -> SimilarPhrase:
    return SimilarPhrase(
        id=phrase.id,
        phrase=phrase.text,
        roman=phrase.roman,
        roman_generated=phrase.roman_generated,
        language_id=phrase.language_id,
        meaning=phrase.meaning,
        meanings=phrase.meanings,
        category=reader.catalogue.list_value(ListName.PHRASE_CATEGORIES, phrase.category_id),
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
    reader: ReadConnection, text: str, language_id: int, first: Sequence[int], *, by_words: bool
) -> tuple[Phrase, ...]:
    """List proverbs that begin with a text, those in the languages of `preferred_ids` before others.

    If there are none and `match_words` is true, list those with all words of the text; the last may be incomplete.
    """
    exact = exact_key(clean(text))
    if len(exact) < MIN_COMPLETED_LENGTH:
        return ()
    matches = phrases.with_prefix(reader, exact, MAX_PHRASES_READ)
    phrase_ids = [
        phrase_id
        for phrase_id, phrase_language in _in_language_order(matches, first)
        if language_id in {ALL_LANGUAGES, phrase_language}
    ]
    if phrase_ids or not by_words:
        return tuple(phrases.read(reader, phrase_ids[:MAX_PHRASES_OFFERED]))
    return _with_words(reader, text, language_id)[:MAX_PHRASES_OFFERED]


def _in_language_order(matches: Sequence[tuple[int, int]], first: Sequence[int]) -> list[tuple[int, int]]:
    positions = {language_id: position for position, language_id in enumerate(first)}
    return sorted(matches, key=lambda match: positions.get(match[1], len(positions)))


def _with_words(reader: ReadConnection, text: str, language_id: int) -> tuple[Phrase, ...]:
    """Find proverbs that contain all words of a text, by sound; return none for a single word."""
    *complete_words, last_word = query_words(clean(text)) or ("",)
    orthographies = reader.catalogue.orthographies(language_id)
    keys = tuple(
        tuple(key for key in word_keys(word, orthographies) if key.startswith(sound_index_key("")))
        for word in complete_words
    )
    if not keys or not all(keys):
        return ()
    phrase_ids = phrase_lists.list_phrases(reader, PhraseFilter(language_id, keys=keys), MAX_PHRASES_READ, 0)
    sounds = read_query(last_word, orthographies).sound_keys()
    candidates = phrases.read(reader, phrase_ids)
    return tuple(phrase for phrase in candidates if _has_word_with_prefix(reader, phrase, sounds))


def _has_word_with_prefix(reader: ReadConnection, phrase: Phrase, sounds: tuple[str, ...]) -> bool:
    code = reader.catalogue.language(phrase.language_id).code
    return any(sound_key(word, code).startswith(sounds) for word in query_words(phrase.text))
