"""Read completion lists: one statement for all prefixes, and one for those without a list."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import Integer, Select, bindparam, literal_column, select, union_all

from abhidhan.dictionary.model.completions import FEW, Begun, weight_of
from abhidhan.dictionary.store.acceleration.completion_lists.lists import unpacked
from abhidhan.dictionary.store.completions import CODES, COLUMNS, Beginning, shown, stretch
from abhidhan.dictionary.store.key_columns import KeyColumn
from abhidhan.platform.database.compiled_queries import LAST_CHARACTER, Query, Row, by_size, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import completion as table

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
    """Return the same words as `dictionary.store.completions.first_words`; None while lists are missing.

    Beginnings have at most LONGEST letters.
    """
    if not reader.kept(_are_whole):
        return None
    if not beginnings:
        return []
    wanted = [CODES[column] + text for column, text in beginnings]
    lists: dict[str, bytes] = dict(reader.rows(LISTS(len(wanted)), **padded("prefix", wanted)))
    few = _few_words(reader, [prefix for prefix in wanted if prefix not in lists])
    return [
        shown(prefix, unpacked(lists[prefix]), limit) if prefix in lists else few.get(prefix, ()) for prefix in wanted
    ]


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
