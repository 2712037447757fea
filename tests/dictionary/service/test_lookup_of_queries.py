import asyncio
from collections.abc import Callable
from typing import TypeVar

import pytest

from abhidhan.dictionary.service import lookup
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.lookup import LookupResult, suggest_headwords
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError
from tests.support.databases import PostgresqlDatabases, SqliteDatabases, load_sample, open_database

T = TypeVar("T")


class WatchedDatabase(Database):
    """A database that notes for each job whether it is long."""

    def __init__(self, url: str) -> None:
        """Take the address of the database."""
        super().__init__(url)
        self.aside: list[bool] = []

    async def read(self, job: Callable[[ReadConnection], T], *, long: bool = False) -> T:
        """Note whether a job is long, and run it."""
        self.aside.append(long)
        return await super().read(job, long=long)


def look_up(database: Database, query: str, language: str = "0") -> LookupResult:
    return asyncio.run(lookup.look_up_query(Dictionary(database), query, LanguageParam(language, "l")))


@pytest.mark.parametrize(
    ("query", "aside"),
    [("পানী", [False]), ("হঠাত", [False]), ("koribo", [False, True]), ("water fire sun moon", [False, True])],
)
def test_only_what_is_not_found_at_once_is_looked_for_by_a_long_job(
    sqlite_databases: SqliteDatabases, postgresql_databases: PostgresqlDatabases, query: str, aside: list[bool]
) -> None:
    for databases in (sqlite_databases, postgresql_databases):
        with open_database(databases, load_sample) as dictionary:
            url = dictionary.url.render_as_string(hide_password=False)
            with WatchedDatabase(url) as watched:
                look_up(watched, query)
                assert watched.aside == aside


@pytest.mark.parametrize(
    ("language", "limit", "aside"),
    [
        (LanguageParam("0"), 10, [False]),
        (LanguageParam("0", "lang"), 10, [False]),
        (LanguageParam("0", "lang"), 50, [True]),
    ],
)
def test_suggestions_of_all_languages_are_read_at_once_however_the_language_is_called(
    sqlite_databases: SqliteDatabases, language: LanguageParam, limit: int, aside: list[bool]
) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary, WatchedDatabase(str(dictionary.url)) as watched:
        asyncio.run(suggest_headwords(Dictionary(watched), "pa", language, limit=limit))

        assert watched.aside == aside


def test_many_queries_are_looked_up_aside_some_at_a_time(sqlite_databases: SqliteDatabases) -> None:
    queries = ["পানী", "koribo", "water", *(f"nothing{number}" for number in range(20)), "পানী"]
    with open_database(sqlite_databases, load_sample) as dictionary, WatchedDatabase(str(dictionary.url)) as watched:
        found = asyncio.run(lookup.look_up_queries(Dictionary(watched), queries))

        assert watched.aside == [True] * 3
        assert found == [look_up(watched, query) for query in queries]


def test_a_language_that_is_not_there_is_told_by_the_name_of_its_parameter(shared_dictionary: Database) -> None:
    with pytest.raises(InputError, match="`l` is not a language"):
        look_up(shared_dictionary, "পানী", "xx")


def test_a_look_up_tells_its_language_and_the_licences_of_the_data(shared_dictionary: Database) -> None:
    found = look_up(shared_dictionary, "পানী koribo", "as")

    assert found.language_id == 2
    assert [item.queryword for item in found.items] == ["পানী", "koribo"]
    assert found.licences == shared_dictionary.read_now(lambda reader: reader.catalogue.licences)
