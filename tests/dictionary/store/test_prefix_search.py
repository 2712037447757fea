from collections.abc import Callable

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


def begun(dictionary: Database, language_id: int, *prefixes: Prefix, limit: int = 10) -> list[str]:
    def read(connection: ReadConnection) -> list[str]:
        found = prefix_search.find_by_prefixes(connection, prefixes, language_id, limit)
        spelled = prefix_search.load_spellings(connection, {word_id for word_id, _, _ in found})
        in_order = sorted((place, len(key), key, word_id) for word_id, key, place in found)
        return [spelled[word_id].text for *_, word_id in in_order]

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
def test_words_are_found_by_the_beginning_of_the_exact_key(
    shared_dictionary: Database, prefix: str, language_id: int, words: list[str]
) -> None:
    assert begun(shared_dictionary, language_id, Prefix(KeyColumn.EXACT, prefix)) == words


@pytest.mark.parametrize(
    ("prefixes", "language_id", "words"),
    [
        ([Prefix(KeyColumn.LOOSE, "hotwa")], ENGLISH, ["hot water"]),
        ([Prefix(KeyColumn.SOUND, "pani")], HINDI, ["पानी"]),
        ([Prefix(KeyColumn.LOOSE, "wa"), Prefix(KeyColumn.LOOSE, "hotwa")], 0, ["water", "hot water"]),
        ([], 0, []),
    ],
)
def test_words_are_found_by_the_beginning_of_other_keys_that_are_not_too_long(
    shared_dictionary: Database, prefixes: list[Prefix], language_id: int, words: list[str]
) -> None:
    assert begun(shared_dictionary, language_id, *prefixes) == words


@pytest.mark.parametrize("column", [KeyColumn.EXACT, KeyColumn.LOOSE, KeyColumn.SOUND])
@pytest.mark.parametrize("language_id", [0, ASSAMESE, ENGLISH])
@pytest.mark.parametrize("limit", [1, 3, 100])
def test_of_every_beginning_the_shortest_words_are_found(
    shared_dictionary: Database, column: KeyColumn, language_id: int, limit: int
) -> None:
    def compare(connection: ReadConnection) -> int:
        key = schema.word.c[column.value]
        rows = connection.rows(CompiledQuery(select(schema.word.c.id, key, schema.word.c.language_id)))
        words = [(row[0], row[1]) for row in rows if language_id in {0, row[2]}]
        prefixes = {key[:letters] for _, key in words for letters in range(1, len(key) + 1)}
        for prefix in prefixes:
            begin = [word for word in words if word[1].startswith(prefix)]
            shortest = sorted(begin, key=lambda word: (len(word[1]), word[1], word[0]))[:limit]
            found = prefix_search.find_by_prefixes(connection, [Prefix(column, prefix)], language_id, limit)
            # The order of words of one key is the engine's where there are more of them than are wanted.
            assert sorted(key for _, key, _ in found) == sorted(key for _, key in shortest)
        return len(prefixes)

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


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_every_read_is_a_search_by_an_index(
    sqlite_databases: SqliteDatabases, job: Callable[[ReadConnection], object]
) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        assert find_scanned_tables(dictionary, job) == []


@pytest.mark.parametrize(
    ("text", "language_id", "most", "keys"),
    [
        ("পা", 0, 6, ["পাখি", "পাখি", "পাখী", "পানি", "পানী", "পানীয় জল"]),
        ("পা", 0, 5, None),
        ("পা", ASSAMESE, 6, ["পাখি", "পাখী", "পানী"]),
        ("wxter", 0, 0, []),
    ],
)
def test_all_words_that_begin_so_are_found_where_they_are_few(
    shared_dictionary: Database, text: str, language_id: int, most: int, keys: list[str] | None
) -> None:
    found = shared_dictionary.read_now(lambda reader: prefix_search.find_all_by_prefix(reader, text, language_id, most))

    assert (found if found is None else sorted(found.values())) == keys
