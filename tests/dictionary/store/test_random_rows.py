from collections.abc import Callable
from datetime import date

import pytest

from abhidhan.dictionary.store import random_rows
from abhidhan.dictionary.store.random_rows import DayRange
from abhidhan.platform.database.reader import ReadConnection
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables

JOBS: dict[str, Callable[[ReadConnection], object]] = {
    "bounds": lambda reader: random_rows.find_idea_bounds(reader, 0),
    "bounds, of a language": lambda reader: random_rows.find_idea_bounds(reader, 2),
    "bounds of phrases": random_rows.find_phrase_bounds,
    "ideas": lambda reader: random_rows.list_ideas_from(reader, 0, 5, 10),
    "ideas, of a language": lambda reader: random_rows.list_ideas_from(reader, 2, 5, 10),
    "phrases": lambda reader: random_rows.list_phrases_from(reader, 5, 10),
    "telling": lambda reader: random_rows.filter_described_ideas(reader, [1, 2, 3]),
    "in use": lambda reader: random_rows.filter_ideas_with_examples(reader, [1, 2, 3]),
    "meant": lambda reader: random_rows.filter_phrases_with_meaning(reader, [1, 2, 3], 2),
    "words": lambda reader: random_rows.list_words_of_idea(reader, 1, 2),
    "words, all": lambda reader: random_rows.list_words_of_idea(reader, 1, 0),
    "words with meaning": lambda reader: random_rows.filter_described_words(reader, [1, 2, 3]),
    "choices": lambda reader: random_rows.list_choices(reader, DayRange(date(2026, 1, 1), date(2026, 2, 1))),
    "first day": random_rows.find_first_day,
}


def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases, subtests: pytest.Subtests) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        for name, job in JOBS.items():
            with subtests.test(name):
                assert find_scanned_tables(dictionary, job) == []
