"""Phrases by exact key, or by the n-grams of their sound that they share with a query."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Integer, Select, Text, bindparam, cast, func, literal, literal_column, select

from abhidhan.dictionary.model.phrases import POSTINGS, Phrase, PhraseIds, PhraseIndex, PhraseSound
from abhidhan.platform.database.compiled_queries import LAST_CHARACTER, Query, Row, by_size, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.local_texts import local_texts
from abhidhan.records.recordings import read_audio
from abhidhan.schema import gram_count, language, phrase, phrase_gram
from assamese.phrase_similarity import phrase_grams

_LANGUAGE = bindparam("language_id", type_=Integer)

_WITH_EXACT_KEY = Query(
    select(phrase.c.id)
    .where(phrase.c.exact_key == bindparam("key", type_=Text), phrase.c.language_id == _LANGUAGE)
    .order_by(phrase.c.id)
)

_BEGINNING = Query(
    select(phrase.c.id, phrase.c.language_id)
    .where(
        phrase.c.exact_key >= bindparam("start", type_=Text),
        phrase.c.exact_key < bindparam("end", type_=Text),
    )
    .order_by(phrase.c.exact_key, phrase.c.id)
    .limit(bindparam("limit", type_=Integer))
)

_COUNTS = by_size(
    lambda size: select(gram_count.c.gram, gram_count.c.phrases).where(
        gram_count.c.language_id == _LANGUAGE, in_list(gram_count.c.gram, "gram", size)
    )
)


_BETWEEN = ","


def _postings(join: Callable[[ColumnElement[int]], ColumnElement[str]], size: int) -> Select[tuple[str, str]]:
    """Join the phrase IDs of each n-gram to one text; three thousand rows take three times as long to read.

    They are looked up for each n-gram separately: a GROUP BY, which compares each posting with the one before, takes
    0.9 ms for three thousand instead of 0.4 ms.
    """
    some = (
        select(phrase_gram.c.phrase_id)
        .where(phrase_gram.c.language_id == gram_count.c.language_id, phrase_gram.c.gram == gram_count.c.gram)
        .order_by(phrase_gram.c.phrase_id)
        .limit(literal(POSTINGS))
        .correlate(gram_count)
        .subquery()
    )
    joined = select(join(some.c.phrase_id)).correlate(gram_count).scalar_subquery()
    return (
        select(gram_count.c.gram, joined)
        .where(gram_count.c.language_id == _LANGUAGE, in_list(gram_count.c.gram, "gram", size))
        .order_by(gram_count.c.gram)
    )


_POSTINGS = by_size(
    partial(_postings, lambda ids: func.group_concat(ids, literal_column(f"'{_BETWEEN}'"))),
    postgresql=partial(_postings, lambda ids: func.string_agg(cast(ids, Text), literal_column(f"'{_BETWEEN}'"))),
)

READ: Final = (
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
"""Columns for `phrase_of`."""

_PHRASES = by_size(lambda size: select(*READ).where(in_list(phrase.c.id, "id", size)))

_SOUNDS = by_size(
    lambda size: select(phrase.c.id, phrase.c.text, phrase.c.sound_key).where(in_list(phrase.c.id, "id", size))
)


def with_exact_key(reader: Reader, exact_key: str, language_id: int) -> list[int]:
    """List the IDs of the phrases of a language with an exact key."""
    return [row[0] for row in reader.rows(_WITH_EXACT_KEY, key=exact_key, language_id=language_id)]


def beginning(reader: Reader, exact_key: str, limit: int) -> list[tuple[int, int]]:
    """List the first phrases with a prefix of their exact keys, as (ID, language ID)."""
    rows = reader.rows(_BEGINNING, start=exact_key, end=exact_key + LAST_CHARACTER, limit=limit)
    return [(row[0], row[1]) for row in rows]


def count_grams(reader: Reader, grams: Collection[str], language_id: int) -> dict[str, int]:
    """Return the number of phrases of a language with each n-gram; n-grams in none are left out."""
    if not grams:
        return {}
    wanted = sorted(grams)
    rows = reader.rows(_COUNTS(len(wanted)), **padded("gram", wanted), language_id=language_id)
    return {row[0]: row[1] for row in rows}


def postings(reader: Reader, grams: Sequence[str], language_id: int) -> dict[str, PhraseIds]:
    """Return the IDs of the phrases with each counted n-gram, in order, at most POSTINGS for each."""
    if not grams:
        return {}
    rows = reader.rows(_POSTINGS(len(grams)), **padded("gram", grams), language_id=language_id)
    # An n-gram with a wrong count may be in no phrase until the count is corrected (`abhidhan check`).
    return {gram: np.fromstring(listed, np.int64, sep=_BETWEEN) for gram, listed in rows if listed is not None}


def read_sounds(reader: Reader, phrase_ids: Sequence[int]) -> list[PhraseSound]:
    """Load the fields of phrases that are compared, in the order of `phrase_ids`."""
    if not phrase_ids:
        return []
    rows = reader.rows(_SOUNDS(len(phrase_ids)), **padded("id", phrase_ids))
    found = {row[0]: PhraseSound(*row) for row in rows}
    return [found[phrase_id] for phrase_id in phrase_ids if phrase_id in found]


def read(reader: Reader, phrase_ids: Sequence[int]) -> list[Phrase]:
    """Load phrases in the order of `phrase_ids`, with the editors' romanization, or else the generated one."""
    if not phrase_ids:
        return []
    rows = reader.rows(_PHRASES(len(phrase_ids)), **padded("id", phrase_ids))
    found = {row[0]: phrase_of(row) for row in rows}
    return [found[phrase_id] for phrase_id in phrase_ids if phrase_id in found]


