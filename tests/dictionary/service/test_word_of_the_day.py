"""The word and the phrase of the day, on both engines."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from random import Random
from typing import Final

import pytest
from sqlalchemy import delete, func, select

from abhidhan import schema
from abhidhan.dictionary.service import random_entries
from abhidhan.dictionary.service.lookup_lists import ALL_LANGUAGES_PARAM, LanguageParam
from abhidhan.dictionary.service.word_of_the_day import RECENT_DAYS, Calendar, Day
from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.records.errors import InputError, NotFoundError
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import ExampleRecord, IdeaRecord, PhraseRecord, Record, WordRecord
from tests.support.databases import Databases, open_database
from tests.support.sample import NOW, SOURCE

A_DAY: Final = 86_400
DESCRIBED: Final = ("এক", "দুই", "তিনি")
SAYINGS: Final = ("এক দুই", "তিনি এক")


def load_small(database: Database) -> None:
    """Load three Assamese words, one of English, one without a meaning, and two proverbs."""
    records: tuple[Record, ...] = (
        SOURCE,
        *(
            IdeaRecord("sample", word, "Common Noun", (WordRecord("as", word), WordRecord("en", "number")))
            for word in DESCRIBED
        ),
        IdeaRecord("sample", "bare", "Common Noun", (WordRecord("as", "উদং"),)),
        *(PhraseRecord("sample", saying, "as", saying, "Other", f"Meaning of {saying}.") for saying in SAYINGS),
        PhraseRecord("sample", "bare", "as", "উদং কথা", "Other"),
    )
    import_records(database, read_catalogue_records(), now=NOW)
    loaded = import_records(
        database, (LocatedRecord("small", line, each) for line, each in enumerate(records, 1)), now=NOW
    )
    assert not loaded.errors, loaded.errors


def load_stub(database: Database) -> None:
    """Load the languages, and a word without a meaning."""
    import_records(database, read_catalogue_records(), now=NOW)
    records: tuple[Record, ...] = (SOURCE, IdeaRecord("sample", "bare", None, (WordRecord("as", "উদং"),)))
    import_records(database, (LocatedRecord("small", line, each) for line, each in enumerate(records, 1)), now=NOW)


def make_random(seed: int) -> Random:
    """Make a random generator with the same sequence each time."""
    return Random(seed)  # noqa: S311  # nothing secret


def format_date(days: int) -> str:
    """Write the date of the day when so many days have passed."""
    return datetime.fromtimestamp(NOW + days * A_DAY, UTC).date().isoformat()


def on(database: Database, days: int, date: str = "", *, seed: int = 1) -> Day:
    """Ask for a day when so many days have passed."""
    calendar = Calendar(database, clock=lambda: float(NOW + days * A_DAY), rng=make_random(seed))
    return asyncio.run(calendar.load_day(date))


def get_texts(day: Day) -> tuple[str | None, str | None]:
    return day.word.word if day.word else None, day.phrase.phrase if day.phrase else None


def count_stored(database: Database) -> int:
    with database.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(schema.daily_choice)).scalar_one())


@pytest.fixture
def counting(databases: Databases, request: pytest.FixtureRequest) -> Iterator[Database]:
    """Open the small dictionary on each engine."""
    spoilt = request.node.get_closest_marker("spoils") is not None
    with open_database(databases, load_small, may_be_stale=spoilt) as database:
        yield database


def test_the_choice_of_a_day_stays_the_same(counting: Database) -> None:
    first = on(counting, 0, seed=1)

    assert {get_texts(on(counting, 0, seed=seed)) for seed in range(20)} == {get_texts(first)}
    assert {get_texts(on(counting, days, first.date, seed=3)) for days in (0, 1, 400)} == {get_texts(first)}
    assert first.seconds_left == A_DAY - NOW % A_DAY
    assert on(counting, 1, first.date).seconds_left == 0


def test_no_entry_is_repeated_before_all_have_been_shown(counting: Database) -> None:
    days = [get_texts(on(counting, number, seed=number)) for number in range(16)]

    words, sayings = [word for word, _ in days], [saying for _, saying in days]
    assert set(words[:3]) == set(DESCRIBED)
    for start in range(0, 16, 4):
        assert sorted(map(str, words[start : start + 4])) == sorted((*DESCRIBED, "number"))
    for start in range(0, 16, 2):
        assert sorted(map(str, sayings[start : start + 2])) == sorted(SAYINGS)


def test_words_with_an_example_come_before_others(counting: Database) -> None:
    shown_in_use = IdeaRecord(
        "sample",
        "ten",
        "Common Noun",
        (WordRecord("as", "দহ"), WordRecord("en", "number")),
        examples=(ExampleRecord("as", "দহ টকা দিয়া।", "Give ten rupees."),),
    )
    assert not import_records(counting, [LocatedRecord("small", 1, shown_in_use)], now=NOW).errors

    words = [get_texts(on(counting, days, seed=days))[0] for days in range(3)]

    assert words[0] == "দহ"
    assert set(words[1:]) <= {*DESCRIBED}


def test_a_word_may_be_repeated_after_a_year(counting: Database) -> None:
    shown = {get_texts(on(counting, number))[0] for number in range(3)}
    assert shown == set(DESCRIBED)

    assert get_texts(on(counting, 3 + 366))[0] in DESCRIBED


def test_days_before_the_first_have_no_word(counting: Database) -> None:
    first = on(counting, 0)
    for days in (-1, -400, -20_000):
        with pytest.raises(NotFoundError, match=first.date):
            on(counting, 5, format_date(days))

    assert count_stored(counting) == 1


def test_days_in_the_future_are_rejected(counting: Database) -> None:
    for days in (1, 2, 20_000):
        with pytest.raises(InputError, match="future"):
            on(counting, 0, format_date(days))

    assert count_stored(counting) == 0


def test_a_skipped_day_gets_its_word_later_and_not_one_of_its_neighbours(counting: Database) -> None:
    first, third = on(counting, 0), on(counting, 2)
    second = on(counting, 5, format_date(1))

    assert len({get_texts(each)[0] for each in (first, second, third)}) == 3
    assert get_texts(on(counting, 9, format_date(1))) == get_texts(second)


def test_concurrent_workers_choose_the_same_entries(counting: Database) -> None:
    url = counting.url.render_as_string(hide_password=False)

    def load_days(seed: int) -> list[tuple[str | None, str | None]]:
        with Database(url) as own:
            return [get_texts(on(own, days, seed=seed)) for days in range(6)]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(load_days, range(8)))

    assert all(answer == answers[0] for answer in answers)
    assert count_stored(counting) == 6


@pytest.mark.spoils
def test_a_deleted_word_is_replaced_today_but_not_on_past_days(counting: Database) -> None:
    yesterday, today = on(counting, 0), on(counting, 1)
    assert yesterday.word
    assert today.word
    gone = [yesterday.word.id, today.word.id]

    def remove(writer: WriteConnection) -> None:
        for table in (schema.near_key, schema.word_pos, schema.word_form, schema.sense):
            writer.execute(delete(table).where(table.c.word_id.in_(gone)))
        writer.execute(delete(schema.idea_cache))
        writer.execute(delete(schema.word).where(schema.word.c.id.in_(gone)))

    counting.write_now(remove)

    replaced = on(counting, 1, seed=9)
    assert replaced.word
    assert replaced.word.id not in gone
    assert get_texts(replaced)[1] == get_texts(today)[1]
    assert on(counting, 1, yesterday.date).word is None


def test_the_recent_days_are_those_since_the_first(counting: Database) -> None:
    def recent(days: int) -> list[str]:
        calendar = Calendar(counting, clock=lambda: float(NOW + days * A_DAY))
        return [each.date for each in asyncio.run(calendar.load_recent()).days]

    assert recent(0) == [format_date(0)]
    assert recent(3) == [format_date(days) for days in (3, 2, 1, 0)]
    assert recent(100) == [format_date(100 - back) for back in range(RECENT_DAYS)]
    assert count_stored(counting) == 4 + RECENT_DAYS


def test_without_a_word_with_a_meaning_there_is_no_word_of_the_day(databases: Databases) -> None:
    with open_database(databases, load_stub) as database:
        with pytest.raises(NotFoundError):
            on(database, 0)
        with pytest.raises(NotFoundError):
            database.read_now(lambda reader: random_entries.draw_word(reader, ALL_LANGUAGES_PARAM, make_random(1)))
        assert count_stored(database) == 0


def test_every_word_with_a_meaning_is_drawn_about_as_often(counting: Database) -> None:
    def draw(language_id: int) -> Counter[str]:
        language = LanguageParam(str(language_id))
        return counting.read_now(
            lambda reader: Counter(
                random_entries.draw_word(reader, language, make_random(seed)).word for seed in range(300)
            )
        )

    assert draw(0).keys() == {*DESCRIBED, "number"}
    assert draw(1).keys() == {"number"}
    of_assamese = draw(2)
    assert of_assamese.keys() == set(DESCRIBED)
    assert all(count > 50 for count in of_assamese.values())
