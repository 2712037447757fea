"""Contexts: which of them hold ideas, and the ideas of some, by ID."""

from collections.abc import Sequence

from sqlalchemy import Integer, bindparam, exists, select

from abhidhan.domain.lists import ListName
from abhidhan.storage.engine.queries import Query, by_size, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import idea, idea_context, list_item, sense, word

_IN_USE = Query(
    select(list_item.c.id).where(
        list_item.c.list == ListName.CONTEXTS.value,
        exists(select(1).where(idea_context.c.context_id == list_item.c.id)),
    )
)

_IDEAS = by_size(
    lambda size: (
        select(idea_context.c.idea_id)
        .where(
            in_list(idea_context.c.context_id, "context", size),
            idea_context.c.idea_id >= bindparam("start", type_=Integer),
        )
        .distinct()
        .order_by(idea_context.c.idea_id)
        .limit(bindparam("limit", type_=Integer))
    )
)

_WORDS = by_size(
    lambda size: (
        select(sense.c.idea_id, word.c.language_id, word.c.text)
        .select_from(sense.join(word, word.c.id == sense.c.word_id))
        .where(in_list(sense.c.idea_id, "id", size))
        .order_by(sense.c.idea_id, word.c.language_id, word.c.sort_key)
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
    """List the IDs of the contexts that hold at least one idea."""
    return frozenset(row[0] for row in reader.rows(_IN_USE))


def ideas(reader: Reader, context_ids: Sequence[int], start: int, limit: int) -> list[int]:
    """List the IDs of the ideas under any of the contexts, from the ID `start` on."""
    rows = reader.rows(_IDEAS(len(context_ids)), **padded("context", context_ids), start=start, limit=limit)
    return [row[0] for row in rows]


def words(reader: Reader, idea_ids: Sequence[int]) -> list[tuple[int, int, str]]:
    """List the words of ideas by idea, language and alphabet: (idea's ID, language's ID, spelling)."""
    if not idea_ids:
        return []
    return [(row[0], row[1], row[2]) for row in reader.rows(_WORDS(len(idea_ids)), **padded("id", idea_ids))]


def words_with_frequency(
    reader: Reader, idea_ids: Sequence[int], language_id: int
) -> list[tuple[str, str, float | None]]:
    """List the words of ideas in a language: (spelling, exact key, frequency where the entry has one)."""
    if not idea_ids:
        return []
    rows = reader.rows(_COMMON(len(idea_ids)), **padded("id", idea_ids), language_id=language_id)
    return [(row[0], row[1], row[2]) for row in rows]


def heads(reader: Reader, idea_ids: Sequence[int]) -> dict[int, tuple[str | None, int | None]]:
    """Read the glyph and the source's ID of each idea."""
    if not idea_ids:
        return {}
    rows = reader.rows(_HEADS(len(idea_ids)), **padded("id", idea_ids))
    return {row[0]: (row[1], row[2]) for row in rows}
