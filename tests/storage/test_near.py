from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abhidhan.domain.languages import ALL_LANGUAGES, ASSAMESE, BENGALI, ENGLISH, HINDI
from abhidhan.domain.matching.query import read_query
from abhidhan.storage import near
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.near import near_words
from abhidhan.storage.words import KeyColumn
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.plans import scanned_tables


def suggested(dictionary: Database, query: str, language_id: int | None = None, limit: int = 5) -> list[str]:
    found = dictionary.read_now(lambda reader: near_words(reader, query, language_id, limit))
    return [suggestion.word for suggestion in found]


def beginnings(dictionary: Database, column: KeyColumn, prefixes: tuple[str, ...], language_id: int = 0) -> list[str]:
    found = dictionary.read_now(lambda reader: near.beginning(reader, column, prefixes, language_id, 10))
    return [each.text for each in found]


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("watre", "water"),
        ("wter", "water"),
        ("waterr", "water"),
        ("elefant", "elephant"),
        ("drinkingwatter", "drinking water"),
        ("mangifera indcia", "Mangifera indica"),
        ("অসমীযা", "অসমীয়া"),
        ("ছোৱালি", "ছোৱালী"),
        ("ধনবাদ", "ধন্যবাদ"),
        ("ধৱনি", "ধ্বনি"),
        ("oxomeya", "অসমীয়া"),
        ("donyobaad", "ধন্যবাদ"),
        ("चिड़या", "चिड़िया"),
    ],
)
def test_a_word_is_suggested_for_its_misspelling(shared_dictionary: Database, query: str, word: str) -> None:
    assert word in suggested(shared_dictionary, query)


@pytest.mark.parametrize("query", ["qqqqzzzz", "", "💧", "।", "\ud800", "\0", "ক" + "\u0981" * 10_000, "🐘" * 300])
def test_nothing_is_suggested_where_nothing_is_near(shared_dictionary: Database, query: str) -> None:
    assert suggested(shared_dictionary, query) == []


def test_words_of_the_language_asked_for_are_suggested_first(shared_dictionary: Database) -> None:
    def languages(language_id: int) -> list[int]:
        found = shared_dictionary.read_now(lambda reader: near_words(reader, "কলাা", language_id, 5))
        return [suggestion.language_id for suggestion in found]

    assert languages(BENGALI)[0] == BENGALI
    assert languages(ASSAMESE)[0] == ASSAMESE


def test_no_more_are_suggested_than_asked_for(shared_dictionary: Database) -> None:
    assert len(suggested(shared_dictionary, "কলা", limit=2)) == 2


@pytest.mark.parametrize(
    ("column", "prefixes", "language_id", "words"),
    [
        (KeyColumn.EXACT, ("wa",), 0, ["water"]),
        (KeyColumn.EXACT, ("পা", "wa"), 0, ["পাখি", "পাখি", "পাখী", "পানি", "পানী", "পানীয় জল", "water"]),
        (KeyColumn.EXACT, ("পা",), ASSAMESE, ["পাখি", "পাখী", "পানী"]),
        (KeyColumn.LOOSE, ("hotwa",), ENGLISH, ["hot water"]),
        (KeyColumn.SOUND, ("pani",), HINDI, ["पानी"]),
        (KeyColumn.SOUND, (), 0, []),
    ],
)
def test_words_are_found_by_the_beginning_of_a_key_the_shortest_first(
    shared_dictionary: Database, column: KeyColumn, prefixes: tuple[str, ...], language_id: int, words: list[str]
) -> None:
    assert beginnings(shared_dictionary, column, prefixes, language_id) == words


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=st.text())
def test_any_text_can_be_near_something(shared_dictionary: Database, text: str) -> None:
    suggested(shared_dictionary, text, ASSAMESE)


JOBS: dict[str, Callable[[Reader], object]] = {
    "near": lambda reader: near_words(reader, "দরকারদরকার", None, 5),
    "roman": lambda reader: near.candidates(
        reader, read_query("international", reader.catalogue.orthographies(ALL_LANGUAGES))
    ),
    "exact": lambda reader: near.beginning(reader, KeyColumn.EXACT, ("ক", "ka"), 0, 10),
    "loose": lambda reader: near.beginning(reader, KeyColumn.LOOSE, ("ক",), ASSAMESE, 10),
    "sound": lambda reader: near.beginning(reader, KeyColumn.SOUND, ("k", "g", "x"), 0, 10),
}


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases, job: Callable[[Reader], object]) -> None:
    with opened(sqlite_databases, with_sample) as dictionary:
        assert scanned_tables(dictionary, job) == []
