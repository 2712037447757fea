"""Recordings that go in and out by lists: found by what they say, those sent before, and the approved ones."""

from typing import NamedTuple

from sqlalchemy import Integer, Text, bindparam, func, select

from abhidhan.media.store.recordings import RECORDINGS, RecordingRow, Subject
from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.records.submissions import Status
from abhidhan.schema import phrase, recording, word

MOST_ALIKE = 10
"""Of what is spelled alike, so much is read: more than one is too much already."""

READ_AT_ONCE = 500


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


class OnSuchTerms(NamedTuple):
    """The approved recordings of a language under one licence: how many bytes they have."""

    language_id: int
    licence: str | None
    size: int


_IS_APPROVED = (recording.c.status == str(Status.APPROVED), recording.c.purged.is_(None))
_APPROVED = Query(
    select(*RECORDINGS.columns)
    .where(*_IS_APPROVED, recording.c.id > bindparam("after", type_=Integer))
    .order_by(recording.c.id)
    .limit(READ_AT_ONCE)
)
_NAMES = Query(select(recording.c.id, recording.c.speaker).where(*_IS_APPROVED))
_TERMS = Query(
    select(recording.c.language_id, recording.c.licence, func.sum(recording.c.size))
    .where(*_IS_APPROVED)
    .group_by(recording.c.language_id, recording.c.licence)
    .order_by(recording.c.language_id, recording.c.licence)
)


def approved_after(reader: Reader, after: int) -> list[RecordingRow]:
    """List the approved recordings above an ID, READ_AT_ONCE at most."""
    return [RecordingRow._make(row) for row in reader.rows(_APPROVED, after=after)]


def approved_names(reader: Reader) -> dict[int, str | None]:
    """Return who is named as the speaker of each approved recording, by its ID."""
    return {number: speaker for number, speaker in reader.rows(_NAMES)}  # noqa: C416  # rows are tuples of any length


def approved_on_terms(reader: Reader) -> list[OnSuchTerms]:
    """Say how many bytes the approved recordings of each language and licence have."""
    return [OnSuchTerms(language_id, licence, int(size)) for language_id, licence, size in reader.rows(_TERMS)]
