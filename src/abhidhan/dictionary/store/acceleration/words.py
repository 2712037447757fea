"""Accelerators of look-ups that are derived from words, and updated in the transactions that change words."""

from array import array
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection

from abhidhan.dictionary.model.ranking import is_plain
from abhidhan.dictionary.store.acceleration.completion_lists import rows as completion_lists
from abhidhan.dictionary.store.acceleration.completion_lists.updates import update_lists as renew_completion_lists
from abhidhan.dictionary.store.acceleration.readable_words import READABLE_WORDS
from abhidhan.dictionary.store.acceleration.sound_filter import SOUND_FILTER
from abhidhan.dictionary.store.acceleration.sound_frames import SOUND_FRAMES
from abhidhan.dictionary.store.idea_details import RowSource
from abhidhan.dictionary.store.index import Index, TransactionRows
from abhidhan.dictionary.store.keyed_words import KeyedWord
from abhidhan.platform.database.compiled_queries import chunks


class WordAccelerator(NamedTuple):
    """Accelerator derived from words, with functions to compare, update and fill it."""

    index_entry: Index
    """Functions that compare it with the words and rebuild it."""
    update: Callable[[Connection, Sequence[KeyedWord], Sequence[KeyedWord]], None]
    """Function that updates it, given the words before a change and those after it."""
    is_complete: Callable[[RowSource], bool]
    fill: Callable[[Connection], None]
    """Indexes all words in transactions of its own, unless complete."""
    warning_code: str = ""
    """Code of the finding that words are not indexed yet; empty if a server can start before they are."""


WORD_ACCELERATORS: Final = (
    WordAccelerator(
        Index("E213", frozenset({"E213", "W213"}), SOUND_FRAMES.find_stale, (SOUND_FRAMES.rebuild_next,)),
        SOUND_FRAMES.update,
        SOUND_FRAMES.is_complete,
        SOUND_FRAMES.fill,
        "W213",
    ),
    WordAccelerator(
        Index("E218", frozenset({"E218", "W218"}), SOUND_FILTER.find_stale, (SOUND_FILTER.rebuild_next,)),
        SOUND_FILTER.update,
        SOUND_FILTER.is_complete,
        SOUND_FILTER.fill,
        "W218",
    ),
    WordAccelerator(
        # Repairs of the sounds of words leave this index stale.
        Index(
            "E219",
            frozenset({"E201", "E213", "W213", "E219"}),
            READABLE_WORDS.find_stale,
            (READABLE_WORDS.rebuild_next,),
        ),
        READABLE_WORDS.update,
        READABLE_WORDS.is_complete,
        READABLE_WORDS.fill,
    ),
    WordAccelerator(
        Index("E215", frozenset({"E215", "W215"}), completion_lists.find_stale, (completion_lists.rebuild_next,)),
        renew_completion_lists,
        completion_lists.is_complete,
        completion_lists.fill,
        "W215",
    ),
)


def update_accelerators(connection: Connection, removed: Sequence[KeyedWord], added: Sequence[KeyedWord]) -> None:
    """Update the accelerators for removed words (or their previous state) and for added ones."""
    for accelerator in WORD_ACCELERATORS:
        accelerator.update(connection, removed, added)


def are_complete(tables: RowSource) -> bool:
    """Return whether the accelerators that a server waits for are complete."""
    return all(accelerator.is_complete(tables) for accelerator in WORD_ACCELERATORS if accelerator.warning_code)


def fill(connection: Connection) -> None:
    """Fill the accelerators that a server waits for, unless complete; no transaction may be open."""
    for accelerator in WORD_ACCELERATORS:
        if accelerator.warning_code:
            accelerator.fill(connection)


NUMBER_BATCH_SIZE: Final = 100_000
"""Number of sound numbers added in one batch: 10 MB."""


class NewWordNumbers:
    """Numbers (hashes) of new words, collected and written at the end of the transaction that loads the words."""

    def __init__(self, connection: Connection) -> None:
        """Initialise without any words."""
        self._connection = connection
        self._numbers = {pages: array("I") for pages in (SOUND_FRAMES, SOUND_FILTER)}
        self._plain_keys: list[str] | None = [] if READABLE_WORDS.is_complete(TransactionRows(connection)) else None
        """Exact keys of words in plain letters; None if they are not needed."""

    def add(self, text: str, exact_key: str, sound_key: str) -> None:
        """Record a new word."""
        for pages, numbers in self._numbers.items():
            numbers.extend(pages.hash_word(text, sound_key))
        if self._plain_keys is not None and is_plain(exact_key):
            self._plain_keys.append(exact_key)

    def write(self) -> None:
        """Write the recorded words."""
        for pages, numbers in self._numbers.items():
            for batch in chunks(numbers, NUMBER_BATCH_SIZE):
                pages.add_numbers(self._connection, {*batch})
        sound_numbers = self._numbers[SOUND_FRAMES][1::2]  # each follows its frame
        READABLE_WORDS.add_new_words(self._connection, self._plain_keys or (), sound_numbers)
