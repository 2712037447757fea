"""Lists of phrases in alphabetical order, filtered by language, category and words."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import Integer, LargeBinary, Select, Text, bindparam, func, literal, or_, select, tuple_

from abhidhan.dictionary.model.phrases import Phrase
from abhidhan.dictionary.store import phrases
from abhidhan.platform.database.compiled_queries import (
    CompiledQuery,
    SqlValue,
    in_list,
    list_params,
    list_size,
    per_list_size,
)
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import phrase, phrase_word, sense


class PhraseFilter(NamedTuple):
    """Filter of phrases; `keys` has the alternative keys of each word that a phrase must contain."""

    language_id: int = ALL_LANGUAGES
    category_id: int | None = None
    keys: tuple[tuple[str, ...], ...] = ()


def list_phrases(connection: ReadConnection, phrase_filter: PhraseFilter, limit: int, offset: int) -> list[int]:
    """List the IDs of phrases, by language, then alphabetically."""
    rows = connection.rows(
        _page_query(_build_shape(phrase_filter)), **_build_parameters(phrase_filter), limit=limit, offset=offset
    )
    return [row[0] for row in rows]


def count_phrases(connection: ReadConnection, phrase_filter: PhraseFilter) -> int:
    """Count the phrases that match a filter."""
    return int(connection.rows(_count_query(_build_shape(phrase_filter)), **_build_parameters(phrase_filter))[0][0])


_IDEAS = per_list_size(
    lambda size: (
        select(sense.c.word_id, sense.c.idea_id)
        .where(in_list(sense.c.word_id, "id", size))
        .order_by(sense.c.word_id, sense.c.position, sense.c.id)
    )
)


def load_ideas_by_word(connection: ReadConnection, word_ids: Sequence[int]) -> dict[int, list[int]]:
    """Return the ideas of words in the order of their meanings; words without any are left out."""
    ideas_by_word: dict[int, list[int]] = {}
    if word_ids:
        for word_id, idea_id in connection.rows(_IDEAS(len(word_ids)), **list_params("id", word_ids)):
            ideas_by_word.setdefault(word_id, []).append(idea_id)
    return ideas_by_word


class _PhraseQueryShape(NamedTuple):
    """Properties of a filter that determine the statement: which conditions it has, and how long its lists are."""

    has_language: bool
    has_category: bool
    word_count: int
    key_list_size: int


def _build_shape(phrase_filter: PhraseFilter) -> _PhraseQueryShape:
    size = max((list_size(len(keys)) for keys in phrase_filter.keys), default=0)
    return _PhraseQueryShape(
        phrase_filter.language_id != ALL_LANGUAGES, phrase_filter.category_id is not None, len(phrase_filter.keys), size
    )


def _build_parameters(phrase_filter: PhraseFilter) -> dict[str, SqlValue]:
    size = _build_shape(phrase_filter).key_list_size
    parameters: dict[str, SqlValue] = {
        "language_id": phrase_filter.language_id,
        "category_id": phrase_filter.category_id,
    }
    for number, keys in enumerate(phrase_filter.keys):
        parameters |= list_params(f"word_{number}", [*keys, *[keys[-1]] * (size - len(keys))])
    return parameters


def _select_filtered(shape: _PhraseQueryShape) -> Select[Any]:
    query = select(phrase.c.id)
    if shape.has_language:
        query = query.where(phrase.c.language_id == bindparam("language_id", type_=Integer))
    if shape.has_category:
        query = query.where(phrase.c.category_id == bindparam("category_id", type_=Integer))
    for number in range(shape.word_count):
        phrase_ids = select(phrase_word.c.phrase_id).where(
            in_list(phrase_word.c.key, f"word_{number}", shape.key_list_size)
        )
        query = query.where(phrase.c.id.in_(phrase_ids))
    return query if shape != _NO_FILTER else query.where(phrase.c.language_id > literal(ALL_LANGUAGES))


_NO_FILTER: Final = _PhraseQueryShape(has_language=False, has_category=False, word_count=0, key_list_size=0)


@cache
def _page_query(shape: _PhraseQueryShape) -> CompiledQuery:
    return CompiledQuery(
        _select_filtered(shape)
        .order_by(phrase.c.language_id, phrase.c.sort_key, phrase.c.text)
        .limit(bindparam("limit", type_=Integer))
        .offset(bindparam("offset", type_=Integer))
    )


@cache
def _count_query(shape: _PhraseQueryShape) -> CompiledQuery:
    return CompiledQuery(select(func.count()).select_from(_select_filtered(shape).subquery()))


ALL_CATEGORIES = 0

_LANGUAGE = phrase.c.language_id == bindparam("language_id", type_=Integer)
_CATEGORY = bindparam("category_id", type_=Integer)
_LIMIT = bindparam("limit", type_=Integer)

_PROVERB_PAGE = CompiledQuery(
    select(*phrases.PHRASE_COLUMNS)
    .where(
        _LANGUAGE,
        or_(_CATEGORY == ALL_CATEGORIES, phrase.c.category_id == _CATEGORY),
        tuple_(phrase.c.sort_key, phrase.c.text)
        >= tuple_(bindparam("start_key", type_=LargeBinary), bindparam("start", type_=Text)),
    )
    .order_by(phrase.c.sort_key, phrase.c.text)
    .limit(_LIMIT)
)

_PROVERB_TEXTS = CompiledQuery(
    select(phrase.c.id, phrase.c.text).where(_LANGUAGE).order_by(phrase.c.text).limit(_LIMIT)
)

_PROVERB_COUNTS = CompiledQuery(
    select(phrase.c.language_id, phrase.c.category_id, func.count())
    .group_by(phrase.c.language_id, phrase.c.category_id)
    .order_by(phrase.c.language_id, phrase.c.category_id)
)


class ProverbPosition(NamedTuple):
    """Start of a page in the alphabetical order of a language: a text and its sort key."""

    language_id: int
    start_key: bytes
    start: str


def load_proverb_page(
    connection: ReadConnection, position: ProverbPosition, category_id: int, limit: int
) -> list[Phrase]:
    """Load proverbs from a position on, in alphabetical order."""
    rows = connection.rows(_PROVERB_PAGE, **position._asdict(), category_id=category_id, limit=limit)
    return [phrases.to_phrase(row) for row in rows]


def list_proverb_texts(connection: ReadConnection, language_id: int, limit: int) -> list[tuple[int, str]]:
    """List the IDs and texts of the first proverbs of a language."""
    return [(row[0], row[1]) for row in connection.rows(_PROVERB_TEXTS, language_id=language_id, limit=limit)]


def count_proverbs(connection: ReadConnection) -> list[tuple[int, int | None, int]]:
    """Return the number of proverbs per language and category: (language ID, category ID, number)."""
    return [(row[0], row[1], row[2]) for row in connection.rows(_PROVERB_COUNTS)]
