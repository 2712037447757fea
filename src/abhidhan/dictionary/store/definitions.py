"""Ideas whose definitions contain given words, and the words of those ideas."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import Integer, Select, Text, bindparam, exists, func, literal, or_, select, union_all

from abhidhan.platform.database.compiled_queries import CompiledQuery, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import definition, definition_word, sense

MAX_COUNTED_DEFINITIONS: Final = 1000
"""Maximum number of ideas with a definition word that are counted, and of those that are scanned."""

MAX_KEYS: Final = 8
"""Maximum number of query words that are searched, rarest first."""

MAX_IDEAS: Final = 200


class DefinedIdea(NamedTuple):
    """Matching idea, with the length of its shortest definition in characters."""

    idea_id: int
    length: int


class WordOfIdea(NamedTuple):
    """Word of an idea."""

    idea_id: int
    word_id: int


@cache
def _counts_query(count: int) -> CompiledQuery:
    return CompiledQuery(union_all(*(_select_count(number) for number in range(count))))


def _select_count(number: int) -> Select[int, int]:
    limited = (
        select(definition_word.c.idea_id)
        .where(definition_word.c.key == bindparam(f"key_{number}", type_=Text))
        .limit(literal(MAX_COUNTED_DEFINITIONS))
        .subquery()
    )
    return select(literal(number), func.count()).select_from(limited)


@cache
def _build_ideas_query(count: int) -> CompiledQuery:
    """Build the statement that scans the ideas of the first key and filters by all other keys."""
    limited = (
        select(definition_word.c.idea_id)
        .where(definition_word.c.key == bindparam("key_0", type_=Text))
        .order_by(definition_word.c.idea_id)
        .limit(literal(MAX_COUNTED_DEFINITIONS))
        .subquery()
    )
    aliases = [definition_word.alias(f"other_{number}") for number in range(1, count)]
    ideas = (
        select(limited.c.idea_id)
        .where(
            *(
                exists().where(
                    alias.c.key == bindparam(f"key_{number}", type_=Text), alias.c.idea_id == limited.c.idea_id
                )
                for number, alias in enumerate(aliases, start=1)
            )
        )
        .order_by(limited.c.idea_id)
        .limit(literal(MAX_IDEAS))
        .subquery()
    )
    length = func.min(func.length(definition.c.text))
    return CompiledQuery(
        select(ideas.c.idea_id, length)
        .select_from(ideas.join(definition, definition.c.idea_id == ideas.c.idea_id))
        .group_by(ideas.c.idea_id)
        .order_by(length, ideas.c.idea_id)
    )


def find_ideas_defined_with(connection: ReadConnection, exact_keys: Sequence[str]) -> list[DefinedIdea]:
    """Find ideas whose definitions contain all words, given by exact key; shortest definitions first.

    For words in thousands of definitions, only the first ideas by ID are checked.
    """
    keys = list(dict.fromkeys(key for key in exact_keys if key))[:MAX_COUNTED_DEFINITIONS]
    if not keys:
        return []
    keys = keys[: 2 * MAX_KEYS]
    parameters = {f"key_{number}": key for number, key in enumerate(keys)}
    counts = connection.rows(_counts_query(len(keys)), **parameters)
    rarest = sorted((row[1], row[0]) for row in counts)[:MAX_KEYS]
    if rarest[0][0] == 0:
        return []
    rows = connection.rows(
        _build_ideas_query(len(rarest)), **{f"key_{number}": keys[index] for number, (_, index) in enumerate(rarest)}
    )
    return [DefinedIdea(*row) for row in rows]


_IDEAS_OF_WORDS = per_list_size(
    lambda size: (
        select(sense.c.idea_id).where(in_list(sense.c.word_id, "word", size)).distinct().order_by(sense.c.idea_id)
    )
)


def list_ideas_of_words(connection: ReadConnection, word_ids: Sequence[int]) -> list[int]:
    """List the IDs of the ideas of words."""
    if not word_ids:
        return []
    return [row[0] for row in connection.rows(_IDEAS_OF_WORDS(len(word_ids)), **list_params("word", word_ids))]


_WORDS_OF_IDEAS = per_list_size(
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


def list_words_of_ideas(connection: ReadConnection, idea_ids: Sequence[int], language_id: int) -> list[WordOfIdea]:
    """List the words of ideas in one language, or in all for ALL_LANGUAGES."""
    if not idea_ids:
        return []
    rows = connection.rows(_WORDS_OF_IDEAS(len(idea_ids)), **list_params("idea", idea_ids), language_id=language_id)
    return [WordOfIdea(*row) for row in rows]
