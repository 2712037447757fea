"""Words with the keys by which they are found, as they are before or after a change."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, select

from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import by_size, in_list
from abhidhan.schema import word


class KeyedWord(NamedTuple):
    """A word and its keys."""

    id: int
    language_id: int
    text: str
    exact_key: str
    loose_key: str
    sound_key: str
    frequency: float | None


_KEYED = by_size(
    lambda size: select(*(word.c[name] for name in KeyedWord._fields)).where(in_list(word.c.id, "id", size))
)


def read_keyed_words(connection: Connection, word_ids: Iterable[int]) -> list[KeyedWord]:
    """Read words with their keys."""
    return [KeyedWord._make(row) for row in Bulk(connection).rows_among(_KEYED, "id", sorted({*word_ids}))]
