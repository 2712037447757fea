"""Proverbs that match a phrase exactly or nearly, or begin with it."""

from collections.abc import Sequence
from typing import Final

from abhidhan.dictionary.model.phrases import (
    MAX_COMPARED_PHRASES,
    MIN_SIMILARITY,
    Phrase,
    PhraseCandidate,
    SimilarPhrase,
    choose_rare_grams,
    list_phrase_keys,
    rank_by_shared_grams,
    shortlist,
    sort_by_similarity,
)
from abhidhan.dictionary.model.query import build_query, clean_query
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id
from abhidhan.dictionary.store import phrase_lists, phrases
from abhidhan.dictionary.store.phrase_lists import PhraseFilter
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, ENGLISH, HINDI, Language
from abhidhan.records.lookup_lists import ListName
from assamese.keys import exact_key, roman_sound, sound_key
from assamese.normalization import Script, detect_script, split_query, split_words
from assamese.phrase_similarity import phrase_grams, similarity
from assamese.search_keys import build_sound_index_key

MAX_QUERY_LENGTH = 500
"""Maximum number of characters of a query that are compared; no proverb is longer."""


MIN_PHRASE_WORDS: Final = 3
"""Minimum number of words of a query that may be a proverb; shorter queries are only looked up as words."""

MIN_SAME_SIMILARITY: Final = 0.8
"""Minimum similarity of two phrases that count as the same proverb."""

MIN_TWO_WORD_SIMILARITY: Final = 0.95
"""Minimum similarity for a query of two words; many proverbs share two words."""

MAX_SAME_PHRASES: Final = 5

SECOND_LANGUAGE_BY_SCRIPT: Final = {Script.LATIN: ENGLISH, Script.DEVANAGARI: HINDI}
"""Language in which proverbs are searched besides Assamese, if the request names none."""


def may_be_phrase(query: str) -> bool:
    """Return whether a query has enough words for a proverb."""
    return " " in query and len(split_words(query)) >= MIN_PHRASE_WORDS


def find_same_proverbs(
    connection: ReadConnection, query: str, language_id: int = ALL_LANGUAGES
) -> tuple[SimilarPhrase, ...]:
    """Find proverbs nearly identical to a query of three or more words, most similar first."""
    return _find_by_min_similarity(MIN_SAME_SIMILARITY, connection, query, language_id)


def find_query_proverbs(connection: ReadConnection, query: str) -> tuple[SimilarPhrase, ...]:
    """Find proverbs nearly identical to a query; for two words, only those with almost the same spelling."""
    return _find_by_min_similarity(
        MIN_SAME_SIMILARITY if may_be_phrase(query) else MIN_TWO_WORD_SIMILARITY, connection, query, ALL_LANGUAGES
    )


def _find_by_min_similarity(
    min_similarity: float, connection: ReadConnection, query: str, language_id: int
) -> tuple[SimilarPhrase, ...]:
    languages = (
        (language_id,) if language_id else (ASSAMESE, SECOND_LANGUAGE_BY_SCRIPT.get(detect_script(query), ASSAMESE))
    )
    candidates = [
        phrase
        for language in dict.fromkeys(languages)
        for phrase in find_similar(connection, query, language, MAX_SAME_PHRASES)
    ]
    same = sorted(
        (phrase for phrase in candidates if phrase.similarity >= min_similarity), key=lambda phrase: -phrase.similarity
    )
    return tuple(same[:MAX_SAME_PHRASES])


def find_similar(
    connection: ReadConnection, phrase_text: str, language_id: int, limit: int
) -> tuple[SimilarPhrase, ...]:
    """Find the proverbs of a language that are similar to `phrase_text`, most similar first.

    Omitted, added, replaced or moved words, punctuation, old spellings and Roman letters are tolerated.
    """
    query = clean_query(phrase_text, MAX_QUERY_LENGTH)
    language = connection.catalogue.language(language_id)
    candidates = _find_candidates(connection, query, language)
    shortlisted = shortlist(candidates, lambda: _compute_sound_key(query, language), max(limit, MAX_COMPARED_PHRASES))
    degrees = {phrase: similarity(query, phrase.text, language.code, MIN_SIMILARITY) for phrase in shortlisted}
    degrees_by_id = {phrase.id: degrees[phrase] for phrase in sort_by_similarity(degrees)[:limit]}
    return tuple(
        _build_similar_phrase(connection, phrase, degrees_by_id[phrase.id], query)
        for phrase in phrases.load_phrases(connection, [*degrees_by_id])
    )


def list_similar(
    connection: ReadConnection, text: str, language: LanguageParam, limit: int
) -> tuple[SimilarPhrase, ...]:
    """Find the proverbs that are similar to a text, in Assamese if the request names no language. Raises InputError."""
    return find_similar(connection, text, find_language_id(connection, language) or ASSAMESE, limit)


