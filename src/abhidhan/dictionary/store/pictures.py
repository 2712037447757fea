"""Ideas with a picture: an approved photo, or a glyph."""

from collections.abc import Sequence

from sqlalchemy import Integer, bindparam, literal, select, union

from abhidhan.platform.database.compiled_queries import Query, by_size, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.submissions import Status
from abhidhan.schema import idea, photo

_FROM = Query(
    select(idea.c.id)
    .where(idea.c.id >= bindparam("start", type_=Integer))
    .order_by(idea.c.id)
    .limit(bindparam("limit", type_=Integer))
)

_PICTURED = by_size(
    lambda size: union(
        select(idea.c.id).where(in_list(idea.c.id, "id", size), idea.c.glyph.is_not(None)),
        select(photo.c.idea_id).where(
            in_list(photo.c.idea_id, "id", size), photo.c.status == literal(Status.APPROVED.value)
        ),
    )
)


def ideas_from(reader: Reader, start: int, limit: int) -> list[int]:
    """List the IDs of ideas from the ID `start` on."""
    return [row[0] for row in reader.rows(_FROM, start=start, limit=limit)]


def with_pictures(reader: Reader, idea_ids: Sequence[int]) -> frozenset[int]:
    """Choose those of some ideas that have a picture."""
    if not idea_ids:
        return frozenset()
    return frozenset(row[0] for row in reader.rows(_PICTURED(len(idea_ids)), **padded("id", idea_ids)))
