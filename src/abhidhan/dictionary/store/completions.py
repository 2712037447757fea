"""Completions: words that begin with a typed text, best first."""

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
"""Code that precedes the prefixes of each key. Lower-case codes belonged to an older format of lists."""

COLUMNS: Final = {code: column for column, code in CODES.items()}

Beginning = tuple[KeyColumn, str]
"""Key column and its prefix."""

MOST_READ: Final = 200
"""Maximum number of words of a prefix that are read one by one."""


def first_words(reader: Reader, beginnings: Sequence[Beginning], limit: int) -> list[Sequence[Begun]] | None:
    """Return candidates for each prefix; None if more than MOST_READ words have one of them.

    These are the first LISTED words by sound, or the first `limit` by exact or loose spelling, along with words that
    equal the exact prefix; if there are few words, all of them in any order. `acceleration/completion_lists` stores the
    same choice.
    """
    found: list[Sequence[Begun]] = []
    for column, text in beginnings:
        words = _words_of(reader, CODES[column], text)
        if words is None:
            return None
        found.append(words if len(words) <= FEW else shown(CODES[column] + text, words, limit))
    return found


def _words_of(reader: Reader, code: str, text: str) -> tuple[Begun, ...] | None:
    """Return the words of a prefix: all up to FEW, the first ones up to MOST_READ, None for more."""
    rows = reader.rows(_words(code), start_=text, end_=text + LAST_CHARACTER, limit=MOST_READ + 1)
    if len(rows) > MOST_READ:
        return None
    words = tuple(map(begun_of, rows))
    return words if len(words) <= FEW else listed(words, (begun_of(row) for row in rows if row[0] == text))


@cache
def _words(code: str) -> Query:
    return Query(stretch(code).limit(bindparam("limit", type_=Integer)))


def shown(prefix: str, words: tuple[Begun, ...], limit: int) -> tuple[Begun, ...]:
    """Choose candidates. Words by sound are scored by spelling too, so any of them may come first.

    So may a word that equals the exact prefix.
    """
    match COLUMNS[prefix[0]]:
        case KeyColumn.SOUND:
            return words
        case KeyColumn.EXACT:
            return words[:limit] + tuple([begun for begun in words[limit:] if may_be_whole(prefix[1:], begun[2])])
        case _:
            return words[:limit]


def begun_of(row: Sequence[Any]) -> Begun:
    """Convert a row of `begun_columns` to a list item."""
    key, exact_key, language_id, text, word_id, frequency = row
    return weight_of(key, exact_key, language_id, frequency), language_id, text, word_id


def begun_columns(code: str) -> tuple[ColumnElement[Any], ...]:
    """Return the columns for `begun_of`, the key of the code first."""
    key: ColumnElement[str] = word.c[COLUMNS[code].value]
    return key.label("key"), word.c.exact_key, word.c.language_id, word.c.text, word.c.id, word.c.frequency


def stretch(code: str, name: str = "") -> Select[Any]:
    """Select the words whose keys lie between two bounds."""
    key: ColumnElement[str] = word.c[COLUMNS[code].value]
    return select(*begun_columns(code)).where(
        key >= bindparam(f"start_{name}", type_=Text), key < bindparam(f"end_{name}", type_=Text)
    )
