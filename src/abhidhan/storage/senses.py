"""Senses: the links of words to ideas, found by their own IDs, which stay when a spelling or a meaning is edited."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Integer, bindparam, select

from abhidhan.domain.history import RecordName, SenseState
from abhidhan.storage.engine.queries import Query, by_size, chunks, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.history import entries_about
from abhidhan.storage.schema import sense


class Link(NamedTuple):
    """What a sense links: a word and an idea."""

    word_id: int
    idea_id: int


class Linked(NamedTuple):
    """A sense that is there: what it links, and when it was added (seconds since 1970)."""

    word_id: int
    idea_id: int
    added: int


_BY_ID = Query(
    select(sense.c.word_id, sense.c.idea_id, sense.c.added).where(sense.c.id == bindparam("id", type_=Integer))
)
_OF_WORDS = by_size(
    lambda size: select(sense.c.word_id, sense.c.idea_id, sense.c.id).where(in_list(sense.c.word_id, "id", size))
)


def link_of(reader: Reader, sense_id: int) -> Linked | None:
    """Read what a sense links; None where there is none."""
    rows = reader.rows(_BY_ID, id=sense_id)
    return Linked(*rows[0]) if rows else None


def former_link(reader: Reader, sense_id: int) -> Link | None:
    """Read what a sense linked that is gone, as history keeps it; None where there never was one."""
    name = RecordName("sense", str(sense_id))
    for revision in entries_about(reader, name, limit=1):
        for change in revision.changes:
            if change.name == name and isinstance(change.before, SenseState):
                return Link(change.before.word_id, change.before.idea_id)
    return None


def ids_of_senses(reader: Reader, word_ids: Sequence[int]) -> dict[Link, int]:
    """Read the IDs of the senses of words, by what they link."""
    found: dict[Link, int] = {}
    for some in chunks(word_ids):
        rows = reader.rows(_OF_WORDS(len(some)), **padded("id", some))
        found |= {Link(word_id, idea_id): sense_id for word_id, idea_id, sense_id in rows}
    return found
