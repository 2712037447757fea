"""Completions: words to offer while somebody types, of what begins so, is spelled nearly so or sounds so."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Final

from abhidhan.domain.glosses import gloss_of
from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.domain.matching.completions import (
    LISTED,
    LONGEST,
    Completion,
    by_letters_to_type,
    in_batches,
    length_of_first,
    nearest_to_type,
)
from abhidhan.domain.matching.query import SearchQuery, read_query
from abhidhan.domain.text.collation import prefix_end, sort_key
from abhidhan.domain.text.keys import exact_key
from abhidhan.domain.words import DetailedSuggestion
from abhidhan.storage import beginnings, completions, entries, words
from abhidhan.storage.beginnings import ANY_LENGTH, BegunKey, Prefix
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.words import KeyColumn, Range

LAGS: Final = {KeyColumn.EXACT: 0.0, KeyColumn.LOOSE: 0.25, KeyColumn.SOUND: 0.75}
"""How far a completion by each key stands behind one that begins just as typed, in letters to type."""

LEAST_COMPLETIONS: Final = 16
"""So many completions of each kind are compared, also when fewer are asked for."""


def suggest(reader: Reader, text: str, language_id: int | None, limit: int) -> tuple[str, ...]:
    """List headwords that begin with `text` or sound like it, those with the fewest letters to type first."""
    completions = _complete(reader, text, language_id or ALL_LANGUAGES, limit)
    return tuple(dict.fromkeys(each.text for each in completions))[:limit]


def suggest_first(
    reader: Reader, text: str, language_id: int | None, limit: int, first: Sequence[int]
) -> tuple[Completion, ...]:
    """List as many completions, each headword once: words of the languages `first` before those of others."""
    wanted = language_id or ALL_LANGUAGES
    named = [each for each in dict.fromkeys(first) if wanted in {ALL_LANGUAGES, each}]
    before = [each for language in named for each in _complete(reader, text, language, limit)]
    headwords: dict[str, Completion] = {}
    for each in (*by_letters_to_type(before), *_complete(reader, text, wanted, limit)):
        headwords.setdefault(each.text, each)
    return tuple(headwords.values())[:limit]


def suggest_in_detail(
    reader: Reader, text: str, language_id: int | None, limit: int, first: Sequence[int]
) -> tuple[DetailedSuggestion, ...]:
    """List the same words, each with what it means in a word or two."""
    completions = suggest_first(reader, text, language_id, limit, first)
    return tuple(
        DetailedSuggestion(word.word, word.id, word.language_id, word.roman, gloss_of(word, first))
        for word in entries.gather(reader, [each.word_id for each in completions])
    )


def _complete(reader: Reader, text: str, wanted: int, limit: int) -> list[Completion]:
    asked = read_query(text, reader.catalogue.orthographies(wanted))
    listed = _complete_by_lists(reader, asked, limit) if wanted == ALL_LANGUAGES and limit <= LISTED else None
    return _complete_of_language(reader, asked, wanted, limit) if listed is None else listed


# --- of all languages -------------------------------------------------------------------------------------------------


def _complete_by_lists(reader: Reader, asked: SearchQuery, limit: int) -> list[Completion] | None:
    """Choose among the words that come first by each of the keys; None where there are no lists of them."""
    typed = [*_beginnings_of(asked)]
    if any(len(text) > LONGEST for _, text in typed):
        return None
    found = completions.first_words(reader, typed, limit)
    if found is None:
        return None
    more = (LAGS[column] - len(text) for column, text in typed)
    return nearest_to_type(zip(more, found, strict=True), limit)


def _beginnings_of(asked: SearchQuery) -> Iterator[tuple[KeyColumn, str]]:
    if asked.exact:
        yield KeyColumn.EXACT, asked.exact
    for column, keys in ((KeyColumn.LOOSE, asked.loose_keys()), (KeyColumn.SOUND, asked.sound_keys())):
        for typed in asked.beginnings(keys):
            yield column, typed


# --- of one language, or of very many words ---------------------------------------------------------------------------


def _complete_of_language(reader: Reader, asked: SearchQuery, wanted: int, limit: int) -> list[Completion]:
    exactly = begin_exactly(reader, asked, wanted, max(limit, LEAST_COMPLETIONS))
    # Each key is the key of a headword at least: no fewer of these stand before the farthest.
    farthest = length_of_first({key for _, key, _ in exactly}, limit) - len(asked.exact)
    letters = _begin_otherwise(reader, asked, wanted, max(limit, LEAST_COMPLETIONS), farthest)
    for word_id, key, _ in exactly:
        letters[word_id] = min(letters.get(word_id, inf), len(key) - len(asked.exact))
    return first_spelled(reader, letters, limit)


def begin_exactly(reader: Reader, asked: SearchQuery, language_id: int, limit: int) -> list[BegunKey]:
    """Find words that begin just as typed, the shortest keys first; of one language in its alphabet, too."""
    begun = beginnings.beginning(reader, [Prefix(KeyColumn.EXACT, asked.exact)], language_id, limit)
    return [*begun, *_begin_in_alphabet(reader, asked, language_id, limit)]


def _begin_in_alphabet(reader: Reader, asked: SearchQuery, language_id: int, limit: int) -> Iterator[BegunKey]:
    """Find words of one language by its own alphabet, also where words of others crowd round the same letters."""
    if language_id == ALL_LANGUAGES or not asked.exact:
        return
    code = reader.catalogue.language(language_id).code
    stretch = Range(language_id, sort_key(asked.exact, code), "", prefix_end(asked.exact, code))
    for place in words.in_alphabetical_order(reader, stretch, None, limit):
        key = exact_key(place.text)
        if key.startswith(asked.exact):
            yield place.word_id, key, 0


def _begin_otherwise(
    reader: Reader, asked: SearchQuery, language_id: int, limit: int, farthest: float
) -> dict[int, float]:
    """Find words whose loose spelling or sound begins so, and the letters of each to type, at most `farthest`."""
    prefixes = [
        Prefix(column, typed, int(min(ANY_LENGTH, farthest + len(typed) - LAGS[column])))
        for column, typed in _beginnings_of(asked)
        if column is not KeyColumn.EXACT
    ]
    typed = [len(prefix.text) - LAGS[prefix.column] for prefix in prefixes]
    letters: dict[int, float] = {}
    for word_id, key, place in beginnings.beginning(reader, prefixes, language_id, limit):
        letters[word_id] = min(letters.get(word_id, inf), len(key) - typed[place])
    return letters


def first_spelled(reader: Reader, letters: Mapping[int, float], limit: int) -> list[Completion]:
    """Spell words, those with the fewest letters to type first, until there are `limit` headwords or no more words."""
    completions: list[Completion] = []
    for batch in in_batches(letters, limit):
        spelled = beginnings.spellings(reader, batch)
        completions += (Completion(word_id, *spelled[word_id], letters[word_id]) for word_id in batch)
        if len({each.text for each in completions}) >= limit:
            break
    return by_letters_to_type(completions)
