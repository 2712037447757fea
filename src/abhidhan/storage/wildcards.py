"""Words that a pattern may fit: stretches of the indexes of keys, the shortest keys first, gone through in chunks.

Keys of one length that begin with some letters are a stretch of one index (`length(key), key`), those that end with
some are one of another (`length(key), ending`). Where a pattern has neither beginning nor end, all keys of a length are
gone through; by then a key is looked at where it stands in the index, and nobody reads the row of a word that has not
the longest piece of the pattern. How many chunks are read, and when, is decided by who asks for them.
"""

from enum import Enum
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, Select, Text, bindparam, func, literal, or_, select

from abhidhan.domain.ids import GREATEST_ID
from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.storage.engine.queries import LAST_CHARACTER, Query, Row, by_size, chunks, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.key_columns import KeyColumn
from abhidhan.storage.schema import word
from abhidhan.storage.schema.endings import Ending, ending_of
from abhidhan.storage.selecting import of_language


class KeyedWord(NamedTuple):
    """A word with the two keys that patterns are compared with."""

    id: int
    language_id: int
    exact: str
    loose: str


class Literals(NamedTuple):
    """What every key that fits a pattern has: a beginning, an end, a piece anywhere; and how long it may be."""

    column: KeyColumn
    prefix: str
    suffix: str
    piece: str
    shortest: int
    longest: int


class Way(Enum):
    """Which index is gone through."""

    BEGINNING = "beginning"
    ENDING = "ending"


class Place(NamedTuple):
    """How far a stretch has been read: the length of keys, and the last key (or ending) of it, and its word."""

    length: int
    after: str
    after_id: int


class Chunk(NamedTuple):
    """The words of a chunk that may fit, how many keys were looked at, and where to go on (None: nowhere)."""

    words: list[KeyedWord]
    keys: int
    next: Place | None


class Stretch(NamedTuple):
    """What is gone through for a pattern: words of one language only, unless it is ALL_LANGUAGES."""

    literals: Literals
    language_id: int = ALL_LANGUAGES

    @property
    def way(self) -> Way:
        """By the end where that says more; exact keys are in no such order."""
        column, prefix, suffix, *_ = self.literals
        return Way.ENDING if column is KeyColumn.LOOSE and len(suffix) > len(prefix) else Way.BEGINNING

    @property
    def start(self) -> str:
        """Where the keys or endings of each length begin."""
        return ending_of(self.literals.suffix) if self.way is Way.ENDING else self.literals.prefix

    def first_place(self) -> Place:
        """Return the place before everything."""
        return Place(max(1, self.literals.shortest), self.start, 0)


def read_chunk(reader: Reader, stretch: Stretch, place: Place, size: int) -> Chunk:
    """Look at the next keys of a stretch, at most `size` of them, all of one length."""
    kind = _Kind(stretch.literals.column, stretch.way, _filters(stretch), stretch.language_id != ALL_LANGUAGES)
    given = _parameters(stretch, place)
    border = reader.row(_border(kind), **given, skipped=size - 1)
    end, end_id = border or (stretch.start + LAST_CHARACTER, GREATEST_ID)
    words = _keyed(reader.rows(_words(kind), **given, end=end, end_id=end_id))
    if border:
        return Chunk(words, size, Place(place.length, end, end_id))
    longer = place.length + 1
    return Chunk(words, len(words), Place(longer, stretch.start, 0) if longer <= stretch.literals.longest else None)


def longest_key(reader: Reader, column: KeyColumn) -> int:
    """Return how many characters the longest key has."""
    row = reader.row(_LONGEST[column])
    return int(row[0]) if row else 0


def of_small_language(reader: Reader, literals: Literals, language_id: int, limit: int) -> list[KeyedWord]:
    """Look at all words of one language, of which there are at most `limit`, for those that may fit."""
    stretch = Stretch(literals, language_id)
    kind = _Kind(literals.column, Way.BEGINNING, _filters(stretch) | {"prefix", "suffix"}, of_language=True)
    given = _parameters(stretch, stretch.first_place())
    return _keyed(reader.rows(_of_language(kind), **given, longest=literals.longest, limit=limit))


_BY_ID = by_size(
    lambda size: (
        select(word.c.id, word.c.language_id, word.c.exact_key, word.c.loose_key)
        .where(in_list(word.c.id, "id", size), of_language(word.c.language_id))
        .order_by(word.c.id)
    )
)


def keyed_words(reader: Reader, word_ids: list[int], language_id: int) -> list[KeyedWord]:
    """Read the keys of words, those of one language or of all."""
    return [
        each
        for some in chunks(word_ids)
        for each in _keyed(reader.rows(_BY_ID(len(some)), **padded("id", some), language_id=language_id))
    ]


# --- the statements ---------------------------------------------------------------------------------------------------


