"""Lists of ideas by their IDs: all of them, or those of contexts, of a part of speech, with words of a language.

Where several of these count, the statement goes through the ideas of the rarest, and looks at each for the others.
Where all of them hold very many, SQLite merges what its indexes have in order instead, in a quarter of the time;
PostgreSQL chooses the better way itself.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
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

from abhidhan.platform.database.compiled_queries import Query, Value, in_list, list_size, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.ids import GREATEST_ID
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH
from abhidhan.schema import idea, idea_context, sense

COUNTED: Final = 10_000
"""So far ideas are counted to find out what is rarest; what has as many is not gone through one by one."""


class IdeaFilter(NamedTuple):
    """What the ideas of a list have in common: one of some contexts, a part of speech, a word of a language.

    NO_PART_OF_SPEECH: they have none.
    """

    context_ids: tuple[int, ...] = ()
    pos_id: int | None = None
    language_id: int = ALL_LANGUAGES


class _By(Enum):
    """What ideas are chosen by."""

    CONTEXT = "context"
    POS = "pos"
    NO_POS = "no pos"
    LANGUAGE = "language"


def list_ideas(reader: Reader, chosen: IdeaFilter, limit: int, offset: int) -> list[int]:
    """List the IDs of ideas, in their order."""
    query = _page(_plan(reader, chosen))
    return [row[0] for row in reader.rows(query, **_parameters(chosen), limit=limit, offset=offset)]


def count_ideas(reader: Reader, chosen: IdeaFilter) -> int:
    """Count the ideas of such a list."""
    return int(reader.rows(_count(_plan(reader, chosen)), **_parameters(chosen))[0][0])


class _Plan(NamedTuple):
    """In which ways ideas are chosen, the rarest first; `size` is that of the list of contexts."""

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
"""Whether the ideas are chosen in each way."""


def _parameters(chosen: IdeaFilter) -> dict[str, Value]:
    contexts = padded("context", chosen.context_ids) if chosen.context_ids else {}
    return {**contexts, "pos_id": chosen.pos_id, "language_id": chosen.language_id}


# --- the statements ---------------------------------------------------------------------------------------------------

_POS: Final = idea.c.pos_id == bindparam("pos_id", type_=Integer)
_NO_POS: Final = idea.c.pos_id.is_(None)
_LANGUAGE: Final = sense.c.language_id == bindparam("language_id", type_=Integer)


def _of(way: _By, size: int) -> Select[Any]:
    """Select the IDs of the ideas that are chosen in one way, each once."""
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
    """Select the ideas of the first way, and look at each for the others."""
    ways, size = plan.ways, plan.size
    if not ways:
        return select(idea.c.id.label("id")).where(idea.c.id > literal(0))
    idea_id = {_By.LANGUAGE: sense.c.idea_id, _By.CONTEXT: idea_context.c.idea_id}.get(ways[0], idea.c.id)
    return _of(ways[0], size).where(*(_is_also(way, idea_id, size) for way in ways[1:]))


def _merged(plan: _Plan) -> CompoundSelect[Any] | None:
    """Select the ideas of all ways together, where each has very many; ordered, SQLite merges them."""
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
    # Without a limit SQLite would not put them in order, and so not merge them.
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
