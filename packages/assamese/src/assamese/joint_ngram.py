"""A joint n-gram model of spelling pairs, and the back-off n-gram model in a flat hash table that it uses."""

from __future__ import annotations

import math
import sys
from array import array
from collections import defaultdict
from heapq import nlargest
from typing import TYPE_CHECKING, Final, NamedTuple

START_UNIT: Final = 0
"""The unit that marks the start of a sequence."""
END_UNIT: Final = 1
"""The unit that marks the end of a sequence."""
FIRST_UNIT: Final = 2
"""The lowest number of a unit of the model; lower ones mark start and end."""

PROBABILITY_STEPS: Final = 16
"""Number of units in which a nat of log probability is stored; 255 units are the smallest probability."""
BACKOFF_STEPS: Final = 32
"""Number of units in which a nat of a back-off weight is stored."""
MAX_BACKOFF: Final = 64
"""The maximum back-off weight, in stored units."""
NO_CONTINUATION: Final = 255
"""The byte stored instead of a back-off weight if no longer n-gram starts with this one."""
UNKNOWN_SLOT: Final = 0xFF00
"""The slot that stands for an unknown unit, with the smallest probability."""
MAX_CACHED_STEPS: Final = 5_000
"""Maximum number of cached transitions (about 2 MB), after which the cache is cleared."""

EMPTY_KEY: Final = 0x1F12_3BB5_159A_55E5 % ((1 << 61) - 1)
"""The key of the n-gram without units."""

HASH_MULTIPLIER: Final = 0x5851F42D4C957F2D
HASH_PRIME: Final = (1 << 61) - 1


def chain_key(key: int, unit: int) -> int:
    """Return the key of the n-gram that consists of `unit` followed by the n-gram of `key`."""
    return (key + unit + 1) * HASH_MULTIPLIER % HASH_PRIME


def slot_and_fingerprint(key: int, slots: int) -> tuple[int, int]:
    """Return the slot where probing for an n-gram begins in a table of `slots` slots, and its 16-bit fingerprint."""
    return key % slots, key >> 43 & 0xFFFF


BACKOFF_OF_BYTE: Final = tuple((MAX_BACKOFF - byte) / BACKOFF_STEPS for byte in range(NO_CONTINUATION))


class NgramState:
    """The context of the next unit: the preceding units, newest first, and the cached transitions."""

    __slots__ = ("backoffs", "steps", "units")

    def __init__(self, units: tuple[int, ...], backoffs: tuple[float, ...]) -> None:
        """Initialise with the units and the back-off weight of each prefix (1 unit, 2 units, ...)."""
        self.units = units
        self.backoffs = backoffs
        self.steps: dict[int, tuple[float, NgramState]] = {}


class NgramModel:
    """A back-off n-gram model: natural log probabilities of units in context, quantised to eight bits."""

    def __init__(self, order: int, slots: bytes | memoryview) -> None:
        """Load a table of little-endian 32-bit slots: fingerprint, probability, back-off weight."""
        self.order = order
        self._slots = array("I")
        self._slots.frombytes(slots)
        if sys.byteorder == "big":
            self._slots.byteswap()
        self._states: dict[tuple[int, ...], NgramState] = {}
        self._cached_steps = 0

    def start_state(self) -> NgramState:
        """Return the state before the first unit."""
        return self._look_up((START_UNIT,))[2]

    def step(self, state: NgramState, unit: int) -> tuple[float, NgramState]:
        """Return the log probability of the unit in this state, and the state after it."""
        cached = state.steps.get(unit)
        if cached is None:
            length, probability, after = self._look_up((unit, *state.units))
            cached = (probability + sum(state.backoffs[max(length - 1, 0) :]), after)
            state.steps[unit] = cached
            self._cached_steps += 1
        return cached

    def score(self, units: tuple[int, ...]) -> float:
        """Return the log probability of a whole sequence, its end included."""
        state = self.start_state()
        total = 0.0
        for unit in (*units, END_UNIT):
            probability, state = self.step(state, unit)
            total += probability
        return total

    def _look_up(self, units: tuple[int, ...]) -> tuple[int, float, NgramState]:
        """Return the length and log probability of the longest known prefix of `units`, and the state after it."""
        slots, size = self._slots, len(self._slots)
        key = EMPTY_KEY
        length = 0
        last = UNKNOWN_SLOT
        backoffs: list[float] = []
        for unit in units[: self.order]:
            # `chain_key` and `slot_and_fingerprint` are inlined: most of the time of a search is spent here.
            key = (key + unit + 1) * HASH_MULTIPLIER % HASH_PRIME
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

    def _state(self, units: tuple[int, ...], backoffs: tuple[float, ...]) -> NgramState:
        if self._cached_steps > MAX_CACHED_STEPS:
            self._states.clear()
            self._cached_steps = 0
        state = self._states.get(units)
        if state is None:
            state = self._states[units] = NgramState(units, backoffs)
        return state


if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

BEAM_WIDTH: Final = 14
"""Number of hypotheses that are extended at one position of the word."""
PRUNING_MARGIN: Final = 8.0
"""Hypotheses worse than the best by more than this (nats) are dropped."""
MAX_CHUNK_LENGTH: Final = 3
"""Maximum number of source pieces that one unit covers."""
PREFIX_SEARCH_FACTOR: Final = 4
"""Number of hypotheses searched per requested target, since some are only prefixes of longer targets."""
MAX_CONSECUTIVE_SILENT: Final = 2
"""Maximum number of consecutive units with an empty source."""


