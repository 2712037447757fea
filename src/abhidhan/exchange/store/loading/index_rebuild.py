"""Rebuilding of SQLite's word indexes after large loads, which is cheaper than updating them."""

from typing import TYPE_CHECKING

from abhidhan import schema
from abhidhan.dictionary.store.index import TransactionRows
from abhidhan.dictionary.store.indexes import derived_columns
from abhidhan.exchange.store.loading.load_context import Load

if TYPE_CHECKING:
    from sqlalchemy import Index

LARGE_LOAD_WORDS = 20_000
"""Minimum number of new words for which rebuilding the indexes of words is cheaper than updating them."""

REBUILD_DIVISOR = 10
"""Rebuilding is worthwhile if at least one word in this number is new.

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
"""Indexes that are updated in random order, since words are loaded in another order; loading does not read them.

Rebuilt ones also take a tenth less space, since their pages are full.
"""

_INDEXED_TABLES = (schema.word, schema.sense)


class ScatteredIndexes:
    """SQLite's indexes that a large load drops and rebuilds; PostgreSQL's are kept, since other clients use them."""

    def __init__(self, load: Load, *, follows_rebuild: bool) -> None:
        """Initialise before the load, and set `words_before` to the number of stored words.

        `follows_rebuild`: the previous transaction rebuilt the indexes, so this one is probably as large.
        """
        self._load = load
        self._follows_rebuild = follows_rebuild
        self._dropped: list[Index] = []
        self.words_before = derived_columns.count_all_words(TransactionRows(load.connection))

    def drop_if_worthwhile(self) -> None:
        """Drop the indexes once the number of new words makes rebuilding cheaper than updating."""
        load = self._load
        if self._dropped or not load.bulk.is_sqlite:
            return
        threshold = 0 if self._follows_rebuild else max(LARGE_LOAD_WORDS, self.words_before // REBUILD_DIVISOR)
        if load.counts["word"] > threshold:
            self._dropped = [
                index
                for table in _INDEXED_TABLES
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
