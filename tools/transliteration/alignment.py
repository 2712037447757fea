"""Alignment of Roman spellings with Assamese words by expectation maximisation."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from assamese.joint_ngram import LONGEST_CHUNK, Pair
from assamese.letters import written_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tools.transliteration.corpus import Spelling

ROUNDS: Final = 6
WIDEST_SKEW: Final = 0.5
"""Maximum difference of aligned positions, as fractions of the lengths of the two words."""

_ROMAN_CHUNK: Final = re.compile(
    "[aeiou][aeiou]|[aeo][wy]|eea|[aeo]u[gh]h|tio"
    "|[bcdfgjklmnpqrstvxzw]h?|[aeiouyhw]"
    r"|([bcdfgjklmnprstvxz])\1h?"
    "|chh|ng|ck|sch|tch|ks|sc|ksh"
)
_NATIVE_SIZE_WEIGHT: Final = {0: 1.0, 1: 1.0, 2: 0.3, 3: 0.1}
_ROMAN_SIZE_WEIGHT: Final = {1: 1.0, 2: 0.6, 3: 0.6}
_FIRST_GUESS: Final = {(1, 1): 1.0, (1, 0): 0.2, (2, 1): 0.2, (3, 1): 0.2}
_LEAST_FIRST_GUESS: Final = 0.02
_LEAST_COUNT: Final = 0.5
_LEAST_COUNT_OF_LONG: Final = 2.0


class Edge(NamedTuple):
    """A unit in the lattice; `start` and `end` are pairs of Roman and Assamese positions."""

    start: tuple[int, int]
    end: tuple[int, int]
    pair: Pair


@cache
def is_roman_chunk(chunk: str) -> bool:
    """Return whether Roman letters can form one unit, such as `kh` or `ee`, but not `kr`."""
    return _ROMAN_CHUNK.fullmatch(chunk) is not None


def edges(spelling: Spelling) -> list[Edge]:
    """Return all possible units of a pair, sorted by start position."""
    native = written_units(spelling.native)
    found = [
        Edge((i, j), (i + taken, j + given), Pair(chunk, "".join(native[j : j + given])))
        for i in range(len(spelling.roman))
        for j in range(len(native) + 1)
        if abs(i / len(spelling.roman) - j / len(native)) <= WIDEST_SKEW
        for taken in range(1, min(LONGEST_CHUNK, len(spelling.roman) - i) + 1)
        if is_roman_chunk(chunk := spelling.roman[i : i + taken])
        for given in range(min(LONGEST_CHUNK, len(native) - j) + 1)
        if _may_match(chunk, given)
    ]
    return sorted(found, key=lambda edge: edge.start)


def learn_units(spellings: Iterable[Spelling]) -> dict[Pair, float]:
    """Return the units of the pairs with their weights: relative frequencies, reduced for long units."""
    lattices = [(_goal(spelling), edges(spelling)) for spelling in spellings]
    weights: Mapping[Pair, float] | None = None
    for turn in range(ROUNDS):
        counts: defaultdict[Pair, float] = defaultdict(float)
        for goal, lattice in lattices:
            _count(goal, _weighed(lattice, weights), counts)
        weights = _reestimated(counts, turn)
    return dict(weights or {})


def align(spelling: Spelling, weights: Mapping[Pair, float]) -> tuple[Pair, ...]:
    """Return the likeliest alignment of a pair; empty if there is none."""
    best: dict[tuple[int, int], tuple[float, tuple[int, int], Pair]] = {}
    scores = {(0, 0): 0.0}
    for edge, weight in _weighed(edges(spelling), weights):
        if edge.start in scores:
            score = scores[edge.start] + math.log(weight)
            if score > scores.get(edge.end, -math.inf):
                scores[edge.end] = score
                best[edge.end] = (score, edge.start, edge.pair)
    place = _goal(spelling)
    units: list[Pair] = []
    while place in best:
        _, place, pair = best[place]
        units.append(pair)
    return tuple(reversed(units))


def closeness(units: tuple[Pair, ...], weights: Mapping[Pair, float]) -> float:
    """Return the mean natural logarithm of the weights of a pair's units."""
    return sum(math.log(weights[unit]) for unit in units) / len(units)


def _may_match(chunk: str, given: int) -> bool:
    """Return whether a chunk can match `given` Assamese units: one of the sides is single, or a letter is doubled."""
    if given == 0:
        return len(chunk) == 1
    return len(chunk) == 1 or given == 1 or (given == len(chunk) and len(set(chunk)) == 1)


def _goal(spelling: Spelling) -> tuple[int, int]:
    return len(spelling.roman), len(written_units(spelling.native))


def _weighed(lattice: list[Edge], weights: Mapping[Pair, float] | None) -> list[tuple[Edge, float]]:
    if weights is None:
        return [(edge, _first_guess(edge)) for edge in lattice]
    return [(edge, weight) for edge in lattice if (weight := weights.get(edge.pair, 0.0))]


def _first_guess(edge: Edge) -> float:
    size = (edge.end[0] - edge.start[0], edge.end[1] - edge.start[1])
    return _FIRST_GUESS.get(size, _LEAST_FIRST_GUESS)


def _count(goal: tuple[int, int], lattice: list[tuple[Edge, float]], counts: defaultdict[Pair, float]) -> None:
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
            counts[edge.pair] += forward[edge.start] * share / whole


def _reestimated(counts: Mapping[Pair, float], turn: int) -> dict[Pair, float]:
    """Return new weights; rare units are dropped after the first round, and long ones get reduced weights."""
    kept = {pair: count for pair, count in counts.items() if count >= _least_count(pair, turn)}
    total = sum(kept.values())
    return {pair: count / total * _size_weight(pair) for pair, count in kept.items()}


def _least_count(pair: Pair, turn: int) -> float:
    if turn == 0:
        return 0.0
    return _LEAST_COUNT_OF_LONG if turn > 1 and _size(pair) > 1 else _LEAST_COUNT


def _size_weight(pair: Pair) -> float:
    return _NATIVE_SIZE_WEIGHT[_size(pair)] * _ROMAN_SIZE_WEIGHT[len(pair.source)]


def _size(pair: Pair) -> int:
    return len(written_units(pair.target))
