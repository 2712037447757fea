"""Words with a prefix of any of their keys, shortest first. Every read is limited.

The shortest keys that begin with `wa` have two letters, then three: each length is a range of a separate index
(`length(key), key`), read from its start. Before this index, 1,500 keys were read and sorted for each prefix, which
took 0.6 ms for 1.3 million words instead of 0.07 ms.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Integer, Select, Text, bindparam, func, literal, select, union_all

from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.compiled_queries import LAST_CHARACTER, Query, by_size, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import word

LENGTHS: Final = 4
"""Number of key lengths searched first, each with one index search; few prefixes have too few such keys."""

KEYS_OF_A_LENGTH: Final = 100
"""Number of keys of each length that are read if the language of each must be checked."""

LONGER_KEYS: Final = 1500
"""Number of adjacent keys that are read to find longer ones, if there are too few short ones."""

LONGER_KEYS_OF_A_LANGUAGE: Final = 400
"""Number of such keys if the language of each must be checked."""


class Prefix(NamedTuple):
    """Prefix of the keys of a column."""

    column: KeyColumn
    text: str


BegunKey: TypeAlias = tuple[int, str, int]
"""Match: the ID of a word, its key, and the index of the prefix.

This is the plain row of the driver, since only ten of a hundred are shown.
"""


class Spelled(NamedTuple):
    """Word with its language, spelling, exact key, and frequency (None if its entry has none)."""

    language_id: int
    text: str
    exact_key: str
    frequency: float | None


def beginning(reader: Reader, prefixes: Sequence[Prefix], language_id: int, limit: int) -> list[BegunKey]:
    """Find words by prefixes of their keys: for each prefix at most `limit`, the shortest.

    Some words are left out if thousands of words of other languages have the prefix, or if nearly all with it are long.
    """
    read = _Reading(reader, prefixes, language_id, limit)
    found = read(_of_first_lengths, [place for place, prefix in enumerate(prefixes) if prefix.text])
    numbers = Counter(map(itemgetter(2), found))
    lacking = [place for place, prefix in enumerate(prefixes) if prefix.text and numbers[place] < limit]
    for begun in sorted(read(_longer, lacking), key=lambda begun: (len(begun[1]), begun[1], begun[0])):
        numbers[begun[2]] += 1
        if numbers[begun[2]] <= limit:
            found.append(begun)
    return found


_ALL: Final = Query(
    select(word.c.id, word.c.exact_key, word.c.language_id)
    .where(word.c.exact_key >= bindparam("prefix", type_=Text), word.c.exact_key < bindparam("end", type_=Text))
    .limit(bindparam("limit", type_=Integer))
)


def all_beginning(reader: Reader, text: str, language_id: int, most: int) -> dict[int, str] | None:
    """Return the exact keys with a prefix by word ID; None if more than `most` words have it.

    Most misspelled texts are the prefix of no word, as one index search shows.
    """
    rows = reader.rows(_ALL, prefix=text, end=text + LAST_CHARACTER, limit=most + 1)
    if len(rows) > most:
        return None
    return {word_id: key for word_id, key, of_language in rows if language_id in {ALL_LANGUAGES, of_language}}


_SPELLED = by_size(
    lambda size: select(word.c.id, word.c.language_id, word.c.text, word.c.exact_key, word.c.frequency).where(
        in_list(word.c.id, "id", size)
    )
)


def spellings(reader: Reader, word_ids: Collection[int]) -> dict[int, Spelled]:
    """Return the spellings of words by ID."""
    if not word_ids:
        return {}
    rows = reader.rows(_SPELLED(len(word_ids)), **padded("id", sorted(word_ids)))
    return {row[0]: Spelled._make(row[1:]) for row in rows}


# --- statements -------------------------------------------------------------------------------------------------------

Arm = Callable[[ColumnElement[str], str, bool], Select[Any]]
"""Builds the select for one prefix; True restricts it to one language."""


class _Reading(NamedTuple):
    """Parameters common to all statements of one search."""

    reader: Reader
    prefixes: Sequence[Prefix]
    language_id: int
    limit: int

    def __call__(self, arm: Arm, places: Sequence[int]) -> list[BegunKey]:
        """Run one statement for the prefixes at some indexes."""
        if not places:
            return []
        parameters: dict[str, str | int] = {"language_id": self.language_id, "limit": self.limit}
        sizes = []
        for column in dict.fromkeys(self.prefixes[place].column for place in places):
            of_column = [place for place in places if self.prefixes[place].column is column]
            size = 1 << (len(of_column) - 1).bit_length()
            sizes.append((column, size))
            for number in range(size):
                parameters |= self._parameters(f"{column.name}_{number}", of_column[number:])
        return self.reader.rows(_statement(arm, tuple(sizes), self.language_id != ALL_LANGUAGES), **parameters)

    def _parameters(self, name: str, places: Sequence[int]) -> dict[str, str | int]:
        """Return the parameters for the first index; without any, those of an empty range."""
        place = places[0] if places else 0
        prefix = self.prefixes[place]
        return {
            f"place_{name}": place,
            f"prefix_{name}": prefix.text,
            f"end_{name}": prefix.text + LAST_CHARACTER if places else "",
            f"length_{name}": len(prefix.text),
        }


@cache
def _statement(arm: Arm, sizes: tuple[tuple[KeyColumn, int], ...], of_language: bool) -> Query:  # noqa: FBT001  # called like other arms
    """Build the statement for a number of prefixes of each key, a power of two; this takes 20 to 70 ms."""
    arms = (
        arm(word.c[column.value], f"{column.name}_{number}", of_language)
        for column, size in sizes
        for number in range(size)
    )
    return Query(union_all(*arms))


def _of_first_lengths(key: ColumnElement[str], name: str, of_language: bool) -> Select[Any]:  # noqa: FBT001
    lengths = union_all(*(_of_length(key, name, more, of_language=of_language) for more in range(LENGTHS))).subquery()
    return _shortest(select(lengths.c.id, lengths.c.found), name)


def _of_length(key: ColumnElement[str], name: str, more: int, *, of_language: bool) -> Select[Any]:
    """Select keys that are a number of letters (`more`) longer than the prefix, in order."""
    length = _number("length", name) + literal(more)
    stretch = (
        _stretch(key, name, of_language=of_language)
        .where(func.length(key) == length)
        .order_by(word.c.id)
        .limit(literal(KEYS_OF_A_LENGTH) if of_language else _LIMIT)
    )
    # SQLite accepts a limit only in a subquery of a UNION's arm.
    keys = _counted(stretch, of_language=of_language).limit(_LIMIT).subquery()
    return select(keys.c.id, keys.c.found)


def _longer(key: ColumnElement[str], name: str, of_language: bool) -> Select[Any]:  # noqa: FBT001
    stretch = _stretch(key, name, of_language=of_language).limit(
        literal(LONGER_KEYS_OF_A_LANGUAGE if of_language else LONGER_KEYS)
    )
    keys = _counted(stretch, of_language=of_language).subquery()
    length = func.length(keys.c.found)
    chosen = select(keys.c.id, keys.c.found).where(length >= _number("length", name) + literal(LENGTHS))
    return _shortest(chosen, name)


def _stretch(key: ColumnElement[str], name: str, *, of_language: bool) -> Select[Any]:
    """Select the keys with a prefix; without a language they are read from an index alone."""
    return (
        select(word.c.id, key.label("found"), *([word.c.language_id] if of_language else []))
        .where(
            key >= bindparam(f"prefix_{name}", type_=Text),
            key < bindparam(f"end_{name}", type_=Text),
        )
        .order_by(key)
    )


def _counted(stretch: Select[Any], *, of_language: bool) -> Select[Any]:
    """Filter a limited range by language, if needed."""
    keys = stretch.subquery()
    chosen = select(keys.c.id, keys.c.found)
    return chosen.where(keys.c.language_id == bindparam("language_id", type_=Integer)) if of_language else chosen


def _shortest(chosen: Select[Any], name: str) -> Select[Any]:
    found = chosen.selected_columns["found"]
    first = chosen.order_by(func.length(found), found, chosen.selected_columns["id"]).limit(_LIMIT).subquery()
    return select(first.c.id, first.c.found, _number("place", name))


def _number(parameter: str, name: str) -> ColumnElement[int]:
    return bindparam(f"{parameter}_{name}", type_=Integer)


_LIMIT: Final = bindparam("limit", type_=Integer)
