"""What the recordings of a list say, found by how it is spelled, and those of a list that were sent before."""

from typing import NamedTuple

from sqlalchemy import Integer, Text, bindparam, select

from abhidhan.domain.submissions import Status
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.recordings import Subject
from abhidhan.storage.schema import phrase, recording, word

MOST_ALIKE = 10
"""Of what is spelled alike, so much is read: more than one is too much already."""


class SentBefore(NamedTuple):
    """A recording that an earlier import has sent, and what has become of it."""

    id: int
    status: Status


_WORDS, _PHRASES = (
    Query(
        select(table.c.id, table.c.text, table.c.language_id)
        .where(
            table.c.exact_key == bindparam("key", type_=Text),
            table.c.language_id == bindparam("language_id", type_=Integer),
        )
        .order_by(table.c.id)
        .limit(MOST_ALIKE)
    )
    for table in (word, phrase)
)
_BY_ONCE = Query(select(recording.c.id, recording.c.status).where(recording.c.once == bindparam("once", type_=Text)))


def words_spelled(reader: Reader, key: str, language_id: int) -> list[Subject]:
    """Find the words of a language that have an exact key."""
    rows = reader.rows(_WORDS, key=key, language_id=language_id)
    return [Subject(number, None, None, *told) for number, *told in rows]


def phrases_spelled(reader: Reader, key: str, language_id: int) -> list[Subject]:
    """Find the phrases of a language that have an exact key."""
    rows = reader.rows(_PHRASES, key=key, language_id=language_id)
    return [Subject(None, number, None, *told) for number, *told in rows]


def sent_before(reader: Reader, once: str) -> SentBefore | None:
    """Find what an earlier request with the same mark has sent."""
    row = reader.row(_BY_ONCE, once=once)
    return SentBefore(row[0], Status(row[1])) if row else None
