from collections.abc import Sequence
from typing import Final

import pytest

from abhidhan.dictionary.store import definitions, word_rows
from abhidhan.dictionary.store.definitions import MAX_KEYS, find_ideas_defined_with, list_words_of_ideas
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables


def find_words_by_definition(
    dictionary: Database, keys: Sequence[str], language_id: int = ALL_LANGUAGES
) -> list[list[str]]:
    """List the words of each idea that is defined with all of the words."""

    def read(connection: ReadConnection) -> list[list[str]]:
        ideas = [hit.idea_id for hit in find_ideas_defined_with(connection, keys)]
        found = list_words_of_ideas(connection, ideas, language_id)
        words = {word.id: word.word for word in word_rows.load_words(connection, [each.word_id for each in found])}
        return [[words[each.word_id] for each in found if each.idea_id == idea_id] for idea_id in ideas]

    return dictionary.read_now(read)


WORDS_OF_QUERIES: Final[tuple[tuple[list[str], list[list[str]]], ...]] = (
    (["coal"], [["ক’লা"]]),
    (["flies"], [["চৰাই"], ["পাখি", "পাখী"]]),
    (["colour", "of", "the"], [["ক’লা"], ["ৰঙা"], ["বগা"]]),
    (["colour", "colour", "snow"], [["বগা"]]),
    (["colour", "elephant"], []),
    (["qqqq"], []),
    ([""], []),
    ([], []),
)


def test_ideas_are_found_by_all_words_of_the_query(shared_dictionary: Database, subtests: pytest.Subtests) -> None:
    for keys, words in WORDS_OF_QUERIES:
        with subtests.test(keys=keys):
            assert sorted(find_words_by_definition(shared_dictionary, keys, ASSAMESE)) == sorted(words)


def test_the_shortest_definition_comes_first(shared_dictionary: Database) -> None:
    found = shared_dictionary.read_now(lambda reader: find_ideas_defined_with(reader, ["a"]))

    assert len(found) > 2
    assert [each.length for each in found] == sorted(each.length for each in found)


def test_words_of_every_language_are_listed_by_language(shared_dictionary: Database) -> None:
    assert find_words_by_definition(shared_dictionary, ["coal"]) == [["black", "ক’লা", "काला", "কালো"]]


def test_a_long_query_is_searched_by_its_rarest_words_alone(shared_dictionary: Database) -> None:
    common = ["of", "the", "a", "that", "is", "an", "and", "it"]

    assert find_words_by_definition(shared_dictionary, ["coal", *common[: MAX_KEYS - 2], "colour"], ASSAMESE) == []
    assert find_words_by_definition(shared_dictionary, ["x"] * 100, ASSAMESE) == []


def test_no_ideas_have_no_words(shared_dictionary: Database) -> None:
    assert shared_dictionary.read_now(lambda reader: list_words_of_ideas(reader, [], ASSAMESE)) == []


def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases) -> None:
    def read(connection: ReadConnection) -> None:
        ideas = definitions.find_ideas_defined_with(connection, ["colour", "of", "the"])
        list_words_of_ideas(connection, [each.idea_id for each in ideas], ASSAMESE)

    with open_database(sqlite_databases, load_sample) as dictionary:
        assert find_scanned_tables(dictionary, read) == []
