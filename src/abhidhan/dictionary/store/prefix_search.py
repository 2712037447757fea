"""Words by prefixes of their keys, shortest keys first. Every query has a limit.

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
from abhidhan.platform.database.compiled_queries import (
    MAX_CODE_POINT,
    CompiledQuery,
    in_list,
    list_params,
    per_list_size,
)
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import word

FIRST_LENGTH_COUNT: Final = 4
"""Number of key lengths searched first, each with one index search; this suffices for most prefixes."""

MAX_KEYS_PER_LENGTH: Final = 100
"""Number of keys of each length that are read if the language of each must be checked."""

MAX_LONGER_KEYS: Final = 1500
"""Number of adjacent keys that are read to find longer ones, if there are too few short ones."""

MAX_LONGER_KEYS_IN_LANGUAGE: Final = 400
"""Number of adjacent keys that are read to find longer ones, if the language of each must be checked."""


class Prefix(NamedTuple):
    """Prefix of the keys of a column."""

    column: KeyColumn
    text: str


PrefixHit: TypeAlias = tuple[int, str, int]
"""Match of a prefix: word ID, key, and index of the prefix.

These are plain rows of the driver: converting them would be wasted, as only ten of a hundred are shown.
"""


class WordSpelling(NamedTuple):
    """Word with its language, spelling, exact key, and frequency (None if its entry has none)."""

    language_id: int
    text: str
    exact_key: str
    frequency: float | None


def find_by_prefixes(
    connection: ReadConnection, prefixes: Sequence[Prefix], language_id: int, limit: int
) -> list[PrefixHit]:
    """Find at most `limit` words for each prefix of keys, those with the shortest keys.

    Some words are left out if thousands of words of other languages have the prefix, or if nearly all with it are long.
    """
    run_query = _PrefixReader(connection, prefixes, language_id, limit)
    hits = run_query(_select_first_lengths, [index for index, prefix in enumerate(prefixes) if prefix.text])
    hit_counts = Counter(map(itemgetter(2), hits))
    incomplete = [index for index, prefix in enumerate(prefixes) if prefix.text and hit_counts[index] < limit]
    for hit in sorted(run_query(_select_longer_keys, incomplete), key=lambda hit: (len(hit[1]), hit[1], hit[0])):
        hit_counts[hit[2]] += 1
        if hit_counts[hit[2]] <= limit:
            hits.append(hit)
    return hits


_ALL_WITH_PREFIX: Final = CompiledQuery(
    select(word.c.id, word.c.exact_key, word.c.language_id)
    .where(word.c.exact_key >= bindparam("prefix", type_=Text), word.c.exact_key < bindparam("end", type_=Text))
    .limit(bindparam("limit", type_=Integer))
)


def find_all_by_prefix(connection: ReadConnection, text: str, language_id: int, limit: int) -> dict[int, str] | None:
    """Return the exact keys with a prefix, by word ID; None if more than `limit` words have it.

    One index search shows that most misspelled texts are the prefix of no word.
    """
    rows = connection.rows(_ALL_WITH_PREFIX, prefix=text, end=text + MAX_CODE_POINT, limit=limit + 1)
    if len(rows) > limit:
        return None
    return {word_id: key for word_id, key, word_language in rows if language_id in {ALL_LANGUAGES, word_language}}


_SPELLINGS = per_list_size(
    lambda size: select(word.c.id, word.c.language_id, word.c.text, word.c.exact_key, word.c.frequency).where(
        in_list(word.c.id, "id", size)
    )
)


def load_spellings(connection: ReadConnection, word_ids: Collection[int]) -> dict[int, WordSpelling]:
    """Return the spellings of words by ID."""
    if not word_ids:
        return {}
    rows = connection.rows(_SPELLINGS(len(word_ids)), **list_params("id", sorted(word_ids)))
    return {row[0]: WordSpelling._make(row[1:]) for row in rows}


# --- statements -------------------------------------------------------------------------------------------------------

ArmBuilder = Callable[[ColumnElement[str], str, bool], Select[Any]]
"""Function that builds the select for one prefix: key column, parameter suffix, whether it filters by language."""


class _PrefixReader(NamedTuple):
    """Reader of words by prefixes, with the parameters common to all statements of one search."""

    reader: ReadConnection
    prefixes: Sequence[Prefix]
    language_id: int
    limit: int

    def __call__(self, arm: ArmBuilder, indexes: Sequence[int]) -> list[PrefixHit]:
        """Run one statement for the prefixes at some indexes."""
        if not indexes:
            return []
        parameters: dict[str, str | int] = {"language_id": self.language_id, "limit": self.limit}
        sizes = []
        for column in dict.fromkeys(self.prefixes[index].column for index in indexes):
            column_indexes = [index for index in indexes if self.prefixes[index].column is column]
            size = 1 << (len(column_indexes) - 1).bit_length()
            sizes.append((column, size))
            for number in range(size):
                parameters |= self._parameters(f"{column.name}_{number}", column_indexes[number:])
        return self.reader.rows(_build_statement(arm, tuple(sizes), self.language_id != ALL_LANGUAGES), **parameters)

    def _parameters(self, name: str, indexes: Sequence[int]) -> dict[str, str | int]:
        """Return the parameters for the first of the indexes; if there are none, those of an empty range."""
        index = indexes[0] if indexes else 0
        prefix = self.prefixes[index]
        return {
            f"place_{name}": index,
            f"prefix_{name}": prefix.text,
            f"end_{name}": prefix.text + MAX_CODE_POINT if indexes else "",
            f"length_{name}": len(prefix.text),
        }


@cache
def _build_statement(arm: ArmBuilder, sizes: tuple[tuple[KeyColumn, int], ...], by_language: bool) -> CompiledQuery:  # noqa: FBT001  # called like other arms
    """Build the statement for a number of prefixes of each key, a power of two; this takes 20 to 70 ms."""
    arms = (
        arm(word.c[column.value], f"{column.name}_{number}", by_language)
        for column, size in sizes
        for number in range(size)
    )
    return CompiledQuery(union_all(*arms))


def _select_first_lengths(key: ColumnElement[str], name: str, by_language: bool) -> Select[Any]:  # noqa: FBT001
    lengths = union_all(
        *(
            _select_keys_of_length(key, name, extra_letters, by_language=by_language)
            for extra_letters in range(FIRST_LENGTH_COUNT)
        )
    ).subquery()
    return _limit_to_shortest(select(lengths.c.id, lengths.c.found), name)


def _select_keys_of_length(key: ColumnElement[str], name: str, extra_letters: int, *, by_language: bool) -> Select[Any]:
    """Select keys that are a number of letters (`extra_letters`) longer than the prefix, in order."""
    length = _integer_param("length", name) + literal(extra_letters)
    key_range = (
        _select_keys_with_prefix(key, name, by_language=by_language)
        .where(func.length(key) == length)
        .order_by(word.c.id)
        .limit(literal(MAX_KEYS_PER_LENGTH) if by_language else _LIMIT)
    )
    # SQLite accepts a limit only in a subquery of a UNION's arm.
    keys = _filter_language(key_range, by_language=by_language).limit(_LIMIT).subquery()
    return select(keys.c.id, keys.c.found)


def _select_longer_keys(key: ColumnElement[str], name: str, by_language: bool) -> Select[Any]:  # noqa: FBT001
    key_range = _select_keys_with_prefix(key, name, by_language=by_language).limit(
        literal(MAX_LONGER_KEYS_IN_LANGUAGE if by_language else MAX_LONGER_KEYS)
    )
    keys = _filter_language(key_range, by_language=by_language).subquery()
    length = func.length(keys.c.found)
    query = select(keys.c.id, keys.c.found).where(
        length >= _integer_param("length", name) + literal(FIRST_LENGTH_COUNT)
    )
    return _limit_to_shortest(query, name)


def _select_keys_with_prefix(key: ColumnElement[str], name: str, *, by_language: bool) -> Select[Any]:
    """Select the keys with a prefix; without a language they are read from an index alone."""
    return (
        select(word.c.id, key.label("found"), *([word.c.language_id] if by_language else []))
        .where(
            key >= bindparam(f"prefix_{name}", type_=Text),
            key < bindparam(f"end_{name}", type_=Text),
        )
        .order_by(key)
    )


def _filter_language(key_range: Select[Any], *, by_language: bool) -> Select[Any]:
    """Filter a limited range by language, if needed."""
    keys = key_range.subquery()
    query = select(keys.c.id, keys.c.found)
    return query.where(keys.c.language_id == bindparam("language_id", type_=Integer)) if by_language else query


def _limit_to_shortest(query: Select[Any], name: str) -> Select[Any]:
    key = query.selected_columns["found"]
    first = query.order_by(func.length(key), key, query.selected_columns["id"]).limit(_LIMIT).subquery()
    return select(first.c.id, first.c.found, _integer_param("place", name))


def _integer_param(parameter: str, name: str) -> ColumnElement[int]:
    return bindparam(f"{parameter}_{name}", type_=Integer)


_LIMIT: Final = bindparam("limit", type_=Integer)
