from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from sqlalchemy import select

from abhidhan import schema
from abhidhan.dictionary.store import prefix_search
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.prefix_search import Prefix
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE, ENGLISH, HINDI
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables


def find_words(dictionary: Database, language_id: int, *prefixes: Prefix, limit: int = 10) -> list[str]:
    def read(connection: ReadConnection) -> list[str]:
        hits = prefix_search.find_by_prefixes(connection, prefixes, language_id, limit)
        spellings = prefix_search.load_spellings(connection, {word_id for word_id, _, _ in hits})
        in_order = sorted((place, len(key), key, word_id) for word_id, key, place in hits)
        return [spellings[word_id].text for *_, word_id in in_order]

    return dictionary.read_now(read)


WORDS_OF_PREFIXES: Final[tuple[tuple[list[Prefix], int, list[str]], ...]] = (
    ([Prefix(KeyColumn.EXACT, "wa")], 0, ["water"]),
    ([Prefix(KeyColumn.EXACT, "পা")], 0, ["পাখি", "পাখি", "পাখী", "পানি", "পানী", "পানীয় জল"]),
    ([Prefix(KeyColumn.EXACT, "পা")], ASSAMESE, ["পাখি", "পাখী", "পানী"]),
    ([Prefix(KeyColumn.EXACT, "")], 0, []),
    ([Prefix(KeyColumn.LOOSE, "hotwa")], ENGLISH, ["hot water"]),
    ([Prefix(KeyColumn.SOUND, "pani")], HINDI, ["पानी"]),
    ([Prefix(KeyColumn.LOOSE, "wa"), Prefix(KeyColumn.LOOSE, "hotwa")], 0, ["water", "hot water"]),
    ([], 0, []),
)


def test_words_are_found_by_the_beginning_of_a_key(shared_dictionary: Database, subtests: pytest.Subtests) -> None:
    for prefixes, language_id, words in WORDS_OF_PREFIXES:
        with subtests.test(prefixes=prefixes, language_id=language_id):
            assert find_words(shared_dictionary, language_id, *prefixes) == words


def compare_prefixes(connection: ReadConnection, column: KeyColumn, language_id: int, limit: int) -> int:
    """Compare the words of every prefix of a key with the shortest ones in the table; return the number of prefixes."""
    key = schema.word.c[column.value]
    rows = connection.rows(CompiledQuery(select(schema.word.c.id, key, schema.word.c.language_id)))
    words = [(row[0], row[1]) for row in rows if language_id in {0, row[2]}]
    prefixes = {key[:letters] for _, key in words for letters in range(1, len(key) + 1)}
    for prefix in prefixes:
        begin = [word for word in words if word[1].startswith(prefix)]
        shortest = sorted(begin, key=lambda word: (len(word[1]), word[1], word[0]))[:limit]
        hits = prefix_search.find_by_prefixes(connection, [Prefix(column, prefix)], language_id, limit)
        # Of words with the same key, the engine chooses any where there are more than `limit`.
        assert sorted(key for _, key, _ in hits) == sorted(key for _, key in shortest)
    return len(prefixes)


def test_the_shortest_words_of_every_prefix_are_found(shared_dictionary: Database, subtests: pytest.Subtests) -> None:
    limits = (1, 3, 100)
    for first, column in enumerate((KeyColumn.EXACT, KeyColumn.LOOSE, KeyColumn.SOUND)):
        for second, language_id in enumerate((0, ASSAMESE, ENGLISH)):
            limit = limits[(first + second) % 3]
            with subtests.test(column=column.value, language_id=language_id, limit=limit):
                compare = partial(compare_prefixes, column=column, language_id=language_id, limit=limit)
                assert shared_dictionary.read_now(compare) > 20


JOBS: dict[str, Callable[[ReadConnection], object]] = {
    "exact": lambda reader: prefix_search.find_by_prefixes(reader, [Prefix(KeyColumn.EXACT, "ক")], 0, 10),
    "exact, of a language": lambda reader: prefix_search.find_by_prefixes(
        reader, [Prefix(KeyColumn.EXACT, "ক")], ASSAMESE, 10
    ),
    "loose": lambda reader: prefix_search.find_by_prefixes(reader, [Prefix(KeyColumn.LOOSE, "ক")], ASSAMESE, 10),
    "sound": lambda reader: prefix_search.find_by_prefixes(
        reader, [Prefix(KeyColumn.SOUND, each) for each in "kgx"], 0, 10
    ),
    "all": lambda reader: prefix_search.find_all_by_prefix(reader, "ক", 0, 10),
}


def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        for name, job in JOBS.items():
            assert find_scanned_tables(dictionary, job) == [], name


def test_all_words_with_a_prefix_are_found_unless_there_are_too_many(shared_dictionary: Database) -> None:
    def find_keys(text: str, language_id: int, most: int) -> list[str] | None:
        keys = shared_dictionary.read_now(
            lambda reader: prefix_search.find_all_by_prefix(reader, text, language_id, most)
        )
        return None if keys is None else sorted(keys.values())

    assert find_keys("পা", 0, 6) == ["পাখি", "পাখি", "পাখী", "পানি", "পানী", "পানীয় জল"]
    assert find_keys("পা", 0, 5) is None
    assert find_keys("পা", ASSAMESE, 6) == ["পাখি", "পাখী", "পানী"]
    assert find_keys("wxter", 0, 0) == []
