"""Completions of a text being typed, by exact prefix, loose spelling and sound."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Final

from abhidhan.dictionary.model.completions import (
    FEW,
    LISTED,
    LONGEST,
    TENTHS,
    Begun,
    Completion,
    by_letters_to_type,
    nearest_in_lists,
    nearest_to_type,
    weight_of,
)
from abhidhan.dictionary.model.field_selection import LANGS
from abhidhan.dictionary.model.phrases import Phrase
from abhidhan.dictionary.model.query import SearchQuery, read_query
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id, find_language_ids
from abhidhan.dictionary.service.phrases import complete_phrases
from abhidhan.dictionary.store import completions, prefix_search, word_rows, words
from abhidhan.dictionary.store.acceleration.completion_lists import lists as completion_lists
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.prefix_search import BegunKey, Prefix
from abhidhan.dictionary.store.words import Range
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.local_texts import text_in
from abhidhan.records.words import DetailedSuggestion, Word, gloss_of
from assamese.collation import prefix_end, sort_key
from assamese.keys import exact_key, unread

MAX_FIRST_LANGUAGES: Final = 10
"""Maximum number of preferred languages in suggestions."""

LAGS: Final = {KeyColumn.EXACT: 0.0, KeyColumn.LOOSE: 0.25, KeyColumn.SOUND: 0.75}
"""Penalty of completions by each key compared with an exact prefix, in letters left to type."""

UNREAD: Final = 2.0
"""Penalty, in letters, for each typed Roman consonant that a reading skips: `pan` is hardly পৰা (read as পঁ)."""

LEAST_COMPLETIONS: Final = 16
"""Minimum number of completions of each kind that are compared, even if fewer are requested."""


def suggest(reader: Reader, text: str, language: LanguageParam, limit: int) -> tuple[str, ...]:
    """List headwords that begin with or sound like `text`, those with the fewest letters left to type first.

    Raises InputError.
    """
    completions = _complete(reader, text, find_language_id(reader, language), limit)
    return tuple(dict.fromkeys(each.text for each in completions))[:limit]


def suggest_first(reader: Reader, text: str, language: LanguageParam, limit: int, first: str) -> tuple[str, ...]:
    """List headwords like `suggest`, with the languages named in `first` before others. Raises InputError."""
    completions = _complete_first(reader, text, language, limit, _languages_first(reader, first))
    return tuple(each.text for each in completions)


def _languages_first(reader: Reader, names: str) -> tuple[int, ...]:
    """Return the IDs of the preferred languages, without 0, which stands for all languages."""
    found = find_language_ids(reader, LANGS, names, MAX_FIRST_LANGUAGES) if names else ()
    return tuple(language_id for language_id in found if language_id != ALL_LANGUAGES)


def _complete_first(
    reader: Reader, text: str, language: LanguageParam, limit: int, first: Sequence[int]
) -> tuple[Completion, ...]:
    """List at most `limit` completions, each headword once, those in the languages of `first` before others."""
    wanted = find_language_id(reader, language)
    named = [each for each in dict.fromkeys(first) if wanted in {ALL_LANGUAGES, each}]
    before = [each for language in named for each in _complete(reader, text, language, limit)]
    headwords: dict[str, Completion] = {}
    for each in (*by_letters_to_type(before), *_complete(reader, text, wanted, limit)):
        headwords.setdefault(each.text, each)
    return tuple(headwords.values())[:limit]


def suggest_in_detail(
    reader: Reader, text: str, language: LanguageParam, limit: int, first: str
) -> tuple[DetailedSuggestion, ...]:
    """List headwords like `suggest_first`, each with a short gloss. Raises InputError."""
    languages = _languages_first(reader, first)
    return _with_details(reader, _complete_first(reader, text, language, limit, languages), languages)


def describe_words(reader: Reader, word_ids: Sequence[int], first: str) -> tuple[DetailedSuggestion, ...]:
    """Return words by ID like `suggest_in_detail`, glossed in the languages named in `first`. Raises InputError."""
    languages = _languages_first(reader, first)
    return tuple(_in_detail(reader, word, languages) for word in word_rows.gather(reader, word_ids))


def suggest_with_phrases(
    reader: Reader, text: str, language: LanguageParam, limit: int, first: str
) -> tuple[DetailedSuggestion, ...]:
    """List headwords like `suggest_in_detail`, then one or two proverbs, which replace the last words of a full list.

    Raises InputError.
    """
    languages = _languages_first(reader, first)
    completions = _complete_first(reader, text, language, limit, languages)
    by_words = len(completions) < limit
    sayings = complete_phrases(reader, text, find_language_id(reader, language), languages, by_words=by_words)
    spelled = {each.text for each in completions}
    most = limit - 1 if completions else limit
    others = [each for each in sayings if each.text not in spelled][:most]
    found = _with_details(reader, completions[: limit - len(others)], languages)
    return (*found, *(_phrase_in_detail(reader, each, languages) for each in others))


def _with_details(
    reader: Reader, completions: Sequence[Completion], first: Sequence[int]
) -> tuple[DetailedSuggestion, ...]:
    words_suggested = word_rows.gather(reader, [each.word_id for each in completions])
    return tuple(_in_detail(reader, word, first) for word in words_suggested)


def _phrase_in_detail(reader: Reader, phrase: Phrase, first: Sequence[int]) -> DetailedSuggestion:
    language = reader.catalogue.language(phrase.language_id)
    gloss = text_in(first, phrase.meanings)
    return DetailedSuggestion(
        phrase.text, phrase.id, language.id, phrase.roman, gloss, language.name, language.code, "phrase"
    )


def _in_detail(reader: Reader, word: Word, first: Sequence[int]) -> DetailedSuggestion:
    language = reader.catalogue.language(word.language_id)
    gloss = gloss_of(word, first)
    return DetailedSuggestion(word.word, word.id, language.id, word.roman, gloss, language.name, language.code)


def _complete(reader: Reader, text: str, wanted: int, limit: int) -> list[Completion]:
    asked = read_query(text, reader.catalogue.orthographies(wanted))
    listed = _complete_by_lists(reader, asked, limit) if wanted == ALL_LANGUAGES and limit <= LISTED else None
    return _complete_of_language(reader, asked, wanted, limit) if listed is None else listed


# --- all languages ----------------------------------------------------------------------------------------------------


def _complete_by_lists(reader: Reader, asked: SearchQuery, limit: int) -> list[Completion] | None:
    """Choose among the first words of each key's list; return None where these are unknown."""
    typed = [*_beginnings_of(asked)]
    if any(len(text) > LONGEST for _, text in typed):
        return None
    found = _first_words(reader, typed, limit)
    if found is None:
        return None
    more = [_lag(asked, column, text) - len(text) for column, text in typed]
    return nearest_in_lists(asked.exact, [*zip(more, found, strict=True)], limit)


