"""A back-off n-gram model kept in one flat hash table, unfolded into an automaton as it is used."""

from __future__ import annotations

import sys
from array import array
from typing import Final

ORIGIN: Final = 0
"""The unit that stands before a sequence."""
END: Final = 1
"""The unit that closes a sequence."""
FIRST_UNIT: Final = 2
"""The lowest number a model may give to a unit of its own."""

PROBABILITY_STEPS: Final = 16
"""Steps of the stored log probabilities in one nat; 255 steps are the smallest."""
BACKOFF_STEPS: Final = 32
"""Steps of the stored back-off weights in one nat."""
LARGEST_BACKOFF: Final = 64
"""Back-off weights run from this many steps above nought downwards."""
NO_CONTINUATION: Final = 255
"""Stored in place of a back-off weight where no longer n-gram goes on from here."""
UNKNOWN_SLOT: Final = 0xFF00
"""What stands for a unit never met: the smallest probability."""
STEPS_KEPT: Final = 5_000
"""Steps of the automaton that are remembered before it is unfolded afresh (about 2 MB)."""

NO_UNITS: Final = 0x1F12_3BB5_159A_55E5 % ((1 << 61) - 1)
"""The key of the empty n-gram."""

MULTIPLIER: Final = 0x5851F42D4C957F2D
PRIME: Final = (1 << 61) - 1


def chained(key: int, unit: int) -> int:
    """Return the key of the n-gram that has `unit` one place before the n-gram of `key`."""
    return (key + unit + 1) * MULTIPLIER % PRIME


def place(key: int, slots: int) -> tuple[int, int]:
    """Return where an n-gram's search begins in a table of so many slots, and its 16-bit fingerprint."""
    return key % slots, key >> 43 & 0xFFFF


BACKOFF_OF_BYTE: Final = tuple((LARGEST_BACKOFF - byte) / BACKOFF_STEPS for byte in range(NO_CONTINUATION))


class State:
    """The units that still matter for what comes next, newest first, and where each unit leads."""

    __slots__ = ("backoffs", "steps", "units")

    def __init__(self, units: tuple[int, ...], backoffs: tuple[float, ...]) -> None:
        """Take the units and the back-off weight of each of their beginnings (1 unit, 2 units, ...)."""
        self.units = units
        self.backoffs = backoffs
        self.steps: dict[int, tuple[float, State]] = {}


class NgramModel:
    """Log probabilities (natural) of units after other units; every number is quantised to eight bits."""

    def __init__(self, order: int, slots: bytes | memoryview) -> None:
        """Read a table of little-endian 32-bit slots: fingerprint, probability, back-off weight."""
        self.order = order
        self._slots = array("I")
        self._slots.frombytes(slots)
        if sys.byteorder == "big":
            self._slots.byteswap()
        self._states: dict[tuple[int, ...], State] = {}
        self._steps_kept = 0

    def begin(self) -> State:
        """Return the state before the first unit."""
        return self._look_up((ORIGIN,))[2]

    def step(self, state: State, unit: int) -> tuple[float, State]:
        """Return the log probability of the unit in this state, and the state after it."""
        known = state.steps.get(unit)
        if known is None:
            length, probability, after = self._look_up((unit, *state.units))
            known = (probability + sum(state.backoffs[max(length - 1, 0) :]), after)
            state.steps[unit] = known
            self._steps_kept += 1
        return known

    def score(self, units: tuple[int, ...]) -> float:
        """Return the log probability of a whole sequence, its end included."""
        state = self.begin()
        total = 0.0
        for unit in (*units, END):
            probability, state = self.step(state, unit)
            total += probability
        return total

    def _look_up(self, units: tuple[int, ...]) -> tuple[int, float, State]:
        """Return the length and log probability of the longest known beginning, and the state it leaves."""
        slots, size = self._slots, len(self._slots)
        key = NO_UNITS
        length = 0
        last = UNKNOWN_SLOT
        backoffs: list[float] = []
        for unit in units[: self.order]:
            # `chained` and `place` written out: this is where the time of a search goes
            key = (key + unit + 1) * MULTIPLIER % PRIME
            index, fingerprint = key % size, key >> 43 & 0xFFFF
            while (slot := slots[index]) and slot >> 16 != fingerprint:
                index = index + 1 if index + 1 < size else 0
            if not slot:
                break
            last = slot
            if slot & 0xFF != NO_CONTINUATION:
                backoffs.append(BACKOFF_OF_BYTE[slot & 0xFF])
            length += 1
        state = self._state(units[: len(backoffs)], tuple(backoffs))
        return length, -(last >> 8 & 0xFF) / PROBABILITY_STEPS, state

    def _state(self, units: tuple[int, ...], backoffs: tuple[float, ...]) -> State:
        if self._steps_kept > STEPS_KEPT:
            self._states.clear()
            self._steps_kept = 0
        state = self._states.get(units)
        if state is None:
            state = self._states[units] = State(units, backoffs)
        return state
