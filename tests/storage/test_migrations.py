import re
from collections.abc import Iterator
from typing import Final

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from abhidhan.storage.engine.database import Database
from abhidhan.storage.migrate import migrate
from abhidhan.storage.migrations import REVISIONS
from abhidhan.storage.schema import metadata
from tests.support.databases import Databases, SqliteDatabases

COLLATED = text(
    "SELECT attrelid::regclass::text, attname FROM pg_attribute JOIN pg_collation ON attcollation = pg_collation.oid "
    "WHERE collname = 'C' AND attrelid::regclass::text = ANY(:tables) ORDER BY 1, 2"
)


@pytest.fixture
def empty(databases: Databases) -> Iterator[Database]:
    """Open a database without tables."""
    url = databases.absent()
    with Database(url) as database:
        yield database
    databases.remove(url)


def test_the_steps_that_the_program_lists_are_those_that_it_has() -> None:
    script = ScriptDirectory.from_config(_config())

    assert tuple(step.revision for step in script.walk_revisions())[::-1] == REVISIONS


# SQLAlchemy does not read SQLite's indexes of expressions: the test below compares them as they are written.
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified expression-based index")
def test_a_migrated_database_has_just_the_tables_of_the_program(database: Database) -> None:
    with database.engine.begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_migrated_sqlite_file_is_written_as_the_tables_are(sqlite_databases: SqliteDatabases) -> None:
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


def test_steps_are_taken_one_after_another_or_all_at_once(empty: Database) -> None:
    with empty.engine.begin() as connection:
        for revision in REVISIONS:
            migrate(connection, revision)
        assert set(inspect(connection).get_table_names()) == {*metadata.tables, "alembic_version"}

        migrate(connection)

        assert connection.execute(text("SELECT data_version FROM state")).scalars().all() == [1]


def test_of_old_tickets_only_those_that_harm_nobody_stay(empty: Database) -> None:
    tickets = (("a", "invitation", "editor"), ("b", "invitation", "contributor"), ("c", "reset", None))
    with empty.engine.begin() as connection:
        migrate(connection, "0005")
        for token, kind, role in tickets:
            values = {"token": token, "kind": kind, "role": role}
            connection.execute(
                text(
                    "INSERT INTO ticket (token_hash, kind, role, created, expires) VALUES (:token, :kind, :role, 1, 2)"
                ),
                values,
            )

        migrate(connection)

        assert connection.execute(text("SELECT token_hash, role FROM ticket")).all() == [("b", "contributor")]


def test_words_stay_under_their_parts_of_speech_without_the_index(empty: Database) -> None:
    places = [(1, 2, b"b", "a", 1), (1, 2, b"b", "জল", 2), (1, 7, b"\x00\xff", "a", 1), (2, 2, b"", "a", 3)]
    kept = text("SELECT language_id, pos_id, sort_key, text, word_id FROM word_pos ORDER BY 1, 2, 3, 4, 5")
    with empty.engine.begin() as connection:
        migrate(connection, "0030")
        connection.execute(
            text(
                "INSERT INTO language (id, code, name, native_name, script, direction)"
                " VALUES (1, 'a', 'A', 'A', 'Latn', 'ltr'), (2, 'b', 'B', 'B', 'Latn', 'ltr')"
            )
        )
        for word_id, language_id, spelled in ((1, 1, "a"), (2, 1, "জল"), (3, 2, "a")):
            connection.execute(
                text(
                    "INSERT INTO word"
                    " (id, language_id, text, exact_key, loose_key, sound_key, sort_key, created, updated)"
                    " VALUES (:id, :language_id, :text, '', '', '', :sort_key, 1, 1)"
                ),
                {"id": word_id, "language_id": language_id, "text": spelled, "sort_key": b""},
            )
        connection.execute(
            text("INSERT INTO word_pos VALUES (:language_id, :pos_id, :sort_key, :text, :word_id)"),
            [dict(zip(("language_id", "pos_id", "sort_key", "text", "word_id"), one, strict=True)) for one in places],
        )

        migrate(connection)

        assert [tuple(map(_as_bytes, row)) for row in connection.execute(kept)] == places
        assert inspect(connection).get_indexes("word_pos") == []
        assert inspect(connection).get_foreign_keys("word_pos") == []
        assert "word_pos_aside" not in inspect(connection).get_table_names()


def test_words_of_definitions_still_lead_to_their_ideas_without_the_index(empty: Database) -> None:
    words = [("a", 1), ("a", 2), ("b", 1), ("জল", 2)]
    with empty.engine.begin() as connection:
        migrate(connection, "0032")
        connection.execute(text("INSERT INTO idea (id, created, updated) VALUES (1, 1, 1), (2, 1, 1)"))
        connection.execute(
            text("INSERT INTO definition_word (key, idea_id) VALUES (:key, :idea_id)"),
            [{"key": key, "idea_id": idea_id} for key, idea_id in words],
        )

        migrate(connection)

        kept = connection.execute(text("SELECT key, idea_id FROM definition_word ORDER BY key, idea_id"))
        assert [tuple(row) for row in kept] == words
        assert inspect(connection).get_indexes("definition_word") == []
        assert inspect(connection).get_foreign_keys("definition_word") == []
        assert "definition_word_aside" not in inspect(connection).get_table_names()


def _as_bytes(value: object) -> object:
    """Give bytes as SQLite does, whatever the driver calls them."""
    return bytes(value) if isinstance(value, memoryview) else value


def test_a_migration_that_is_broken_off_leaves_nothing(empty: Database) -> None:
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
    config.set_main_option("script_location", "abhidhan.storage:migrations")
    return config


_PARTS: Final = re.compile(r"\s*\n\s*|\s*,\s*(?![^(]*\)\s*[,\n)])")
"""Between the parts of a statement: line ends, and commas that stand in no brackets."""


def _sqlite_schema(connection: Connection) -> dict[str, list[str]]:
    """Return each table's and index's statement, its parts sorted: the order of columns and constraints means nothing.

    A column that a later step has added stands behind the constraints, on their line.
    """
    rows = connection.execute(
        text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'alembic_version'")
    )
    return {row.name: sorted(filter(None, (part.strip(" ,)") for part in _PARTS.split(row.sql)))) for row in rows}
