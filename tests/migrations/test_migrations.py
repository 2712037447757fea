import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.migrations import REVISIONS
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import migrate
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import ListItemRecord
from abhidhan.schema import metadata
from tests.support.databases import Databases, SqliteDatabases
from tests.support.older_versions import open_old_database

COLLATED = text(
    "SELECT attrelid::regclass::text, attname FROM pg_attribute JOIN pg_collation ON attcollation = pg_collation.oid "
    "WHERE collname = 'C' AND attrelid::regclass::text = ANY(:tables) ORDER BY 1, 2"
)
POSTGRESQL_SCHEMA: Final = text(
    "SELECT relname || '.' || attname, concat_ws(' ', attnum, format_type(atttypid, atttypmod), attnotnull, "
    "attcollation::regcollation, attstorage, relpersistence, pg_get_expr(adbin, adrelid)) "
    "FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid "
    "LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum "
    "WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S') AND attnum > 0 AND NOT attisdropped "
    "UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE connamespace = 'public'::regnamespace "
    "UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
)


@pytest.fixture
def empty(databases: Databases) -> Iterator[Database]:
    """Open a database without tables."""
    url = databases.absent()
    with Database(url) as database:
        yield database
    databases.remove(url)


def test_the_program_lists_its_migration_steps_in_order() -> None:
    script = ScriptDirectory.from_config(_config())

    assert tuple(step.revision for step in script.walk_revisions())[::-1] == REVISIONS


# SQLAlchemy does not read SQLite's indexes of expressions: the test below compares them as they are written.
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified expression-based index")
def test_a_migrated_database_has_exactly_the_tables_of_the_program(database: Database) -> None:
    with database.engine.begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_migrated_sqlite_file_has_the_statements_of_the_tables(sqlite_databases: SqliteDatabases) -> None:
    with Database(sqlite_databases.absent()) as migrated, Database(sqlite_databases.absent()) as made:
        with migrated.engine.begin() as connection:
            migrate(connection)
            found = _sqlite_schema(connection)
        with made.engine.begin() as connection:
            metadata.create_all(connection)
            wanted = _sqlite_schema(connection)

    assert found == wanted


def test_text_that_is_compared_goes_by_code_point_on_postgresql(database: Database) -> None:
    if database.is_sqlite:
        return
    wanted = sorted(
        (table.name, column.name)
        for table in metadata.tables.values()
        for column in table.columns
        if "COLLATE" in str(column.type.compile(database.engine.dialect))
    )

    with database.engine.begin() as connection:
        found = connection.execute(COLLATED, {"tables": list(metadata.tables)})

        assert [tuple(row) for row in found] == wanted


