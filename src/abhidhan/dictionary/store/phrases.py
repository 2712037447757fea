"""Phrases by exact key, or by the n-grams of sound that they share with a query."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Integer, Select, Text, bindparam, cast, func, literal, literal_column, select

from abhidhan.dictionary.model.phrases import MAX_POSTINGS, Phrase, PhraseCandidate, PhraseIds, PhraseIndex
from abhidhan.platform.database.compiled_queries import (
    MAX_CODE_POINT,
    CompiledQuery,
    Row,
    in_list,
    list_params,
    per_list_size,
)
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.local_texts import build_local_texts
from abhidhan.records.recordings import decode_audio
from abhidhan.schema import gram_count, language, phrase, phrase_gram
from assamese.phrase_similarity import phrase_grams

_LANGUAGE = bindparam("language_id", type_=Integer)

_WITH_EXACT_KEY = CompiledQuery(
    select(phrase.c.id)
    .where(phrase.c.exact_key == bindparam("key", type_=Text), phrase.c.language_id == _LANGUAGE)
    .order_by(phrase.c.id)
)

_WITH_PREFIX = CompiledQuery(
    select(phrase.c.id, phrase.c.language_id)
    .where(
        phrase.c.exact_key >= bindparam("start", type_=Text),
        phrase.c.exact_key < bindparam("end", type_=Text),
    )
    .order_by(phrase.c.exact_key, phrase.c.id)
    .limit(bindparam("limit", type_=Integer))
)

_COUNTS = per_list_size(
    lambda size: select(gram_count.c.gram, gram_count.c.phrases).where(
        gram_count.c.language_id == _LANGUAGE, in_list(gram_count.c.gram, "gram", size)
    )
)


_SEPARATOR = ","


def _select_postings(join: Callable[[ColumnElement[int]], ColumnElement[str]], size: int) -> Select[tuple[str, str]]:
    """Select the phrase IDs of each n-gram as one text; three thousand rows take three times as long to read.

    They are looked up for each n-gram separately: a GROUP BY, which compares each posting with the one before, takes
    0.9 ms for three thousand instead of 0.4 ms.
    """
    phrase_ids = (
        select(phrase_gram.c.phrase_id)
        .where(phrase_gram.c.language_id == gram_count.c.language_id, phrase_gram.c.gram == gram_count.c.gram)
        .order_by(phrase_gram.c.phrase_id)
        .limit(literal(MAX_POSTINGS))
        .correlate(gram_count)
        .subquery()
    )
    joined = select(join(phrase_ids.c.phrase_id)).correlate(gram_count).scalar_subquery()
    return (
        select(gram_count.c.gram, joined)
        .where(gram_count.c.language_id == _LANGUAGE, in_list(gram_count.c.gram, "gram", size))
        .order_by(gram_count.c.gram)
    )


_POSTINGS = per_list_size(
    partial(_select_postings, lambda ids: func.group_concat(ids, literal_column(f"'{_SEPARATOR}'"))),
    postgresql=partial(
        _select_postings, lambda ids: func.string_agg(cast(ids, Text), literal_column(f"'{_SEPARATOR}'"))
    ),
)

PHRASE_COLUMNS: Final = (
    phrase.c.id,
    phrase.c.language_id,
    phrase.c.text,
    phrase.c.roman,
    phrase.c.rule_roman,
    phrase.c.meaning,
    phrase.c.meanings,
    phrase.c.category_id,
    phrase.c.licence,
    phrase.c.source_id,
    phrase.c.audio,
)
"""Columns for `to_phrase`."""

_PHRASES = per_list_size(lambda size: select(*PHRASE_COLUMNS).where(in_list(phrase.c.id, "id", size)))

_CANDIDATES = per_list_size(
    lambda size: select(phrase.c.id, phrase.c.text, phrase.c.sound_key).where(in_list(phrase.c.id, "id", size))
)


def find_by_exact_key(connection: ReadConnection, exact_key: str, language_id: int) -> list[int]:
    """List the IDs of the phrases of a language with an exact key."""
    return [row[0] for row in connection.rows(_WITH_EXACT_KEY, key=exact_key, language_id=language_id)]


def find_by_prefix(connection: ReadConnection, exact_key: str, limit: int) -> list[tuple[int, int]]:
    """List the first phrases whose exact keys begin with a prefix, as (ID, language ID)."""
    rows = connection.rows(_WITH_PREFIX, start=exact_key, end=exact_key + MAX_CODE_POINT, limit=limit)
    return [(row[0], row[1]) for row in rows]


def count_grams(connection: ReadConnection, grams: Collection[str], language_id: int) -> dict[str, int]:
    """Return the number of phrases of a language with each n-gram; n-grams in none are left out."""
    if not grams:
        return {}
    sorted_grams = sorted(grams)
    rows = connection.rows(_COUNTS(len(sorted_grams)), **list_params("gram", sorted_grams), language_id=language_id)
    return {row[0]: row[1] for row in rows}


def load_postings(connection: ReadConnection, grams: Sequence[str], language_id: int) -> dict[str, PhraseIds]:
    """Return the IDs of the phrases with each counted n-gram, in order, at most `MAX_POSTINGS` for each."""
    if not grams:
        return {}
    rows = connection.rows(_POSTINGS(len(grams)), **list_params("gram", grams), language_id=language_id)
    # An n-gram with a wrong count may be in no phrase until the count is corrected (`abhidhan check`).
    return {
        gram: np.fromstring(joined_ids, np.int64, sep=_SEPARATOR) for gram, joined_ids in rows if joined_ids is not None
    }


def load_candidates(connection: ReadConnection, phrase_ids: Sequence[int]) -> list[PhraseCandidate]:
    """Load the fields of phrases that are compared with a query, in the order of `phrase_ids`."""
    if not phrase_ids:
        return []
    rows = connection.rows(_CANDIDATES(len(phrase_ids)), **list_params("id", phrase_ids))
    sounds_by_id = {row[0]: PhraseCandidate(*row) for row in rows}
    return [sounds_by_id[phrase_id] for phrase_id in phrase_ids if phrase_id in sounds_by_id]


def load_phrases(connection: ReadConnection, phrase_ids: Sequence[int]) -> list[Phrase]:
    """Load phrases in the order of `phrase_ids`, with the editors' romanization, or else the generated one."""
    if not phrase_ids:
        return []
    rows = connection.rows(_PHRASES(len(phrase_ids)), **list_params("id", phrase_ids))
    phrases_by_id = {row[0]: to_phrase(row) for row in rows}
    return [phrases_by_id[phrase_id] for phrase_id in phrase_ids if phrase_id in phrases_by_id]


