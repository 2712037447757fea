"""Transliteration between Assamese and Roman letters, using the words of the dictionary."""

from collections import defaultdict
from collections.abc import Iterable

from abhidhan.dictionary.service.strategies.batch import LookupBatch
from abhidhan.dictionary.service.strategies.table_forms import find_table_forms, may_be_form_by_rule
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, sentence
from abhidhan.records.languages import ASSAMESE
from assamese.keys import roman_sound_keys
from assamese.reading_choice import ScoredReading
from assamese.romanize import Scheme
from assamese.transliteration import (
    MAX_TO_ASSAMESE_LENGTH,
    MAX_TO_ROMAN_LENGTH,
    Direction,
    Transliteration,
    WordCandidates,
    detect_direction,
    find_roman_words,
    to_assamese,
    to_roman,
)

MAX_WORDS_PER_KEY = 20
"""Maximum number of words read per key, averaged over all keys."""


def transliterate(
    connection: ReadConnection, text: str, direction: Direction | None, scheme: Scheme
) -> Transliteration:
    """Transliterate a text. Raises InputError if it is too long for its direction."""
    direction = direction or detect_direction(text)
    longest = MAX_TO_ROMAN_LENGTH if direction is Direction.TO_ROMAN else MAX_TO_ASSAMESE_LENGTH
    if len(text) > longest:
        raise InputError.of(
            "pa",
            sentence(
                "`%(parameter)s` has %(value)s characters; the limit for %(direction)s is %(longest)s.",
                parameter="pa",
                value=len(text),
                direction=direction,
                longest=longest,
            ),
        )
    if direction is Direction.TO_ROMAN:
        return to_roman(text, scheme)
    return to_assamese(text, scheme, _find_readings(connection, find_roman_words(text, scheme)))


def _find_readings(connection: ReadConnection, texts: Iterable[str]) -> dict[str, tuple[ScoredReading, ...]]:
    """Return Assamese readings of Roman words: stored spellings, words of the same sound, and inflected forms."""
    readings = {word: WordCandidates(word) for word in texts}
    sounds = {word: roman_sound_keys(word) for word in readings}
    spellings = _load_words_by_key(
        connection, KeyColumn.LOOSE, (key for word_reading in readings.values() for key in word_reading.keys)
    )
    sounding = _load_words_by_key(connection, KeyColumn.SOUND, (key for keys in sounds.values() for key in keys))
    may_be_forms = sorted(frozenset().union(*(word_reading.possible_forms for word_reading in readings.values())))
    possible_forms = [form for form in may_be_forms if may_be_form_by_rule(connection, form, ASSAMESE)]
    forms = find_table_forms(connection, LookupBatch(possible_forms, ASSAMESE))
    return {
        word: reading.rank_readings(
            spellings,
            [text for key in sounds[word] for text in sounding.get(key, ())],
            [form for form in forms if form in reading.possible_forms],
        )
        for word, reading in readings.items()
    }


def _load_words_by_key(connection: ReadConnection, column: KeyColumn, keys: Iterable[str]) -> dict[str, list[str]]:
    unique_keys = sorted(set(keys))
    by_key: dict[str, list[str]] = defaultdict(list)
    for hit in words.find_by_key(connection, column, unique_keys, ASSAMESE, limit=MAX_WORDS_PER_KEY * len(unique_keys)):
        by_key[hit.key].append(hit.text)
    return dict(by_key)
