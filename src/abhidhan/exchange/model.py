"""Which part of the dictionary an export has, what its records are called in files, and the phases of an import."""

from collections.abc import Callable
from enum import Enum, auto

import msgspec

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.kinds import SourceRecord

LOCAL = SourceRecord(
    "local",
    "This dictionary",
    "see the operator",
    notice="Written here; the operator of the dictionary says on what terms it may be used.",
)
"""The source of what has none of its own: what people added here."""


class Choice(msgspec.Struct, frozen=True):
    """What of the dictionary is wanted; empty means everything. Languages, contexts and parts of speech are IDs.

    `beside` are languages of which words are given too, where they mean the same as a word of `languages`.
    """

    languages: frozenset[int] = frozenset()
    beside: frozenset[int] = frozenset()
    sources: frozenset[str] = frozenset()
    contexts: frozenset[int] = frozenset()
    parts_of_speech: frozenset[int] = frozenset()

    @property
    def is_everything(self) -> bool:
        """Return whether nothing is left out."""
        return not (self.languages or self.sources or self.contexts or self.parts_of_speech)

    @property
    def given(self) -> frozenset[int]:
        """The languages of which words are given; empty means all."""
        return self.languages | self.beside if self.languages else self.languages


def wants(chosen: frozenset[int] | frozenset[str], value: object) -> bool:
    """Return whether a value is among those that were chosen; nothing chosen means everything."""
    return not chosen or value in chosen


def local_key(kind: str, record_id: int, made: int) -> str:
    """Return the key of what was written here: no other dictionary's record of this ID was made in the same second."""
    return f"{kind}-{record_id}-{made}"


def name_of_idea(catalogue: Catalogue, source_id: int | None, key: str | None, idea_id: int, created: int) -> str:
    """Return what an idea is called where another record of a file names it."""
    return ":".join(name_in_files(catalogue, source_id, key, local_key("idea", idea_id, created)))


def name_in_files(catalogue: Catalogue, source_id: int | None, key: str | None, local_key: str) -> tuple[str, str]:
    """Return what a record is called in files: by its source and key there, else by its ID here."""
    if source_id is None or key is None:
        return LOCAL.code, local_key
    return catalogue.sources[source_id].code, key


OnStep = Callable[[int], None]
"""Hears how much more of a phase is done, in the unit of its total."""


class Phase(Enum):
    """A part of a load. Each takes its own time, so none begins by looking done."""

    COPYING = auto()
    """A copy of the dictionary is made, to try things in."""
    CHECKING = auto()
    """What is packed is read to its end; of so many bytes."""
    READING = auto()
    """Records are read and stored; of so many bytes."""
    JOINING = auto()
    """Relations and flashcards, which lead to what may have come later, are stored, and the transaction ends."""
    ANSWERS = auto()
    """Answers are made ready for look-ups; of so many ideas."""
    SOUNDS = auto()
    """What words sound like is added to what is known of it."""
    BEGINNINGS = auto()
    """The lists of words by their beginnings are made."""


OnPhase = Callable[[Phase, int | None], OnStep]
"""Hears that a phase begins and how much it is in all, if that is known; returns what hears of its steps."""


def unheard(_phase: Phase, _total: int | None) -> OnStep:
    """Return what hears of steps and does nothing."""
    return lambda _: None
