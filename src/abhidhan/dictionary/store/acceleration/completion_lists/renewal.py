"""Incremental updates of completion lists, in the transaction that changes the words."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from sqlalchemy import Connection, Integer, Text, bindparam, func, literal, select

from abhidhan.dictionary.model.completions import FEW, Begun, listed, weight_of
from abhidhan.dictionary.store.acceleration.completion_lists.filling import remove, write
from abhidhan.dictionary.store.acceleration.completion_lists.lists import (
    LISTS_BY_PREFIX,
    WordList,
    beginnings_of,
    may_change,
    unpacked,
)
from abhidhan.dictionary.store.completions import COLUMNS, begun_of, stretch
from abhidhan.dictionary.store.keyed_words import KeyedWord
from abhidhan.platform.database.bulk import Bulk
from abhidhan.platform.database.compiled_queries import LAST_CHARACTER, Query, Value
from abhidhan.schema import completion as table
from abhidhan.schema import word

RENEWED_AT_ONCE: Final = 500
"""Number of words whose lists are in memory at the same time: some megabytes."""


def renew(connection: Connection, gone: Sequence[KeyedWord], come: Sequence[KeyedWord]) -> None:
    """Update the lists of removed words (or their previous state) and of added ones.

    Call this in the transaction that writes the words, after them.
    """
    for start in range(0, max(len(gone), len(come)), RENEWED_AT_ONCE):
        some = [words[start : start + RENEWED_AT_ONCE] for words in (gone, come)]
        _Renewal(connection, *some).write()


class _Renewal:
    """Changes in lists caused by some words."""

    def __init__(self, connection: Connection, gone: Iterable[KeyedWord], come: Iterable[KeyedWord]) -> None:
        """Load the lists of all prefixes of the words."""
        self._connection = connection
        self._bulk = Bulk(connection)
        changed = [[pair for one in words for pair in _begun(one)] for words in (gone, come)]
        prefixes = {prefix for pairs in changed for key, _ in pairs for prefix in _prefixes_of(key)}
        rows = self._bulk.rows_among(LISTS_BY_PREFIX, "prefix", sorted({*COLUMNS, *prefixes}))
        self._lists = {prefix: unpacked(words) for prefix, words in rows}
        # The lists of an incomplete key are all rebuilt later.
        self._gone, self._come = ([(key, begun) for key, begun in pairs if key[0] in self._lists] for pairs in changed)
        self._ended = frozenset(self._ending())
        self._new = frozenset(self._beginning())
        self._other = frozenset(self._changing()) - self._ended

    def write(self) -> None:
        """Write the changed lists, those of the longest prefixes first, since others are built from them."""
        remove(self._connection, sorted(self._ended))
        for prefix in sorted(self._new | self._other, key=len, reverse=True):
            write(self._bulk, [WordList(prefix, self._words_of(prefix))])

    def _ending(self) -> Iterator[str]:
        """Yield the prefixes with lists that only few words share now."""
        for key, _ in self._gone:
            for prefix in reversed(_prefixes_of(key)):
                if prefix in self._lists and self._is_of_many(prefix):
                    break
                if prefix in self._lists:
                    yield prefix

    def _beginning(self) -> Iterator[str]:
        """Yield the prefixes without lists that many words share now."""
        for key, _ in self._come:
            for prefix in _prefixes_of(key):
                if prefix in self._lists and prefix not in self._ended:
                    continue
                if not self._is_of_many(prefix):
                    break
                yield prefix

    def _changing(self) -> Iterator[str]:
        """Yield the prefixes whose lists may change."""
        by_prefix: defaultdict[str, tuple[list[Begun], list[Begun]]] = defaultdict(lambda: ([], []))
        for place, pairs in enumerate((self._gone, self._come)):
            for key, begun in pairs:
                for prefix in _prefixes_of(key):
                    by_prefix[prefix][place].append(begun)
        whole = {key for key, _ in self._come}
        for prefix, (gone, come) in by_prefix.items():
            if prefix in self._lists and (prefix in whole or may_change(self._lists[prefix], gone, come)):
                yield prefix

    def _is_of_many(self, prefix: str) -> bool:
        end = prefix[1:] + LAST_CHARACTER
        return int(self._bulk.rows(_counted(prefix[0]), {"start_": prefix[1:], "end_": end})[0][0]) > FEW

    def _words_of(self, prefix: str) -> tuple[Begun, ...]:
        """Choose among the words of the lists that are a letter longer, and the words in none of them."""
        parameters: dict[str, Value] = {"start": prefix, "end": prefix + LAST_CHARACTER, "letters": len(prefix) + 1}
        lists = self._bulk.rows(_LONGER, parameters)
        found: list[Begun] = [begun for _, words in lists for begun in unpacked(words)]
        whole: list[Begun] = []
        start = prefix[1:]
        for end in (*(longer[1:] for longer, _ in lists), prefix[1:] + LAST_CHARACTER):
            rows = self._bulk.rows(_between(prefix[0]), {"start_": start, "end_": end})
            found += map(begun_of, rows)
            whole += (begun_of(row) for row in rows if row[0] == prefix[1:])
            start = end + LAST_CHARACTER
        return listed(found, whole)


def _begun(one: KeyedWord) -> Iterator[tuple[str, Begun]]:
    """Yield each key of a word, prefixed with its code, and the word as stored in lists."""
    for code, key in zip(COLUMNS, (one.exact_key, one.loose_key, one.sound_key), strict=True):
        weight = weight_of(key, one.exact_key, one.language_id, one.frequency)
        yield code + key, (weight, one.language_id, one.text, one.id)


def _prefixes_of(key: str) -> list[str]:
    return [key[0] + beginning for beginning in beginnings_of(key[1:])]


_LONGER = Query(
    select(table.c.prefix, table.c.words)
    .where(
        table.c.prefix > bindparam("start", type_=Text),
        table.c.prefix < bindparam("end", type_=Text),
        func.length(table.c.prefix) == bindparam("letters", type_=Integer),
    )
    .order_by(table.c.prefix)
)


@cache
def _between(code: str) -> Query:
    return Query(stretch(code))


@cache
def _counted(code: str) -> Query:
    some = stretch(code).with_only_columns(word.c.id).limit(literal(FEW + 1)).subquery()
    return Query(select(func.count()).select_from(some))
