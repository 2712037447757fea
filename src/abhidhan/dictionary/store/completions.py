"""Completions: words that begin with a typed text, best first."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Integer, Select, Text, bindparam, select

from abhidhan.dictionary.model.completions import (
    MAX_UNLISTED_WORDS,
    PrefixMatch,
    build_prefix_list,
    completion_weight,
    may_be_whole_word,
)
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.compiled_queries import MAX_CODE_POINT, CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import word

CODES_BY_COLUMN: Final[Mapping[KeyColumn, str]] = {KeyColumn.EXACT: "E", KeyColumn.LOOSE: "L", KeyColumn.SOUND: "S"}
"""Code of each key column, which precedes prefixes in lists. Lower-case codes belonged to an older format."""

COLUMNS_BY_CODE: Final = {code: column for column, code in CODES_BY_COLUMN.items()}

KeyPrefix = tuple[KeyColumn, str]
"""Key column, and a prefix of its keys."""

MAX_WORDS_PER_PREFIX: Final = 200
"""Maximum number of words of a prefix that are read without a list."""


def find_first_words(
    connection: ReadConnection, prefixes: Sequence[KeyPrefix], limit: int
) -> list[Sequence[PrefixMatch]] | None:
    """Return candidates for each prefix; None if more than `MAX_WORDS_PER_PREFIX` words have one of the prefixes.

    These are the first `MAX_LIST_SIZE` words by sound, or the first `limit` by exact or loose spelling, and words that
    equal the exact prefix; if there are few words, all of them in any order. `acceleration/completion_lists` stores the
    same candidates.
    """
    word_lists: list[Sequence[PrefixMatch]] = []
    for column, text in prefixes:
        words = _load_words(connection, CODES_BY_COLUMN[column], text)
        if words is None:
            return None
        word_lists.append(
            words
            if len(words) <= MAX_UNLISTED_WORDS
            else choose_candidates(CODES_BY_COLUMN[column] + text, words, limit)
        )
    return word_lists


def _load_words(connection: ReadConnection, code: str, text: str) -> tuple[PrefixMatch, ...] | None:
    """Load a prefix's words: at most `MAX_UNLISTED_WORDS`, or the first ones; None beyond `MAX_WORDS_PER_PREFIX`."""
    rows = connection.rows(_words_query(code), start_=text, end_=text + MAX_CODE_POINT, limit=MAX_WORDS_PER_PREFIX + 1)
    if len(rows) > MAX_WORDS_PER_PREFIX:
        return None
    words = tuple(map(to_prefix_match, rows))
    return (
        words
        if len(words) <= MAX_UNLISTED_WORDS
        else build_prefix_list(words, (to_prefix_match(row) for row in rows if row[0] == text))
    )


@cache
def _words_query(code: str) -> CompiledQuery:
    return CompiledQuery(select_key_range(code).limit(bindparam("limit", type_=Integer)))


def choose_candidates(prefix: str, words: tuple[PrefixMatch, ...], limit: int) -> tuple[PrefixMatch, ...]:
    """Choose the candidates of a prefix that may be among the first `limit` completions.

    By sound, these are all words, which are scored by spelling too; by exact key, also words that equal the prefix.
    """
    match COLUMNS_BY_CODE[prefix[0]]:
        case KeyColumn.SOUND:
            return words
        case KeyColumn.EXACT:
            return words[:limit] + tuple(
                [candidate for candidate in words[limit:] if may_be_whole_word(prefix[1:], candidate[2])]
            )
        case _:
            return words[:limit]


def to_prefix_match(row: Sequence[Any]) -> PrefixMatch:
    """Convert a row of `prefix_match_columns` to a match with its weight."""
    key, exact_key, language_id, text, word_id, frequency = row
    return completion_weight(key, exact_key, language_id, frequency), language_id, text, word_id


def prefix_match_columns(code: str) -> tuple[ColumnElement[Any], ...]:
    """Return the columns for `to_prefix_match`, beginning with the key column of a code."""
    key: ColumnElement[str] = word.c[COLUMNS_BY_CODE[code].value]
    return key.label("key"), word.c.exact_key, word.c.language_id, word.c.text, word.c.id, word.c.frequency


def select_key_range(code: str, name: str = "") -> Select[Any]:
    """Select the words whose keys lie between two bounds."""
    key: ColumnElement[str] = word.c[COLUMNS_BY_CODE[code].value]
    return select(*prefix_match_columns(code)).where(
        key >= bindparam(f"start_{name}", type_=Text), key < bindparam(f"end_{name}", type_=Text)
    )
