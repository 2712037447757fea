"""How long to wait before a worker that has ended is replaced: at once, and ever longer if it ends again and again."""

from typing import Final

CALM: Final = 60.0
"""Seconds of life after which an end is no longer counted with the ends before it."""

FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 8.0
"""Seconds before the second try, and before the sixth and every later one."""


def ends_in_a_row(before: int, lived: float) -> int:
    """Count the end of a worker that lived so many seconds, after so many ends in a row."""
    return 1 if lived >= CALM else before + 1


def pause_before_next(ends: int) -> float:
    """Return the seconds to wait after so many ends in a row: 0, 0.25, 0.5, 1, 2, 4, 8, 8, ..."""
    doublings = min(ends - 2, 10)
    return 0.0 if doublings < 0 else min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**doublings)
