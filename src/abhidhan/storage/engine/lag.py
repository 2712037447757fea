"""How far behind a standby is at most."""

from collections import deque
from typing import Final

REMEMBERED: Final = 256
"""So many positions of the server are remembered until the standby has reached them."""

UNKNOWN: Final = float("inf")


class Lag:
    """What is known of a standby by what the server had written at which moment, by this process's own clock.

    No clock of another machine counts, nor whether anything is written at all: a standby that has come to where the
    server was at a moment holds everything that was acknowledged before.
    """

    def __init__(self) -> None:
        """Begin with a standby of which nothing is known."""
        self._written: deque[tuple[float, int]] = deque(maxlen=REMEMBERED)
        self._sure_of: float | None = None

    def written(self, moment: float, position: int) -> None:
        """Learn how far the server had written, at a moment or after it."""
        self._written.append((moment, position))

    def replayed(self, position: int) -> None:
        """Learn how far the standby has come."""
        while self._written and self._written[0][1] <= position:
            self._sure_of = self._written.popleft()[0]

    def seconds(self, now: float) -> float:
        """Return how old what the standby holds may be."""
        return UNKNOWN if self._sure_of is None else now - self._sure_of