def phrase_of(row: Row) -> Phrase:
    """Convert a row to a phrase, with the editors' romanization, or else the generated one."""
    phrase_id, language_id, text, roman, rule_roman, meaning, meanings, category_id, licence, source_id, audio = row
    return Phrase(
        id=phrase_id,
        language_id=language_id,
        text=text,
        roman=roman or rule_roman,
        roman_generated=roman is None and rule_roman is not None,
        meanings=local_texts(meaning, meanings),
        category_id=category_id,
        licence=licence,
        source_id=source_id,
        audio=read_audio(audio),
    )


MAX_INDEXED_PHRASES: Final = 1_000
"""Maximum number of phrases in memory, which take a sixth of a second to index, and 3 MB.

Beyond that, the stored n-grams are read.
"""


class _PhraseIndexes(NamedTuple):
    rows: list[Row]
    by_language: dict[int, PhraseIndex]


_IS_ONE_MORE = Query(
    select(phrase.c.id).order_by(phrase.c.id).limit(literal(1)).offset(bindparam("phrases", type_=Integer))
)

_INDEXED = Query(
    select(phrase.c.language_id, language.c.code, phrase.c.exact_key, phrase.c.id, phrase.c.text, phrase.c.sound_key)
    .join(language, language.c.id == phrase.c.language_id)
    .order_by(phrase.c.id)
)


def phrase_indexes(reader: Reader) -> dict[int, PhraseIndex] | None:
    """Return the current indexes by language ID, or None for more than MAX_INDEXED_PHRASES phrases."""
    found = reader.kept(_build_indexes)
    return None if found is None else found.by_language


def _build_indexes(reader: Reader, before: _PhraseIndexes | None) -> _PhraseIndexes | None:
    """Read the phrases, and rebuild the indexes only if a phrase has changed."""
    if reader.rows(_IS_ONE_MORE, phrases=MAX_INDEXED_PHRASES):
        return None
    rows = reader.rows(_INDEXED)
    if before is not None and before.rows == rows:
        return before
    by_language: defaultdict[int, list[Row]] = defaultdict(list)
    for language_id, *phrase_of_it in rows:
        by_language[language_id].append(tuple(phrase_of_it))
    return _PhraseIndexes(
        rows, {language_id: _build_index(of_language) for language_id, of_language in by_language.items()}
    )


def _build_index(phrases: Iterable[Row]) -> PhraseIndex:
    return PhraseIndex(
        (PhraseSound(phrase_id, text, sound), exact, phrase_grams(text, code))
        for code, exact, phrase_id, text, sound in phrases
    )
