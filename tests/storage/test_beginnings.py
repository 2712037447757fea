from collections.abc import Callable

import pytest

from abhidhan.domain.languages import ASSAMESE, ENGLISH, HINDI
from abhidhan.storage import beginnings
from abhidhan.storage.beginnings import Prefix
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.words import KeyColumn
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.plans import scanned_tables


def begun_otherwise(dictionary: Database, language_id: int, *prefixes: Prefix) -> list[str]:
    def read(reader: Reader) -> list[str]:
        found = beginnings.beginning_otherwise(reader, prefixes, language_id, 10)
        spelled = beginnings.spellings(reader, {each.word_id for each in found})
        in_order = sorted(found, key=lambda each: (each.place, len(each.key), each.key, each.word_id))
        return [spelled[each.word_id].text for each in in_order]

    return dictionary.read_now(read)


@pytest.mark.parametrize(
    ("prefix", "language_id", "words"),
    [
        ("wa", 0, ["water"]),
        ("পা", 0, ["পাখি", "পাখি", "পাখী", "পানি", "পানী", "পানীয় জল"]),
        ("পা", ASSAMESE, ["পাখি", "পাখী", "পানী"]),
        ("", 0, []),
    ],
)
def test_words_are_found_by_the_beginning_of_the_exact_key_the_shortest_first(
    shared_dictionary: Database, prefix: str, language_id: int, words: list[str]
) -> None:
    found, spelled = shared_dictionary.read_now(lambda reader: beginnings.beginning(reader, prefix, language_id, 10))
    assert [spelled[each.word_id].text for each in found] == words


@pytest.mark.parametrize(
    ("prefixes", "language_id", "words"),
    [
        ([Prefix(KeyColumn.LOOSE, "hotwa")], ENGLISH, ["hot water"]),
        ([Prefix(KeyColumn.SOUND, "pani")], HINDI, ["पानी"]),
        ([Prefix(KeyColumn.LOOSE, "wa"), Prefix(KeyColumn.LOOSE, "hotwa")], 0, ["water", "hot water"]),
        ([Prefix(KeyColumn.LOOSE, "wa", 5)], 0, ["water"]),
        ([Prefix(KeyColumn.LOOSE, "wa", 4)], 0, []),
        ([], 0, []),
    ],
)
def test_words_are_found_by_the_beginning_of_other_keys_that_are_not_too_long(
    shared_dictionary: Database, prefixes: list[Prefix], language_id: int, words: list[str]
) -> None:
    assert begun_otherwise(shared_dictionary, language_id, *prefixes) == words


JOBS: dict[str, Callable[[Reader], object]] = {
    "exact": lambda reader: beginnings.beginning(reader, "ক", 0, 10),
    "exact, of a language": lambda reader: beginnings.beginning(reader, "ক", ASSAMESE, 10),
    "loose": lambda reader: beginnings.beginning_otherwise(reader, [Prefix(KeyColumn.LOOSE, "ক")], ASSAMESE, 10),
    "sound": lambda reader: beginnings.beginning_otherwise(
        reader, [Prefix(KeyColumn.SOUND, each) for each in "kgx"], 0, 10
    ),
}


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases, job: Callable[[Reader], object]) -> None:
    with opened(sqlite_databases, with_sample) as dictionary:
        assert scanned_tables(dictionary, job) == []
