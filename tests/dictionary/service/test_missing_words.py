"""Counting words that people look up in vain: which count, when editors see them, and what is kept."""

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
from abhidhan.records.timestamps import DAY_SECONDS
from abhidhan.schema import missing_word

pytestmark = pytest.mark.pooled

T = TypeVar("T")

MISSING = "কখগঘঙচ"
EXISTING = "পানী"


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def test_only_one_word_of_letters_is_countable() -> None:
    longest = "a" * MAX_COUNTED_LENGTH
    for word in ("কখগ", "ক’লা", "ব’", "xobdo", "Xobdo", "é", "कि", "ᱥᱟᱱᱛᱟᱲ", "র\u200dক", longest):
        assert parse_countable_word(word) == word
    for text in (
        "",
        " ",
        "two words",
        "দুটা শব্দ",
        "anil@example.org",
        "0361",
        "৯৮৭",
        "abc1",
        longest + "a",
        "x/y",
        "a-b",
        "😀",
    ):
        assert parse_countable_word(text) is None, text


@given(st.text(max_size=60))
def test_only_letters_of_bounded_length_are_kept(text: str) -> None:
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
        return self.day * DAY_SECONDS + 5


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


def list_words(database: Database) -> list[tuple[str, int, int]]:
    page = database.read_now(lambda reader: list_missing(reader, 100, 0))
    assert page.total == len(page.items)
    return [(each.word, each.searches, each.days) for each in page.items]


def count_rows(database: Database) -> int:
    with database.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(missing_word)).scalar_one())


def test_a_missing_word_is_shown_after_five_different_days(dictionary: Database) -> None:
    clock = Days()
    version = dictionary.version_now()

    look_for(dictionary, MISSING, MIN_DAYS_BEFORE_SHOWN - 1, clock)
    before = list_words(dictionary)
    look_for(dictionary, MISSING, 1, clock)

    assert before == []
    assert list_words(dictionary) == [(MISSING, 2 * MIN_DAYS_BEFORE_SHOWN, MIN_DAYS_BEFORE_SHOWN)]
    assert dictionary.version_now() == version


def test_searches_on_one_day_and_two_spellings_count_once(dictionary: Database) -> None:
    clock = Days()
    counter = MissingWords(dictionary, clock=clock)
    for _ in range(6):
        counter.count([(MISSING, Match.NONE)])
        run(counter.flush())

    assert (count_rows(dictionary), list_words(dictionary)) == (1, [])

    # Two spellings of one word are one entry.
    dictionary.write_now(lambda writer: stored.add_counts(writer, counts={"Xyzzy": 2, "xyzzy": 3}, day=1))

    assert count_rows(dictionary) == 2


def test_only_single_words_without_an_entry_are_counted(dictionary: Database) -> None:
    counter = MissingWords(dictionary)
    counting = Dictionary(dictionary, missing_words=counter)

    run(load_entry_page(Dictionary(dictionary), EntryRequest(MISSING)))
    for text in (EXISTING, f"{MISSING} {EXISTING}", f"{MISSING} {MISSING}ত", "9876543210", "pani"):
        run(load_entry_page(counting, EntryRequest(text)))
        run(look_up_query(counting, text))

    assert run(counter.flush()) == 0
    assert count_rows(dictionary) == 0


def test_words_looked_up_on_most_days_come_first_and_existing_words_disappear(dictionary: Database) -> None:
    clock = Days()
    counts = {MISSING: 1, "xyzzyx": 9, EXISTING: 4, "plughq": 1}
    for day in range(MIN_DAYS_BEFORE_SHOWN + 1):
        some = {word: count for word, count in counts.items() if word != "xyzzyx" or day}
        dictionary.write_now(partial(stored.add_counts, counts=some, day=clock.day + day))

    assert list_words(dictionary) == [("plughq", 6, 6), (MISSING, 6, 6), ("xyzzyx", 45, 5)]


def test_a_word_that_editors_exclude_stays_excluded(dictionary: Database) -> None:
    clock = Days()
    look_for(dictionary, MISSING, MIN_DAYS_BEFORE_SHOWN, clock)
    dictionary.write_now(lambda writer: stored.exclude_word(writer, text=MISSING))

    look_for(dictionary, MISSING, 2, clock)

    assert list_words(dictionary) == []


def test_words_of_few_days_and_old_words_are_deleted(dictionary: Database) -> None:
    for day in (100, 101):
        dictionary.write_now(partial(stored.add_counts, counts={MISSING: 1}, day=day))
    flood = {f"flood{chr(97 + number // 26)}{chr(97 + number % 26)}": 50 for number in range(300)}
    dictionary.write_now(lambda writer: stored.add_counts(writer, counts=flood, day=102))

    dictionary.write_now(lambda writer: stored.delete_old(writer, limits=RetentionLimits(10, 0)))
    kept = count_rows(dictionary)
    with dictionary.engine.connect() as connection:
        of_most_days = connection.execute(
            select(missing_word.c.days).where(missing_word.c.text == MISSING)
        ).scalar_one()
    dictionary.write_now(lambda writer: stored.delete_old(writer, limits=RetentionLimits(10, 103)))

    assert (kept, of_most_days, count_rows(dictionary)) == (10, 2, 0)


async def refuse(*_: object, **__: object) -> None:
    """Write nothing, as a database that is away."""
    raise UnavailableError("away", 1)


def test_counts_wait_in_memory_until_the_database_is_back(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = MissingWords(dictionary)
    counter.count([(MISSING, Match.NONE)])
    with monkeypatch.context() as away:
        away.setattr(dictionary, "write", refuse)
        run(counter.finish())
        counter.count([(MISSING, Match.NONE)])
        counter.count([("xyzzyx", Match.NONE)])
        run(counter.finish())
    before = count_rows(dictionary)

    run(counter.finish())
    run(counter.finish())

    with dictionary.engine.connect() as connection:
        stored_words = connection.execute(select(missing_word.c.text, missing_word.c.searches)).all()
    assert (before, sorted(map(tuple, stored_words))) == (0, [("xyzzyx", 1), (MISSING, 2)])


def test_the_words_in_memory_are_bounded(dictionary: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_COUNTED_WORDS", 2)
    counter = MissingWords(dictionary)
    for word in ("কক", "খখ", "গগ", "কক"):
        counter.count([(word, Match.NONE)])
    assert run(counter.flush()) == 2

    with monkeypatch.context() as away:
        away.setattr(dictionary, "write", refuse)
        for word in ("কক", "খখ", "গগ", "ঘঘ", "কক"):
            counter.count([(word, Match.NONE)])
            run(counter.finish())
    assert run(counter.flush()) == 2


def test_the_table_stores_neither_the_person_nor_the_hour() -> None:
    assert {column.name for column in missing_word.columns} == {
        "key",
        "text",
        "searches",
        "days",
        "last_day",
        "left_out",
    }
    assert rules.MIN_DAYS_BEFORE_SHOWN == 5
