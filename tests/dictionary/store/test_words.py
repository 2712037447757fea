"""Words and entries: both engines answer alike, and by index."""

from collections.abc import Callable

import pytest
from sqlalchemy import select

from abhidhan import schema
from abhidhan.dictionary.model.field_selection import parse_idea_fields, parse_word_fields
from abhidhan.dictionary.store import word_rows, words
from abhidhan.dictionary.store.ideas import load_idea
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.dictionary.store.words import SortKeyRange
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from assamese.collation import sort_key
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables, list_statements

pytestmark = pytest.mark.pooled

BIG_TABLES = (
    "word",
    "sense",
    "idea",
    "definition",
    "example",
    "idea_context",
    "idea_relation",
    "word_pos",
    "word_form",
)


def both(databases: dict[str, Database], job: Callable[[ReadConnection], object]) -> object:
    sqlite, postgresql = (databases[name].read_now(job) for name in ("sqlite", "postgresql"))
    assert sqlite == postgresql
    return sqlite


def test_every_word_is_gathered_alike_on_both_engines(databases_with_sample: dict[str, Database]) -> None:
    def job(connection: ReadConnection) -> object:
        return list(word_rows.load_words(connection, words.list_page(connection, 0, 1000, 0)))

    gathered = both(databases_with_sample, job)
    assert isinstance(gathered, list)
    assert len(gathered) > 150


def test_every_idea_is_gathered_alike_on_both_engines(databases_with_sample: dict[str, Database]) -> None:
    def job(connection: ReadConnection) -> object:
        return [load_idea(connection, number) for number in range(1, 60)]

    both(databases_with_sample, job)


@pytest.mark.parametrize("language_id", [1, 2, 21, 22])
def test_the_alphabet_is_the_same_on_both_engines(databases_with_sample: dict[str, Database], language_id: int) -> None:
    def job(connection: ReadConnection) -> object:
        return words.list_alphabetically(connection, SortKeyRange(language_id, b"", ""), None, 1000)

    both(databases_with_sample, job)


@pytest.mark.parametrize("prefix", ["ক", "m", "म", "\U0010fffe"])
def test_prefixes_are_the_same_on_both_engines(databases_with_sample: dict[str, Database], prefix: str) -> None:
    def job(connection: ReadConnection) -> object:
        found = words.list_prefix_page(connection, prefix, 0, 100, 0)
        assert len(found) == words.count_with_prefix(connection, prefix, 0)
        return found

    both(databases_with_sample, job)


@pytest.mark.parametrize(
    ("fields", "langs", "read"),
    [
        ("id,word,roman", None, []),
        ("word,pos", None, []),
        ("idea_id", None, []),
        ("definitions", None, ["before"]),
        ("translations", "as", ["words"]),
        ("photos,contexts", None, ["before", "after"]),
        (None, "as", ["before", "words", "after"]),
    ],
)
def test_what_is_not_asked_for_is_not_read(
    sqlite_databases: SqliteDatabases, fields: str | None, langs: str | None, read: list[str]
) -> None:
    selection = parse_word_fields(fields, frozenset({2}) if langs else None)

    def job(connection: ReadConnection) -> object:
        return word_rows.load_words(connection, [1, 2, 3], selection=selection), word_rows.load_words_by_key(
            connection, "water", 0, limit=5, selection=selection
        )

    with open_database(sqlite_databases, load_sample) as dictionary:
        run = [sql for sql, _ in list_statements(dictionary, job)]
        assert find_scanned_tables(dictionary, job) == []

    assert len(run) == 2
    for sql in run:
        assert [
            piece for piece in ("before", "words", "after") if f"idea_cache.{piece}" in sql.replace('"', "")
        ] == read
        assert ("sense" in sql) == (fields != "id,word,roman")


def test_of_an_idea_only_what_is_asked_for_is_read(sqlite_databases: SqliteDatabases) -> None:
    def job(connection: ReadConnection) -> object:
        return load_idea(connection, 1, parse_idea_fields("words", frozenset({2})))

    with open_database(sqlite_databases, load_sample) as dictionary:
        assert find_scanned_tables(dictionary, job) == []


def test_more_words_than_one_statement_takes_are_found(shared_dictionary: Database) -> None:
    keys = [f"nothing{number}" for number in range(1500)] + ["water"]

    found = shared_dictionary.read_now(lambda reader: words.find_by_key(reader, KeyColumn.EXACT, keys))

    assert [hit.text for hit in found] == ["water"]


def test_an_empty_key_finds_nothing(shared_dictionary: Database) -> None:
    assert shared_dictionary.read_now(lambda reader: words.find_by_key(reader, KeyColumn.SOUND, ["", ""])) == []


def test_every_word_is_found_by_each_of_its_keys(shared_dictionary: Database) -> None:
    def all_found(connection: ReadConnection) -> bool:
        columns = {each: schema.word.c[each.value] for each in (KeyColumn.EXACT, KeyColumn.LOOSE, KeyColumn.SOUND)}
        rows = connection.rows(CompiledQuery(select(schema.word.c.id, *columns.values())))
        return all(
            word_id in {hit.word_id for hit in words.find_by_key(connection, column, [key])}
            for word_id, *keys in rows
            for column, key in zip(columns, keys, strict=True)
            if key
        )

    assert shared_dictionary.read_now(all_found)


def test_no_statement_is_run_for_latin_keys_that_sound_like_no_word(sqlite_databases: SqliteDatabases) -> None:
    def look_for(column: KeyColumn, *keys: str) -> Callable[[ReadConnection], object]:
        return lambda reader: words.find_by_key(reader, column, keys)

    with open_database(sqlite_databases, load_sample) as dictionary:
        assert (
            list_statements(dictionary, look_for(KeyColumn.EXACT, "wxter"), look_for(KeyColumn.LOOSE, "wxter", ""))
            == []
        )
        assert len(list_statements(dictionary, look_for(KeyColumn.EXACT, "wxter", "water"))) == 1


def test_the_parts_of_speech_of_words_are_those_that_they_are_listed_under(shared_dictionary: Database) -> None:
    def listed(connection: ReadConnection) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {}
        for word_id, pos_id in connection.rows(
            CompiledQuery(select(schema.word_pos.c.word_id, schema.word_pos.c.pos_id))
        ):
            found.setdefault(word_id, set()).add(pos_id)
        return found

    all_words = shared_dictionary.read_now(lambda reader: words.list_page(reader, 0, 1000, 0))
    wanted = shared_dictionary.read_now(listed)

    found = shared_dictionary.read_now(lambda reader: words.load_pos_ids(reader, all_words))
    assert {word_id: set(parts) for word_id, parts in found.items()} == wanted
    assert 1 < len(wanted) <= len(all_words)


def test_the_parts_of_speech_of_words_are_searched_for_by_an_index(sqlite_databases: SqliteDatabases) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        assert find_scanned_tables(dictionary, lambda reader: words.load_pos_ids(reader, [1, 2, 3])) == []


def test_a_range_begins_at_the_spelling_itself(shared_dictionary: Database) -> None:
    def job(connection: ReadConnection) -> list[str]:
        stretch = SortKeyRange(2, sort_key("মহ", "as"), "মহ")
        return [place.text for place in words.list_alphabetically(connection, stretch, None, 1)]

    assert shared_dictionary.read_now(job) == ["মহ"]
