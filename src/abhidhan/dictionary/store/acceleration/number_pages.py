"""Stored numbers (hashes) of words, computed from the text and the sound key of each word."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from sqlalchemy import Connection, Integer, Table, bindparam, select

from abhidhan.dictionary.store.acceleration.stored_pages import WORD_BATCH_SIZE, P, PageFormat, StoredPages, T
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import RebuildCursor, StaleRecord, StepResult
from abhidhan.dictionary.store.keyed_words import KeyedWord
from abhidhan.platform.database.bulk import BulkTransaction
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row
from abhidhan.schema import word

_NEXT_WORDS = CompiledQuery(
    select(word.c.id, word.c.text, word.c.sound_key)
    .where(word.c.id > bindparam("after", type_=Integer))
    .order_by(word.c.id)
    .limit(bindparam("limit", type_=Integer))
)


class NumberPages(StoredPages[P, T]):
    """Pages of the numbers of all words, with functions that add missing ones."""

    def __init__(
        self,
        table: Table,
        page_format: PageFormat[P],
        hash_word: Callable[[str, str], tuple[int, ...]],
        build_value: Callable[[T | None, Mapping[int, P]], T],
    ) -> None:
        """Initialise like `StoredPages`, with functions that compute the numbers of a word and the value of the pages.

        `hash_word` computes the numbers of a word from its text and its sound key; `build_value` takes the previous
        value, if any, and the pages that have changed since.
        """
        super().__init__(table, page_format)
        self.hash_word, self._build_value = hash_word, build_value

    def _build(self, before: T | None, changed: Mapping[int, P], head: bytes) -> T:  # noqa: ARG002  # it has no other content
        return self._build_value(before, changed)

    def update(self, connection: Connection, _removed: Sequence[KeyedWord], added: Sequence[KeyedWord]) -> None:
        """Add the numbers of new and respelled words, in the transaction that writes them."""
        self.add_numbers(
            connection, {*chain(*(self.hash_word(keyed_word.text, keyed_word.sound_key) for keyed_word in added))}
        )

    def find_stale(self, tables: RowSource) -> Iterator[StaleRecord]:
        """Yield the words with a missing number, if the pages are marked as complete."""
        if not self.is_complete(tables):
            return
        after = 0
        while rows := tables.rows(_NEXT_WORDS, after=after, limit=WORD_BATCH_SIZE):
            after = rows[-1][0]
            numbers = self._hash_rows(rows)
            missing = self._find_missing(tables, chain.from_iterable(numbers))
            for (word_id, text, _), word_numbers in zip(rows, numbers, strict=True) if missing else ():
                if not missing.isdisjoint(word_numbers):
                    yield StaleRecord(f"word:{word_id}", text)

    def rebuild_next(
        self, connection: Connection, after: RebuildCursor, batch_size: int = WORD_BATCH_SIZE
    ) -> StepResult:
        """Add the missing numbers of the next words; after the last, mark the pages as complete."""
        rows = BulkTransaction(connection).rows(_NEXT_WORDS, {"after": after[1], "limit": batch_size})
        numbers = self._hash_rows(rows)
        missing = self.add_numbers(connection, {*chain.from_iterable(numbers)})
        changed = sum(not missing.isdisjoint(word_numbers) for word_numbers in numbers)
        if len(rows) == batch_size:
            return StepResult(len(rows), changed, ("", rows[-1][0]))
        return StepResult(len(rows), changed + self._mark_complete(connection), None)

    def _hash_rows(self, rows: Iterable[Row]) -> list[tuple[int, ...]]:
        return [self.hash_word(text, sound_key) for _, text, sound_key in rows]
