"""Words by key, for indexes, inflection tables and readings of Roman letters."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import CompoundSelect, Connection, Select, Text, bindparam, not_, select, union

from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.key_queries import language_condition, select_by_key
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import idea, sense, word, word_form


class KeyColumn(Enum):
    """Key column of a look-up; `FORM` is the exact key of an inflected form."""

    EXACT = "exact_key"
    LOOSE = "loose_key"
    SOUND = "sound_key"
    FORM = "key"


class KeyedWord(NamedTuple):
    """Word with its keys."""

    id: int
    language_id: int
    text: str
    exact_key: str
    loose_key: str
    sound_key: str
    frequency: float | None


_KEYED_WORDS = per_list_size(
    lambda size: select(*(word.c[name] for name in KeyedWord._fields)).where(in_list(word.c.id, "id", size))
)


def load_keyed_words(connection: Connection, word_ids: Iterable[int]) -> list[KeyedWord]:
    """Load words with their keys; skip unknown IDs."""
    return [
        KeyedWord._make(row)
        for row in BulkTransaction(connection).rows_for_values(_KEYED_WORDS, "id", sorted({*word_ids}))
    ]


def _select_existing_keys(size: int) -> CompoundSelect[Any]:
    spellings = select(word.c.exact_key).where(
        in_list(word.c.exact_key, "key", size), language_condition(word.c.language_id)
    )
    return union(spellings, select(word_form.c.key).where(in_list(word_form.c.key, "key", size)))


_EXISTING_KEYS = per_list_size(_select_existing_keys)


def find_existing_keys(
    connection: ReadConnection, exact_keys: Sequence[str], language_id: int = ALL_LANGUAGES
) -> frozenset[str]:
    """Return the exact keys that a word of the language, or a stored form in any language, has."""
    if not exact_keys:
        return frozenset()
    rows = connection.rows(_EXISTING_KEYS(len(exact_keys)), **list_params("key", exact_keys), language_id=language_id)
    return frozenset(row[0] for row in rows)


class InflectedWord(NamedTuple):
    """Word found by its exact key, with its part-of-speech IDs, the endings in its entry, and its countability.

    The part of speech of its first meaning comes first.
    """

    match: KeyMatch
    pos_ids: tuple[int, ...]
    plural: str
    definitive: str
    countable: bool | None


_WORD_COLUMNS = (word.c.exact_key, word.c.id, word.c.language_id, word.c.text, word.c.frequency)


def _select_by_exact_key(size: int) -> Select[Any]:
    return (
        select(*_WORD_COLUMNS, idea.c.pos_id, word.c.plural, word.c.definitive, word.c.countable)
        .select_from(word.outerjoin(sense, sense.c.word_id == word.c.id).outerjoin(idea, idea.c.id == sense.c.idea_id))
        .where(in_list(word.c.exact_key, "key", size), language_condition(word.c.language_id))
        .order_by(word.c.id, sense.c.position)
    )


_BY_EXACT_KEY = per_list_size(_select_by_exact_key)


def find_inflected_words(
    connection: ReadConnection, exact_keys: Sequence[str], language_id: int
) -> list[InflectedWord]:
    """Find the words with one of the exact keys."""
    if not exact_keys:
        return []
    rows = connection.rows(_BY_EXACT_KEY(len(exact_keys)), **list_params("key", exact_keys), language_id=language_id)
    inflected_words = []
    for first, group in groupby(rows, lambda row: KeyMatch._make(row[: len(_WORD_COLUMNS)])):
        rows_of_word = [row[len(_WORD_COLUMNS) :] for row in group]
        pos_ids = tuple(dict.fromkeys(row[0] for row in rows_of_word if row[0] is not None))
        _, plural, definitive, countable = rows_of_word[0]
        inflected_words.append(InflectedWord(first, pos_ids, plural or "", definitive or "", countable))
    return inflected_words


FIRST_ROMAN: Final = "a"
FIRST_INDIC: Final = "\u0900"
"""Bounds of the loose keys that begin with a Roman letter; keys that begin with an Indic letter follow."""

SOUND_BATCH_SIZE: Final = 1024

_IS_INDIC = not_(
    word.c.loose_key.between(bindparam("first", FIRST_ROMAN, type_=Text), bindparam("behind", FIRST_INDIC, type_=Text))
)

_INDIC_WORDS = per_list_size(lambda size: select_by_key(word.c.sound_key, word.c.frequency, size).where(_IS_INDIC))


def find_indic_words(
    connection: ReadConnection, sounds: Sequence[str], language_id: int = ALL_LANGUAGES, *, limit: int
) -> list[KeyMatch]:
    """Find words with one of the sound keys that do not begin with a Roman letter, by language, then alphabetically.

    Words of languages in Roman letters thus do not use up `limit`.
    """
    if not sounds:
        return []
    rows = connection.rows(
        _INDIC_WORDS(len(sounds)), **list_params("key", sounds), language_id=language_id, limit=limit
    )
    return list(map(KeyMatch._make, rows))


IndicWord = tuple[str, int]
"""Text and language ID of a word."""

_INDIC_WORDS_BY_SOUND = per_list_size(
    lambda size: select(word.c.sound_key, word.c.text, word.c.language_id).where(
        in_list(word.c.sound_key, "sound", size), _IS_INDIC
    )
)


def load_indic_words_by_sound(tables: RowSource, sounds: Sequence[str]) -> dict[str, list[IndicWord]]:
    """Return all words with any of the sound keys that do not begin with a Roman letter, by sound key."""
    words_by_sound: dict[str, list[IndicWord]] = defaultdict(list)
    for batch in chunks(sounds, SOUND_BATCH_SIZE):
        for sound_key, text, language_id in tables.rows(
            _INDIC_WORDS_BY_SOUND(len(batch)), **list_params("sound", batch)
        ):
            words_by_sound[sound_key].append((text, language_id))
    return words_by_sound