def _find_candidates(connection: ReadConnection, query: str, language: Language) -> list[PhraseCandidate]:
    indexes = phrases.get_phrase_indexes(connection)
    if indexes is not None:
        index = indexes.get(language.id)
        return index.find_candidates(exact_key(query), phrase_grams(query, language.code)) if index else []
    counts = phrases.count_grams(connection, phrase_grams(query, language.code), language.id)
    shared = rank_by_shared_grams(phrases.load_postings(connection, choose_rare_grams(counts), language.id), counts)
    exact = phrases.find_by_exact_key(connection, exact_key(query), language.id)
    return phrases.load_candidates(connection, list(dict.fromkeys((*exact, *shared))))


def _compute_sound_key(query: str, language: Language) -> str:
    """Return the sound key of a query, also if it is typed in Roman letters."""
    if query.isascii() and language.script != Script.LATIN:
        return roman_sound(query)
    return sound_key(query, language.code)


def _build_similar_phrase(connection: ReadConnection, phrase: Phrase, degree: float, query: str) -> SimilarPhrase:
    return SimilarPhrase(
        id=phrase.id,
        phrase=phrase.text,
        roman=phrase.roman,
        roman_generated=phrase.roman_generated,
        language_id=phrase.language_id,
        meaning=phrase.meaning,
        meanings=phrase.meanings,
        category=connection.catalogue.list_value(ListName.PHRASE_CATEGORIES, phrase.category_id),
        similarity=round(degree, 4),
        exact=exact_key(phrase.text) == exact_key(query),
        licence=phrase.licence,
        audio=phrase.audio,
    )


MAX_COMPLETED_PHRASES: Final = 2
"""Maximum number of proverbs listed after words."""

MIN_COMPLETION_LENGTH: Final = 3
"""Minimum length of a text that is completed to a proverb; shorter texts match too many."""

MAX_COMPLETION_CANDIDATES: Final = 40
"""Maximum number of candidates for completion: proverbs with the prefix, or with all words but the last."""


def complete_phrases(
    connection: ReadConnection, text: str, language_id: int, preferred_ids: Sequence[int], *, match_words: bool
) -> tuple[Phrase, ...]:
    """List proverbs that begin with a text, those in the languages of `preferred_ids` before others.

    If there are none and `match_words` is true, list those with all words of the text; the last may be incomplete.
    """
    exact = exact_key(clean_query(text))
    if len(exact) < MIN_COMPLETION_LENGTH:
        return ()
    matches = phrases.find_by_prefix(connection, exact, MAX_COMPLETION_CANDIDATES)
    phrase_ids = [
        phrase_id
        for phrase_id, phrase_language in _sort_by_language(matches, preferred_ids)
        if language_id in {ALL_LANGUAGES, phrase_language}
    ]
    if phrase_ids or not match_words:
        return tuple(phrases.load_phrases(connection, phrase_ids[:MAX_COMPLETED_PHRASES]))
    return _find_containing_words(connection, text, language_id)[:MAX_COMPLETED_PHRASES]


def _sort_by_language(matches: Sequence[tuple[int, int]], preferred_ids: Sequence[int]) -> list[tuple[int, int]]:
    positions = {language_id: position for position, language_id in enumerate(preferred_ids)}
    return sorted(matches, key=lambda match: positions.get(match[1], len(positions)))


def _find_containing_words(connection: ReadConnection, text: str, language_id: int) -> tuple[Phrase, ...]:
    """Find proverbs that contain all words of a text, by sound; return none for a single word."""
    *complete_words, last_word = split_query(clean_query(text)) or ("",)
    orthographies = connection.catalogue.orthographies(language_id)
    keys = tuple(
        tuple(key for key in list_phrase_keys(word, orthographies) if key.startswith(build_sound_index_key("")))
        for word in complete_words
    )
    if not keys or not all(keys):
        return ()
    phrase_ids = phrase_lists.list_phrases(
        connection, PhraseFilter(language_id, keys=keys), MAX_COMPLETION_CANDIDATES, 0
    )
    sounds = build_query(last_word, orthographies).sound_keys()
    candidates = phrases.load_phrases(connection, phrase_ids)
    return tuple(phrase for phrase in candidates if _has_word_with_prefix(connection, phrase, sounds))


def _has_word_with_prefix(connection: ReadConnection, phrase: Phrase, sound_prefixes: tuple[str, ...]) -> bool:
    code = connection.catalogue.language(phrase.language_id).code
    return any(sound_key(word, code).startswith(sound_prefixes) for word in split_query(phrase.text))
