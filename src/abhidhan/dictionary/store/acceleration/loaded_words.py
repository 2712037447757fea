"""Collect the new words of an import for the accelerators, which write them in large batches."""

from array import array
from typing import Final

from sqlalchemy import Connection

from abhidhan.dictionary.model.roman_readings import is_plain
from abhidhan.dictionary.store.acceleration.readable_words import READABLE_WORDS
from abhidhan.dictionary.store.acceleration.sound_filter import SOUND_FILTER
from abhidhan.dictionary.store.acceleration.sound_frames import SOUND_FRAMES
from abhidhan.dictionary.store.index import OpenTransaction
from abhidhan.platform.database.compiled_queries import chunks

SOUNDS_AT_ONCE: Final = 100_000
"""The number of sounds that are added in one batch (10 MB)."""


class LoadedWords:
    """The numbers of new words, written at the end of the transaction that loads them."""

    def __init__(self, connection: Connection) -> None:
        """Collect for the transaction of a connection."""
        self._connection = connection
        self._numbers = {pages: array("I") for pages in (SOUND_FRAMES, SOUND_FILTER)}
        self._plain: list[str] | None = [] if READABLE_WORDS.is_whole(OpenTransaction(connection)) else None
        """The exact keys of words in plain letters; None where they are not needed."""

    def note(self, text: str, exact_key: str, sound_key: str) -> None:
        """Note a new word."""
        for pages, numbers in self._numbers.items():
            numbers.extend(pages.numbers_of(text, sound_key))
        if self._plain is not None and is_plain(exact_key):
            self._plain.append(exact_key)

    def write(self) -> None:
        """Write what was noted."""
        for pages, numbers in self._numbers.items():
            for some in chunks(numbers, SOUNDS_AT_ONCE):
                pages.add_numbers(self._connection, {*some})
        sounds_alone = self._numbers[SOUND_FRAMES][1::2]  # behind the frame of each
        READABLE_WORDS.add_loaded(self._connection, self._plain or (), sounds_alone)
