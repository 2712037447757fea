import re
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text, update

from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.dictionary.store.acceleration.idea_cache import count_missing, invalidate_all
from abhidhan.exchange.service.maintenance import (
    REPAIRABLE_CODES,
    check,
    fill_idea_cache,
    is_reindexing_due,
    reindex,
    repair_findings,
)
from abhidhan.exchange.store.checks import find_language_columns
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.integrity_checks import EXPLANATIONS, find_cycles, is_in_script, list_unknown_characters
from abhidhan.schema import definition, metadata
from tests.support.databases import Databases, load_sample, open_database

A_PHOTO = (
    "INSERT INTO photo"
    " (idea_id, credit, status, submitted, key, extension, width, height, frames, size, sha256, likeness)"
    " VALUES (1, 'A. B.', 'pending', 1, 'x', 'webp', 8, 8, 1, 9, 'abc', '00ff00ff00ff00ff')"
)

CORRUPTIONS = [
    ("UPDATE word SET loose_key = 'x' WHERE text = 'পানী'", "E201"),
    ("UPDATE key_rules SET rules = 'old'", "E202"),
    ("UPDATE language SET words = words + 1 WHERE code = 'as'", "E301"),
    ("DELETE FROM sense WHERE word_id = (SELECT id FROM word WHERE text = 'পানী')", "W102"),
    ("UPDATE word SET text = 'pani', exact_key = 'pani' WHERE text = 'পানী'", "W302"),
    ("DELETE FROM idea_relation WHERE type_id = 5", "W402"),
    ("UPDATE definition SET text = 'something else'", "E203"),
    ("UPDATE idea_cache SET words = NULL", "E203"),
    ("UPDATE idea_cache SET idea_id = 1000000 + idea_id", "E203"),
    ("UPDATE phrase SET sound_key = 'x'", "E201"),
    ("DELETE FROM near_key", "E204"),
    ("UPDATE near_key SET word_id = 1000000 + word_id", "E204"),
    ("INSERT INTO near_key (key, word_id) VALUES ('zzz', 1)", "E204"),
    ("DELETE FROM definition_word WHERE idea_id > 9", "E205"),
    ("INSERT INTO definition_word (key, idea_id) VALUES ('zzz', 1)", "E205"),
    ("DELETE FROM word_pos", "E206"),
    ("UPDATE word_pos SET pos_id = 100 + pos_id", "E206"),
    ("UPDATE word_pos SET language_id = 100 + language_id", "E206"),
    ("UPDATE word_pos SET sort_key = SUBSTR(sort_key, 2)", "E206"),
    ("UPDATE word_pos SET text = text || 'x'", "E206"),
    ("UPDATE word_pos SET word_id = 1000000 + word_id", "E206"),
    ("UPDATE idea SET pos_id = NULL WHERE pos_id = 3", "E206"),
    ("DELETE FROM phrase_gram", "E207"),
    ("UPDATE gram_count SET phrases = phrases + 1", "E208"),
    ("DELETE FROM gram_count", "E208"),
    ("INSERT INTO gram_count (language_id, gram, phrases) VALUES (2, 'zzz', 1)", "E208"),
    ("INSERT INTO word_form (key, word_id, tag) VALUES ('Form', 1, '')", "E209"),
    ("UPDATE sense SET language_id = 99", "E210"),
    (A_PHOTO, "E211"),
    (
        """INSERT INTO submission (kind, status, submitted, payload) VALUES
        ('missing', 'pending_review', 0, '{"kind": "missing", "data": {"language": "99", "word": "x"}}')""",
        "E103",
    ),
    (
        """INSERT INTO history (at, action_id, record, record_id, before)
        VALUES (0, 4, 'word', 1, '{"word:1": {"kind": "word", "language_id": 99}}')""",
        "E103",
    ),
    ("UPDATE word SET rarity = 255 - rarity", "E217"),
    ("DELETE FROM phrase_word", "E214"),
    ("INSERT INTO phrase_word (key, phrase_id) VALUES ('~zzz', 1)", "E214"),
    ("UPDATE sound_frame SET numbers = SUBSTR(numbers, 5) WHERE page < 256", "E213"),
    ("DELETE FROM sound_frame", "W213"),
    ("UPDATE sound_frame SET form = 0", "W213"),
    ("DELETE FROM sound_filter WHERE page < 256", "E218"),
    ("DELETE FROM sound_filter", "W218"),
    ("UPDATE sound_filter SET form = 0", "W218"),
    ("DELETE FROM readable_word WHERE page < 256", "E219"),
    ("INSERT INTO completion (prefix, words) SELECT 'Ezzz', words FROM completion WHERE prefix = 'S'", "E215"),
    ("DELETE FROM completion WHERE prefix = 'S'", "W215"),
    ("DELETE FROM idea_cache", "W203"),
    ("UPDATE idea_cache SET form = 0", "W203"),
]


def find_codes(database: Database) -> set[str]:
    """Check a database, and return the codes of its findings."""
    return {finding.code for finding in check(database)}


def test_the_sample_has_no_errors(shared_dictionary: Database) -> None:
    assert {code for code in find_codes(shared_dictionary) if code.startswith("E")} == set()
    assert not is_reindexing_due(shared_dictionary)


