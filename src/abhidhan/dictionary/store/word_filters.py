"""Words filtered by part of speech, context, photo or recording, and words whose keys may match a pattern."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, Text, bindparam, exists, func, literal, literal_column, or_, select

from abhidhan.dictionary.model.field_queries import KeyPattern
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.words import MAX_SORT_KEY, SortKeyRange, WordRef
from abhidhan.platform.database.compiled_queries import (
    MAX_CODE_POINT,
    CompiledQuery,
    SqlValue,
    chunks,
    in_list,
    list_params,
    list_size,
    per_list_size,
)
from abhidhan.platform.database.key_queries import language_condition
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH_ID
from abhidhan.records.submissions import Status
from abhidhan.schema import idea, idea_context, photo, recording, sense, word
from assamese.collation import sort_key

MAX_SCANNED_IDEAS: Final = 1024
"""Maximum number of ideas that are scanned one by one; if there are more, words are scanned alphabetically."""


STATEMENT_CACHE_SIZE: Final = 64
"""Size of the statement caches; statements differ in the lengths of their lists of contexts."""


class WordFilter(NamedTuple):
    """Criteria for one idea of a word: any of the parts of speech, any context of each group, and a photo.

    NO_PART_OF_SPEECH matches an idea without one. `has_audio` selects words with a recording.
    """

    pos_ids: tuple[int, ...] = ()
    contexts: tuple[tuple[int, ...], ...] = ()
    has_photo: bool = False
    has_audio: bool = False

    @property
    def matches_all(self) -> bool:
        """Return whether all words match."""
        return not self.pos_ids and self.has_ordered_index

    @property
    def has_ordered_index(self) -> bool:
        """Return whether an index lists the matching words in order: at most the part of speech is filtered."""
        return not (self.contexts or self.has_photo or self.has_audio)


def filter_ids(connection: ReadConnection, word_filter: WordFilter, word_ids: Collection[int]) -> frozenset[int]:
    """Return the IDs of the words that match."""
    if word_filter.matches_all:
        return frozenset(word_ids)
    shape = _build_shape(word_filter)
    return frozenset(
        row[0]
        for batch in chunks(sorted(word_ids))
        for row in connection.rows(
            _filter_query(shape, list_size(len(batch))), **list_params("id", batch), **_build_parameters(word_filter)
        )
    )


def list_by_ideas(
    connection: ReadConnection, word_filter: WordFilter, language_id: int, limit: int
) -> list[int] | None:
    """List the matching words, by language, then alphabetically; None if there are too many ideas to scan."""
    for shape in _list_first_filters(word_filter):
        rows = connection.rows(_ideas_query(shape), **_build_parameters(word_filter), limit=MAX_SCANNED_IDEAS + 1)
        if len(rows) <= MAX_SCANNED_IDEAS:
            ids = [row[0] for row in rows]
            return _list_words_of_ideas(connection, word_filter, ids, language_id, limit) if ids else []
    return None


def list_alphabetically(
    connection: ReadConnection, word_filter: WordFilter, key_range: SortKeyRange, limit: int
) -> list[WordRef]:
    """List words in the alphabetical order of their language, filtered only by the parts of speech, if any."""
    if not word_filter.pos_ids:
        return words.list_alphabetically(connection, key_range, None, limit)
    code = connection.catalogue.language(key_range.language_id).code
    rows = {
        row for pos_id in word_filter.pos_ids for row in words.list_alphabetically(connection, key_range, pos_id, limit)
    }
    return list(islice(sorted(rows, key=lambda row: (sort_key(row.text, code), row.text)), limit))


def build_range_from(connection: ReadConnection, language_id: int, text: str) -> SortKeyRange:
    """Return the range of a language's alphabetical order from a spelling on; the whole order if `text` is empty."""
    code = connection.catalogue.language(language_id).code
    return SortKeyRange(language_id, sort_key(text, code) if text else b"", text, MAX_SORT_KEY)


# --- statements -------------------------------------------------------------------------------------------------------


class _WordQueryShape(NamedTuple):
    """Properties of a filter that determine the statement: the sizes of its lists, and which conditions it has."""

    pos_list_size: int
    context_list_sizes: tuple[int, ...]
    has_photo: bool = False
    has_audio: bool = False
    may_lack_pos: bool = False


