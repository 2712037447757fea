"""Contexts: which of them hold ideas, and the ideas of some, by ID."""

from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import groupby, islice

from sqlalchemy import Integer, bindparam, exists, select

from abhidhan.platform.database.compiled_queries import Query, by_size, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.lookup_lists import ListName
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
"""Of each of many contexts so many ideas are read at once, or more where more are wanted of each."""

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
    """List the IDs of the contexts that hold at least one idea."""
    return frozenset(row[0] for row in reader.rows(_IN_USE))


def ideas(reader: Reader, context_ids: Sequence[int], start: int, limit: int) -> list[int]:
    """List the IDs of the ideas under any of the contexts, from the ID `start` on.

    Each context has its own in order in the index, and these lists are merged: however many ideas there are above the
    last one that is wanted, nobody sorts them.
    """
    at_once = max(FEWEST_AT_ONCE, limit // max(1, len(context_ids)) + 1)
    merged = merge(*(_ideas_of(reader, each, start, at_once) for each in context_ids))
    return list(islice((idea_id for idea_id, _ in groupby(merged)), limit))


def _ideas_of(reader: Reader, context_id: int, start: int, at_once: int) -> Iterator[int]:
    """Go through the ideas of one context, so many at a time."""
    while True:
        rows = reader.rows(_IDEAS, context_id=context_id, start=start, limit=at_once)
        yield from (row[0] for row in rows)
        if len(rows) < at_once:
            return
        start = rows[-1][0] + 1


def words(reader: Reader, idea_ids: Sequence[int]) -> list[tuple[int, int, str]]:
    """List the words of ideas by idea, by language and in their order: (idea's ID, language's ID, spelling)."""
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
