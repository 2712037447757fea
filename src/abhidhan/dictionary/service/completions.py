"""Completions of a text being typed, by exact prefix, loose spelling and sound."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Final

from abhidhan.dictionary.model.completions import (
    MAX_LIST_SIZE,
    MAX_LISTED_PREFIX_LENGTH,
    MAX_UNLISTED_WORDS,
    WEIGHT_UNITS_PER_LETTER,
    Completion,
    PrefixMatch,
    completion_weight,
    merge_completion_lists,
    rank_completions,
    sort_by_score,
)
from abhidhan.dictionary.model.field_selection import LANGS_PARAM
from abhidhan.dictionary.model.phrases import Phrase
from abhidhan.dictionary.model.query import SearchQuery, build_query
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id, find_language_ids
from abhidhan.dictionary.service.phrases import complete_phrases
from abhidhan.dictionary.store import completions, prefix_search, word_rows, words
from abhidhan.dictionary.store.acceleration.completion_lists import lists as completion_lists
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.prefix_search import Prefix, PrefixHit
from abhidhan.dictionary.store.words import SortKeyRange
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.local_texts import find_text
from abhidhan.records.words import DetailedSuggestion, Word, find_gloss
from assamese.collation import prefix_end, sort_key
from assamese.keys import count_missing_consonants, exact_key

MAX_PREFERRED_LANGUAGES: Final = 10
"""Maximum number of preferred languages in suggestions."""

KEY_PENALTIES: Final = {KeyColumn.EXACT: 0.0, KeyColumn.LOOSE: 0.25, KeyColumn.SOUND: 0.75}
"""Penalty of completions found by each kind of key, in letters left to type."""

SKIPPED_CONSONANT_PENALTY: Final = 2.0
"""Penalty, in letters, for each typed Roman consonant that a reading skips: `pan` is hardly পৰা (read as পঁ)."""

MIN_COMPARED_COMPLETIONS: Final = 16
"""Minimum number of completions of each kind that are compared, even if fewer are requested."""


def suggest(connection: ReadConnection, text: str, language: LanguageParam, limit: int) -> tuple[str, ...]:
    """List headwords that begin with or sound like `text`, those with the fewest letters left to type first.

    Raises InputError.
    """
    completions = _complete(connection, text, find_language_id(connection, language), limit)
    return tuple(dict.fromkeys(completion.text for completion in completions))[:limit]


def suggest_by_language(
    connection: ReadConnection, text: str, language: LanguageParam, limit: int, preferred_languages: str
) -> tuple[str, ...]:
    """List headwords like `suggest`, those in `preferred_languages` first. Raises InputError."""
    completions = _complete_by_language(
        connection, text, language, limit, _find_preferred_ids(connection, preferred_languages)
    )
    return tuple(completion.text for completion in completions)


def _find_preferred_ids(connection: ReadConnection, names: str) -> tuple[int, ...]:
    """Return the IDs of the preferred languages, without 0, which stands for all languages."""
    language_ids = find_language_ids(connection, LANGS_PARAM, names, MAX_PREFERRED_LANGUAGES) if names else ()
    return tuple(language_id for language_id in language_ids if language_id != ALL_LANGUAGES)


def _complete_by_language(
    connection: ReadConnection, text: str, language: LanguageParam, limit: int, preferred_ids: Sequence[int]
) -> tuple[Completion, ...]:
    """List at most `limit` completions, each headword once, those in the languages of `preferred_ids` before others."""
    language_id = find_language_id(connection, language)
    language_ids = [each for each in dict.fromkeys(preferred_ids) if language_id in {ALL_LANGUAGES, each}]
    before = [each for language in language_ids for each in _complete(connection, text, language, limit)]
    headwords: dict[str, Completion] = {}
    for each in (*sort_by_score(before), *_complete(connection, text, language_id, limit)):
        headwords.setdefault(each.text, each)
    return tuple(headwords.values())[:limit]


def suggest_with_glosses(
    connection: ReadConnection, text: str, language: LanguageParam, limit: int, preferred_languages: str
) -> tuple[DetailedSuggestion, ...]:
    """List headwords like `suggest_by_language`, each with a short gloss. Raises InputError."""
    languages = _find_preferred_ids(connection, preferred_languages)
    return _load_suggestions(connection, _complete_by_language(connection, text, language, limit, languages), languages)


def gloss_words_by_id(
    connection: ReadConnection, word_ids: Sequence[int], preferred_languages: str
) -> tuple[DetailedSuggestion, ...]:
    """Return words by ID like `suggest_with_glosses`, glossed in the preferred languages. Raises InputError."""
    languages = _find_preferred_ids(connection, preferred_languages)
    return tuple(
        _to_word_suggestion(connection, word, languages) for word in word_rows.load_words(connection, word_ids)
    )


def suggest_with_phrases(
    connection: ReadConnection, text: str, language: LanguageParam, limit: int, preferred_languages: str
) -> tuple[DetailedSuggestion, ...]:
    """List headwords like `suggest_with_glosses`, then one or two proverbs, in place of the last words of a full list.

    Raises InputError.
    """
    languages = _find_preferred_ids(connection, preferred_languages)
    completions = _complete_by_language(connection, text, language, limit, languages)
    by_words = len(completions) < limit
    sayings = complete_phrases(
        connection, text, find_language_id(connection, language), languages, match_words=by_words
    )
    spellings = {item.text for item in completions}
    max_phrases = limit - 1 if completions else limit
    phrases = [item for item in sayings if item.text not in spellings][:max_phrases]
    details = _load_suggestions(connection, completions[: limit - len(phrases)], languages)
    return (*details, *(_to_phrase_suggestion(connection, item, languages) for item in phrases))


def _load_suggestions(
    connection: ReadConnection, completions: Sequence[Completion], preferred_ids: Sequence[int]
) -> tuple[DetailedSuggestion, ...]:
    words_by_id = word_rows.load_words(connection, [completion.word_id for completion in completions])
    return tuple(_to_word_suggestion(connection, word, preferred_ids) for word in words_by_id)


def _to_phrase_suggestion(
    connection: ReadConnection, phrase: Phrase, preferred_ids: Sequence[int]
) -> DetailedSuggestion:
    language = connection.catalogue.language(phrase.language_id)
    gloss = find_text(preferred_ids, phrase.meanings)
    return DetailedSuggestion(
        phrase.text, phrase.id, language.id, phrase.roman, gloss, language.name, language.code, "phrase"
    )


def _to_word_suggestion(connection: ReadConnection, word: Word, preferred_ids: Sequence[int]) -> DetailedSuggestion:
    language = connection.catalogue.language(word.language_id)
    gloss = find_gloss(word, preferred_ids)
    return DetailedSuggestion(word.word, word.id, language.id, word.roman, gloss, language.name, language.code)


def _complete(connection: ReadConnection, text: str, language_id: int, limit: int) -> list[Completion]:
    query = build_query(text, connection.catalogue.orthographies(language_id))
    from_lists = (
        _complete_from_lists(connection, query, limit)
        if language_id == ALL_LANGUAGES and limit <= MAX_LIST_SIZE
        else None
    )
    return _complete_in_language(connection, query, language_id, limit) if from_lists is None else from_lists


# --- all languages ----------------------------------------------------------------------------------------------------


def _complete_from_lists(connection: ReadConnection, query: SearchQuery, limit: int) -> list[Completion] | None:
    """Choose completions from the lists of the first words of each prefix; return None if a list is missing."""
    prefixes = [*_iter_prefixes(query)]
    if any(len(text) > MAX_LISTED_PREFIX_LENGTH for _, text in prefixes):
        return None
    lists = _find_first_words(connection, prefixes, limit)
    if lists is None:
        return None
    penalties = [_key_penalty(query, column, text) - len(text) for column, text in prefixes]
    return merge_completion_lists(query.exact_key, [*zip(penalties, lists, strict=True)], limit)


def _find_first_words(
    connection: ReadConnection, prefixes: Sequence[tuple[KeyColumn, str]], limit: int
) -> Sequence[Sequence[PrefixMatch]] | None:
    """Return the first words for each prefix from cached lists, or else by query; None if too many words match."""
    lists = completion_lists.find_first_words(connection, prefixes, limit)
    return completions.find_first_words(connection, prefixes, limit) if lists is None else lists


def _iter_listed_words(
    connection: ReadConnection, query: SearchQuery, prefixes: Sequence[tuple[KeyColumn, str]], language_id: int
) -> Iterator[tuple[float, list[PrefixMatch]]]:
    """Yield for each prefix the amount to add to the weights, and the listed words of one language or of all."""
    listed_prefixes = [(column, text) for column, text in prefixes if len(text) <= MAX_LISTED_PREFIX_LENGTH]
    lists = _find_first_words(connection, listed_prefixes, MAX_LIST_SIZE) if listed_prefixes else None
    for (column, text), first_words in zip(listed_prefixes, lists or (), strict=bool(lists)):
        language_matches = [match for match in first_words if language_id in {ALL_LANGUAGES, match[1]}]
        yield _key_penalty(query, column, text) - len(text), language_matches


def _key_penalty(query: SearchQuery, column: KeyColumn, text: str) -> float:
    return KEY_PENALTIES[column] + (
        SKIPPED_CONSONANT_PENALTY * count_missing_consonants(query.text, text) if column is KeyColumn.SOUND else 0.0
    )


def _iter_prefixes(query: SearchQuery) -> Iterator[tuple[KeyColumn, str]]:
    if query.exact_key:
        yield KeyColumn.EXACT, query.exact_key
    for column, keys in ((KeyColumn.LOOSE, query.loose_keys()), (KeyColumn.SOUND, query.sound_keys())):
        for typed in query.filter_long_keys(keys):
            yield column, typed


# --- one language, or very many words ---------------------------------------------------------------------------------


def _complete_in_language(
    connection: ReadConnection, query: SearchQuery, language_id: int, limit: int
) -> list[Completion]:
    min_count = max(limit, MIN_COMPARED_COMPLETIONS)
    exact_matches = {
        word_id: len(key) - len(query.exact_key)
        for word_id, key, _ in _find_by_exact_prefix(connection, query, language_id, min_count)
    }
    letters = _find_by_other_prefixes(connection, query, language_id, min_count)
    for word_id, left in exact_matches.items():
        letters[word_id] = min(letters.get(word_id, inf), left)
    lists = _iter_listed_words(connection, query, [*_iter_prefixes(query)], language_id)
    return rank_completions(query.exact_key, [*lists, (0.0, _add_weights(connection, letters))], limit)


def complete_by_exact_prefix(
    connection: ReadConnection, query: SearchQuery, language_id: int, limit: int
) -> list[Completion]:
    """List words with the exact prefix, likeliest first; of very many, only the shortest and those in the lists."""
    # Texts too long for lists have at most `limit` candidates.
    max_matches = (
        MAX_UNLISTED_WORDS if len(query.exact_key) <= MAX_LISTED_PREFIX_LENGTH else min(limit, MAX_UNLISTED_WORDS)
    )
    matches = (
        prefix_search.find_all_by_prefix(connection, query.exact_key, language_id, max_matches)
        if query.exact_key
        else {}
    )
    keys = _find_shortest_and_listed(connection, query, language_id, limit) if matches is None else matches
    letters = {word_id: float(len(key) - len(query.exact_key)) for word_id, key in keys.items()}
    return sort_by_score(
        Completion(word_id, language, text, weight / WEIGHT_UNITS_PER_LETTER)
        for weight, language, text, word_id in _add_weights(connection, letters)
    )


def _find_shortest_and_listed(
    connection: ReadConnection, query: SearchQuery, language_id: int, limit: int
) -> dict[int, str]:
    """Return the exact keys, by word ID, of the shortest words with the exact prefix and of those in the lists."""
    keys = {word_id: key for word_id, key, _ in _find_by_exact_prefix(connection, query, language_id, limit)}
    for _, first_words in _iter_listed_words(connection, query, [(KeyColumn.EXACT, query.exact_key)], language_id):
        for _, _, text, word_id in first_words:
            keys.setdefault(word_id, exact_key(text))
    return keys


def _find_by_exact_prefix(
    connection: ReadConnection, query: SearchQuery, language_id: int, limit: int
) -> list[PrefixHit]:
    """Find words with the exact prefix, shortest keys first; for one language, also by its alphabet."""
    matches = prefix_search.find_by_prefixes(connection, [Prefix(KeyColumn.EXACT, query.exact_key)], language_id, limit)
    return [*matches, *_find_by_alphabet(connection, query, language_id, limit)]


def _find_by_alphabet(
    connection: ReadConnection, query: SearchQuery, language_id: int, limit: int
) -> Iterator[PrefixHit]:
    """Find words of one language by its alphabetical index, even if other languages dominate the prefix."""
    if language_id == ALL_LANGUAGES or not query.exact_key:
        return
    code = connection.catalogue.language(language_id).code
    key_range = SortKeyRange(language_id, sort_key(query.exact_key, code), "", prefix_end(query.exact_key, code))
    for row in words.list_alphabetically(connection, key_range, None, limit):
        key = exact_key(row.text)
        if key.startswith(query.exact_key):
            yield row.word_id, key, 0


def _find_by_other_prefixes(
    connection: ReadConnection, query: SearchQuery, language_id: int, limit: int
) -> dict[int, float]:
    """Find words by the prefix of their loose spelling or sound, with the letters left to type."""
    prefixes = [Prefix(column, typed) for column, typed in _iter_prefixes(query) if column is not KeyColumn.EXACT]
    typed = [len(prefix.text) - _key_penalty(query, prefix.column, prefix.text) for prefix in prefixes]
    letters: dict[int, float] = {}
    for word_id, key, position in prefix_search.find_by_prefixes(connection, prefixes, language_id, limit):
        letters[word_id] = min(letters.get(word_id, inf), len(key) - typed[position])
    return letters


def _add_weights(connection: ReadConnection, letters: Mapping[int, float]) -> list[PrefixMatch]:
    """Compute the weight of each word from the letters left to type."""
    return [
        (
            WEIGHT_UNITS_PER_LETTER * letters[word_id]
            + completion_weight("", word.exact_key, word.language_id, word.frequency),
            *word[:2],
            word_id,
        )
        for word_id, word in prefix_search.load_spellings(connection, letters).items()
    ]