def _first_words(
    reader: Reader, typed: Sequence[tuple[KeyColumn, str]], limit: int
) -> Sequence[Sequence[Begun]] | None:
    """Return the first words for each prefix from cached lists, or else by query; None if too many words match."""
    found = completion_lists.first_words(reader, typed, limit)
    return completions.first_words(reader, typed, limit) if found is None else found


def _listed(
    reader: Reader, asked: SearchQuery, typed: Sequence[tuple[KeyColumn, str]], language_id: int
) -> Iterator[tuple[float, list[Begun]]]:
    """Yield the listed words of one language, or of all, with the amount to add to the weights of each list."""
    short = [(column, text) for column, text in typed if len(text) <= LONGEST]
    found = _first_words(reader, short, LISTED) if short else None
    for (column, text), words_listed in zip(short, found or (), strict=bool(found)):
        of_language = [begun for begun in words_listed if language_id in {ALL_LANGUAGES, begun[1]}]
        yield _lag(asked, column, text) - len(text), of_language


def _lag(asked: SearchQuery, column: KeyColumn, text: str) -> float:
    return LAGS[column] + (UNREAD * unread(asked.text, text) if column is KeyColumn.SOUND else 0.0)


def _beginnings_of(asked: SearchQuery) -> Iterator[tuple[KeyColumn, str]]:
    if asked.exact:
        yield KeyColumn.EXACT, asked.exact
    for column, keys in ((KeyColumn.LOOSE, asked.loose_keys()), (KeyColumn.SOUND, asked.sound_keys())):
        for typed in asked.beginnings(keys):
            yield column, typed


