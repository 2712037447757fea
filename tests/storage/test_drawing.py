from collections.abc import Callable
from datetime import date

import pytest

from abhidhan.storage import daily, drawing
from abhidhan.storage.daily import Days
from abhidhan.storage.engine.reader import Reader
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.plans import scanned_tables

JOBS: dict[str, Callable[[Reader], object]] = {
    "bounds": lambda reader: drawing.bounds_of_ideas(reader, 0),
    "bounds, of a language": lambda reader: drawing.bounds_of_ideas(reader, 2),
    "bounds of phrases": drawing.bounds_of_phrases,
    "ideas": lambda reader: drawing.ideas_from(reader, 0, 5, 10),
    "ideas, of a language": lambda reader: drawing.ideas_from(reader, 2, 5, 10),
    "phrases": lambda reader: drawing.phrases_from(reader, 5, 10),
    "telling": lambda reader: drawing.ideas_that_tell(reader, [1, 2, 3]),
    "in use": lambda reader: drawing.ideas_shown_in_use(reader, [1, 2, 3]),
    "meant": lambda reader: drawing.phrases_with_meaning(reader, [1, 2, 3], 2),
    "words": lambda reader: drawing.words_under(reader, 1, 2),
    "words, all": lambda reader: drawing.words_under(reader, 1, 0),
    "words with meaning": lambda reader: drawing.words_with_meaning(reader, [1, 2, 3]),
    "choices": lambda reader: daily.choices(reader, Days(date(2026, 1, 1), date(2026, 2, 1))),
    "first day": daily.first_day,
}


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases, job: Callable[[Reader], object]) -> None:
    with opened(sqlite_databases, with_sample) as dictionary:
        assert scanned_tables(dictionary, job) == []
