"""Alignment of Roman spellings with Assamese words by expectation maximisation."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from assamese.joint_ngram import MAX_CHUNK_LENGTH, JointUnit
from assamese.letters import split_written_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tools.transliteration.corpus import RomanSpelling

ROUNDS: Final = 6
MAX_SKEW: Final = 0.5
"""Maximum difference between two aligned positions, each as a fraction of the length of its word."""

_ROMAN_CHUNK: Final = re.compile(
    "[aeiou][aeiou]|[aeo][wy]|eea|[aeo]u[gh]h|tio"
    "|[bcdfgjklmnpqrstvxzw]h?|[aeiouyhw]"
    r"|([bcdfgjklmnprstvxz])\1h?"
    "|chh|ng|ck|sch|tch|ks|sc|ksh"
)
_NATIVE_SIZE_WEIGHT: Final = {0: 1.0, 1: 1.0, 2: 0.3, 3: 0.1}
_ROMAN_SIZE_WEIGHT: Final = {1: 1.0, 2: 0.6, 3: 0.6}
_FIRST_GUESS: Final = {(1, 1): 1.0, (1, 0): 0.2, (2, 1): 0.2, (3, 1): 0.2}
_MIN_FIRST_GUESS: Final = 0.02
_MIN_COUNT: Final = 0.5
_MIN_LONG_COUNT: Final = 2.0


class LatticeEdge(NamedTuple):
    """A possible unit of an alignment; `start` and `end` are pairs of a Roman and an Assamese position."""

    start: tuple[int, int]
    end: tuple[int, int]
    unit: JointUnit


@cache
def is_roman_chunk(chunk: str) -> bool:
    """Return whether Roman letters can form one unit, such as `kh` or `ee`, but not `kr`."""
    return _ROMAN_CHUNK.fullmatch(chunk) is not None


def build_lattice(spelling: RomanSpelling) -> list[LatticeEdge]:
    """Return all possible units of a pair, sorted by start position."""
    native = split_written_units(spelling.native)
    lattice = [
        LatticeEdge(
            (i, j), (i + roman_length, j + native_length), JointUnit(chunk, "".join(native[j : j + native_length]))
        )
        for i in range(len(spelling.roman))
        for j in range(len(native) + 1)
        if abs(i / len(spelling.roman) - j / len(native)) <= MAX_SKEW
        for roman_length in range(1, min(MAX_CHUNK_LENGTH, len(spelling.roman) - i) + 1)
        if is_roman_chunk(chunk := spelling.roman[i : i + roman_length])
        for native_length in range(min(MAX_CHUNK_LENGTH, len(native) - j) + 1)
        if _may_match(chunk, native_length)
    ]
    return sorted(lattice, key=lambda edge: edge.start)


def learn_units(spellings: Iterable[RomanSpelling]) -> dict[JointUnit, float]:
    """Learn the units of aligned pairs with their weights: relative frequencies, reduced for long units."""
    lattices = [(_end_position(spelling), build_lattice(spelling)) for spelling in spellings]
    weights: Mapping[JointUnit, float] | None = None
    for turn in range(ROUNDS):
        counts: defaultdict[JointUnit, float] = defaultdict(float)
        for goal, lattice in lattices:
            _add_expected_counts(goal, _weight_edges(lattice, weights), counts)
        weights = _reestimate_weights(counts, turn)
    return dict(weights or {})


def align(spelling: RomanSpelling, weights: Mapping[JointUnit, float]) -> tuple[JointUnit, ...]:
    """Return the likeliest alignment of a pair; empty if there is none."""
    best: dict[tuple[int, int], tuple[float, tuple[int, int], JointUnit]] = {}
    scores = {(0, 0): 0.0}
    for edge, weight in _weight_edges(build_lattice(spelling), weights):
        if edge.start in scores:
            score = scores[edge.start] + math.log(weight)
            if score > scores.get(edge.end, -math.inf):
                scores[edge.end] = score
                best[edge.end] = (score, edge.start, edge.unit)
    position = _end_position(spelling)
    units: list[JointUnit] = []
    while position in best:
        _, position, pair = best[position]
        units.append(pair)
    return tuple(reversed(units))


def closeness(units: tuple[JointUnit, ...], weights: Mapping[JointUnit, float]) -> float:
    """Return the mean natural logarithm of the weights of a pair's units."""
    return sum(math.log(weights[unit]) for unit in units) / len(units)


def _may_match(chunk: str, native_length: int) -> bool:
    """Return whether a chunk can match `native_length` Assamese units: one side is single, or a letter is doubled."""
    if native_length == 0:
        return len(chunk) == 1
    return len(chunk) == 1 or native_length == 1 or (native_length == len(chunk) and len(set(chunk)) == 1)


def _end_position(spelling: RomanSpelling) -> tuple[int, int]:
    return len(spelling.roman), len(split_written_units(spelling.native))


def _weight_edges(
    lattice: list[LatticeEdge], weights: Mapping[JointUnit, float] | None
) -> list[tuple[LatticeEdge, float]]:
    if weights is None:
        return [(edge, _first_guess(edge)) for edge in lattice]
    return [(edge, weight) for edge in lattice if (weight := weights.get(edge.unit, 0.0))]


def _first_guess(edge: LatticeEdge) -> float:
    size = (edge.end[0] - edge.start[0], edge.end[1] - edge.start[1])
    return _FIRST_GUESS.get(size, _MIN_FIRST_GUESS)


def _add_expected_counts(
    goal: tuple[int, int], lattice: list[tuple[LatticeEdge, float]], counts: defaultdict[JointUnit, float]
) -> None:
    """Add the expected counts of the units in a pair (forward-backward algorithm)."""
    forward: defaultdict[tuple[int, int], float] = defaultdict(float, {(0, 0): 1.0})
    for edge, weight in lattice:
        if edge.start in forward:
            forward[edge.end] += forward[edge.start] * weight
    whole = forward.get(goal, 0.0)
    if not whole:
        return
    backward: defaultdict[tuple[int, int], float] = defaultdict(float, {goal: 1.0})
    for edge, weight in reversed(lattice):
        if edge.end in backward and edge.start in forward:
            share = weight * backward[edge.end]
            backward[edge.start] += share
            counts[edge.unit] += forward[edge.start] * share / whole


def _reestimate_weights(counts: Mapping[JointUnit, float], round_number: int) -> dict[JointUnit, float]:
    """Return new weights; rare units are dropped after the first round, and long ones get reduced weights."""
    frequent = {pair: count for pair, count in counts.items() if count >= _min_count(pair, round_number)}
    total = sum(frequent.values())
    return {pair: count / total * _size_weight(pair) for pair, count in frequent.items()}


def _min_count(pair: JointUnit, round_number: int) -> float:
    if round_number == 0:
        return 0.0
    return _MIN_LONG_COUNT if round_number > 1 and _native_size(pair) > 1 else _MIN_COUNT


def _size_weight(pair: JointUnit) -> float:
    return _NATIVE_SIZE_WEIGHT[_native_size(pair)] * _ROMAN_SIZE_WEIGHT[len(pair.source)]


def _native_size(pair: JointUnit) -> int:
    return len(split_written_units(pair.target))
