"""Incremental updates of completion lists, in the transaction that changes the words."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from sqlalchemy import Connection, Integer, Text, bindparam, func, literal, select

from abhidhan.dictionary.model.completions import MAX_UNLISTED_WORDS, PrefixMatch, build_prefix_list, completion_weight
from abhidhan.dictionary.store.acceleration.completion_lists.lists import (
    LISTS_BY_PREFIX,
    CompletionList,
    list_prefixes,
    may_change,
    unpack_words,
)
from abhidhan.dictionary.store.acceleration.completion_lists.rows import remove_lists, write_lists
from abhidhan.dictionary.store.completions import COLUMNS_BY_CODE, select_key_range, to_prefix_match
from abhidhan.dictionary.store.keyed_words import KeyedWord
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import MAX_CODE_POINT, CompiledQuery, SqlValue
from abhidhan.schema import completion as table
from abhidhan.schema import word

UPDATE_BATCH_SIZE: Final = 500
"""Number of words whose lists are in memory at the same time: some megabytes."""


def update_lists(connection: Connection, removed: Sequence[KeyedWord], added: Sequence[KeyedWord]) -> None:
    """Update the lists of removed words (or their previous state) and of added ones.

    Call this in the transaction that writes the words, after them.
    """
    for start in range(0, max(len(removed), len(added)), UPDATE_BATCH_SIZE):
        batch = [words[start : start + UPDATE_BATCH_SIZE] for words in (removed, added)]
        _ListUpdate(connection, *batch).write()


class _ListUpdate:
    """Update of the lists affected by changes of words."""

    def __init__(self, connection: Connection, removed: Iterable[KeyedWord], added: Iterable[KeyedWord]) -> None:
        """Load the lists of all prefixes of the words."""
        self._connection = connection
        self._bulk = BulkTransaction(connection)
        changed = [
            [pair for keyed_word in words for pair in _iter_list_items(keyed_word)] for words in (removed, added)
        ]
        prefixes = {prefix for pairs in changed for key, _ in pairs for prefix in _list_coded_prefixes(key)}
        rows = self._bulk.rows_for_values(LISTS_BY_PREFIX, "prefix", sorted({*COLUMNS_BY_CODE, *prefixes}))
        self._lists = {prefix: unpack_words(words) for prefix, words in rows}
        # The lists of a key without its mark of completeness are all rebuilt later.
        self._removed, self._added = (
            [(key, match) for key, match in pairs if key[0] in self._lists] for pairs in changed
        )
        self._obsolete = frozenset(self._find_obsolete())
        self._new = frozenset(self._find_new())
        self._changed = frozenset(self._find_changed()) - self._obsolete

    def write(self) -> None:
        """Write the changed lists, those of the longest prefixes first, since others are built from them."""
        remove_lists(self._connection, sorted(self._obsolete))
        for prefix in sorted(self._new | self._changed, key=len, reverse=True):
            write_lists(self._bulk, [CompletionList(prefix, self._choose_words(prefix))])

    def _find_obsolete(self) -> Iterator[str]:
        """Yield the prefixes that have lists, but that only few words share now."""
        for key, _ in self._removed:
            for prefix in reversed(_list_coded_prefixes(key)):
                if prefix in self._lists and self._has_many_words(prefix):
                    break
                if prefix in self._lists:
                    yield prefix

    def _find_new(self) -> Iterator[str]:
        """Yield the prefixes that have no lists, but that many words share now."""
        for key, _ in self._added:
            for prefix in _list_coded_prefixes(key):
                if prefix in self._lists and prefix not in self._obsolete:
                    continue
                if not self._has_many_words(prefix):
                    break
                yield prefix

    def _find_changed(self) -> Iterator[str]:
        """Yield the prefixes whose lists may change."""
        by_prefix: defaultdict[str, tuple[list[PrefixMatch], list[PrefixMatch]]] = defaultdict(lambda: ([], []))
        for index, pairs in enumerate((self._removed, self._added)):
            for key, match in pairs:
                for prefix in _list_coded_prefixes(key):
                    by_prefix[prefix][index].append(match)
        whole = {key for key, _ in self._added}
        for prefix, (removed, added) in by_prefix.items():
            if prefix in self._lists and (prefix in whole or may_change(self._lists[prefix], removed, added)):
                yield prefix

    def _has_many_words(self, prefix: str) -> bool:
        end = prefix[1:] + MAX_CODE_POINT
        return (
            int(self._bulk.rows(_count_query(prefix[0]), {"start_": prefix[1:], "end_": end})[0][0])
            > MAX_UNLISTED_WORDS
        )

    def _choose_words(self, prefix: str) -> tuple[PrefixMatch, ...]:
        """Choose a list's words from the lists of prefixes one letter longer, and from words in none of those lists."""
        parameters: dict[str, SqlValue] = {"start": prefix, "end": prefix + MAX_CODE_POINT, "letters": len(prefix) + 1}
        lists = self._bulk.rows(_LONGER_LISTS, parameters)
        matches: list[PrefixMatch] = [match for _, words in lists for match in unpack_words(words)]
        whole: list[PrefixMatch] = []
        start = prefix[1:]
        for end in (*(longer[1:] for longer, _ in lists), prefix[1:] + MAX_CODE_POINT):
            rows = self._bulk.rows(_words_between_query(prefix[0]), {"start_": start, "end_": end})
            matches += map(to_prefix_match, rows)
            whole += (to_prefix_match(row) for row in rows if row[0] == prefix[1:])
            start = end + MAX_CODE_POINT
        return build_prefix_list(matches, whole)


def _iter_list_items(keyed_word: KeyedWord) -> Iterator[tuple[str, PrefixMatch]]:
    """Yield each key of a word, prefixed with its code, and the word as stored in lists."""
    for code, key in zip(
        COLUMNS_BY_CODE, (keyed_word.exact_key, keyed_word.loose_key, keyed_word.sound_key), strict=True
    ):
        weight = completion_weight(key, keyed_word.exact_key, keyed_word.language_id, keyed_word.frequency)
        yield code + key, (weight, keyed_word.language_id, keyed_word.text, keyed_word.id)


def _list_coded_prefixes(key: str) -> list[str]:
    return [key[0] + prefix for prefix in list_prefixes(key[1:])]


_LONGER_LISTS = CompiledQuery(
    select(table.c.prefix, table.c.words)
    .where(
        table.c.prefix > bindparam("start", type_=Text),
        table.c.prefix < bindparam("end", type_=Text),
        func.length(table.c.prefix) == bindparam("letters", type_=Integer),
    )
    .order_by(table.c.prefix)
)


@cache
def _words_between_query(code: str) -> CompiledQuery:
    return CompiledQuery(select_key_range(code))


@cache
def _count_query(code: str) -> CompiledQuery:
    limited = select_key_range(code).with_only_columns(word.c.id).limit(literal(MAX_UNLISTED_WORDS + 1)).subquery()
    return CompiledQuery(select(func.count()).select_from(limited))
