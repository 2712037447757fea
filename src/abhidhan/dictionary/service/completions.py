"""Completions of a text being typed, by exact prefix, loose spelling and sound."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Final

from abhidhan.dictionary.model.completions import (
    MAX_COMPARED,
    MAX_LISTED,
    MAX_LISTED_PREFIX_LENGTH,
    TENTHS,
    Completion,
    PrefixMatch,
    by_letters_to_type,
    completion_weight,
    merge_lists,
    rank_completions,
)
from abhidhan.dictionary.model.field_selection import LANGS
from abhidhan.dictionary.model.phrases import Phrase
from abhidhan.dictionary.model.query import SearchQuery, read_query
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id, find_language_ids
from abhidhan.dictionary.service.phrases import complete_phrases
from abhidhan.dictionary.store import completions, prefix_search, word_rows, words
from abhidhan.dictionary.store.acceleration.completion_lists import lists as completion_lists
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.prefix_search import Prefix, PrefixHit
from abhidhan.dictionary.store.words import SortKeyRange
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.local_texts import text_in
from abhidhan.records.words import DetailedSuggestion, Word, gloss_of
from assamese.collation import prefix_end, sort_key
from assamese.keys import exact_key, missing_consonants

MAX_FIRST_LANGUAGES: Final = 10
"""Maximum number of preferred languages in suggestions."""

KEY_PENALTIES: Final = {KeyColumn.EXACT: 0.0, KeyColumn.LOOSE: 0.25, KeyColumn.SOUND: 0.75}
"""Penalty of completions found by each kind of key, in letters left to type."""

UNREAD_PENALTY: Final = 2.0
"""Penalty, in letters, for each typed Roman consonant that a reading skips: `pan` is hardly পৰা (read as পঁ)."""

MIN_COMPLETIONS: Final = 16
"""Minimum number of completions of each kind that are compared, even if fewer are requested."""


def suggest(reader: ReadConnection, text: str, language: LanguageParam, limit: int) -> tuple[str, ...]:
    """List headwords that begin with or sound like `text`, those with the fewest letters left to type first.

    Raises InputError.
    """
    completions = _complete(reader, text, find_language_id(reader, language), limit)
    return tuple(dict.fromkeys(completion.text for completion in completions))[:limit]


def suggest_in_order(
    reader: ReadConnection, text: str, language: LanguageParam, limit: int, first: str
) -> tuple[str, ...]:
    """List headwords like `suggest`, those in `preferred_languages` first. Raises InputError."""
    completions = _complete_in_order(reader, text, language, limit, _preferred_languages(reader, first))
    return tuple(completion.text for completion in completions)


def _preferred_languages(reader: ReadConnection, names: str) -> tuple[int, ...]:
    """Return the IDs of the preferred languages, without 0, which stands for all languages."""
    language_ids = find_language_ids(reader, LANGS, names, MAX_FIRST_LANGUAGES) if names else ()
    return tuple(language_id for language_id in language_ids if language_id != ALL_LANGUAGES)


def _complete_in_order(
    reader: ReadConnection, text: str, language: LanguageParam, limit: int, first: Sequence[int]
) -> tuple[Completion, ...]:
    """List at most `limit` completions, each headword once, those in the languages of `preferred_ids` before others."""
    language_id = find_language_id(reader, language)
    language_ids = [each for each in dict.fromkeys(first) if language_id in {ALL_LANGUAGES, each}]
    before = [each for language in language_ids for each in _complete(reader, text, language, limit)]
    headwords: dict[str, Completion] = {}
    for each in (*by_letters_to_type(before), *_complete(reader, text, language_id, limit)):
        headwords.setdefault(each.text, each)
    return tuple(headwords.values())[:limit]


def suggest_in_detail(
    reader: ReadConnection, text: str, language: LanguageParam, limit: int, first: str
) -> tuple[DetailedSuggestion, ...]:
    """List headwords like `suggest_by_language`, each with a short gloss. Raises InputError."""
    languages = _preferred_languages(reader, first)
    return _with_details(reader, _complete_in_order(reader, text, language, limit, languages), languages)


def describe_words(reader: ReadConnection, word_ids: Sequence[int], first: str) -> tuple[DetailedSuggestion, ...]:
    """Return words by ID like `suggest_with_glosses`, glossed in the preferred languages. Raises InputError."""
    languages = _preferred_languages(reader, first)
    return tuple(_detail_word(reader, word, languages) for word in word_rows.load_words(reader, word_ids))


def suggest_with_phrases(
    reader: ReadConnection, text: str, language: LanguageParam, limit: int, first: str
) -> tuple[DetailedSuggestion, ...]:
    """List headwords like `suggest_with_glosses`, then one or two proverbs, in place of the last words of a full list.

    Raises InputError.
    """
    languages = _preferred_languages(reader, first)
    completions = _complete_in_order(reader, text, language, limit, languages)
    by_words = len(completions) < limit
    sayings = complete_phrases(reader, text, find_language_id(reader, language), languages, by_words=by_words)
    spellings = {item.text for item in completions}
    max_phrases = limit - 1 if completions else limit
    phrases = [item for item in sayings if item.text not in spellings][:max_phrases]
    details = _with_details(reader, completions[: limit - len(phrases)], languages)
    return (*details, *(_detail_phrase(reader, item, languages) for item in phrases))


def _with_details(
    reader: ReadConnection, completions: Sequence[Completion], first: Sequence[int]
) -> tuple[DetailedSuggestion, ...]:
    words_suggested = word_rows.load_words(reader, [completion.word_id for completion in completions])
    return tuple(_detail_word(reader, word, first) for word in words_suggested)


def _detail_phrase(reader: ReadConnection, phrase: Phrase, first: Sequence[int]) -> DetailedSuggestion:
    language = reader.catalogue.language(phrase.language_id)
    gloss = text_in(first, phrase.meanings)
    return DetailedSuggestion(
        phrase.text, phrase.id, language.id, phrase.roman, gloss, language.name, language.code, "phrase"
    )


def _detail_word(reader: ReadConnection, word: Word, first: Sequence[int]) -> DetailedSuggestion:
    language = reader.catalogue.language(word.language_id)
    gloss = gloss_of(word, first)
    return DetailedSuggestion(word.word, word.id, language.id, word.roman, gloss, language.name, language.code)


def _complete(reader: ReadConnection, text: str, language_id: int, limit: int) -> list[Completion]:
    query = read_query(text, reader.catalogue.orthographies(language_id))
    from_lists = (
        _complete_from_lists(reader, query, limit) if language_id == ALL_LANGUAGES and limit <= MAX_LISTED else None
    )
    return _complete_of_language(reader, query, language_id, limit) if from_lists is None else from_lists


# --- all languages ----------------------------------------------------------------------------------------------------


def _complete_from_lists(reader: ReadConnection, query: SearchQuery, limit: int) -> list[Completion] | None:
    """Choose completions from the lists of the first words of each prefix; return None if a list is missing."""
    prefixes = [*_prefixes_of(query)]
    if any(len(text) > MAX_LISTED_PREFIX_LENGTH for _, text in prefixes):
        return None
    lists = _first_words(reader, prefixes, limit)
    if lists is None:
        return None
    penalties = [_key_penalty(query, column, text) - len(text) for column, text in prefixes]
    return merge_lists(query.exact, [*zip(penalties, lists, strict=True)], limit)


def _first_words(
    reader: ReadConnection, prefixes: Sequence[tuple[KeyColumn, str]], limit: int
) -> Sequence[Sequence[PrefixMatch]] | None:
    """Return the first words for each prefix from cached lists, or else by query; None if too many words match."""
    lists = completion_lists.first_words(reader, prefixes, limit)
    return completions.first_words(reader, prefixes, limit) if lists is None else lists


def _words_in_lists(
    reader: ReadConnection, query: SearchQuery, prefixes: Sequence[tuple[KeyColumn, str]], language_id: int
) -> Iterator[tuple[float, list[PrefixMatch]]]:
    """Yield for each prefix the amount to add to the weights, and the listed words of one language or of all."""
    listed_prefixes = [(column, text) for column, text in prefixes if len(text) <= MAX_LISTED_PREFIX_LENGTH]
    lists = _first_words(reader, listed_prefixes, MAX_LISTED) if listed_prefixes else None
    for (column, text), words_listed in zip(listed_prefixes, lists or (), strict=bool(lists)):
        language_matches = [match for match in words_listed if language_id in {ALL_LANGUAGES, match[1]}]
        yield _key_penalty(query, column, text) - len(text), language_matches


def _key_penalty(query: SearchQuery, column: KeyColumn, text: str) -> float:
    return KEY_PENALTIES[column] + (
        UNREAD_PENALTY * missing_consonants(query.text, text) if column is KeyColumn.SOUND else 0.0
    )


def _prefixes_of(query: SearchQuery) -> Iterator[tuple[KeyColumn, str]]:
    if query.exact:
        yield KeyColumn.EXACT, query.exact
    for column, keys in ((KeyColumn.LOOSE, query.loose_keys()), (KeyColumn.SOUND, query.sound_keys())):
        for typed in query.long_enough_keys(keys):
            yield column, typed


# --- one language, or very many words ---------------------------------------------------------------------------------


def _complete_of_language(reader: ReadConnection, query: SearchQuery, language_id: int, limit: int) -> list[Completion]:
    min_count = max(limit, MIN_COMPLETIONS)
    exact_matches = {
        word_id: len(key) - len(query.exact)
        for word_id, key, _ in _find_by_exact_prefix(reader, query, language_id, min_count)
    }
    letters = _find_by_other_prefixes(reader, query, language_id, min_count)
    for word_id, left in exact_matches.items():
        letters[word_id] = min(letters.get(word_id, inf), left)
    lists = _words_in_lists(reader, query, [*_prefixes_of(query)], language_id)
    return rank_completions(query.exact, [*lists, (0.0, _with_weights(reader, letters))], limit)


def complete_exactly(reader: ReadConnection, query: SearchQuery, language_id: int, limit: int) -> list[Completion]:
    """List words with the exact prefix, likeliest first; of very many, only the shortest and those in the lists."""
    # Texts too long for lists have at most `limit` candidates.
    max_matches = MAX_COMPARED if len(query.exact) <= MAX_LISTED_PREFIX_LENGTH else min(limit, MAX_COMPARED)
    matches = prefix_search.find_all_by_prefix(reader, query.exact, language_id, max_matches) if query.exact else {}
    keys = _shortest_and_listed(reader, query, language_id, limit) if matches is None else matches
    letters = {word_id: float(len(key) - len(query.exact)) for word_id, key in keys.items()}
    return by_letters_to_type(
        Completion(word_id, language, text, weight / TENTHS)
        for weight, language, text, word_id in _with_weights(reader, letters)
    )


def _shortest_and_listed(reader: ReadConnection, query: SearchQuery, language_id: int, limit: int) -> dict[int, str]:
    """Return the exact keys, by word ID, of the shortest words with the exact prefix and of those in the lists."""
    keys = {word_id: key for word_id, key, _ in _find_by_exact_prefix(reader, query, language_id, limit)}
    for _, words_listed in _words_in_lists(reader, query, [(KeyColumn.EXACT, query.exact)], language_id):
        for _, _, text, word_id in words_listed:
            keys.setdefault(word_id, exact_key(text))
    return keys


def _find_by_exact_prefix(reader: ReadConnection, query: SearchQuery, language_id: int, limit: int) -> list[PrefixHit]:
    """Find words with the exact prefix, shortest keys first; for one language, also by its alphabet."""
    matches = prefix_search.find_by_prefixes(reader, [Prefix(KeyColumn.EXACT, query.exact)], language_id, limit)
    return [*matches, *_find_by_alphabet(reader, query, language_id, limit)]


def _find_by_alphabet(reader: ReadConnection, query: SearchQuery, language_id: int, limit: int) -> Iterator[PrefixHit]:
    """Find words of one language by its alphabetical index, even if other languages dominate the prefix."""
    if language_id == ALL_LANGUAGES or not query.exact:
        return
    code = reader.catalogue.language(language_id).code
    key_range = SortKeyRange(language_id, sort_key(query.exact, code), "", prefix_end(query.exact, code))
    for row in words.in_alphabetical_order(reader, key_range, None, limit):
        key = exact_key(row.text)
        if key.startswith(query.exact):
            yield row.word_id, key, 0


def _find_by_other_prefixes(
    reader: ReadConnection, query: SearchQuery, language_id: int, limit: int
) -> dict[int, float]:
    """Find words by the prefix of their loose spelling or sound, with the letters left to type."""
    prefixes = [Prefix(column, typed) for column, typed in _prefixes_of(query) if column is not KeyColumn.EXACT]
    typed = [len(prefix.text) - _key_penalty(query, prefix.column, prefix.text) for prefix in prefixes]
    letters: dict[int, float] = {}
    for word_id, key, position in prefix_search.find_by_prefixes(reader, prefixes, language_id, limit):
        letters[word_id] = min(letters.get(word_id, inf), len(key) - typed[position])
    return letters


def _with_weights(reader: ReadConnection, letters: Mapping[int, float]) -> list[PrefixMatch]:
    """Compute the weight of each word from the letters left to type."""
    return [
        (
            TENTHS * letters[word_id] + completion_weight("", word.exact_key, word.language_id, word.frequency),
            *word[:2],
            word_id,
        )
        for word_id, word in prefix_search.spellings(reader, letters).items()
    ]
