"""The accelerators that are derived from words: each is written with every change of a word, or with a load."""

from array import array
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection

from abhidhan.dictionary.model.ranking import is_plain
from abhidhan.dictionary.store.acceleration.completion_lists import filling as completion_lists
from abhidhan.dictionary.store.acceleration.completion_lists.renewal import renew as renew_completion_lists
from abhidhan.dictionary.store.acceleration.readable_words import READABLE_WORDS
from abhidhan.dictionary.store.acceleration.sound_filter import SOUND_FILTER
from abhidhan.dictionary.store.acceleration.sound_frames import SOUND_FRAMES
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.dictionary.store.index import Index, OpenTransaction
from abhidhan.dictionary.store.keyed_words import KeyedWord
from abhidhan.platform.database.compiled_queries import chunks


class WordAccelerator(NamedTuple):
    """An accelerator that is derived from words: how it is compared, renewed with a change, and filled."""

    index_entry: Index
    """The functions that compare it with the words and renew it."""
    renew: Callable[[Connection, Sequence[KeyedWord], Sequence[KeyedWord]], None]
    """Takes words as they were before a change, and as they are after it."""
    is_whole: Callable[[Tables], bool]
    fill: Callable[[Connection], None]
    """Indexes all words in transactions of its own, unless that was done."""
    warning: str = ""
    """The code of the finding that not every word has been indexed; empty where a server need not wait for it."""


WORD_ACCELERATORS: Final = (
    WordAccelerator(
        Index("E213", frozenset({"E213", "W213"}), SOUND_FRAMES.stale, (SOUND_FRAMES.renew_next,)),
        SOUND_FRAMES.renew,
        SOUND_FRAMES.is_whole,
        SOUND_FRAMES.fill,
        "W213",
    ),
    WordAccelerator(
        Index("E218", frozenset({"E218", "W218"}), SOUND_FILTER.stale, (SOUND_FILTER.renew_next,)),
        SOUND_FILTER.renew,
        SOUND_FILTER.is_whole,
        SOUND_FILTER.fill,
        "W218",
    ),
    WordAccelerator(
        # What mends the sounds of words leaves this behind them.
        Index("E219", frozenset({"E201", "E213", "W213", "E219"}), READABLE_WORDS.stale, (READABLE_WORDS.renew_next,)),
        READABLE_WORDS.renew,
        READABLE_WORDS.is_whole,
        READABLE_WORDS.fill,
    ),
    WordAccelerator(
        Index("E215", frozenset({"E215", "W215"}), completion_lists.stale, (completion_lists.renew_next,)),
        renew_completion_lists,
        completion_lists.is_whole,
        completion_lists.fill,
        "W215",
    ),
)


def renew(connection: Connection, gone: Sequence[KeyedWord], come: Sequence[KeyedWord]) -> None:
    """Renew what is derived from words that are gone, or were so before they changed, and from those that have come."""
    for each in WORD_ACCELERATORS:
        each.renew(connection, gone, come)


def are_whole(tables: Tables) -> bool:
    """Return whether every word has been indexed for what a server waits for."""
    return all(each.is_whole(tables) for each in WORD_ACCELERATORS if each.warning)


def fill(connection: Connection) -> None:
    """Index all words for what a server waits for, where that was never done; no transaction may be open."""
    for each in WORD_ACCELERATORS:
        if each.warning:
            each.fill(connection)


SOUND_BATCH_SIZE: Final = 100_000
"""How many numbers of sounds are added at once: 10 MB of them."""


class LoadedWords:
    """The numbers of new words, written at the end of the transaction that loads them."""

    def __init__(self, connection: Connection) -> None:
        """Begin with none."""
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
            for some in chunks(numbers, SOUND_BATCH_SIZE):
                pages.add_numbers(self._connection, {*some})
        sounds_alone = self._numbers[SOUND_FRAMES][1::2]  # behind the frame of each
        READABLE_WORDS.add_loaded(self._connection, self._plain or (), sounds_alone)
