"""Completions: the words that begin with what a user types, best first."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Integer, Select, Text, bindparam, select

from abhidhan.dictionary.model.completions import FEW, Begun, listed, may_be_whole, weight_of
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.compiled_queries import LAST_CHARACTER, Query
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import word

CODES: Final[Mapping[KeyColumn, str]] = {KeyColumn.EXACT: "E", KeyColumn.LOOSE: "L", KeyColumn.SOUND: "S"}
"""The letter that stands before the prefixes of each key. Small ones stood before lists of another form."""

COLUMNS: Final = {code: column for column, code in CODES.items()}

Beginning = tuple[KeyColumn, str]
"""Which key begins with what was typed, and how."""

MOST_READ: Final = 200
"""Of a beginning that more words share, they are not read one by one."""


def first_words(reader: Reader, beginnings: Sequence[Beginning], limit: int) -> list[Sequence[Begun]] | None:
    """Read the words of each beginning, and choose those to look at; None where more than MOST_READ begin so.

    They are LISTED, of those that begin just so or loosely `limit`, and of the first those that the beginning is all
    of; where they are few, all in no order. `acceleration/completion_lists` has chosen them already.
    """
    found: list[Sequence[Begun]] = []
    for column, text in beginnings:
        words = _words_of(reader, CODES[column], text)
        if words is None:
            return None
        found.append(words if len(words) <= FEW else shown(CODES[column] + text, words, limit))
    return found


def _words_of(reader: Reader, code: str, text: str) -> tuple[Begun, ...] | None:
    """Read the words of a beginning; of more than FEW those that come first, of more than MOST_READ none: None."""
    rows = reader.rows(_words(code), start_=text, end_=text + LAST_CHARACTER, limit=MOST_READ + 1)
    if len(rows) > MOST_READ:
        return None
    words = tuple(map(begun_of, rows))
    return words if len(words) <= FEW else listed(words, (begun_of(row) for row in rows if row[0] == text))


@cache
def _words(code: str) -> Query:
    return Query(stretch(code).limit(bindparam("limit", type_=Integer)))


def shown(prefix: str, words: tuple[Begun, ...], limit: int) -> tuple[Begun, ...]:
    """Choose candidates to show. A sound-alike is scored by its spelling too, so any of them may come first.

    So may any word of which what begins just so is all.
    """
    match COLUMNS[prefix[0]]:
        case KeyColumn.SOUND:
            return words
        case KeyColumn.EXACT:
            return words[:limit] + tuple([begun for begun in words[limit:] if may_be_whole(prefix[1:], begun[2])])
        case _:
            return words[:limit]


def begun_of(row: Sequence[Any]) -> Begun:
    """Make of a row of `begun_columns` what lists have of a word."""
    key, exact_key, language_id, text, word_id, frequency = row
    return weight_of(key, exact_key, language_id, frequency), language_id, text, word_id


def begun_columns(code: str) -> tuple[ColumnElement[Any], ...]:
    """Return the columns that `begun_of` takes: first the key of the code."""
    key: ColumnElement[str] = word.c[COLUMNS[code].value]
    return key.label("key"), word.c.exact_key, word.c.language_id, word.c.text, word.c.id, word.c.frequency


def stretch(code: str, name: str = "") -> Select[Any]:
    """Select the words whose keys stand between two."""
    key: ColumnElement[str] = word.c[COLUMNS[code].value]
    return select(*begun_columns(code)).where(
        key >= bindparam(f"start_{name}", type_=Text), key < bindparam(f"end_{name}", type_=Text)
    )
