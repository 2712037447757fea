"""What a writer is given of recordings: which there are of some words or examples, and their bytes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.records.recordings import EXTENSION

MOST_HEARD: Final = 3
"""At most this many speakers are heard with a word of a flashcard."""


class Spoken(NamedTuple):
    """What is said: the code of its language, and the word or example itself."""

    language: str
    text: str


class Voice(NamedTuple):
    """An approved recording: its ID, who speaks and where people speak so, its licence, and how long it is."""

    id: int
    speaker: str | None
    place: str | None
    licence: str | None
    milliseconds: int

    @property
    def credit(self) -> str:
        """Who is to be credited, and on what terms it is."""
        return credit_of(self.speaker, self.place, self.licence)


def credit_of(*told: str | None) -> str:
    """Write what is told of a recording (speaker, place, licence) in a line."""
    return ", ".join(part for part in told if part)


class Voices(NamedTuple):
    """The approved recordings of a book.

    `read` returns the bytes of one; None where they are not to be had. With `base`, the address of the server, a file
    refers to them there and has none of them itself. `licences` are those of all.
    """

    of_words: Callable[[Collection[Spoken]], Mapping[Spoken, Sequence[Voice]]]
    of_example: Callable[[Spoken], Sequence[Voice]]
    read: Callable[[int], bytes | None]
    base: str | None
    licences: tuple[str, ...]


class Sound(NamedTuple):
    """A recording: the name of its file in the deck, what reads its bytes, and who is to be credited.

    None instead of bytes says that they are not to be had.
    """

    name: str
    read: Callable[[], bytes | None]
    credit: str = ""


def sound_name(recording_id: int) -> str:
    """Return the name that a recording has in every deck: Anki keeps the files of all decks in one folder."""
    return f"abhidhan-{recording_id}.{EXTENSION}"
