"""Words that begin as somebody types, by each of their keys, the shortest first. Every read is bounded.

The shortest keys that begin with `wa` are those of two letters, then those of three: each length is a stretch of an
index of its own (`length(key), key`), read from its beginning. Before there was one, 1,500 keys were read and sorted
for each prefix: 0.6 ms in 1.3 million words where it is 0.07 now.
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
"""Keys of so many lengths are looked for first, each by a search of the index. Few prefixes have too few of them."""

KEYS_OF_A_LENGTH: Final = 100
"""How many keys of each length are looked at where the language must be looked up for each."""

LONGER_KEYS: Final = 1500
"""How many neighbours in the order of a key are read to find longer ones, where those were too few."""

LONGER_KEYS_OF_A_LANGUAGE: Final = 400
"""The same where the language must be looked up for each."""


class Prefix(NamedTuple):
    """What keys of a column are to begin with."""

    column: KeyColumn
    text: str


BegunKey: TypeAlias = tuple[int, str, int]
"""The ID of a word that begins with one of several prefixes, its key, and the prefix's place among them.

As the driver gives it: of a hundred, ten are shown.
"""


class Spelled(NamedTuple):
    """A word: its language, its spelling and exact key, and its frequency where its entry has one."""

    language_id: int
    text: str
    exact_key: str
    frequency: float | None


def beginning(reader: Reader, prefixes: Sequence[Prefix], language_id: int, limit: int) -> list[BegunKey]:
    """Read words whose keys begin with one of the prefixes: at most `limit` for each, the shortest.

    Where thousands of words of other languages begin so too, or nearly all that do are long, some are left out.
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
    """Return the exact keys that begin with a text, by the IDs of their words; None where more than `most` words do.

    Of most texts that are misspelled no word does: one search of an index tells so.
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
    """Return how words are spelled, by their IDs."""
    if not word_ids:
        return {}
    rows = reader.rows(_SPELLED(len(word_ids)), **padded("id", sorted(word_ids)))
    return {row[0]: Spelled._make(row[1:]) for row in rows}


# --- the statements ---------------------------------------------------------------------------------------------------

Arm = Callable[[ColumnElement[str], str, bool], Select[Any]]
"""Makes what a statement selects for the prefix of one place; True where words of one language only count."""


class _Reading(NamedTuple):
    """What is the same in all statements of one question."""

    reader: Reader
    prefixes: Sequence[Prefix]
    language_id: int
    limit: int

    def __call__(self, arm: Arm, places: Sequence[int]) -> list[BegunKey]:
        """Read what one statement finds for the prefixes of some places."""
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
        """Name what a statement is told of the first place; with none left, no key begins so."""
        place = places[0] if places else 0
        prefix = self.prefixes[place]
        return {
            f"place_{name}": place,
            f"prefix_{name}": prefix.text,
            f"end_{name}": prefix.text + LAST_CHARACTER if places else "",
            f"length_{name}": len(prefix.text),
        }


@cache
def _statement(arm: Arm, sizes: tuple[tuple[KeyColumn, int], ...], of_language: bool) -> Query:  # noqa: FBT001  # as arms
    """Make the statement for so many prefixes of each key, a power of two: to make one takes 20 to 70 ms."""
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
    """Select keys that begin with a prefix and have so many letters `more`, in their order."""
    length = _number("length", name) + literal(more)
    stretch = (
        _stretch(key, name, of_language=of_language)
        .where(func.length(key) == length)
        .order_by(word.c.id)
        .limit(literal(KEYS_OF_A_LENGTH) if of_language else _LIMIT)
    )
    # SQLite takes no limit in an arm of a UNION, but in a subquery of one.
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
    """Select the keys that begin with a prefix; without a language they are read from an index alone."""
    return (
        select(word.c.id, key.label("found"), *([word.c.language_id] if of_language else []))
        .where(
            key >= bindparam(f"prefix_{name}", type_=Text),
            key < bindparam(f"end_{name}", type_=Text),
        )
        .order_by(key)
    )


def _counted(stretch: Select[Any], *, of_language: bool) -> Select[Any]:
    """Leave out of a stretch, which has its limit, the words of other languages."""
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