class JointUnit(NamedTuple):
    """A unit of the model: a piece of the source and the corresponding piece of the target."""

    source: str
    target: str


class Hypothesis(NamedTuple):
    """A target with its natural log probability, its units and the state of the model after them."""

    score: float
    target: str
    units: tuple[int, ...]
    state: NgramState


class HypothesisStack:
    """The best hypotheses at one position of the source, one for each state and target."""

    __slots__ = ("best", "hypotheses", "margin")

    def __init__(self, margin: float) -> None:
        """Initialise without hypotheses; `margin` (nats) is the maximum distance from the best."""
        self.best = -math.inf
        self.margin = margin
        self.hypotheses: dict[tuple[NgramState, str], Hypothesis] = {}

    def near_best(self, limit: int) -> list[Hypothesis]:
        """Return at most `limit` hypotheses within the margin of the best, best first."""
        threshold = self.best - self.margin
        return nlargest(
            limit,
            (hypothesis for hypothesis in self.hypotheses.values() if hypothesis.score >= threshold),
            key=by_score,
        )


class Transducer:
    """Finds the most probable targets of a source under a joint n-gram model of their pairs."""

    def __init__(self, pairs: Sequence[JointUnit], model: NgramModel, beam: int = BEAM_WIDTH) -> None:
        """Initialise with the units in the order of their numbers in the model, the model, and the beam width."""
        self._model = model
        self._beam = beam
        self._targets: Mapping[int, str] = {FIRST_UNIT + at: pair.target for at, pair in enumerate(pairs)}
        by_source: defaultdict[str, list[int]] = defaultdict(list)
        for number, pair in enumerate(pairs, start=FIRST_UNIT):
            by_source[pair.source].append(number)
        self._silent_units = tuple(by_source.pop("", ()))
        self._by_source = {source: tuple(units) for source, units in by_source.items()}

    def find_best(self, pieces: Sequence[str], limit: int) -> list[Hypothesis]:
        """Return up to `limit` different targets of a source that is split into pieces, best first."""
        return self._search(pieces, limit, None)

    def match_targets(self, pieces: Sequence[str], targets: Collection[str]) -> list[Hypothesis]:
        """Return hypotheses for those of the targets that the source may stand for, best first."""
        prefixes = frozenset(target[:size] for target in targets for size in range(len(target) + 1))
        hypotheses = self._search(pieces, len(targets) * PREFIX_SEARCH_FACTOR, prefixes)
        return [hypothesis for hypothesis in hypotheses if hypothesis.target in targets]

    def _search(self, pieces: Sequence[str], limit: int, prefixes: frozenset[str] | None) -> list[Hypothesis]:
        """Search for targets; with `prefixes`, only for targets all of whose prefixes are among them."""
        margin = PRUNING_MARGIN if prefixes is None else math.inf
        stacks = [HypothesisStack(margin) for _ in range(len(pieces) + 1)]
        start = Hypothesis(0.0, "", (), self._model.start_state())
        stacks[0].best = 0.0
        stacks[0].hypotheses[start.state, ""] = start
        for at in range(len(pieces)):
            self._add_silent(stacks[at], prefixes, allowed=at > 0)
            survivors = stacks[at].near_best(self._beam)
            for length in range(1, min(MAX_CHUNK_LENGTH, len(pieces) - at) + 1):
                units = self._by_source.get("".join(pieces[at : at + length]), ())
                self._extend(survivors, units, stacks[at + length], prefixes)
        self._add_silent(stacks[-1], prefixes, allowed=bool(pieces))
        return self._finish(stacks[-1].hypotheses.values(), limit)

    def _add_silent(self, stack: HypothesisStack, prefixes: frozenset[str] | None, *, allowed: bool) -> None:
        """Extend the hypotheses of a stack by units with an empty source, unless not allowed at this position."""
        if allowed and self._silent_units:
            for _ in range(MAX_CONSECUTIVE_SILENT):
                self._extend(stack.near_best(self._beam), self._silent_units, stack, prefixes)

    def _extend(
        self,
        hypotheses: list[Hypothesis],
        units: tuple[int, ...],
        stack: HypothesisStack,
        prefixes: frozenset[str] | None,
    ) -> None:
        """Extend hypotheses by each unit, and add the results to the stack unless it has better ones."""
        step, targets, entries = self._model.step, self._targets, stack.hypotheses
        threshold = stack.best - stack.margin
        for before in hypotheses:
            for unit in units:
                probability, state = step(before.state, unit)
                score = before.score + probability
                if score < threshold:
                    continue
                target = before.target + targets[unit]
                if prefixes is not None and target not in prefixes:
                    continue
                rival = entries.get((state, target))
                if rival is None or rival.score < score:
                    entries[state, target] = Hypothesis(score, target, (*before.units, unit), state)
                    if score > stack.best:
                        stack.best = score
                        threshold = score - stack.margin

    def _finish(self, hypotheses: Iterable[Hypothesis], limit: int) -> list[Hypothesis]:
        best: dict[str, Hypothesis] = {}
        for hypothesis in hypotheses:
            probability, state = self._model.step(hypothesis.state, END_UNIT)
            closed = hypothesis._replace(score=hypothesis.score + probability, state=state)
            rival = best.get(closed.target)
            if rival is None or rival.score < closed.score:
                best[closed.target] = closed
        return nlargest(limit, best.values(), key=by_score)


def by_score(hypothesis: Hypothesis) -> float:
    """Return the sort key of a hypothesis."""
    return hypothesis.score
