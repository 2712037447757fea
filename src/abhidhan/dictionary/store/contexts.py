"""Ideas in ID order, filtered by context, part of speech or language.

With several filters, the statement scans the ideas of the rarest, and checks the others for each. If all filters match
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

from abhidhan.platform.database.compiled_queries import Query, Value, by_size, in_list, list_size, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.ids import GREATEST_ID
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH, ListName
from abhidhan.schema import idea, idea_context, list_item, sense, word

_IN_USE = Query(
    select(list_item.c.id).where(
        list_item.c.list == ListName.CONTEXTS.value,
        exists(select(1).where(idea_context.c.context_id == list_item.c.id)),
    )
)

_IDEAS = Query(
    select(idea_context.c.idea_id)
    .where(
        idea_context.c.context_id == bindparam("context_id", type_=Integer),
        idea_context.c.idea_id >= bindparam("start", type_=Integer),
    )
    .order_by(idea_context.c.idea_id)
    .limit(bindparam("limit", type_=Integer))
)

FEWEST_AT_ONCE = 24
"""Minimum number of ideas read from each of many contexts in one batch."""

_WORDS = by_size(
    lambda size: (
        select(sense.c.idea_id, word.c.language_id, word.c.text)
        .select_from(sense.join(word, word.c.id == sense.c.word_id))
        .where(in_list(sense.c.idea_id, "id", size))
        .order_by(sense.c.idea_id, sense.c.language_id, sense.c.rank, sense.c.word_id)
    )
)

_COMMON = by_size(
    lambda size: (
        select(word.c.text, word.c.exact_key, word.c.frequency)
        .select_from(sense.join(word, word.c.id == sense.c.word_id))
        .where(in_list(sense.c.idea_id, "id", size), sense.c.language_id == bindparam("language_id", type_=Integer))
    )
)

_HEADS = by_size(lambda size: select(idea.c.id, idea.c.glyph, idea.c.source_id).where(in_list(idea.c.id, "id", size)))


def in_use(reader: Reader) -> frozenset[int]:
    """Return the IDs of the contexts with at least one idea."""
    return frozenset(row[0] for row in reader.rows(_IN_USE))


def ideas_under(reader: Reader, context_ids: Sequence[int], start: int, limit: int) -> list[int]:
    """List the IDs of the ideas of any of the contexts, from the ID `start` on.

    The index has the ideas of each context in order, and these lists are merged, so ideas after the last one returned
    are not sorted.
    """
    at_once = max(FEWEST_AT_ONCE, limit // max(1, len(context_ids)) + 1)
    merged = merge(*(_ideas_of(reader, each, start, at_once) for each in context_ids))
    return list(islice((idea_id for idea_id, _ in groupby(merged)), limit))


def _ideas_of(reader: Reader, context_id: int, start: int, at_once: int) -> Iterator[int]:
    """Yield the ideas of one context, read in batches of `at_once`."""
    while True:
        rows = reader.rows(_IDEAS, context_id=context_id, start=start, limit=at_once)
        yield from (row[0] for row in rows)
        if len(rows) < at_once:
            return
        start = rows[-1][0] + 1


def words(reader: Reader, idea_ids: Sequence[int]) -> list[tuple[int, int, str]]:
    """List the words of ideas, by idea, language and rank: (idea ID, language ID, spelling)."""
    if not idea_ids:
        return []
    return [(row[0], row[1], row[2]) for row in reader.rows(_WORDS(len(idea_ids)), **padded("id", idea_ids))]


def heads(reader: Reader, idea_ids: Sequence[int]) -> dict[int, tuple[str | None, int | None]]:
    """Return the glyph and the source ID of each idea."""
    if not idea_ids:
        return {}
    rows = reader.rows(_HEADS(len(idea_ids)), **padded("id", idea_ids))
    return {row[0]: (row[1], row[2]) for row in rows}


COUNTED: Final = 10_000
"""Number up to which ideas are counted to find the rarest filter; larger sets are not scanned one by one."""


class IdeaFilter(NamedTuple):
    """Filter of ideas: any of some contexts, a part of speech, and a language of their words.

    NO_PART_OF_SPEECH selects ideas without any.
    """

    context_ids: tuple[int, ...] = ()
    pos_id: int | None = None
    language_id: int = ALL_LANGUAGES


class _By(Enum):
    """Kind of filter."""

    CONTEXT = "context"
    POS = "pos"
    NO_POS = "no pos"
    LANGUAGE = "language"


def list_ideas(reader: Reader, chosen: IdeaFilter, limit: int, offset: int) -> list[int]:
    """List the IDs of ideas, in ascending order."""
    query = _page(_plan(reader, chosen))
    return [row[0] for row in reader.rows(query, **_parameters(chosen), limit=limit, offset=offset)]


def count_ideas(reader: Reader, chosen: IdeaFilter) -> int:
    """Count the ideas that match a filter."""
    return int(reader.rows(_count(_plan(reader, chosen)), **_parameters(chosen))[0][0])


class _Plan(NamedTuple):
    """Filters in use, rarest first; `size` is that of the list of contexts."""

    ways: tuple[_By, ...]
    size: int
    are_all_frequent: bool = False


def _plan(reader: Reader, chosen: IdeaFilter) -> _Plan:
    ways = [way for way, counts in _COUNTS.items() if counts(chosen)]
    size = list_size(len(chosen.context_ids)) if chosen.context_ids else 0
    if len(ways) < 2:  # noqa: PLR2004  # nothing to compare
        return _Plan(tuple(ways), size)
    parameters = _parameters(chosen)
    counts = {way: int(reader.rows(_count_some(way, size), **parameters)[0][0]) for way in ways}
    return _Plan(tuple(sorted(ways, key=counts.__getitem__)), size, min(counts.values()) == COUNTED)


_COUNTS: Final[Mapping[_By, Callable[[IdeaFilter], bool]]] = {
    _By.CONTEXT: lambda chosen: bool(chosen.context_ids),
    _By.POS: lambda chosen: bool(chosen.pos_id),
    _By.NO_POS: lambda chosen: chosen.pos_id == NO_PART_OF_SPEECH,
    _By.LANGUAGE: lambda chosen: chosen.language_id != ALL_LANGUAGES,
}
"""Returns whether each kind of filter is in use."""


def _parameters(chosen: IdeaFilter) -> dict[str, Value]:
    contexts = padded("context", chosen.context_ids) if chosen.context_ids else {}
    return {**contexts, "pos_id": chosen.pos_id, "language_id": chosen.language_id}


# --- statements -------------------------------------------------------------------------------------------------------

_POS: Final = idea.c.pos_id == bindparam("pos_id", type_=Integer)
_NO_POS: Final = idea.c.pos_id.is_(None)
_LANGUAGE: Final = sense.c.language_id == bindparam("language_id", type_=Integer)


def _of(way: _By, size: int) -> Select[Any]:
    """Select the IDs of the ideas that match one kind of filter, each once."""
    if way is _By.POS:
        return select(idea.c.id.label("id")).where(_POS)
    if way is _By.NO_POS:
        return select(idea.c.id.label("id")).where(_NO_POS)
    if way is _By.LANGUAGE:
        return select(sense.c.idea_id.label("id")).where(_LANGUAGE).distinct()
    return (
        select(idea_context.c.idea_id.label("id")).where(in_list(idea_context.c.context_id, "context", size)).distinct()
    )


def _is_also(way: _By, idea_id: ColumnElement[int], size: int) -> ColumnElement[bool]:
    if way is _By.POS:
        return exists().where(idea.c.id == idea_id, _POS)
    if way is _By.NO_POS:
        return exists().where(idea.c.id == idea_id, _NO_POS)
    if way is _By.LANGUAGE:
        return exists().where(sense.c.idea_id == idea_id, _LANGUAGE)
    return exists().where(idea_context.c.idea_id == idea_id, in_list(idea_context.c.context_id, "context", size))


def _looked_at(plan: _Plan) -> Select[Any]:
    """Select the ideas of the first filter, and check the others for each."""
    ways, size = plan.ways, plan.size
    if not ways:
        return select(idea.c.id.label("id")).where(idea.c.id > literal(0))
    idea_id = {_By.LANGUAGE: sense.c.idea_id, _By.CONTEXT: idea_context.c.idea_id}.get(ways[0], idea.c.id)
    return _of(ways[0], size).where(*(_is_also(way, idea_id, size) for way in ways[1:]))


def _merged(plan: _Plan) -> CompoundSelect[Any] | None:
    """Select the intersection of all filters if each has very many ideas; SQLite merges them if ordered."""
    return intersect(*(_of(way, plan.size) for way in plan.ways)) if plan.are_all_frequent else None


@cache
def _page(plan: _Plan) -> Query:
    merged = _merged(plan)
    return Query(_cut(_looked_at(plan) if merged is None else merged), postgresql=_cut(_looked_at(plan)))


def _cut(chosen: Select[Any] | CompoundSelect[Any]) -> GenerativeSelect:
    return (
        chosen.order_by(chosen.selected_columns["id"])
        .limit(bindparam("limit", type_=Integer))
        .offset(bindparam("offset", type_=Integer))
    )


@cache
def _count(plan: _Plan) -> Query:
    merged, looked_at = _merged(plan), _looked_at(plan)
    # Without a limit, SQLite would not sort them, and so not merge them.
    counted = (
        looked_at if merged is None else merged.order_by(merged.selected_columns["id"]).limit(literal(GREATEST_ID))
    )
    return Query(
        select(func.count()).select_from(counted.subquery()),
        postgresql=select(func.count()).select_from(looked_at.subquery()),
    )


@cache
def _count_some(way: _By, size: int) -> Query:
    return Query(select(func.count()).select_from(_of(way, size).limit(literal(COUNTED)).subquery()))
