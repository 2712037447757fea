"""SQLite's word indexes, which are rebuilt after large loads because that is cheaper than scattered updates."""

from typing import TYPE_CHECKING

from abhidhan import schema
from abhidhan.dictionary.store.index import TransactionRows
from abhidhan.dictionary.store.indexes import derived_columns
from abhidhan.exchange.store.loading.load_context import Load

if TYPE_CHECKING:
    from sqlalchemy import Index

SMALL_LOAD = 20_000
"""Number of new words from which rebuilding SQLite's scattered indexes at the end is cheaper."""

WORTH_BUILDING = 10
"""Rebuilding pays once at least one word in this number is new.

Building the indexes takes 9 µs a word; changing nine of them takes several times that.
"""

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
"""Indexes whose order is not that of loading, so that updates are scattered; loading does not read them.

Rebuilt ones also take a tenth less space, since their pages are full.
"""

_OF_WORDS = (schema.word, schema.sense)


class ScatteredIndexes:
    """SQLite's indexes that are dropped during a large load and rebuilt; PostgreSQL keeps its own for readers."""

    def __init__(self, load: Load, *, follows_many: bool) -> None:
        """Initialise with all indexes in place, and set `words_before` to the number of stored words.

        `follows_many`: the previous transaction of the load rebuilt them, so this one probably adds as much.
        """
        self._load = load
        self._follows_many = follows_many
        self._dropped: list[Index] = []
        self.words_before = derived_columns.total_words(TransactionRows(load.connection))

    def drop_if_worthwhile(self) -> None:
        """Drop the indexes as soon as there are so many new words that rebuilding is cheaper than updating."""
        load = self._load
        if self._dropped or not load.bulk.is_sqlite:
            return
        threshold = 0 if self._follows_many else max(SMALL_LOAD, self.words_before // WORTH_BUILDING)
        if load.counts["word"] > threshold:
            self._dropped = [
                index
                for table in _OF_WORDS
                for index in sorted(table.indexes, key=lambda index: str(index.name))
                if index.name in SCATTERED_INDEXES
            ]
            for index in self._dropped:
                index.drop(load.connection)

    def rebuild(self) -> bool:
        """Rebuild the dropped indexes; return whether there were any."""
        for index in self._dropped:
            index.create(self._load.connection)
        return bool(self._dropped)
