"""The word and the phrase of the day: which days there are, and what may be shown again."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

from abhidhan.records.errors import InputError, NotFoundError, sentence

A_YEAR: Final = timedelta(days=366)
"""What was shown is not shown again on fewer days before or after."""


class Choice(NamedTuple):
    """What was chosen for a day, by ID."""

    day: date
    word_id: int
    phrase_id: int | None


def read_day(text: str) -> date:
    """Read a date written as 2026-11-22. Raises InputError."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise InputError.of("date", sentence("`%(parameter)s` must be a date such as 2026-11-22.", parameter="date"))
    return day


def check_day(day: date, today: date, first: date | None) -> None:
    """Make sure that a day has a word: from the first that one was chosen for, until today.

    Else a stranger could have words chosen for thousands of days. Raises InputError and NotFoundError.
    """
    if day > today:
        raise InputError.of(
            "date",
            sentence(
                "`%(parameter)s` lies in the future: today is %(today)s in UTC.",
                parameter="date",
                today=today.isoformat(),
            ),
        )
    if day < (first or today) and day != today:
        raise NotFoundError(
            sentence(
                "No word was chosen for %(day)s: the first was that of %(first)s.",
                day=day.isoformat(),
                first=(first or today).isoformat(),
            )
        )


def within_a_year(day: date) -> tuple[date, date]:
    """Return the first and the last of the days whose word the day may not have."""
    most = A_YEAR - timedelta(days=1)
    first = day - most if day - date.min > most else date.min
    last = day + most if date.max - day > most else date.max
    return first, last


def longest_ago(day: date, shown: Iterable[tuple[date, int]]) -> list[int]:
    """Order what was shown, given as (day, ID), by how far from a day it was shown last: the farthest first."""
    nearest: dict[int, timedelta] = {}
    for when, shown_id in shown:
        nearest[shown_id] = min(abs(when - day), nearest.get(shown_id, timedelta.max))
    return sorted(nearest, key=lambda shown_id: (-nearest[shown_id], shown_id))
