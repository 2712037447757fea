"""Figures: what the parts of the program count, for whoever watches over it."""

import threading
from collections.abc import Iterable
from typing import NamedTuple


class Figure(NamedTuple):
    """A number of this moment: what it is of, the values of its labels, and the number."""

    name: str
    labels: tuple[str, ...]
    number: float


class Count:
    """Something that one process counts by labels, in whatever thread it happens."""

    def __init__(self, name: str, known: Iterable[tuple[str, ...]] = ()) -> None:
        """Begin at 0 for the labels known beforehand: whoever watches sees the first one happen."""
        self._name = name
        self._guard = threading.Lock()
        self._numbers: dict[tuple[str, ...], float] = dict.fromkeys(known, 0.0)

    def add(self, *labels: str, number: float = 1.0) -> None:
        """Count one more, or so many."""
        with self._guard:
            self._numbers[labels] = self._numbers.get(labels, 0.0) + number

    def figures(self) -> list[Figure]:
        """Return what was counted."""
        with self._guard:
            return [Figure(self._name, labels, number) for labels, number in self._numbers.items()]