class _Kind(NamedTuple):
    """What makes one statement another."""

    column: KeyColumn
    way: Way
    filters: frozenset[str]
    of_language: bool


def _filters(stretch: Stretch) -> frozenset[str]:
    """Name what is looked for in each key beside what its place in the index tells."""
    _, prefix, suffix, piece, *_ = stretch.literals
    looked_for = {
        "prefix": bool(prefix) and stretch.way is Way.ENDING,
        "suffix": bool(suffix) and (stretch.way is Way.BEGINNING or stretch.start != suffix[::-1]),
        "piece": piece not in {prefix, suffix},
    }
    return frozenset(name for name, wanted in looked_for.items() if wanted)


def _parameters(stretch: Stretch, place: Place) -> dict[str, str | int]:
    _, prefix, suffix, piece, *_ = stretch.literals
    return {
        **place._asdict(),
        "stretch_end": stretch.start + LAST_CHARACTER,
        "prefix": prefix,
        "prefix_length": len(prefix),
        "suffix": suffix,
        "suffix_length": len(suffix),
        "piece": piece,
        "language_id": stretch.language_id,
    }


@cache
def _border(kind: _Kind) -> Query:
    """Make the statement that finds the last of so many keys, and none where there are fewer."""
    order = _order(kind)
    return Query(
        select(order, word.c.id)
        .where(*_ahead(kind), order < bindparam("stretch_end", type_=Text))
        .order_by(order, word.c.id)
        .limit(literal(1))
        .offset(bindparam("skipped", type_=Integer))
    )


@cache
def _words(kind: _Kind) -> Query:
    return Query(_chosen(kind, "instr"), postgresql=_chosen(kind, "strpos"))


def _chosen(kind: _Kind, find: str) -> Select[Any]:
    order, end = _order(kind), bindparam("end", type_=Text)
    up_to_here = (order <= end, or_(order < end, word.c.id <= bindparam("end_id", type_=Integer)))
    return _COLUMNS.where(*_ahead(kind), *up_to_here, *_looked_for(kind, find)).order_by(order, word.c.id)


@cache
def _of_language(kind: _Kind) -> Query:
    def chosen(find: str) -> Select[Any]:
        length = func.length(_key(kind))
        return (
            _COLUMNS.where(
                word.c.language_id == bindparam("language_id", type_=Integer),
                length + literal(0) >= bindparam("length", type_=Integer),
                length + literal(0) <= bindparam("longest", type_=Integer),
                *_looked_for(kind._replace(of_language=False), find),
            )
            .order_by(word.c.sort_key, word.c.text)
            .limit(bindparam("limit", type_=Integer))
        )

    return Query(chosen("instr"), postgresql=chosen("strpos"))


_COLUMNS: Final = select(word.c.id, word.c.language_id, word.c.exact_key, word.c.loose_key)

_LONGEST: Final = {
    column: Query(
        select(func.length(word.c[column.value]))
        .where(func.length(word.c[column.value]) > literal(0))
        .order_by(func.length(word.c[column.value]).desc())
        .limit(literal(1))
    )
    for column in (KeyColumn.EXACT, KeyColumn.LOOSE)
}


def _key(kind: _Kind) -> ColumnElement[str]:
    return word.c[kind.column.value]


def _order(kind: _Kind) -> ColumnElement[str]:
    """Return what the keys of one length are in order of."""
    return Ending(_key(kind)) if kind.way is Way.ENDING else _key(kind)


def _ahead(kind: _Kind) -> tuple[ColumnElement[bool], ...]:
    """Say that a key has the length, and stands behind what has been read."""
    order, after = _order(kind), bindparam("after", type_=Text)
    return (
        func.length(_key(kind)) == bindparam("length", type_=Integer),
        order >= after,
        or_(order > after, word.c.id > bindparam("after_id", type_=Integer)),
    )


def _looked_for(kind: _Kind, find: str) -> list[ColumnElement[bool]]:
    """Say what a key must have besides. Both engines count characters, and compare them one by one."""
    key, suffix_length = _key(kind), bindparam("suffix_length", type_=Integer)
    conditions = {
        "prefix": func.substr(key, literal(1), bindparam("prefix_length", type_=Integer)) == bindparam("prefix"),
        "suffix": func.substr(key, func.length(key) - suffix_length + literal(1)) == bindparam("suffix"),
        "piece": getattr(func, find)(key, bindparam("piece", type_=Text)) > literal(0),
    }
    wanted = [conditions[name] for name in sorted(kind.filters)]
    if kind.of_language:
        # The sum is no column of an index: SQLite would go through the words of the language instead.
        wanted.append(word.c.language_id + literal(0) == bindparam("language_id", type_=Integer))
    return wanted


def _keyed(rows: list[Row]) -> list[KeyedWord]:
    return list(map(KeyedWord._make, rows))