def _build_shape(word_filter: WordFilter) -> _WordQueryShape:
    return _WordQueryShape(
        list_size(len(word_filter.pos_ids)) if word_filter.pos_ids else 0,
        tuple(list_size(len(group)) for group in word_filter.contexts),
        word_filter.has_photo,
        word_filter.has_audio,
        NO_PART_OF_SPEECH_ID in word_filter.pos_ids,
    )


def _list_first_filters(word_filter: WordFilter) -> list[_WordQueryShape]:
    """List the filters that may be applied first: recordings, photos, each group of contexts, the part of speech."""
    shape, shapes = _build_shape(word_filter), []
    if shape.has_audio:
        shapes.append(_WordQueryShape(0, (), has_audio=True))
    if shape.has_photo:
        shapes.append(_WordQueryShape(0, (), has_photo=True))
    if shape.context_list_sizes:
        # All sizes but one are 0, so that the lists keep their parameter names.
        shapes += (
            _WordQueryShape(
                0, tuple(size if index == position else 0 for index in range(len(shape.context_list_sizes)))
            )
            for position, size in enumerate(shape.context_list_sizes)
        )
    if shape.pos_list_size:
        shapes.append(_WordQueryShape(shape.pos_list_size, (), may_lack_pos=shape.may_lack_pos))
    return shapes


def _build_parameters(word_filter: WordFilter) -> dict[str, SqlValue]:
    parameters: dict[str, SqlValue] = list_params("pos", word_filter.pos_ids) if word_filter.pos_ids else {}
    for number, group in enumerate(word_filter.contexts):
        parameters |= list_params(f"context_{number}", group)
    return parameters


_APPROVED: Final = literal_column(f"'{Status.APPROVED}'", Text)


def _has_pos(shape: _WordQueryShape) -> ColumnElement[bool]:
    is_listed = in_list(idea.c.pos_id, "pos", shape.pos_list_size)
    return or_(is_listed, idea.c.pos_id.is_(None)) if shape.may_lack_pos else is_listed


def _in_contexts(number: int, size: int) -> ColumnElement[bool]:
    return in_list(idea_context.c.context_id, f"context_{number}", size)


@lru_cache(maxsize=STATEMENT_CACHE_SIZE)
def _ideas_query(shape: _WordQueryShape) -> CompiledQuery:
    """Build the statement that lists the ideas matching one filter."""
    if shape.has_audio:
        recorded_senses = recording.join(sense, sense.c.word_id == recording.c.word_id)
        ideas = select(sense.c.idea_id).select_from(recorded_senses).where(recording.c.status == _APPROVED).distinct()
    elif shape.has_photo:
        ideas = select(photo.c.idea_id).where(photo.c.status == _APPROVED).distinct()
    elif shape.pos_list_size:
        ideas = select(idea.c.id).where(_has_pos(shape))
    else:
        number, size = next((number, size) for number, size in enumerate(shape.context_list_sizes) if size)
        ideas = select(idea_context.c.idea_id).where(_in_contexts(number, size)).distinct()
    return CompiledQuery(ideas.limit(bindparam("limit", type_=Integer)))


def _build_conditions(shape: _WordQueryShape) -> list[ColumnElement[bool]]:
    """Return the conditions on the idea and the word of a sense."""
    idea_id = sense.c.idea_id
    conditions: list[ColumnElement[bool]] = []
    if shape.pos_list_size:
        conditions.append(exists().where(idea.c.id == idea_id, _has_pos(shape)))
    conditions += (
        exists().where(idea_context.c.idea_id == idea_id, _in_contexts(number, size))
        for number, size in enumerate(shape.context_list_sizes)
    )
    if shape.has_photo:
        conditions.append(exists().where(photo.c.idea_id == idea_id, photo.c.status == _APPROVED))
    if shape.has_audio:
        conditions.append(exists().where(recording.c.word_id == sense.c.word_id, recording.c.status == _APPROVED))
    return conditions


@lru_cache(maxsize=STATEMENT_CACHE_SIZE)
def _filter_query(shape: _WordQueryShape, size: int) -> CompiledQuery:
    return CompiledQuery(
        select(sense.c.word_id).where(in_list(sense.c.word_id, "id", size), *_build_conditions(shape)).distinct()
    )


@lru_cache(maxsize=STATEMENT_CACHE_SIZE)
def _words_of_ideas_query(shape: _WordQueryShape, size: int) -> CompiledQuery:
    word_ids = select(sense.c.word_id).where(in_list(sense.c.idea_id, "idea", size), *_build_conditions(shape))
    return CompiledQuery(
        select(word.c.id, word.c.language_id, word.c.sort_key, word.c.text)
        .where(word.c.id.in_(word_ids), language_condition(word.c.language_id))
        .order_by(word.c.language_id, word.c.sort_key, word.c.text)
        .limit(bindparam("limit", type_=Integer))
    )


