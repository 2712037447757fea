"""SQLite's indexes of words: where much is new, building them anew is cheaper than changing them everywhere."""

from typing import TYPE_CHECKING

from abhidhan import schema
from abhidhan.dictionary.store.index import OpenTransaction
from abhidhan.dictionary.store.indexes import derived_columns
from abhidhan.exchange.store.loading.load_context import Load

if TYPE_CHECKING:
    from sqlalchemy import Index

SMALL_LOAD = 20_000
"""New words from which on it pays to build SQLite's scattered indexes at the end."""

WORTH_BUILDING = 10
"""It pays to build them once one word in so many is new: to change nine of them takes several times the 9 µs a word
that building them takes."""

SCATTERED_INDEXES = frozenset(
    {
        "ix_word_exact_key",
        "ix_word_loose_key",
        "ix_word_sound_key",
        "ix_word_length_exact_key",
        "ix_word_length_loose_key",
        "ix_word_length_sound_key",
        "ix_word_order",
        "ix_word_silent",
        "ix_word_created",
        "ix_word_language_id_created",
        "ix_sense_idea_id_language_id_word_id",
        "ix_sense_language_id_idea_id",
    }
)
"""Indexes whose order is another than that of loading, and which loading itself does not read.

Those that are built anew also take a tenth less room: their pages are full.
"""

_OF_WORDS = (schema.word, schema.sense)


class ScatteredIndexes:
    """SQLite's indexes that are cheaper to build at the end of a large load. PostgreSQL's stay: readers need them."""

    def __init__(self, load: Load, *, follows_many: bool) -> None:
        """Begin with all of them in their places; `words_before` tells how many words there are.

        `follows_many`: the same load had them built in the transaction before, and most likely brings as much now.
        """
        self._load = load
        self._follows_many = follows_many
        self._dropped: list[Index] = []
        self.words_before = derived_columns.total_words(OpenTransaction(load.connection))

    def drop_if_worthwhile(self) -> None:
        """Remove them once so much is new that they are better built at the end."""
        load = self._load
        if self._dropped or not load.bulk.is_sqlite:
            return
        least = 0 if self._follows_many else max(SMALL_LOAD, self.words_before // WORTH_BUILDING)
        if load.counts["word"] > least:
            self._dropped = [
                index
                for table in _OF_WORDS
                for index in sorted(table.indexes, key=lambda index: str(index.name))
                if index.name in SCATTERED_INDEXES
            ]
            for index in self._dropped:
                index.drop(load.connection)

    def rebuild(self) -> bool:
        """Build those that were removed; tell whether any were."""
        for index in self._dropped:
            index.create(self._load.connection)
        return bool(self._dropped)
