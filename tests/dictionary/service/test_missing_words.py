"""Counting what people look for and do not find: what counts, when editors see it, and what is kept."""

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from abhidhan.dictionary.model import missing_words as rules
from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.model.missing_words import (
    MAX_COUNTED_LENGTH,
    MIN_DAYS_BEFORE_SHOWN,
    SECONDS_PER_DAY,
    parse_countable_word,
)
from abhidhan.dictionary.service import missing_words as service
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.lookup import look_up_query
from abhidhan.dictionary.service.missing_words import MissingWords, list_missing
from abhidhan.dictionary.service.views.entry import load_entry_page
from abhidhan.dictionary.service.views.entry_parts import EntryRequest
from abhidhan.dictionary.store import missing_words as stored
from abhidhan.dictionary.store.missing_words import RetentionLimits
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import UnavailableError
from abhidhan.schema import missing_word

pytestmark = pytest.mark.pooled

T = TypeVar("T")

NOWHERE = "কখগঘঙচ"
THERE = "পানী"


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


@pytest.mark.parametrize(
    "word", ["কখগ", "ক’লা", "ব’", "xobdo", "Xobdo", "é", "कि", "ᱥᱟᱱᱛᱟᱲ", "র\u200dক", "a" * MAX_COUNTED_LENGTH]
)
def test_one_word_of_letters_counts(word: str) -> None:
    assert parse_countable_word(word) == word


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "two words",
        "দুটা শব্দ",
        "anil@example.org",
        "0361",
        "৯৮৭",
        "abc1",
        "a" * (MAX_COUNTED_LENGTH + 1),
        "x/y",
        "a-b",
        "😀",
    ],
)
def test_what_is_not_one_word_of_letters_does_not_count(text: str) -> None:
    assert parse_countable_word(text) is None


@given(st.text(max_size=60))
def test_nothing_but_letters_of_bounded_length_is_ever_kept(text: str) -> None:
    word = parse_countable_word(text)

    if word is not None:
        assert 1 <= len(word) <= MAX_COUNTED_LENGTH
        assert not any(char.isdigit() or char.isspace() or char in "@/:.-_" for char in word)
        assert parse_countable_word(word) == word


class Days:
    """A clock that goes by days."""

    def __init__(self) -> None:
        """Begin on some day."""
        self.day = 20_000

    def __call__(self) -> float:
        """Return the seconds since 1970."""
        return self.day * SECONDS_PER_DAY + 5


def look_for(database: Database, word: str, days: int, clock: Days) -> MissingWords:
    """Look for a word twice on each of so many days, by its page and by the API."""
    counter = MissingWords(database, clock=clock)
    dictionary = Dictionary(database, missing_words=counter)
    for _ in range(days):
        run(load_entry_page(dictionary, EntryRequest(word)))
        run(look_up_query(dictionary, word))
        run(counter.flush())
        clock.day += 1
    return counter


def listed(database: Database) -> list[tuple[str, int, int]]:
    found = database.read_now(lambda reader: list_missing(reader, 100, 0))
    assert found.total == len(found.items)
    return [(each.word, each.searches, each.days) for each in found.items]


def rows(database: Database) -> int:
    with database.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(missing_word)).scalar_one())


def test_a_missing_word_is_shown_after_five_different_days(dictionary: Database) -> None:
    clock = Days()
    version = dictionary.version_now()

    look_for(dictionary, NOWHERE, MIN_DAYS_BEFORE_SHOWN - 1, clock)
    before = listed(dictionary)
    look_for(dictionary, NOWHERE, 1, clock)

    assert before == []
    assert listed(dictionary) == [(NOWHERE, 2 * MIN_DAYS_BEFORE_SHOWN, MIN_DAYS_BEFORE_SHOWN)]
    assert dictionary.version_now() == version


def test_a_thousand_times_on_one_day_are_one_day(dictionary: Database) -> None:
    clock = Days()
    counter = MissingWords(dictionary, clock=clock)
    for _ in range(6):
        counter.count([(NOWHERE, Match.NONE)] * 1)
        run(counter.flush())

    assert (rows(dictionary), listed(dictionary)) == (1, [])


def test_what_is_found_and_what_is_several_words_is_not_counted(dictionary: Database) -> None:
    counter = MissingWords(dictionary)
    reading = Dictionary(dictionary, missing_words=counter)

    for text in (THERE, f"{NOWHERE} {THERE}", f"{NOWHERE} {NOWHERE}ত", "9876543210", "pani"):
        run(load_entry_page(reading, EntryRequest(text)))
        run(look_up_query(reading, text))

    assert run(counter.flush()) == 0


