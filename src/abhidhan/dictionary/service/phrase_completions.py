"""Sayings to offer while somebody types, beside words: those that begin so, else those that have the words typed."""

from collections.abc import Sequence
from typing import Final

from abhidhan.dictionary.model.phrase_matching import word_keys
from abhidhan.dictionary.model.phrases import Phrase
from abhidhan.dictionary.model.query import clean, read_query
from abhidhan.dictionary.store import phrase_lists, phrases
from abhidhan.dictionary.store.phrase_lists import PhraseFilter
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES
from assamese.keys import exact_key, sound_key
from assamese.normalization import query_words
from assamese.search_keys import of_sound

MOST_SAYINGS: Final = 2
"""So many sayings stand behind the words."""

SHORTEST: Final = 3
"""Letters of the shortest text that is completed to a saying: less begins too many."""

MOST_READ: Final = 40
"""So many sayings that begin so, or have all words but the last, are chosen among."""


def complete_phrases(
    reader: Reader, text: str, language_id: int, first: Sequence[int], *, by_words: bool
) -> tuple[Phrase, ...]:
    """List sayings that begin with a text, those of the languages `first` before others.

    Where none does, and `by_words`: sayings that have the words of the text, the last of which may be begun.
    """
    exact = exact_key(clean(text))
    if len(exact) < SHORTEST:
        return ()
    begun = phrases.beginning(reader, exact, MOST_READ)
    chosen = [phrase_id for phrase_id, of in _in_order(begun, first) if language_id in {ALL_LANGUAGES, of}]
    if chosen or not by_words:
        return tuple(phrases.read(reader, chosen[:MOST_SAYINGS]))
    return _with_words(reader, text, language_id)[:MOST_SAYINGS]


def _in_order(found: Sequence[tuple[int, int]], first: Sequence[int]) -> list[tuple[int, int]]:
    places = {language_id: place for place, language_id in enumerate(first)}
    return sorted(found, key=lambda each: places.get(each[1], len(places)))


def _with_words(reader: Reader, text: str, language_id: int) -> tuple[Phrase, ...]:
    """Find sayings in which all words of a text stand, by their sound; of one word, that is not asked."""
    *whole, begun = query_words(clean(text)) or ("",)
    orthographies = reader.catalogue.orthographies(language_id)
    keys = tuple(tuple(key for key in word_keys(word, orthographies) if key.startswith(of_sound(""))) for word in whole)
    if not keys or not all(keys):
        return ()
    phrase_ids = phrase_lists.list_phrases(reader, PhraseFilter(language_id, keys=keys), MOST_READ, 0)
    sounds = read_query(begun, orthographies).sound_keys()
    found = phrases.read(reader, phrase_ids)
    return tuple(phrase for phrase in found if _has_word_that_begins(reader, phrase, sounds))


def _has_word_that_begins(reader: Reader, phrase: Phrase, sounds: tuple[str, ...]) -> bool:
    code = reader.catalogue.language(phrase.language_id).code
    return any(sound_key(word, code).startswith(sounds) for word in query_words(phrase.text))
