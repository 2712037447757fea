"""The ideas behind the senses of a page, open or folded to a line, read by one statement."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select

from abhidhan.dictionary.model.idea_json import IdeaJSON
from abhidhan.dictionary.store.acceleration.idea_cache import COLUMNS, IS_CACHED
from abhidhan.dictionary.store.idea_details import read_ideas
from abhidhan.platform.database.compiled_queries import by_size, chunks, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import confirmation, idea, idea_cache


class ShownIdea(NamedTuple):
    """What stands at the head of an idea: its glyph, its source's ID, when it was confirmed; of an open one, all."""

    glyph: str | None
    source_id: int | None
    confirmed: int | None
    json: IdeaJSON | None


_IDEAS = by_size(
    lambda size: (
        select(idea.c.id, idea.c.glyph, idea.c.source_id, confirmation.c.confirmed, idea_cache.c.form, *COLUMNS)
        .select_from(
            idea.outerjoin(confirmation, confirmation.c.idea_id == idea.c.id).outerjoin(
                idea_cache,
                (idea_cache.c.idea_id == idea.c.id) & IS_CACHED & in_list(idea_cache.c.idea_id, "open", size),
            )
        )
        .where(in_list(idea.c.id, "id", size))
    )
)


def read_shown_ideas(reader: Reader, idea_ids: Sequence[int], open_ids: Sequence[int]) -> dict[int, ShownIdea]:
    """Read the heads of ideas, and all that belongs to those of them that are open."""
    found: dict[int, ShownIdea] = {}
    for some in chunks(idea_ids):
        opened = [idea_id for idea_id in some if idea_id in open_ids]
        size = len(some)
        rows = reader.rows(_IDEAS(size), **padded("id", some), **padded("open", opened or [0], size))
        lacking = [row[0] for row in rows if row[0] in opened and row[4] is None]
        read = read_ideas(reader, lacking) if lacking else {}
        for idea_id, glyph, source_id, confirmed, form, *pieces in rows:
            json = IdeaJSON._make(pieces) if form else read.get(idea_id)
            found[idea_id] = ShownIdea(glyph, source_id, confirmed, json)
    return found