def test_the_first_step_makes_the_tables_that_5af1802_made(
    empty: Database, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    server = None if empty.is_sqlite else request.getfixturevalue("postgresql")
    with (
        open_old_database(tmp_path, server) as old,
        Database(old.url) as older,
        empty.engine.begin() as new_tables,
        older.engine.begin() as old_tables,
    ):
        migrate(new_tables, REVISIONS[0])
        assert _schema(new_tables) == _schema(old_tables)

        # The later steps meet an empty dictionary here, and one that people have used there.
        migrate(new_tables)
        migrate(old_tables)
        assert _schema(new_tables) == _schema(old_tables)


def test_migrating_step_by_step_gives_the_tables_of_the_program(empty: Database) -> None:
    with empty.engine.begin() as connection:
        for revision in REVISIONS:
            migrate(connection, revision)
        assert set(inspect(connection).get_table_names()) == {*metadata.tables, "alembic_version"}

        migrate(connection)

        assert connection.execute(text("SELECT data_version FROM state")).scalars().all() == [1]


FIFTEEN: Final = (
    ("Common Noun", "Noun"), ("Proper Noun", "Noun"), ("Material Noun", "Noun"), ("Verbal Noun", "Noun"),
    ("Abstract Noun", "Noun"), ("Pronoun", "Pronoun"), ("Proper Adjective", "Adjective"),
    ("Verbal Adjective", "Adjective"), ("Adjective Adjective", "Adjective"), ("Adverb", "Adjective/Adverb"),
    ("Transitive", "Verb"), ("Intransitive", "Verb"), ("Adposition", "Others"), ("Interjection", "Others"),
    ("Conjunction", "Others"),
)  # fmt: skip
"""The parts of speech before step 0035, and their major classes."""

Value = tuple[int, str, str | None]
"""A part of speech before the step: ID, value and major class."""


def _upgrade_values(empty: Database, values: list[Value]) -> dict[str, tuple[int, str | None, str | None]]:
    """Bring a list of parts of speech up to date, and return ID, major class and code by what they are called."""
    with empty.engine.begin() as connection:
        migrate(connection, "0034")
        for item_id, value, major in values:
            connection.execute(
                text(
                    "INSERT INTO list_item (list, id, value, code, position) VALUES ('POS', :id, :value, :major, :id)"
                ),
                {"id": item_id, "value": value, "major": major},
            )
        connection.execute(text("INSERT INTO list_item (list, id, value, position) VALUES ('CTX', 16, 'Noun', 1)"))
        migrate(connection, "0035")
        rows = connection.execute(text("SELECT * FROM list_item ORDER BY position")).all()
    contexts = [(row.id, row.value, row.short) for row in rows if row.list == "CTX"]
    assert contexts == [(16, "Noun", None)]
    return {row.value: (row.id, row.code, row.short) for row in rows if row.list == "POS"}


def _first(**others: Value) -> list[Value]:
    """List the fifteen values, some of them replaced by others, given as `_3=...`, and more behind them."""
    values = {number: (number, value, major) for number, (value, major) in enumerate(FIFTEEN, 1)}
    return [*(values | {int(place[1:]): value for place, value in others.items()}).values()]


def test_parts_of_speech_get_their_codes_and_seven_more(empty: Database) -> None:
    found = _upgrade_values(empty, _first())

    packaged = [one.record for one in read_catalogue_records() if isinstance(one, LocatedRecord)]
    values = [one for one in packaged if isinstance(one, ListItemRecord) and one.list == "POS"]
    assert [*found.items()] == [(one.value, (one.id, one.code, one.short)) for one in values]


def test_a_list_without_parts_of_speech_stays_empty(empty: Database) -> None:
    assert _upgrade_values(empty, []) == {}


def test_an_own_part_of_speech_keeps_its_number_and_a_new_one_gets_a_free_number(
    empty: Database,
) -> None:
    found = _upgrade_values(empty, _first(_16=(16, "Particle", None), _1001=(1001, "Clitic", "Others")))

    assert found["Particle"] == (16, None, None)
    assert found["Clitic"] == (1001, "Others", None)
    assert found["Noun"] == (1002, "Noun", "N")
    assert found["Verb"] == (17, "Verb", "V")


def test_an_own_part_of_speech_with_the_same_name_replaces_the_new_one(empty: Database) -> None:
    found = _upgrade_values(empty, _first(_16=(16, "Suffix", "Endings"), _30=(30, "verb", None)))

    assert found["Suffix"] == (16, "Endings", "sfx")
    assert found["verb"] == (30, "Verb", "V")
    assert found["Noun"] == (1001, "Noun", "N")
    assert found["Other"] == (21, "Others", "OTH")
    assert "Verb" not in found


def test_a_part_of_speech_keeps_its_code_under_another_name_and_gets_a_missing_class(empty: Database) -> None:
    found = _upgrade_values(empty, _first(_1=(1, "Name of a kind", "Noun"), _2=(2, "Proper Noun", None)))

    assert found["Name of a kind"] == (1, "Noun", "N.com")
    assert found["Proper Noun"] == (2, "Noun", "N.pro")


def test_words_without_a_part_of_speech_are_listed_under_none(empty: Database) -> None:
    with empty.engine.begin() as connection:
        migrate(connection, "0034")
        connection.execute(
            text(
                "INSERT INTO language (id, code, name, native_name, script, direction)"
                " VALUES (1, 'a', 'A', 'A', 'Latn', 'ltr')"
            )
        )
        connection.execute(
            text(
                "INSERT INTO idea (id, pos_id, created, updated) VALUES (1, NULL, 1, 1), (2, 3, 1, 1), (3, NULL, 1, 1)"
            )
        )
        for word_id, ideas in ((1, (1, 2, 3)), (2, (2,))):
            connection.execute(
                text(
                    "INSERT INTO word"
                    " (id, language_id, text, exact_key, loose_key, sound_key, sort_key, created, updated)"
                    " VALUES (:id, 1, :text, '', '', '', :sort_key, 1, 1)"
                ),
                {"id": word_id, "text": f"word {word_id}", "sort_key": b"\x01"},
            )
            for idea_id in ideas:
                connection.execute(
                    text(
                        "INSERT INTO sense (word_id, idea_id, position, added, language_id)"
                        " VALUES (:word_id, :idea_id, :idea_id, 1, 1)"
                    ),
                    {"word_id": word_id, "idea_id": idea_id},
                )

        migrate(connection, "0035")

        kept = connection.execute(text("SELECT language_id, pos_id, sort_key, text, word_id FROM word_pos"))
        assert [tuple(map(_as_bytes, row)) for row in kept] == [(1, 0, b"\x01", "word 1", 1)]


def test_words_of_an_idea_are_ordered_as_they_were_entered(empty: Database) -> None:
    with empty.engine.begin() as connection:
        migrate(connection, "0036")
        languages = "INSERT INTO language (id, code, name, native_name, script, direction) VALUES "
        connection.execute(text(languages + "(1, 'a', 'A', 'A', 'Latn', 'ltr'), (2, 'b', 'B', 'B', 'Latn', 'ltr')"))
        connection.execute(text("INSERT INTO idea (id, created, updated) VALUES (1, 1, 1), (2, 1, 1)"))
        words = (
            "INSERT INTO word (id, language_id, text, exact_key, loose_key, sound_key, sort_key, created, updated)"
            " VALUES (:id, :language_id, :text, '', '', '', :sort_key, 1, 1)"
        )
        senses = (
            "INSERT INTO sense (word_id, idea_id, position, added, language_id)"
            " VALUES (:id, :idea_id, 1, 1, :language_id)"
        )
        for word_id, language_id, spelling, sort_key, ideas in (
            (1, 1, "c", b"\x03", (1, 2)),
            (2, 1, "b", b"\x01", (1,)),
            (3, 1, "a", b"\x02", (1, 2)),
            (4, 1, "B", b"\x01", (1,)),
            (5, 2, "d", b"\x09", (1,)),
        ):
            word = {"id": word_id, "language_id": language_id}
            connection.execute(text(words), word | {"text": spelling, "sort_key": sort_key})
            for idea_id in ideas:
                connection.execute(text(senses), word | {"idea_id": idea_id})

        migrate(connection, "0038")

        found = connection.execute(text("SELECT idea_id, language_id, rank, word_id FROM sense ORDER BY 1, 2, 3"))
        assert [tuple(row) for row in found] == [
            *((1, 1, 1, 1), (1, 1, 2, 2), (1, 1, 3, 3), (1, 1, 4, 4)),
            *((1, 2, 1, 5), (2, 1, 1, 1), (2, 1, 2, 3)),
        ]


def test_consent_to_mails_about_decisions_stays_and_to_digests_is_removed(
    empty: Database, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [(1, "decisions", "at_once"), (1, "digest", "weekly"), (2, "decisions", "never"), (3, "digest", "never")]
    with empty.engine.begin() as connection:
        migrate(connection, "0040")
        person = text(
            "INSERT INTO person (id, username, username_key, role, created) VALUES (:id, :name, :name, 'reader', 0)"
        )
        for person_id in (1, 2, 3):
            connection.execute(person, {"id": person_id, "name": f"p{person_id}"})
        choice = text("INSERT INTO mail_choice VALUES (:id, :topic, :often, 'as', 's', 5, 7, 0, 0, 'a@b.example')")
        for person_id, topic, often in [*rows, (1, "confirmation", "at_once")]:
            connection.execute(choice, {"id": person_id, "topic": topic, "often": often})

        migrate(connection, "0042")

        found = connection.execute(text("SELECT * FROM mail_choice ORDER BY person_id, topic")).all()
    rest = ("as", "s", 5, 7, 0, 0, "a@b.example")
    assert [tuple(row) for row in found] == [
        (1, "confirmation", "at_once", *rest),
        (1, "decisions", "daily", *rest),
        (2, "decisions", "never", *rest),
    ]
    assert "people who had agreed to them: 1." in caplog.text


def _as_bytes(value: object) -> object:
    """Give bytes as SQLite does, whatever the driver calls them."""
    return bytes(value) if isinstance(value, memoryview) else value


def test_an_interrupted_migration_changes_nothing(empty: Database) -> None:
    def break_off() -> None:
        with empty.engine.begin() as connection:
            migrate(connection)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        break_off()

    with empty.engine.begin() as connection:
        assert inspect(connection).get_table_names() == []


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "abhidhan:migrations")
    return config


_PARTS: Final = re.compile(r"\s*\n\s*|\s*,\s*(?![^(]*\)\s*[,\n)])")
"""Between the parts of a statement: line ends, and commas that stand in no brackets."""


def _schema(connection: Connection) -> dict[str, list[str]] | list[tuple[str, str]]:
    """Describe tables and indexes by their statements on SQLite, columns, constraints and indexes on PostgreSQL."""
    if connection.dialect.name == "sqlite":
        return _sqlite_schema(connection)
    return sorted((name, described) for name, described in connection.execute(POSTGRESQL_SCHEMA))


def _sqlite_schema(connection: Connection) -> dict[str, list[str]]:
    """Return each table's and index's statement, its parts sorted: the order of columns and constraints means nothing.

    A column that a later step has added stands behind the constraints, on their line.
    """
    rows = connection.execute(
        text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'alembic_version'")
    )
    return {row.name: sorted(filter(None, (part.strip(" ,)") for part in _PARTS.split(row.sql)))) for row in rows}
