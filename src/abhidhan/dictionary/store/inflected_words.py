"""Words with what their tables of forms are made from."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Select, select

from abhidhan.dictionary.model.guess_scoring import FoundKey
from abhidhan.platform.database.compiled_queries import by_size, in_list, padded
from abhidhan.platform.database.key_queries import of_language
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import idea, sense, word


class InflectedWord(NamedTuple):
    """A word found by its exact key, its parts of speech by ID, the endings that its entry names, if it is counted."""

    found: FoundKey
    parts_of_speech: frozenset[int]
    plural: str
    definitive: str
    countable: bool | None


_FOUND = (word.c.exact_key, word.c.id, word.c.language_id, word.c.text, word.c.frequency)


def _by_exact_key(size: int) -> Select[Any]:
    return (
        select(*_FOUND, idea.c.pos_id, word.c.plural, word.c.definitive, word.c.countable)
        .select_from(word.outerjoin(sense, sense.c.word_id == word.c.id).outerjoin(idea, idea.c.id == sense.c.idea_id))
        .where(in_list(word.c.exact_key, "key", size), of_language(word.c.language_id))
        .order_by(word.c.id)
    )


_BY_EXACT_KEY = by_size(_by_exact_key)


def find_inflected_words(reader: Reader, exact_keys: Sequence[str], language_id: int) -> list[InflectedWord]:
    """Find the words that have one of the exact keys."""
    if not exact_keys:
        return []
    rows = reader.rows(_BY_EXACT_KEY(len(exact_keys)), **padded("key", exact_keys), language_id=language_id)
    found = []
    for first, of_word in groupby(rows, lambda row: FoundKey._make(row[: len(_FOUND)])):
        rows_of_word = [row[len(_FOUND) :] for row in of_word]
        parts = frozenset(row[0] for row in rows_of_word) - {None}
        _, plural, definitive, countable = rows_of_word[0]
        found.append(InflectedWord(first, parts, plural or "", definitive or "", countable))
    return found
