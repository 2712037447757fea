"""Lists of ideas by their IDs: all of them, or those of contexts, of a part of speech, with words of a language.

Where several of these count, the statement goes through the ideas of the rarest, and looks at each for the others.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, Select, bindparam, exists, func, literal, select

from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.storage.engine.queries import Query, Value, in_list, list_size, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import idea, idea_context, sense

COUNTED: Final = 10_000
"""So far ideas are counted to find out what is rarest."""


class IdeaFilter(NamedTuple):
    """What the ideas of a list have in common: one of some contexts, a part of speech, a word of a language."""

    context_ids: tuple[int, ...] = ()
    pos_id: int | None = None
    language_id: int = ALL_LANGUAGES


class _By(Enum):
    """What ideas are chosen by."""

    CONTEXT = "context"
    POS = "pos"
    LANGUAGE = "language"


def list_ideas(reader: Reader, chosen: IdeaFilter, limit: int, offset: int) -> list[int]:
    """List the IDs of ideas, in their order."""
    ways = _rarest_first(reader, chosen)
    rows = reader.rows(_page(ways, _size(chosen)), **_parameters(chosen), limit=limit, offset=offset)
    return [row[0] for row in rows]


def count_ideas(reader: Reader, chosen: IdeaFilter) -> int:
    """Count the ideas of such a list."""
    return int(reader.rows(_count(_rarest_first(reader, chosen), _size(chosen)), **_parameters(chosen))[0][0])


def _rarest_first(reader: Reader, chosen: IdeaFilter) -> tuple[_By, ...]:
    ways = [way for way, counts in _COUNTS.items() if counts(chosen)]
    if len(ways) > 1:
        size, parameters = _size(chosen), _parameters(chosen)
        ways.sort(key=lambda way: int(reader.rows(_count_some(way, size), **parameters)[0][0]))
    return tuple(ways)


_COUNTS: Final[Mapping[_By, Callable[[IdeaFilter], bool]]] = {
    _By.CONTEXT: lambda chosen: bool(chosen.context_ids),
    _By.POS: lambda chosen: chosen.pos_id is not None,
    _By.LANGUAGE: lambda chosen: chosen.language_id != ALL_LANGUAGES,
}
"""Whether the ideas are chosen in each way."""


def _size(chosen: IdeaFilter) -> int:
    return list_size(len(chosen.context_ids)) if chosen.context_ids else 0


def _parameters(chosen: IdeaFilter) -> dict[str, Value]:
    contexts = padded("context", chosen.context_ids) if chosen.context_ids else {}
    return {**contexts, "pos_id": chosen.pos_id, "language_id": chosen.language_id}


# --- the statements ---------------------------------------------------------------------------------------------------

_POS: Final = idea.c.pos_id == bindparam("pos_id", type_=Integer)
_LANGUAGE: Final = sense.c.language_id == bindparam("language_id", type_=Integer)


def _of(way: _By, size: int) -> Select[Any]:
    """Select the IDs of the ideas that are chosen in one way, each once."""
    if way is _By.POS:
        return select(idea.c.id.label("id")).where(_POS)
    if way is _By.LANGUAGE:
        return select(sense.c.idea_id.label("id")).where(_LANGUAGE).distinct()
    return (
        select(idea_context.c.idea_id.label("id")).where(in_list(idea_context.c.context_id, "context", size)).distinct()
    )


def _is_also(way: _By, idea_id: ColumnElement[int], size: int) -> ColumnElement[bool]:
    if way is _By.POS:
        return exists().where(idea.c.id == idea_id, _POS)
    if way is _By.LANGUAGE:
        return exists().where(sense.c.idea_id == idea_id, _LANGUAGE)
    return exists().where(idea_context.c.idea_id == idea_id, in_list(idea_context.c.context_id, "context", size))


def _chosen(ways: tuple[_By, ...], size: int) -> Select[Any]:
    if not ways:
        return select(idea.c.id.label("id")).where(idea.c.id > literal(0))
    first = _of(ways[0], size)
    idea_id = {_By.POS: idea.c.id, _By.LANGUAGE: sense.c.idea_id, _By.CONTEXT: idea_context.c.idea_id}[ways[0]]
    return first.where(*(_is_also(way, idea_id, size) for way in ways[1:]))


@cache
def _page(ways: tuple[_By, ...], size: int) -> Query:
    chosen = _chosen(ways, size)
    return Query(
        chosen.order_by(chosen.selected_columns["id"])
        .limit(bindparam("limit", type_=Integer))
        .offset(bindparam("offset", type_=Integer))
    )


@cache
def _count(ways: tuple[_By, ...], size: int) -> Query:
    return Query(select(func.count()).select_from(_chosen(ways, size).subquery()))


@cache
def _count_some(way: _By, size: int) -> Query:
    return Query(select(func.count()).select_from(_of(way, size).limit(literal(COUNTED)).subquery()))