def _list_words_of_ideas(
    connection: ReadConnection, word_filter: WordFilter, idea_ids: Sequence[int], language_id: int, limit: int
) -> list[int]:
    query = _words_of_ideas_query(_build_shape(word_filter), list_size(len(idea_ids)))
    parameters = {
        **list_params("idea", idea_ids),
        **_build_parameters(word_filter),
        "language_id": language_id,
        "limit": limit,
    }
    return [row[0] for row in connection.rows(query, **parameters)]


PATTERN_BATCH_SIZE: Final = 1024
"""Maximum number of words that one statement reads."""


class PatternCandidate(NamedTuple):
    """Word with the two keys that patterns are compared with."""

    id: int
    language_id: int
    exact_key: str
    loose_key: str


def iter_words_like(
    connection: ReadConnection, column: KeyColumn, pattern: KeyPattern, language_id: int, *, excluded_pattern: str = ""
) -> Iterator[list[PatternCandidate]]:
    """Yield the words whose key may match a pattern, shortest first, in at least one batch per key length.

    Words whose loose key matches `excluded_pattern` are left out. Keys with a prefix are a range of the index. For
    other patterns, SQLite compares every key within the index, and reads no rows of words that do not match.
    """
    end = pattern.prefix + MAX_CODE_POINT
    longest = connection.row(_MAX_KEY_LENGTHS[column])
    for length in range(max(1, pattern.min_length), int(longest[0]) + 1 if longest else 0):
        parameters: dict[str, SqlValue] = {
            "length": length,
            "end": end,
            "like": pattern.sql_like,
            "unlike": excluded_pattern,
        }
        after, after_id = pattern.prefix, 0
        while after < end:
            parameters |= {
                "after": after,
                "after_id": after_id,
                "language_id": language_id,
                "limit": PATTERN_BATCH_SIZE,
            }
            rows = connection.rows(_WORDS_OF_LENGTH[column], **parameters)
            yield [PatternCandidate._make(row[1:]) for row in rows]
            after, after_id = rows[-1][:2] if len(rows) == PATTERN_BATCH_SIZE else (end, 0)


def iter_words_by_id(
    connection: ReadConnection, word_ids: list[int], language_id: int
) -> Iterator[list[PatternCandidate]]:
    """Yield words with their keys, in one language or all, in batches."""
    for batch in chunks(word_ids):
        yield list(
            map(
                PatternCandidate._make,
                connection.rows(_CANDIDATES_BY_ID(len(batch)), **list_params("id", batch), language_id=language_id),
            )
        )


# --- statements -------------------------------------------------------------------------------------------------------

_CANDIDATE_COLUMNS: Final = (word.c.id, word.c.language_id, word.c.exact_key, word.c.loose_key)

_CANDIDATES_BY_ID: Final = per_list_size(
    lambda size: select(*_CANDIDATE_COLUMNS).where(
        in_list(word.c.id, "id", size), language_condition(word.c.language_id)
    )
)


def _build_length_query(column: KeyColumn) -> CompiledQuery:
    key, after = word.c[column.value], bindparam("after", type_=Text)
    return CompiledQuery(
        select(key, *_CANDIDATE_COLUMNS)
        .where(
            func.length(key) == bindparam("length", type_=Integer),
            key >= after,
            or_(key > after, word.c.id > bindparam("after_id", type_=Integer)),
            key < bindparam("end", type_=Text),
            key.like(bindparam("like", type_=Text), escape="/"),
            language_condition(word.c.language_id),
            word.c.loose_key.not_like(bindparam("unlike", type_=Text), escape="/"),
        )
        .order_by(key, word.c.id)
        .limit(bindparam("limit", type_=Integer))
    )


def _build_longest_query(column: KeyColumn) -> CompiledQuery:
    length = func.length(word.c[column.value])
    return CompiledQuery(select(length).where(length > literal(0)).order_by(length.desc()).limit(literal(1)))


_WORDS_OF_LENGTH: Final = {column: _build_length_query(column) for column in (KeyColumn.LOOSE, KeyColumn.EXACT)}
_MAX_KEY_LENGTHS: Final = {column: _build_longest_query(column) for column in (KeyColumn.LOOSE, KeyColumn.EXACT)}
