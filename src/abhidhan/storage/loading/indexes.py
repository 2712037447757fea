"""SQLite's indexes of words: where much is new, building them anew is cheaper than changing them everywhere."""

from sqlalchemy import Index, func, select

from abhidhan.storage import schema
from abhidhan.storage.loading.state import Load

SMALL_LOAD = 20_000
"""New words from which on it pays to build SQLite's scattered indexes at the end."""

SCATTERED_INDEXES = frozenset(
    {
        "ix_word_exact_key",
        "ix_word_loose_key",
        "ix_word_sound_key",
        "ix_word_length_exact_key",
        "ix_word_length_loose_key",
        "ix_word_length_sound_key",
        "ix_word_length_ending",
        "ix_word_order",
        "ix_word_silent",
    }
)
"""Indexes whose order has nothing to do with that of loading, and which loading itself does not read."""


class ScatteredIndexes:
    """SQLite's indexes that are cheaper to build at the end of a large load. PostgreSQL's stay: readers need them."""

    def __init__(self, load: Load) -> None:
        """Begin with all of them in their places; `words_before` tells how many words there are."""
        self._load = load
        self._dropped: list[Index] = []
        self.words_before = load.connection.execute(
            select(func.coalesce(func.sum(schema.language.c.words), 0))
        ).scalar_one()

    def drop_if_worthwhile(self) -> None:
        """Remove them once so much is new that they are better built at the end."""
        load = self._load
        if self._dropped or not load.bulk.is_sqlite:
            return
        if load.counts["word"] > max(SMALL_LOAD, self.words_before // 4):
            self._dropped = [
                index
                for index in sorted(schema.word.indexes, key=lambda index: str(index.name))
                if index.name in SCATTERED_INDEXES
            ]
            for index in self._dropped:
                index.drop(load.connection)

    def rebuild(self) -> None:
        """Build those that were removed."""
        for index in self._dropped:
            index.create(self._load.connection)
