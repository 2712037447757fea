import asyncio
from collections.abc import Callable
from typing import TypeVar

from abhidhan.dictionary.service import lookup
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.lookup import LookupResult, suggest_headwords
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from tests.support.databases import Databases, SqliteDatabases, load_sample, open_database

T = TypeVar("T")


class WatchedDatabase(Database):
    """A database that notes for each job whether it is long."""

    def __init__(self, url: str) -> None:
        """Take the address of the database."""
        super().__init__(url)
        self.jobs: list[bool] = []

    async def read(self, job: Callable[[ReadConnection], T], *, long: bool = False) -> T:
        """Note whether a job is long, and run it."""
        self.jobs.append(long)
        return await super().read(job, long=long)


def look_up(database: Database, query: str, language: str = "0") -> LookupResult:
    return asyncio.run(lookup.look_up_query(Dictionary(database), query, LanguageParam(language, "l")))


def test_only_words_without_a_quick_match_are_looked_up_by_a_long_job(databases: Databases) -> None:
    for query, jobs in (
        ("পানী", [False]),
        ("হঠাত", [False]),
        ("koribo", [False, True]),
        ("water fire sun moon", [False, True]),
    ):
        with open_database(databases, load_sample) as dictionary:
            url = dictionary.url.render_as_string(hide_password=False)
            with WatchedDatabase(url) as watched:
                look_up(watched, query)
                assert watched.jobs == jobs, query


def test_only_a_long_list_of_suggestions_is_read_by_a_long_job(sqlite_databases: SqliteDatabases) -> None:
    for language, limit, jobs in (
        (LanguageParam("0"), 10, [False]),
        (LanguageParam("0", "lang"), 10, [False]),
        (LanguageParam("0", "lang"), 50, [True]),
    ):
        with (
            open_database(sqlite_databases, load_sample) as dictionary,
            WatchedDatabase(str(dictionary.url)) as watched,
        ):
            asyncio.run(suggest_headwords(Dictionary(watched), "pa", language, limit=limit))

            assert watched.jobs == jobs, limit


def test_many_queries_are_looked_up_in_batches_by_long_jobs(sqlite_databases: SqliteDatabases) -> None:
    queries = ["পানী", "koribo", "water", *(f"nothing{number}" for number in range(20)), "পানী"]
    with open_database(sqlite_databases, load_sample) as dictionary, WatchedDatabase(str(dictionary.url)) as watched:
        results = asyncio.run(lookup.look_up_queries(Dictionary(watched), queries))

        assert watched.jobs == [True] * 3
        assert results == [look_up(watched, query) for query in queries]


def test_a_lookup_has_its_language_and_the_licences_of_the_data(shared_dictionary: Database) -> None:
    result = look_up(shared_dictionary, "পানী koribo", "as")

    assert result.language_id == 2
    assert [item.queryword for item in result.items] == ["পানী", "koribo"]
    assert result.licences == shared_dictionary.read_now(lambda reader: reader.catalogue.licences)
