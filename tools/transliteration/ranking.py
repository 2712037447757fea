"""Fitting of the ranking weights of candidate features on held-out pairs."""

from __future__ import annotations

import math
from operator import mul
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS: Final = 6
LEARNING_RATE: Final = 0.05

_INITIAL_SQUARES: Final = 0.01


class TrainingExample(NamedTuple):
    """The feature vectors of a word's candidates, the index of the right one, and the weight of the example."""

    features: list[tuple[float, ...]]
    right_index: int
    weight: float


def fit_weights(examples: Sequence[TrainingExample], initial_weights: Sequence[float]) -> list[float]:
    """Return the weights that maximise the probability of the right candidates (softmax, AdaGrad)."""
    weights = list(initial_weights)
    squares = [_INITIAL_SQUARES] * len(weights)
    order = list(examples)
    random = Random(0)  # noqa: S311 (the order of training, nothing secret)
    for _ in range(ROUNDS):
        random.shuffle(order)
        for choice in order:
            for at, slope in enumerate(_compute_gradient(choice, weights)):
                squares[at] += slope * slope
                weights[at] += LEARNING_RATE * slope / math.sqrt(squares[at])
    return weights


def _compute_gradient(example: TrainingExample, weights: Sequence[float]) -> list[float]:
    scores = [sum(map(mul, weights, views)) for views in example.features]
    highest = max(scores)
    shares = [math.exp(score - highest) for score in scores]
    whole = sum(shares)
    right = example.features[example.right_index]
    return [
        example.weight * (right[at] - sum(map(mul, shares, column)) / whole)
        for at, column in enumerate(zip(*example.features, strict=True))
    ]
