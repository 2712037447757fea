from collections.abc import Callable
from datetime import date

import pytest

from abhidhan.dictionary.store import random_rows
from abhidhan.dictionary.store.random_rows import DayRange
from abhidhan.platform.database.reader import ReadConnection
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.plans import scanned_tables

JOBS: dict[str, Callable[[ReadConnection], object]] = {
    "bounds": lambda reader: random_rows.bounds_of_ideas(reader, 0),
    "bounds, of a language": lambda reader: random_rows.bounds_of_ideas(reader, 2),
    "bounds of phrases": random_rows.bounds_of_phrases,
    "ideas": lambda reader: random_rows.ideas_from(reader, 0, 5, 10),
    "ideas, of a language": lambda reader: random_rows.ideas_from(reader, 2, 5, 10),
    "phrases": lambda reader: random_rows.phrases_from(reader, 5, 10),
    "telling": lambda reader: random_rows.described_ideas(reader, [1, 2, 3]),
    "in use": lambda reader: random_rows.ideas_with_examples(reader, [1, 2, 3]),
    "meant": lambda reader: random_rows.phrases_with_meaning(reader, [1, 2, 3], 2),
    "words": lambda reader: random_rows.words_under(reader, 1, 2),
    "words, all": lambda reader: random_rows.words_under(reader, 1, 0),
    "words with meaning": lambda reader: random_rows.words_with_meaning(reader, [1, 2, 3]),
    "choices": lambda reader: random_rows.choices(reader, DayRange(date(2026, 1, 1), date(2026, 2, 1))),
    "first day": random_rows.first_day,
}


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_every_read_is_a_search_by_an_index(
    sqlite_databases: SqliteDatabases, job: Callable[[ReadConnection], object]
) -> None:
    with opened(sqlite_databases, with_sample) as dictionary:
        assert scanned_tables(dictionary, job) == []
