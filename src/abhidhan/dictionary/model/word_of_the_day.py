"""Word and phrase of the day: valid days, and the minimum interval before one is repeated."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

from abhidhan.records.errors import InputError, NotFoundError, sentence

REPETITION_INTERVAL: Final = timedelta(days=366)
"""Minimum interval before a word or phrase is shown again."""


class DailyChoice(NamedTuple):
    """Word and phrase chosen for a day, by ID."""

    day: date
    word_id: int
    phrase_id: int | None


def parse_day(text: str) -> date:
    """Parse a date such as 2026-11-22. Raises InputError."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise InputError.of("date", sentence("`%(parameter)s` must be a date such as 2026-11-22.", parameter="date"))
    return day


def check_day(day: date, today: date, first: date | None) -> None:
    """Check that a day may have a word: from the first choice until today.

    Otherwise a client could cause choices for thousands of days. Raises InputError and NotFoundError.
    """
    if day > today:
        raise InputError.of(
            "date",
            sentence(
                "`%(parameter)s` is in the future: today is %(today)s (UTC).",
                parameter="date",
                today=today.isoformat(),
            ),
        )
    if day < (first or today) and day != today:
        raise NotFoundError(
            sentence(
                "No word of the day was chosen for %(day)s; the first was on %(first)s.",
                day=day.isoformat(),
                first=(first or today).isoformat(),
            )
        )


def repetition_window(day: date) -> tuple[date, date]:
    """Return the first and the last day whose word may not be repeated on a day."""
    interval = REPETITION_INTERVAL - timedelta(days=1)
    first = day - interval if day - date.min > interval else date.min
    last = day + interval if date.max - day > interval else date.max
    return first, last


def sort_by_interval(day: date, choices: Iterable[tuple[date, int]]) -> list[int]:
    """Sort the IDs of (day, ID) pairs by the interval between `day` and their nearest day, longest first."""
    nearest: dict[int, timedelta] = {}
    for shown_on, shown_id in choices:
        nearest[shown_id] = min(abs(shown_on - day), nearest.get(shown_id, timedelta.max))
    return sorted(nearest, key=lambda shown_id: (-nearest[shown_id], shown_id))
