"""Completions: the words that begin as somebody types, those first that are to be offered first.

Those of a beginning that many share stand in a list (`storage/indexes/completions.py`); of the others all are read.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Integer, Select, Text, bindparam, literal_column, select, union_all

from abhidhan.domain.matching.completion_lists import FEW, unpacked
from abhidhan.domain.matching.completions import Begun, may_be_whole, weight_of
from abhidhan.storage.engine.queries import LAST_CHARACTER, Query, Row, by_size, in_list, padded
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.key_columns import KeyColumn
from abhidhan.storage.schema import completion as table
from abhidhan.storage.schema import word

CODES: Final[Mapping[KeyColumn, str]] = {KeyColumn.EXACT: "E", KeyColumn.LOOSE: "L", KeyColumn.SOUND: "S"}
"""The letter that stands before the prefixes of each key. Small ones stood before lists of another form."""

COLUMNS: Final = {code: column for column, code in CODES.items()}

Beginning = tuple[KeyColumn, str]
"""Which key begins with what was typed, and how."""

LISTS = by_size(lambda size: select(table.c.prefix, table.c.words).where(in_list(table.c.prefix, "prefix", size)))
"""Reads lists by their prefixes."""


def lacking(rows: Callable[..., Collection[Row]]) -> list[str]:
    """List the letters of the keys whose lists are not all there: for one whose are, a list stands by its letter."""
    whole = {row[0] for row in rows(LISTS(len(COLUMNS)), **padded("prefix", [*COLUMNS]))}
    return [code for code in COLUMNS if code not in whole]


def _are_whole(reader: Reader, _before: bool | None) -> bool:  # noqa: FBT001  # as `kept` calls it
    """Return whether no list is missing, which is another only where the data are."""
    return not lacking(reader.rows)


def first_words(reader: Reader, beginnings: Sequence[Beginning], limit: int) -> list[Sequence[Begun]] | None:
    """Return the first words of each beginning, or all where they are few, in no order; None while lists are missing.

    They are LISTED, of those that begin just so or loosely `limit`, and of the first those that the beginning is all
    of; beginnings have at most LONGEST letters.
    """
    if not reader.kept(_are_whole):
        return None
    if not beginnings:
        return []
    wanted = [CODES[column] + text for column, text in beginnings]
    lists: dict[str, bytes] = dict(reader.rows(LISTS(len(wanted)), **padded("prefix", wanted)))
    few = _few_words(reader, [prefix for prefix in wanted if prefix not in lists])
    return [_read(prefix, lists[prefix], limit) if prefix in lists else few.get(prefix, ()) for prefix in wanted]


def _read(prefix: str, stored: bytes, limit: int) -> Sequence[Begun]:
    """Read a list. How likely a sound-alike is goes by how it is typed too: any of them may be the likeliest.

    So may any word of which what begins just so is all.
    """
    words = unpacked(stored)
    match COLUMNS[prefix[0]]:
        case KeyColumn.SOUND:
            return words
        case KeyColumn.EXACT:
            return words[:limit] + tuple([begun for begun in words[limit:] if may_be_whole(prefix[1:], begun[2])])
        case _:
            return words[:limit]


def _few_words(reader: Reader, prefixes: Sequence[str]) -> dict[str, list[Begun]]:
    """Read all words of beginnings that have no list."""
    if not prefixes:
        return {}
    also_exact = {prefix: exact for prefix in prefixes if (exact := _exact_among(prefix)) in prefixes}
    read = [prefix for prefix in prefixes if prefix not in also_exact.values()]
    sizes, parameters = _parameters_of_few(read)
    found: defaultdict[str, list[Begun]] = defaultdict(list)
    # As `begun_of` does, without a call for each of some thirty words: a tenth of what a suggestion takes.
    for place, key, exact_key, language_id, text, word_id, frequency in reader.rows(_few(sizes), **parameters):
        prefix = read[place]
        found[prefix].append((weight_of(key, exact_key, language_id, frequency), language_id, text, word_id))
        if prefix in also_exact and exact_key.startswith(prefix[1:]):
            exact_weight = weight_of(exact_key, exact_key, language_id, frequency)
            found[also_exact[prefix]].append((exact_weight, language_id, text, word_id))
    return found


def _exact_among(prefix: str) -> str:
    """Return the beginning of exact keys whose words are all among those of a beginning of loose keys; of most, "".

    Plain letters stay what they are in a loose key: what begins with them exactly begins with them loosely, too.
    """
    code, text = prefix[0], prefix[1:]
    return (
        CODES[KeyColumn.EXACT] + text if COLUMNS[code] is KeyColumn.LOOSE and text.isascii() and text.isalnum() else ""
    )


def _parameters_of_few(prefixes: Sequence[str]) -> tuple[tuple[tuple[str, int], ...], dict[str, str | int]]:
    """Return for which statement there are so many beginnings of each key, and what it is told."""
    parameters: dict[str, str | int] = {}
    sizes = []
    for code in dict.fromkeys(prefix[0] for prefix in prefixes):
        of_code = [place for place, prefix in enumerate(prefixes) if prefix[0] == code]
        sizes.append((code, 1 << (len(of_code) - 1).bit_length()))
        for number in range(sizes[-1][1]):
            # There is a statement for each power of two; what it asks for too much ends where it begins.
            place = of_code[number] if number < len(of_code) else 0
            start = prefixes[place][1:]
            end = start + LAST_CHARACTER if number < len(of_code) else ""
            parameters |= {f"place_{code}{number}": place, f"start_{code}{number}": start, f"end_{code}{number}": end}
    return tuple(sizes), parameters


_FEW: Final = literal_column(str(FEW), Integer)


@cache
def _few(sizes: tuple[tuple[str, int], ...]) -> Query:
    """Make the statement for so many beginnings of each key: to make one takes milliseconds."""
    arms = (_few_of(code, str(number)) for code, size in sizes for number in range(size))
    return Query(union_all(*arms))


def _few_of(code: str, number: str) -> Select[Any]:
    some = stretch(code, code + number).limit(_FEW).subquery()
    return select(bindparam(f"place_{code}{number}", type_=Integer), *some.columns)


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
