"""Ideas whose definitions contain given words, and the words of those ideas."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import Integer, Select, Text, bindparam, exists, func, literal, or_, select, union_all

from abhidhan.platform.database.compiled_queries import Query, by_size, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import definition, definition_word, sense

COUNTED: Final = 1000
"""Number up to which definitions with a word are counted, and of definitions that are scanned."""

MOST_KEYS: Final = 8
"""Maximum number of query words that are searched, rarest first."""

MOST_IDEAS: Final = 200


class Defined(NamedTuple):
    """Matching idea, with the length of its shortest definition in characters."""

    idea_id: int
    length: int


class WordOfIdea(NamedTuple):
    """Word of an idea."""

    idea_id: int
    word_id: int


@cache
def _counts(count: int) -> Query:
    return Query(union_all(*(_count(place) for place in range(count))))


def _count(place: int) -> Select[int, int]:
    some = (
        select(definition_word.c.idea_id)
        .where(definition_word.c.key == bindparam(f"key_{place}", type_=Text))
        .limit(literal(COUNTED))
        .subquery()
    )
    return select(literal(place), func.count()).select_from(some)


@cache
def _with_all(count: int) -> Query:
    """Build the statement that scans the ideas of the first key and filters by all other keys."""
    some = (
        select(definition_word.c.idea_id)
        .where(definition_word.c.key == bindparam("key_0", type_=Text))
        .order_by(definition_word.c.idea_id)
        .limit(literal(COUNTED))
        .subquery()
    )
    others = [definition_word.alias(f"other_{place}") for place in range(1, count)]
    ideas = (
        select(some.c.idea_id)
        .where(
            *(
                exists().where(other.c.key == bindparam(f"key_{place}", type_=Text), other.c.idea_id == some.c.idea_id)
                for place, other in enumerate(others, start=1)
            )
        )
        .order_by(some.c.idea_id)
        .limit(literal(MOST_IDEAS))
        .subquery()
    )
    length = func.min(func.length(definition.c.text))
    return Query(
        select(ideas.c.idea_id, length)
        .select_from(ideas.join(definition, definition.c.idea_id == ideas.c.idea_id))
        .group_by(ideas.c.idea_id)
        .order_by(length, ideas.c.idea_id)
    )


def ideas_defined_with(reader: Reader, exact_keys: Sequence[str]) -> list[Defined]:
    """Find ideas whose definitions contain all words, given by exact key; shortest definitions first.

    For words in thousands of definitions, only the first ideas by ID are checked.
    """
    keys = list(dict.fromkeys(key for key in exact_keys if key))[:COUNTED]
    if not keys:
        return []
    keys = keys[: 2 * MOST_KEYS]
    parameters = {f"key_{place}": key for place, key in enumerate(keys)}
    counts = reader.rows(_counts(len(keys)), **parameters)
    rarest = sorted((row[1], row[0]) for row in counts)[:MOST_KEYS]
    if rarest[0][0] == 0:
        return []
    rows = reader.rows(
        _with_all(len(rarest)), **{f"key_{place}": keys[index] for place, (_, index) in enumerate(rarest)}
    )
    return [Defined(*row) for row in rows]


_IDEAS_OF_WORDS = by_size(
    lambda size: (
        select(sense.c.idea_id).where(in_list(sense.c.word_id, "word", size)).distinct().order_by(sense.c.idea_id)
    )
)


def ideas_of_words(reader: Reader, word_ids: Sequence[int]) -> list[int]:
    """List the ideas of words."""
    if not word_ids:
        return []
    return [row[0] for row in reader.rows(_IDEAS_OF_WORDS(len(word_ids)), **padded("word", word_ids))]


_WORDS_OF_IDEAS = by_size(
    lambda size: (
        select(sense.c.idea_id, sense.c.word_id)
        .where(
            in_list(sense.c.idea_id, "idea", size),
            or_(
                bindparam("language_id", type_=Integer) == ALL_LANGUAGES,
                sense.c.language_id == bindparam("language_id", type_=Integer),
            ),
        )
        .order_by(sense.c.idea_id, sense.c.language_id, sense.c.rank, sense.c.word_id)
    )
)


def words_of_ideas(reader: Reader, idea_ids: Sequence[int], language_id: int) -> list[WordOfIdea]:
    """List the words of ideas in one language, or (0) in all."""
    if not idea_ids:
        return []
    rows = reader.rows(_WORDS_OF_IDEAS(len(idea_ids)), **padded("idea", idea_ids), language_id=language_id)
    return [WordOfIdea(*row) for row in rows]