def test_each_corruption_is_found_and_derived_data_is_repaired(databases: Databases, subtests: pytest.Subtests) -> None:
    for statement, code in CORRUPTIONS:
        with (
            subtests.test(f"{code} {statement}"),
            open_database(databases, load_sample, may_be_stale=True) as dictionary,
        ):
            with dictionary.engine.begin() as connection:
                connection.execute(text(statement))
            found = find_codes(dictionary)

            assert code in found
            if code in REPAIRABLE_CODES:
                repair_findings(dictionary, found)

                assert find_codes(dictionary) == found - REPAIRABLE_CODES
                assert repair_findings(dictionary, REPAIRABLE_CODES) == 0


@pytest.mark.spoils
@pytest.mark.parametrize("databases", ["sqlite"], indirect=True)
def test_an_unknown_language_id_is_found_in_every_column(dictionary: Database) -> None:
    spoilt = [
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in find_language_columns(table)
        if column.foreign_keys
    ]
    with sqlite3.connect(str(dictionary.url.database)) as connection:
        for name in spoilt:
            table, _, column = name.partition(".")
            connection.execute(f"UPDATE {table} SET {column} = 99 WHERE rowid = (SELECT min(rowid) FROM {table})")  # noqa: S608

    found = {finding.record for finding in check(dictionary) if finding.code == "E103"}

    # The sample has no recordings and no entries of LIFT.
    assert found == set(spoilt) - {"recording.language_id", "lift_entry.language_id"}


def test_only_derived_data_are_repaired(dictionary: Database) -> None:
    assert repair_findings(dictionary, {"W101", "E102"}) == 0


def test_reindexing_repairs_every_key_and_removes_near_keys_of_no_word(dictionary: Database) -> None:
    with dictionary.engine.begin() as connection:
        for statement in (
            "UPDATE word SET loose_key = 'x', exact_key = 'y', sound_key = 'z'",
            "UPDATE phrase SET sound_key = 'x'",
            "UPDATE phrase SET sort_key = 'x'",
            "DELETE FROM near_key",
            "DELETE FROM phrase_gram",
            "DELETE FROM definition_word",
            "DELETE FROM key_rules",
            "DELETE FROM idea_cache WHERE idea_id < 9",
            "UPDATE idea_cache SET words = NULL WHERE idea_id > 12",
        ):
            connection.execute(text(statement))
    assert is_reindexing_due(dictionary)

    assert reindex(dictionary) > 100

    assert {code for code in find_codes(dictionary) if code.startswith(("E", "W203"))} == set()
    assert reindex(dictionary) == 0

    near = "SELECT key, word_id FROM near_key ORDER BY key, word_id"
    with dictionary.engine.begin() as connection:
        before = connection.execute(text(near)).all()
        connection.execute(text("INSERT INTO near_key (key, word_id) VALUES ('zzz', 1), ('পানী', 999999)"))

    assert reindex(dictionary) > 0

    with dictionary.engine.begin() as connection:
        assert connection.execute(text(near)).all() == before
    assert reindex(dictionary) == 0


def test_cycles_are_found_once() -> None:
    assert find_cycles([(1, 2), (2, 3), (3, 1), (4, 1), (5, 6), (6, 5)]) == [(1, 2, 3), (5, 6)]
    assert find_cycles([(1, 2), (1, 3), (2, 3)]) == []
    assert find_cycles([(1, 2), (2, 3), (3, 2), (1, 4), (4, 5), (5, 4), (5, 1)]) == [(2, 3), (4, 5)]


def test_ideas_missing_from_the_cache_are_filled_in(dictionary: Database) -> None:
    dictionary.write_now(invalidate_all)
    assert "W203" in find_codes(dictionary)

    missing = dictionary.read_now(count_missing)
    version = dictionary.version_now()

    assert fill_idea_cache(dictionary) == missing

    assert not {"E203", "W203"} & find_codes(dictionary)
    assert dictionary.version_now() == version
    assert fill_idea_cache(dictionary) == 0


@pytest.mark.spoils
def test_the_cache_never_keeps_an_idea_that_was_edited_meanwhile(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Edit between the reading of each few ideas and the writing of them, the first three times."""
    dictionary.write_now(invalidate_all)
    edits = iter(["one", "two", "three"])
    read_missing = idea_cache.load_missing

    def then_edit(reader: ReadConnection, after: int) -> idea_cache.MissingIdeas:
        read = read_missing(reader, after)
        if (text_of_edit := next(edits, "")) and read.ideas:
            changed = update(definition).where(definition.c.idea_id == min(read.ideas)).values(text=text_of_edit)
            dictionary.write_now(lambda connection: connection.execute(changed))
        return read

    monkeypatch.setattr(idea_cache, "load_missing", then_edit)
    fill_idea_cache(dictionary)

    assert next(edits, None) is None
    assert not {"E203", "W203"} & find_codes(dictionary)


def test_scripts_are_distinguished() -> None:
    for word, script, expected in [
        ("পানী", "Beng", True),
        ("pani", "Beng", False),
        ("1", "Beng", True),
        ("x", "Mtei", True),
    ]:
        assert is_in_script(word, script) is expected, word


def test_unassigned_characters_are_listed() -> None:
    assert list_unknown_characters("a\ufffdb\ue000পানী") == ["U+FFFD", "U+E000"]


def test_every_code_is_explained_in_the_documentation() -> None:
    documentation = (Path(__file__).parents[3] / "docs/backup.md").read_text()

    assert {*re.findall(r"^\| ([EW]\d+) ", documentation, re.MULTILINE)} == {*EXPLANATIONS}
