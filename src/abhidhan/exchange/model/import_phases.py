"""What a load is busy with, for those who wait for it."""

from collections.abc import Callable
from enum import Enum, auto

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