def to_phrase(row: Row) -> Phrase:
    """Convert a row to a phrase, with the editors' romanization, or else the generated one."""
    phrase_id, language_id, text, roman, rule_roman, meaning, meanings, category_id, licence, source_id, audio = row
    return Phrase(
        id=phrase_id,
        language_id=language_id,
        text=text,
        roman=roman or rule_roman,
        roman_generated=roman is None and rule_roman is not None,
        meanings=build_local_texts(meaning, meanings),
        category_id=category_id,
        licence=licence,
        source_id=source_id,
        audio=decode_audio(audio),
    )


MAX_INDEXED_PHRASES: Final = 1_000
"""Maximum number of phrases in memory, which take a sixth of a second to index, and 3 MB.

Beyond that, the stored n-grams are read.
"""


class _PhraseIndexes(NamedTuple):
    rows: list[Row]
    by_language: dict[int, PhraseIndex]


_PHRASE_AT_OFFSET = CompiledQuery(
    select(phrase.c.id).order_by(phrase.c.id).limit(literal(1)).offset(bindparam("phrases", type_=Integer))
)

_INDEXED_PHRASES = CompiledQuery(
    select(phrase.c.language_id, language.c.code, phrase.c.exact_key, phrase.c.id, phrase.c.text, phrase.c.sound_key)
    .join(language, language.c.id == phrase.c.language_id)
    .order_by(phrase.c.id)
)


def get_phrase_indexes(connection: ReadConnection) -> dict[int, PhraseIndex] | None:
    """Return the current indexes by language ID, or None for more than MAX_INDEXED_PHRASES phrases."""
    indexes = connection.cached(_build_indexes)
    return None if indexes is None else indexes.by_language


def _build_indexes(connection: ReadConnection, before: _PhraseIndexes | None) -> _PhraseIndexes | None:
    """Read the phrases, and rebuild the indexes only if a phrase has changed."""
    if connection.rows(_PHRASE_AT_OFFSET, phrases=MAX_INDEXED_PHRASES):
        return None
    rows = connection.rows(_INDEXED_PHRASES)
    if before is not None and before.rows == rows:
        return before
    by_language: defaultdict[int, list[Row]] = defaultdict(list)
    for language_id, *phrase_row in rows:
        by_language[language_id].append(tuple(phrase_row))
    return _PhraseIndexes(
        rows, {language_id: _build_index(language_rows) for language_id, language_rows in by_language.items()}
    )


def _build_index(phrases: Iterable[Row]) -> PhraseIndex:
    return PhraseIndex(
        (PhraseCandidate(phrase_id, text, sound), exact, phrase_grams(text, code))
        for code, exact, phrase_id, text, sound in phrases
    )
