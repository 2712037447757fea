"""Fitting of the ranking weights of candidate features on held-out pairs."""

from __future__ import annotations

import math
from operator import mul
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS: Final = 6
PACE: Final = 0.05

_FIRST_SQUARES: Final = 0.01


class TrainingExample(NamedTuple):
    """The feature vectors of a word's candidates, the index of the right one, and the weight of the example."""

    views: list[tuple[float, ...]]
    right: int
    weight: float


def fit_weights(choices: Sequence[TrainingExample], start: Sequence[float]) -> list[float]:
    """Return the weights that maximise the probability of the right candidates (softmax, AdaGrad)."""
    weights = list(start)
    squares = [_FIRST_SQUARES] * len(weights)
    order = list(choices)
    random = Random(0)  # noqa: S311 (the order of training, nothing secret)
    for _ in range(ROUNDS):
        random.shuffle(order)
        for choice in order:
            for at, slope in enumerate(_slopes(choice, weights)):
                squares[at] += slope * slope
                weights[at] += PACE * slope / math.sqrt(squares[at])
    return weights


def _slopes(choice: TrainingExample, weights: Sequence[float]) -> list[float]:
    scores = [sum(map(mul, weights, views)) for views in choice.views]
    highest = max(scores)
    shares = [math.exp(score - highest) for score in scores]
    whole = sum(shares)
    right = choice.views[choice.right]
    return [
        choice.weight * (right[at] - sum(map(mul, shares, column)) / whole)
        for at, column in enumerate(zip(*choice.views, strict=True))
    ]
