from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abhidhan.dictionary.model.query import build_query
from abhidhan.dictionary.store import fuzzy_candidates
from abhidhan.dictionary.store.fuzzy_candidates import find_near_words
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, BENGALI
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables


def suggest_words(dictionary: Database, query: str, language_id: int | None = None, limit: int = 5) -> list[str]:
    found = dictionary.read_now(lambda reader: find_near_words(reader, query, language_id))
    return [hit.text for hit in found][:limit]


MISSPELLINGS: Final = {
    "watre": "water",
    "wter": "water",
    "waterr": "water",
    "elefant": "elephant",
    "drinkingwatter": "drinking water",
    "mangifera indcia": "Mangifera indica",
    "অসমীযা": "অসমীয়া",
    "ছোৱালি": "ছোৱালী",
    "ধনবাদ": "ধন্যবাদ",
    "ধ্বনী": "ধ্বনি",
    "oxomeya": "অসমীয়া",
    "donyobaad": "ধন্যবাদ",
    "चिड़या": "चिड़िया",
}


def test_a_word_is_suggested_for_its_misspelling(shared_dictionary: Database, subtests: pytest.Subtests) -> None:
    for misspelling, word in MISSPELLINGS.items():
        with subtests.test(misspelling):
            assert word in suggest_words(shared_dictionary, misspelling)


def test_nothing_is_suggested_for_a_text_that_is_similar_to_no_word(
    shared_dictionary: Database, subtests: pytest.Subtests
) -> None:
    for query in ("qqqqzzzz", "", "💧", "।", "\ud800", "\0", "ক" + "\u0981" * 10_000, "🐘" * 300):
        with subtests.test(query=query[:8].encode("unicode_escape")):
            assert suggest_words(shared_dictionary, query) == []


def test_words_of_the_requested_language_are_suggested_first(shared_dictionary: Database) -> None:
    def languages(language_id: int) -> list[int]:
        found = shared_dictionary.read_now(lambda reader: find_near_words(reader, "কলাা", language_id))
        return [hit.language_id for hit in found]

    assert languages(BENGALI)[0] == BENGALI
    assert languages(ASSAMESE)[0] == ASSAMESE


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=st.text())
def test_suggestions_for_any_text_cause_no_error(shared_dictionary: Database, text: str) -> None:
    suggest_words(shared_dictionary, text, ASSAMESE)


JOBS: dict[str, Callable[[ReadConnection], object]] = {
    "near": lambda reader: find_near_words(reader, "দরকারদরকার", None),
    "roman": lambda reader: fuzzy_candidates.load_candidates(
        reader, build_query("international", reader.catalogue.orthographies(ALL_LANGUAGES))
    ),
}


def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        for name, job in JOBS.items():
            assert find_scanned_tables(dictionary, job) == [], name
