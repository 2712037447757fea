"""Words that a pattern may fit, the shortest keys first: the keys of each length are in order in one index."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import Integer, Text, bindparam, func, literal, or_, select

from abhidhan.dictionary.model.wildcards import KeyPattern
from abhidhan.dictionary.store.key_columns import KeyColumn
from abhidhan.platform.database.compiled_queries import LAST_CHARACTER, Query, Value, by_size, chunks, in_list, padded
from abhidhan.platform.database.key_queries import of_language
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import word

WORDS_AT_ONCE: Final = 1024
"""How many words one statement reads at most."""


class KeyedWord(NamedTuple):
    """A word with the two keys that patterns are compared with."""

    id: int
    language_id: int
    exact: str
    loose: str


def words_like(
    reader: Reader, column: KeyColumn, pattern: KeyPattern, language_id: int, *, unlike: str = ""
) -> Iterator[list[KeyedWord]]:
    """Yield the words whose key may fit, the shortest first, a page or more for each length of keys.

    Words whose loose key is like `unlike` are left out. Keys with a prefix are a stretch of the index. For other
    patterns SQLite compares every key where it stands in the index, and reads no row of a word whose key does not fit.
    """
    end = pattern.prefix + LAST_CHARACTER
    longest = reader.row(_LONGEST[column])
    for length in range(max(1, pattern.shortest), int(longest[0]) + 1 if longest else 0):
        given: dict[str, Value] = {"length": length, "end": end, "like": pattern.like, "unlike": unlike}
        after, after_id = pattern.prefix, 0
        while after < end:
            given |= {"after": after, "after_id": after_id, "language_id": language_id, "limit": WORDS_AT_ONCE}
            rows = reader.rows(_OF_LENGTH[column], **given)
            yield [KeyedWord._make(row[1:]) for row in rows]
            after, after_id = rows[-1][:2] if len(rows) == WORDS_AT_ONCE else (end, 0)


def words_by_id(reader: Reader, word_ids: list[int], language_id: int) -> Iterator[list[KeyedWord]]:
    """Yield words with their keys, those of one language or of all, in pages."""
    for some in chunks(word_ids):
        yield list(map(KeyedWord._make, reader.rows(_BY_ID(len(some)), **padded("id", some), language_id=language_id)))


# --- the statements ---------------------------------------------------------------------------------------------------

_KEYED: Final = (word.c.id, word.c.language_id, word.c.exact_key, word.c.loose_key)

_BY_ID: Final = by_size(
    lambda size: select(*_KEYED).where(in_list(word.c.id, "id", size), of_language(word.c.language_id))
)


def _of_length(column: KeyColumn) -> Query:
    key, after = word.c[column.value], bindparam("after", type_=Text)
    return Query(
        select(key, *_KEYED)
        .where(
            func.length(key) == bindparam("length", type_=Integer),
            key >= after,
            or_(key > after, word.c.id > bindparam("after_id", type_=Integer)),
            key < bindparam("end", type_=Text),
            key.like(bindparam("like", type_=Text), escape="/"),
            of_language(word.c.language_id),
            word.c.loose_key.not_like(bindparam("unlike", type_=Text), escape="/"),
        )
        .order_by(key, word.c.id)
        .limit(bindparam("limit", type_=Integer))
    )


def _of_longest(column: KeyColumn) -> Query:
    length = func.length(word.c[column.value])
    return Query(select(length).where(length > literal(0)).order_by(length.desc()).limit(literal(1)))


_OF_LENGTH: Final = {column: _of_length(column) for column in (KeyColumn.LOOSE, KeyColumn.EXACT)}
_LONGEST: Final = {column: _of_longest(column) for column in (KeyColumn.LOOSE, KeyColumn.EXACT)}
