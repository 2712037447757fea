"""Senses, which link words to ideas; their IDs stay the same when a spelling or a meaning is edited."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Integer, bindparam, select

from abhidhan.platform.database.compiled_queries import CompiledQuery, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import sense, word


class StoredSense(NamedTuple):
    """Stored sense: its word, its idea, and the time it was added (seconds since 1970)."""

    word_id: int
    idea_id: int
    added: int


class SenseWord(NamedTuple):
    """Word of an idea: the ID of its sense, its language and its spelling."""

    sense_id: int
    language_id: int
    text: str


_BY_ID = CompiledQuery(
    select(sense.c.word_id, sense.c.idea_id, sense.c.added).where(sense.c.id == bindparam("id", type_=Integer))
)
_OF_IDEA = CompiledQuery(
    select(sense.c.id, sense.c.language_id, word.c.text)
    .join(word, word.c.id == sense.c.word_id)
    .where(sense.c.idea_id == bindparam("id", type_=Integer))
    .order_by(sense.c.language_id, sense.c.rank, sense.c.word_id)
)
_MEANINGS = CompiledQuery(
    select(sense.c.id, sense.c.idea_id)
    .where(sense.c.word_id == bindparam("id", type_=Integer))
    .order_by(sense.c.position, sense.c.id)
)
_SPELLINGS = per_list_size(lambda size: select(word.c.id, word.c.text).where(in_list(word.c.id, "id", size)))


def find_sense(connection: ReadConnection, sense_id: int) -> StoredSense | None:
    """Return the sense with an ID; None if it does not exist."""
    rows = connection.rows(_BY_ID, id=sense_id)
    return StoredSense(*rows[0]) if rows else None


def list_words_of_idea(connection: ReadConnection, idea_id: int) -> list[SenseWord]:
    """List the words of an idea, by language, then in their order."""
    return [SenseWord(*row) for row in connection.rows(_OF_IDEA, id=idea_id)]


def list_meanings(connection: ReadConnection, word_id: int) -> list[tuple[int, int]]:
    """List the meanings of a word in their order: (sense ID, idea ID)."""
    return [(row[0], row[1]) for row in connection.rows(_MEANINGS, id=word_id)]


def load_spellings(connection: ReadConnection, word_ids: Sequence[int]) -> dict[int, str]:
    """Return the spellings of words by ID."""
    rows = (
        row for batch in chunks(word_ids) for row in connection.rows(_SPELLINGS(len(batch)), **list_params("id", batch))
    )
    return {row[0]: row[1] for row in rows}
