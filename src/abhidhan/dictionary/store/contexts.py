"""Ideas in ID order, filtered by context, part of speech or language.

With several filters, the statement scans the ideas that the rarest one matches, and checks the others. If all match
very many ideas, SQLite merges its ordered indexes instead, in a quarter of the time; PostgreSQL chooses the better plan
itself.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from heapq import merge
from itertools import groupby, islice
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    GenerativeSelect,
    Integer,
    Select,
    bindparam,
    exists,
    func,
    intersect,
    literal,
    select,
)

from abhidhan.platform.database.compiled_queries import (
    CompiledQuery,
    SqlValue,
    in_list,
    list_params,
    list_size,
    per_list_size,
)
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.ids import MAX_ID
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH_ID, ListName
from abhidhan.schema import idea, idea_context, list_item, sense, word

_USED_CONTEXTS = CompiledQuery(
    select(list_item.c.id).where(
        list_item.c.list == ListName.CONTEXTS.value,
        exists(select(1).where(idea_context.c.context_id == list_item.c.id)),
    )
)

_IDEAS = CompiledQuery(
    select(idea_context.c.idea_id)
    .where(
        idea_context.c.context_id == bindparam("context_id", type_=Integer),
        idea_context.c.idea_id >= bindparam("start", type_=Integer),
    )
    .order_by(idea_context.c.idea_id)
    .limit(bindparam("limit", type_=Integer))
)

MIN_BATCH_SIZE = 24
"""Minimum number of ideas read from each of many contexts in one batch."""

_WORDS = per_list_size(
    lambda size: (
        select(sense.c.idea_id, word.c.language_id, word.c.text)
        .select_from(sense.join(word, word.c.id == sense.c.word_id))
        .where(in_list(sense.c.idea_id, "id", size))
        .order_by(sense.c.idea_id, sense.c.language_id, sense.c.rank, sense.c.word_id)
    )
)

_HEADINGS = per_list_size(
    lambda size: select(idea.c.id, idea.c.glyph, idea.c.source_id).where(in_list(idea.c.id, "id", size))
)


def find_used_contexts(connection: ReadConnection) -> frozenset[int]:
    """Return the IDs of the contexts that have at least one idea."""
    return frozenset(row[0] for row in connection.rows(_USED_CONTEXTS))


def list_ideas_in_contexts(connection: ReadConnection, context_ids: Sequence[int], start: int, limit: int) -> list[int]:
    """List the IDs of the ideas of any of the contexts, from the ID `start` on.

    The ideas of each context are read in order from an index and merged, so ideas after the last one returned are
    neither read nor sorted.
    """
    batch_size = max(MIN_BATCH_SIZE, limit // max(1, len(context_ids)) + 1)
    merged = merge(*(_iter_ideas_of_context(connection, context_id, start, batch_size) for context_id in context_ids))
    return list(islice((idea_id for idea_id, _ in groupby(merged)), limit))


def _iter_ideas_of_context(connection: ReadConnection, context_id: int, start: int, batch_size: int) -> Iterator[int]:
    """Yield the IDs of the ideas of one context, read in batches of `batch_size`."""
    while True:
        rows = connection.rows(_IDEAS, context_id=context_id, start=start, limit=batch_size)
        yield from (row[0] for row in rows)
        if len(rows) < batch_size:
            return
        start = rows[-1][0] + 1


def list_words_of_ideas(connection: ReadConnection, idea_ids: Sequence[int]) -> list[tuple[int, int, str]]:
    """List the words of ideas, by idea, language and rank: (idea ID, language ID, spelling)."""
    if not idea_ids:
        return []
    return [(row[0], row[1], row[2]) for row in connection.rows(_WORDS(len(idea_ids)), **list_params("id", idea_ids))]


def load_headings(connection: ReadConnection, idea_ids: Sequence[int]) -> dict[int, tuple[str | None, int | None]]:
    """Return the glyph and the source ID of each idea."""
    if not idea_ids:
        return {}
    rows = connection.rows(_HEADINGS(len(idea_ids)), **list_params("id", idea_ids))
    return {row[0]: (row[1], row[2]) for row in rows}


MAX_COUNTED_IDEAS: Final = 10_000
"""Number up to which ideas are counted to find the rarest filter; larger sets are not scanned one by one."""


class IdeaFilter(NamedTuple):
    """Criteria for ideas: any of some contexts, a part of speech, and the language of a word.

    NO_PART_OF_SPEECH selects ideas without any.
    """

    context_ids: tuple[int, ...] = ()
    pos_id: int | None = None
    language_id: int = ALL_LANGUAGES


class _FilterKind(Enum):
    """Kinds of criteria of an `IdeaFilter`."""

    CONTEXT = "context"
    POS = "pos"
    NO_POS = "no pos"
    LANGUAGE = "language"


def list_ideas(connection: ReadConnection, idea_filter: IdeaFilter, limit: int, offset: int) -> list[int]:
    """List the IDs of ideas, in ascending order."""
    query = _page_query(_build_plan(connection, idea_filter))
    return [row[0] for row in connection.rows(query, **_build_parameters(idea_filter), limit=limit, offset=offset)]


def count_ideas(connection: ReadConnection, idea_filter: IdeaFilter) -> int:
    """Count the ideas that match a filter."""
    return int(
        connection.rows(_count_query(_build_plan(connection, idea_filter)), **_build_parameters(idea_filter))[0][0]
    )


class _QueryPlan(NamedTuple):
    """Kinds of filters in use, rarest first; `size` is the length of the list of contexts."""

    kinds: tuple[_FilterKind, ...]
    size: int
    are_all_frequent: bool = False


def _build_plan(connection: ReadConnection, idea_filter: IdeaFilter) -> _QueryPlan:
    kinds = [kind for kind, counts in _IS_KIND_USED.items() if counts(idea_filter)]
    size = list_size(len(idea_filter.context_ids)) if idea_filter.context_ids else 0
    if len(kinds) < 2:  # noqa: PLR2004  # nothing to compare
        return _QueryPlan(tuple(kinds), size)
    parameters = _build_parameters(idea_filter)
    counts = {kind: int(connection.rows(_limited_count_query(kind, size), **parameters)[0][0]) for kind in kinds}
    return _QueryPlan(tuple(sorted(kinds, key=counts.__getitem__)), size, min(counts.values()) == MAX_COUNTED_IDEAS)


_IS_KIND_USED: Final[Mapping[_FilterKind, Callable[[IdeaFilter], bool]]] = {
    _FilterKind.CONTEXT: lambda chosen: bool(chosen.context_ids),
    _FilterKind.POS: lambda chosen: bool(chosen.pos_id),
    _FilterKind.NO_POS: lambda chosen: chosen.pos_id == NO_PART_OF_SPEECH_ID,
    _FilterKind.LANGUAGE: lambda chosen: chosen.language_id != ALL_LANGUAGES,
}
"""Functions that return whether a filter has criteria of each kind."""


def _build_parameters(idea_filter: IdeaFilter) -> dict[str, SqlValue]:
    contexts = list_params("context", idea_filter.context_ids) if idea_filter.context_ids else {}
    return {**contexts, "pos_id": idea_filter.pos_id, "language_id": idea_filter.language_id}


# --- statements -------------------------------------------------------------------------------------------------------

_POS: Final = idea.c.pos_id == bindparam("pos_id", type_=Integer)
_NO_POS: Final = idea.c.pos_id.is_(None)
_LANGUAGE: Final = sense.c.language_id == bindparam("language_id", type_=Integer)


def _select_matching_ids(kind: _FilterKind, size: int) -> Select[Any]:
    """Select the IDs of the ideas that match one kind of filter, each once."""
    if kind is _FilterKind.POS:
        return select(idea.c.id.label("id")).where(_POS)
    if kind is _FilterKind.NO_POS:
        return select(idea.c.id.label("id")).where(_NO_POS)
    if kind is _FilterKind.LANGUAGE:
        return select(sense.c.idea_id.label("id")).where(_LANGUAGE).distinct()
    return (
        select(idea_context.c.idea_id.label("id")).where(in_list(idea_context.c.context_id, "context", size)).distinct()
    )


def _build_condition(kind: _FilterKind, idea_id: ColumnElement[int], size: int) -> ColumnElement[bool]:
    if kind is _FilterKind.POS:
        return exists().where(idea.c.id == idea_id, _POS)
    if kind is _FilterKind.NO_POS:
        return exists().where(idea.c.id == idea_id, _NO_POS)
    if kind is _FilterKind.LANGUAGE:
        return exists().where(sense.c.idea_id == idea_id, _LANGUAGE)
    return exists().where(idea_context.c.idea_id == idea_id, in_list(idea_context.c.context_id, "context", size))


def _scan_query(plan: _QueryPlan) -> Select[Any]:
    """Select the ideas of the first filter, and check the others for each."""
    kinds, size = plan.kinds, plan.size
    if not kinds:
        return select(idea.c.id.label("id")).where(idea.c.id > literal(0))
    idea_id = {_FilterKind.LANGUAGE: sense.c.idea_id, _FilterKind.CONTEXT: idea_context.c.idea_id}.get(
        kinds[0], idea.c.id
    )
    return _select_matching_ids(kinds[0], size).where(*(_build_condition(kind, idea_id, size) for kind in kinds[1:]))


def _intersection_query(plan: _QueryPlan) -> CompoundSelect[Any] | None:
    """Select the intersection of all filters, which SQLite merges; None unless each has very many ideas."""
    return intersect(*(_select_matching_ids(kind, plan.size) for kind in plan.kinds)) if plan.are_all_frequent else None


@cache
def _page_query(plan: _QueryPlan) -> CompiledQuery:
    merged = _intersection_query(plan)
    return CompiledQuery(
        _add_paging(_scan_query(plan) if merged is None else merged), postgresql=_add_paging(_scan_query(plan))
    )


def _add_paging(query: Select[Any] | CompoundSelect[Any]) -> GenerativeSelect:
    return (
        query.order_by(query.selected_columns["id"])
        .limit(bindparam("limit", type_=Integer))
        .offset(bindparam("offset", type_=Integer))
    )


@cache
def _count_query(plan: _QueryPlan) -> CompiledQuery:
    merged, scan = _intersection_query(plan), _scan_query(plan)
    # Without a limit, SQLite would not sort them, and so not merge them.
    counted = scan if merged is None else merged.order_by(merged.selected_columns["id"]).limit(literal(MAX_ID))
    return CompiledQuery(
        select(func.count()).select_from(counted.subquery()),
        postgresql=select(func.count()).select_from(scan.subquery()),
    )


@cache
def _limited_count_query(kind: _FilterKind, size: int) -> CompiledQuery:
    return CompiledQuery(
        select(func.count()).select_from(_select_matching_ids(kind, size).limit(literal(MAX_COUNTED_IDEAS)).subquery())
    )
