from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.word_of_the_day import (
    REPETITION_INTERVAL,
    check_day,
    parse_day,
    repetition_window,
    sort_by_interval,
)
from abhidhan.records.errors import InputError, NotFoundError


def is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@given(day=st.dates())
def test_a_date_is_read_as_it_is_written(day: date) -> None:
    assert parse_day(day.isoformat()) == day


@given(text=st.text())
def test_any_other_text_is_rejected(text: str) -> None:
    if not is_date(text):
        with pytest.raises(InputError):
            parse_day(text)


@given(day=st.dates(), today=st.dates(), first=st.none() | st.dates())
def test_a_day_has_a_word_from_the_first_that_has_one_until_today(day: date, today: date, first: date | None) -> None:
    if day == today or (first is not None and first <= day < today):
        check_day(day, today, first)
    else:
        with pytest.raises(InputError if day > today else NotFoundError):
            check_day(day, today, first)


@given(day=st.dates())
def test_a_choice_is_not_repeated_within_a_year(day: date) -> None:
    first, last = repetition_window(day)

    assert first <= day <= last
    assert first == date.min or day - first == REPETITION_INTERVAL - timedelta(days=1)
    assert last == date.max or last - day == REPETITION_INTERVAL - timedelta(days=1)


@given(day=st.dates(), shown=st.lists(st.tuples(st.dates(), st.integers(1, 9))))
def test_the_entry_shown_longest_ago_comes_first(day: date, shown: list[tuple[date, int]]) -> None:
    ordered = sort_by_interval(day, shown)
    distances = [min(abs(when - day) for when, each in shown if each == shown_id) for shown_id in ordered]

    assert sorted(ordered) == sorted({each for _, each in shown})
    assert distances == sorted(distances, reverse=True)


def test_a_date_has_one_way_to_be_written() -> None:
    for text in ("20261122", "2026-W47-7", "2026-1-1", " 2026-11-22", "২০২৬-১১-২২", ""):
        with pytest.raises(InputError):
            parse_day(text)
