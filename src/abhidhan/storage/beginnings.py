"""Words that begin as somebody types, by each of their keys. Every read is bounded."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, Select, Subquery, Text, bindparam, func, literal, select, union_all

from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.storage.engine.queries import Query, by_size, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.schema import word
from abhidhan.storage.words import LAST_CHARACTER, KeyColumn

KEYS_OF_A_RANGE: Final = 1500
"""How many neighbours in the order of a key are read to find the shortest that begin with something."""

KEYS_OF_A_LANGUAGE: Final = 400
"""The same where the language must be looked up for each."""

ANY_LENGTH: Final = 1_000_000


class Prefix(NamedTuple):
    """What keys of a column are to begin with, and how many letters they may have."""

    column: KeyColumn
    text: str
    longest: int = ANY_LENGTH


class Spelled(NamedTuple):
    """A word: its language and its spelling."""

    language_id: int
    text: str


class BegunKey(NamedTuple):
    """The key of a word that begins with one of several prefixes, named by its place among them."""

    word_id: int
    key: str
    place: int


# --- by the exact key, whose index has all that is told of a word -----------------------------------------------------


@cache
def _beginning(*, of_language: bool) -> Query:
    stretch = _stretch(word.c.exact_key, 0, word.c.language_id, word.c.text, of_language=of_language)
    statement = select(stretch.c.id, stretch.c.found, stretch.c.language_id, stretch.c.text)
    return Query(_shortest(statement, stretch, of_language=of_language))


def beginning(reader: Reader, prefix: str, language_id: int, limit: int) -> tuple[list[BegunKey], dict[int, Spelled]]:
    """Read words whose exact key begins with a prefix, the shortest first, and how each is spelled."""
    if not prefix:
        return [], {}
    parameters = _range(0, prefix) | {"language_id": language_id, "limit": limit}
    rows = reader.rows(_beginning(of_language=language_id != ALL_LANGUAGES), **parameters)
    return [BegunKey(row[0], row[1], 0) for row in rows], {row[0]: Spelled(row[2], row[3]) for row in rows}


# --- by other keys ----------------------------------------------------------------------------------------------------


@cache
def _beginning_otherwise(columns: tuple[KeyColumn, ...], *, of_language: bool) -> Query:
    arms = [_arm(word.c[column.value], place, of_language=of_language) for place, column in enumerate(columns)]
    return Query(union_all(*arms))


def _arm(column: ColumnElement[str], place: int, *, of_language: bool) -> Select[Any]:
    """Make one arm: the first keys of the range, and of these the shortest.

    Without a language the range is read from the index alone.
    """
    stretch = _stretch(column, place, *([word.c.language_id] if of_language else []), of_language=of_language)
    statement = select(stretch.c.id, stretch.c.found).where(
        func.length(stretch.c.found) <= bindparam(f"longest_{place}", type_=Integer)
    )
    shortest = _shortest(statement, stretch, of_language=of_language).subquery()
    return select(shortest.c.id, shortest.c.found, literal(place).label("place"))


def beginning_otherwise(reader: Reader, prefixes: Sequence[Prefix], language_id: int, limit: int) -> list[BegunKey]:
    """Read words whose keys begin with one of the prefixes: at most `limit` for each, the shortest.

    Of a prefix that thousands of words have, only the first in the order of the key are looked at.
    """
    if not prefixes:
        return []
    parameters: dict[str, str | int] = {"language_id": language_id, "limit": limit}
    for place, prefix in enumerate(prefixes):
        parameters |= _range(place, prefix.text) | {f"longest_{place}": prefix.longest}
    columns = tuple(prefix.column for prefix in prefixes)
    rows = reader.rows(_beginning_otherwise(columns, of_language=language_id != ALL_LANGUAGES), **parameters)
    return list(map(BegunKey._make, rows))


_SPELLED = by_size(
    lambda size: select(word.c.id, word.c.language_id, word.c.text).where(in_list(word.c.id, "id", size))
)


def spellings(reader: Reader, word_ids: Collection[int]) -> dict[int, Spelled]:
    """Return how words are spelled, by their IDs."""
    if not word_ids:
        return {}
    rows = reader.rows(_SPELLED(len(word_ids)), **padded("id", sorted(word_ids)))
    return {row[0]: Spelled(row[1], row[2]) for row in rows}


# --- what the statements have in common -------------------------------------------------------------------------------


def _stretch(key: ColumnElement[str], place: int, *others: ColumnElement[Any], of_language: bool) -> Subquery:
    """Select the first keys that begin with the prefix of a place."""
    return (
        select(word.c.id, key.label("found"), *others)
        .where(
            key >= bindparam(f"prefix_{place}", type_=Text),
            key < bindparam(f"end_{place}", type_=Text),
        )
        .order_by(key)
        .limit(literal(KEYS_OF_A_LANGUAGE if of_language else KEYS_OF_A_RANGE))
        .subquery()
    )


def _shortest(statement: Select[Any], stretch: Subquery, *, of_language: bool) -> Select[Any]:
    if of_language:
        statement = statement.where(stretch.c.language_id == bindparam("language_id", type_=Integer))
    in_order = func.length(stretch.c.found), stretch.c.found, stretch.c.id
    return statement.order_by(*in_order).limit(bindparam("limit", type_=Integer))


def _range(place: int, prefix: str) -> dict[str, str | int]:
    return {f"prefix_{place}": prefix, f"end_{place}": prefix + LAST_CHARACTER}
