"""Words and entries: both engines give the same results, and use indexes."""

from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from sqlalchemy import select

from abhidhan import schema
from abhidhan.dictionary.model.field_selection import FieldSelection, parse_idea_fields, parse_word_fields
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


def read_from_both(databases: dict[str, Database], job: Callable[[ReadConnection], object]) -> object:
    sqlite, postgresql = (databases[name].read_now(job) for name in ("sqlite", "postgresql"))
    assert sqlite == postgresql
    return sqlite


@pytest.mark.thorough
def test_every_word_is_the_same_on_both_engines(databases_with_sample: dict[str, Database]) -> None:
    def job(connection: ReadConnection) -> object:
        return list(word_rows.load_words(connection, words.list_page(connection, 0, 1000, 0)))

    loaded = read_from_both(databases_with_sample, job)
    assert isinstance(loaded, list)
    assert len(loaded) > 150


@pytest.mark.thorough
def test_every_idea_is_the_same_on_both_engines(databases_with_sample: dict[str, Database]) -> None:
    def job(connection: ReadConnection) -> object:
        return [load_idea(connection, number) for number in range(1, 60)]

    read_from_both(databases_with_sample, job)


@pytest.mark.thorough
def test_the_alphabet_is_the_same_on_both_engines(databases_with_sample: dict[str, Database]) -> None:
    def list_words(connection: ReadConnection, language_id: int) -> object:
        return words.list_alphabetically(connection, SortKeyRange(language_id, b"", ""), None, 1000)

    for language_id in (1, 2, 21, 22):
        read_from_both(databases_with_sample, partial(list_words, language_id=language_id))


@pytest.mark.thorough
def test_prefixes_are_the_same_on_both_engines(databases_with_sample: dict[str, Database]) -> None:
    def list_words(connection: ReadConnection, prefix: str) -> object:
        page = words.list_prefix_page(connection, prefix, 0, 100, 0)
        assert len(page) == words.count_with_prefix(connection, prefix, 0)
        return page

    for prefix in ("ক", "m", "म", "\U0010fffe"):
        read_from_both(databases_with_sample, partial(list_words, prefix=prefix))


CACHED_PARTS_OF_FIELDS: Final[tuple[tuple[str | None, str | None, list[str]], ...]] = (
    ("id,word,roman", None, []),
    ("word,pos", None, []),
    ("idea_id", None, []),
    ("definitions", None, ["before"]),
    ("translations", "as", ["words"]),
    ("photos,contexts", None, ["before", "after"]),
    (None, "as", ["before", "words", "after"]),
)
"""Fields, languages, and the columns of the idea cache that they need."""


def test_only_the_requested_parts_of_words_are_read(
    sqlite_databases: SqliteDatabases, subtests: pytest.Subtests
) -> None:
    def load(connection: ReadConnection, selection: FieldSelection | None) -> object:
        return word_rows.load_words(connection, [1, 2, 3], selection=selection), word_rows.load_words_by_key(
            connection, "water", 0, limit=5, selection=selection
        )

    with open_database(sqlite_databases, load_sample) as dictionary:
        for fields, langs, parts in CACHED_PARTS_OF_FIELDS:
            with subtests.test(fields=fields, langs=langs):
                job = partial(load, selection=parse_word_fields(fields, frozenset({2}) if langs else None))
                statements = [sql.replace('"', "") for sql, _ in list_statements(dictionary, job)]

                assert find_scanned_tables(dictionary, job) == []
                assert len(statements) == 2
                for sql in statements:
                    assert [part for part in ("before", "words", "after") if f"idea_cache.{part}" in sql] == parts
                    assert ("sense" in sql) == (fields != "id,word,roman")


def test_a_part_of_an_idea_and_the_parts_of_speech_of_words_are_found_by_an_index(
    sqlite_databases: SqliteDatabases,
) -> None:
    def load_part(connection: ReadConnection) -> object:
        return load_idea(connection, 1, parse_idea_fields("words", frozenset({2})))

    with open_database(sqlite_databases, load_sample) as dictionary:
        assert find_scanned_tables(dictionary, load_part) == []
        assert find_scanned_tables(dictionary, lambda reader: words.load_pos_ids(reader, [1, 2, 3])) == []


def test_words_are_found_by_more_keys_than_one_statement_takes(shared_dictionary: Database) -> None:
    keys = [f"nothing{number}" for number in range(1500)] + ["water"]

    hits = shared_dictionary.read_now(lambda reader: words.find_by_key(reader, KeyColumn.EXACT, keys))

    assert [hit.text for hit in hits] == ["water"]


def test_an_empty_key_finds_nothing(shared_dictionary: Database) -> None:
    assert shared_dictionary.read_now(lambda reader: words.find_by_key(reader, KeyColumn.SOUND, ["", ""])) == []


def test_every_word_is_found_by_each_of_its_keys(shared_dictionary: Database) -> None:
    def find_all(connection: ReadConnection) -> bool:
        columns = {each: schema.word.c[each.value] for each in (KeyColumn.EXACT, KeyColumn.LOOSE, KeyColumn.SOUND)}
        rows = connection.rows(CompiledQuery(select(schema.word.c.id, *columns.values())))
        return all(
            word_id in {hit.word_id for hit in words.find_by_key(connection, column, [key])}
            for word_id, *keys in rows
            for column, key in zip(columns, keys, strict=True)
            if key
        )

    assert shared_dictionary.read_now(find_all)


def test_no_statement_runs_for_latin_keys_that_sound_like_no_word(sqlite_databases: SqliteDatabases) -> None:
    def find_words(column: KeyColumn, *keys: str) -> Callable[[ReadConnection], object]:
        return lambda reader: words.find_by_key(reader, column, keys)

    with open_database(sqlite_databases, load_sample) as dictionary:
        assert (
            list_statements(dictionary, find_words(KeyColumn.EXACT, "wxter"), find_words(KeyColumn.LOOSE, "wxter", ""))
            == []
        )
        assert len(list_statements(dictionary, find_words(KeyColumn.EXACT, "wxter", "water"))) == 1


def test_the_parts_of_speech_of_words_are_those_they_are_listed_under(shared_dictionary: Database) -> None:
    def load_pos_ids(connection: ReadConnection) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {}
        for word_id, pos_id in connection.rows(
            CompiledQuery(select(schema.word_pos.c.word_id, schema.word_pos.c.pos_id))
        ):
            found.setdefault(word_id, set()).add(pos_id)
        return found

    all_words = shared_dictionary.read_now(lambda reader: words.list_page(reader, 0, 1000, 0))
    expected = shared_dictionary.read_now(load_pos_ids)

    found = shared_dictionary.read_now(lambda reader: words.load_pos_ids(reader, all_words))
    assert {word_id: set(parts) for word_id, parts in found.items()} == expected
    assert 1 < len(expected) <= len(all_words)


def test_a_range_begins_with_the_spelling_itself(shared_dictionary: Database) -> None:
    def job(connection: ReadConnection) -> list[str]:
        stretch = SortKeyRange(2, sort_key("মহ", "as"), "মহ")
        return [place.text for place in words.list_alphabetically(connection, stretch, None, 1)]

    assert shared_dictionary.read_now(job) == ["মহ"]