def test_without_the_setting_nothing_is_counted(dictionary: Database) -> None:
    reading = Dictionary(dictionary)

    run(load_entry_page(reading, EntryRequest(NOWHERE)))

    assert rows(dictionary) == 0


def test_those_looked_for_on_the_most_days_come_first_and_what_is_there_now_is_gone(dictionary: Database) -> None:
    clock = Days()
    counts = {NOWHERE: 1, "xyzzyx": 9, THERE: 4, "plughq": 1}
    for day in range(MIN_DAYS_BEFORE_SHOWN + 1):
        some = {word: count for word, count in counts.items() if word != "xyzzyx" or day}
        dictionary.write_now(partial(stored.add_counts, counts=some, day=clock.day + day))

    assert listed(dictionary) == [("plughq", 6, 6), (NOWHERE, 6, 6), ("xyzzyx", 45, 5)]


def test_a_word_that_editors_leave_out_stays_out(dictionary: Database) -> None:
    clock = Days()
    look_for(dictionary, NOWHERE, MIN_DAYS_BEFORE_SHOWN, clock)
    dictionary.write_now(lambda writer: stored.exclude_word(writer, text=NOWHERE))

    look_for(dictionary, NOWHERE, 2, clock)

    assert listed(dictionary) == []


def test_spellings_of_one_word_are_one_entry(dictionary: Database) -> None:
    dictionary.write_now(lambda writer: stored.add_counts(writer, counts={"Xyzzy": 2, "xyzzy": 3}, day=1))

    assert rows(dictionary) == 1


def test_of_too_many_words_those_of_the_fewest_days_go_and_old_ones_are_forgotten(dictionary: Database) -> None:
    for day in (100, 101):
        dictionary.write_now(partial(stored.add_counts, counts={NOWHERE: 1}, day=day))
    flood = {f"flood{chr(97 + number // 26)}{chr(97 + number % 26)}": 50 for number in range(300)}
    dictionary.write_now(lambda writer: stored.add_counts(writer, counts=flood, day=102))

    dictionary.write_now(lambda writer: stored.delete_old(writer, limits=RetentionLimits(10, 0)))
    kept = rows(dictionary)
    with dictionary.engine.connect() as connection:
        of_most_days = connection.execute(
            select(missing_word.c.days).where(missing_word.c.text == NOWHERE)
        ).scalar_one()
    dictionary.write_now(lambda writer: stored.delete_old(writer, limits=RetentionLimits(10, 103)))

    assert (kept, of_most_days, rows(dictionary)) == (10, 2, 0)


def test_memory_is_bounded(dictionary: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_COUNTED_WORDS", 3)
    counter = MissingWords(dictionary)
    for word in ("কক", "খখ", "গগ", "ঘঘ", "কক"):
        counter.count([(word, Match.NONE)])

    assert run(counter.flush()) == 3


async def refuse(*_: object, **__: object) -> None:
    """Write nothing, as a database that is away."""
    raise UnavailableError("away", 1)


def test_what_cannot_be_written_waits_until_the_database_is_back(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = MissingWords(dictionary)
    counter.count([(NOWHERE, Match.NONE)])
    with monkeypatch.context() as away:
        away.setattr(dictionary, "write", refuse)
        run(counter.finish())
        counter.count([(NOWHERE, Match.NONE)])
        counter.count([("xyzzyx", Match.NONE)])
        run(counter.finish())
    before = rows(dictionary)

    run(counter.finish())
    run(counter.finish())

    with dictionary.engine.connect() as connection:
        found = connection.execute(select(missing_word.c.text, missing_word.c.searches)).all()
    assert (before, sorted(map(tuple, found))) == (0, [("xyzzyx", 1), (NOWHERE, 2)])


def test_what_waits_for_the_database_is_bounded_too(dictionary: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_COUNTED_WORDS", 2)
    counter = MissingWords(dictionary)
    with monkeypatch.context() as away:
        away.setattr(dictionary, "write", refuse)
        for word in ("কক", "খখ", "গগ", "ঘঘ", "কক"):
            counter.count([(word, Match.NONE)])
            run(counter.finish())

    assert run(counter.flush()) == 2


def test_the_table_says_nothing_of_who_looked_nor_of_the_hour() -> None:
    assert {column.name for column in missing_word.columns} == {
        "key",
        "text",
        "searches",
        "days",
        "last_day",
        "left_out",
    }
    assert rules.MIN_DAYS_BEFORE_SHOWN == 5