# --- one language, or very many words ---------------------------------------------------------------------------------


def _complete_of_language(reader: Reader, asked: SearchQuery, wanted: int, limit: int) -> list[Completion]:
    least = max(limit, LEAST_COMPLETIONS)
    begun = {word_id: len(key) - len(asked.exact) for word_id, key, _ in _begin_exactly(reader, asked, wanted, least)}
    letters = _begin_otherwise(reader, asked, wanted, least)
    for word_id, left in begun.items():
        letters[word_id] = min(letters.get(word_id, inf), left)
    listed = _listed(reader, asked, [*_beginnings_of(asked)], wanted)
    return nearest_to_type(asked.exact, [*listed, (0.0, _weighed(reader, letters))], limit)


def complete_exactly(reader: Reader, asked: SearchQuery, language_id: int, limit: int) -> list[Completion]:
    """List words with the exact prefix, likeliest first: the shortest, and those listed as common."""
    # Texts too long for lists have at most `limit` candidates.
    most = FEW if len(asked.exact) <= LONGEST else min(limit, FEW)
    begun = prefix_search.all_beginning(reader, asked.exact, language_id, most) if asked.exact else {}
    keys = _first_that_begin(reader, asked, language_id, limit) if begun is None else begun
    letters = {word_id: float(len(key) - len(asked.exact)) for word_id, key in keys.items()}
    return by_letters_to_type(
        Completion(word_id, language, text, weight / TENTHS)
        for weight, language, text, word_id in _weighed(reader, letters)
    )


def _first_that_begin(reader: Reader, asked: SearchQuery, language_id: int, limit: int) -> dict[int, str]:
    """Return the exact keys of the shortest of many words with the exact prefix, and of the listed ones."""
    keys = {word_id: key for word_id, key, _ in _begin_exactly(reader, asked, language_id, limit)}
    for _, words_listed in _listed(reader, asked, [(KeyColumn.EXACT, asked.exact)], language_id):
        for _, _, text, word_id in words_listed:
            keys.setdefault(word_id, exact_key(text))
    return keys


def _begin_exactly(reader: Reader, asked: SearchQuery, language_id: int, limit: int) -> list[BegunKey]:
    """Find words with the exact prefix, shortest keys first; for one language, also by its alphabet."""
    begun = prefix_search.beginning(reader, [Prefix(KeyColumn.EXACT, asked.exact)], language_id, limit)
    return [*begun, *_begin_in_alphabet(reader, asked, language_id, limit)]


def _begin_in_alphabet(reader: Reader, asked: SearchQuery, language_id: int, limit: int) -> Iterator[BegunKey]:
    """Find words of one language by its alphabetical index, even if other languages dominate the prefix."""
    if language_id == ALL_LANGUAGES or not asked.exact:
        return
    code = reader.catalogue.language(language_id).code
    stretch = Range(language_id, sort_key(asked.exact, code), "", prefix_end(asked.exact, code))
    for place in words.in_alphabetical_order(reader, stretch, None, limit):
        key = exact_key(place.text)
        if key.startswith(asked.exact):
            yield place.word_id, key, 0


def _begin_otherwise(reader: Reader, asked: SearchQuery, language_id: int, limit: int) -> dict[int, float]:
    """Find words by the prefix of their loose spelling or sound, with the letters left to type."""
    prefixes = [Prefix(column, typed) for column, typed in _beginnings_of(asked) if column is not KeyColumn.EXACT]
    typed = [len(prefix.text) - _lag(asked, prefix.column, prefix.text) for prefix in prefixes]
    letters: dict[int, float] = {}
    for word_id, key, place in prefix_search.beginning(reader, prefixes, language_id, limit):
        letters[word_id] = min(letters.get(word_id, inf), len(key) - typed[place])
    return letters


def _weighed(reader: Reader, letters: Mapping[int, float]) -> list[Begun]:
    """Compute the weight of each word from the letters left to type."""
    return [
        (
            TENTHS * letters[word_id] + weight_of("", word.exact_key, word.language_id, word.frequency),
            *word[:2],
            word_id,
        )
        for word_id, word in prefix_search.spellings(reader, letters).items()
    ]
