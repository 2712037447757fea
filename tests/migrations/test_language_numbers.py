"""The step that gives languages the numbers of XOBDO, apart from a whole database of before."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.store.checks import find_language_columns
from abhidhan.migrations.versions import r0036_language_numbers as step
from abhidhan.platform.database import other_servers
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import PrepareResult, migrate, prepare_database
from abhidhan.records.errors import DatabaseError
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import LanguageRecord
from abhidhan.records.languages import LANGUAGE_IDS
from abhidhan.schema import metadata
from tests.support.postgresql import PostgresqlServer
from tests.support.sample import NOW

BEFORE = "0034"


def test_the_packaged_languages_have_the_numbers_that_programs_know() -> None:
    packaged = {
        placed.record.code: placed.record.id
        for placed in read_catalogue_records()
        if isinstance(placed, LocatedRecord) and isinstance(placed.record, LanguageRecord)
    }

    assert packaged == dict(LANGUAGE_IDS) == step.LANGUAGE_IDS


def test_the_step_names_every_column_that_holds_a_language() -> None:
    columns = {(table.name, column.name) for table in metadata.sorted_tables for column in find_language_columns(table)}

    # That table is of a later step.
    assert columns - {("lift_entry", "language_id")} == set(step.LANGUAGE_ID_COLUMNS)


def test_languages_are_numbered_by_their_codes() -> None:
    cases: list[tuple[dict[int, str], dict[int, int]]] = [
        ({1: "en", 12: "trp"}, {}),  # A language that has its number stays.
        ({11: "trp", 12: "hmr", 13: "nag"}, {11: 12, 12: 13, 13: 14}),  # Each moves to the next.
        ({33: "pck"}, {33: 39}),  # A known code moves from an own number.
        ({33: "qaa"}, {}),  # An unknown code keeps a number that no language needs.
        ({34: "qaa"}, {34: 1001}),  # An unknown code makes room.
        ({34: "qaa", 35: "qab", 1001: "qac"}, {34: 1002, 35: 1003}),  # Each own number is used once.
    ]
    for codes, numbers in cases:
        assert step.assign_ids(codes) == numbers


def test_no_language_moves_to_a_number_of_another() -> None:
    for numbers in (
        {11: 12, 12: 13, 13: 14},  # a chain
        {12: 13, 13: 12},  # two that change places
        {12: 13, 13: 14, 14: 12, 34: 1001},  # a circle of three beside another
    ):
        owner = {number: number for number in numbers}
        for old, new in step.order_moves(numbers, set(numbers)):
            assert new not in owner
            owner[new] = owner.pop(old)

        assert {first: now for now, first in owner.items()} == numbers


def test_only_numbers_of_languages_within_json_change() -> None:
    cases: list[tuple[object, object]] = [
        ({"language_id": 14, "id": 14}, {"language_id": 15, "id": 14}),
        (
            {"idea:1": {"definitions": [{"language_id": 11, "text": "11"}]}},
            {"idea:1": {"definitions": [{"language_id": 12, "text": "11"}]}},
        ),
        ({"data": {"language": "14", "answer_language": 1}}, {"data": {"language": "15", "answer_language": 1}}),
        (
            {"idea:1": {"definitions": [[11, "11"]], "examples": [[14, "14", None]], "aliases": [[11, "x"]]}},
            {"idea:1": {"definitions": [[12, "11"]], "examples": [[15, "14", None]], "aliases": [[11, "x"]]}},
        ),
        ({"data": {"language": "dis"}}, {"data": {"language": "dis"}}),
        ({"language_id": None, "language": True}, {"language_id": None, "language": True}),
    ]
    for before, after in cases:
        renumbered = step.renumber_json(json.dumps(before, ensure_ascii=False), {11: 12, 14: 15})

        assert renumbered is not None
        assert json.loads(renumbered) == after


def test_text_that_is_not_json_stays_unchanged() -> None:
    assert step.renumber_json('{"language_id": 14', {14: 15}) == '{"language_id": 14'
    assert step.renumber_json(None, {14: 15}) is None


# --- who else uses the database ---------------------------------------------------------------------------------------


@pytest.fixture
def few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_servers, "MAX_CHECKS", 2)


def make_older(url: str) -> None:
    with Database(url) as database, database.engine.begin() as connection:
        migrate(connection, BEFORE)


def revision(url: str) -> str:
    with Database(url) as database, database.engine.connect() as connection:
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())


@pytest.mark.usefixtures("few_tries")
def test_a_file_that_another_program_has_open_is_not_upgraded(tmp_path: Path) -> None:
    file = tmp_path / "dictionary.sqlite3"
    url = f"sqlite:///{file}"
    make_older(url)

    with closing(sqlite3.connect(file)) as server:
        server.execute("SELECT count(*) FROM word").fetchall()
        with pytest.raises(DatabaseError, match="Stop every server"):
            prepare_database(url, tmp_path / "backups")
    assert revision(url) == BEFORE

    assert prepare_database(url, tmp_path / "backups") is PrepareResult.UPGRADED
    with closing(sqlite3.connect(file)) as server:
        assert server.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.thorough
@pytest.mark.usefixtures("few_tries")
def test_a_database_to_which_another_program_is_connected_is_not_upgraded(
    postgresql: PostgresqlServer, tmp_path: Path
) -> None:
    name = postgresql.create()
    url = postgresql.url(name)
    make_older(url)

    with closing(psycopg.connect(url, autocommit=True)), pytest.raises(DatabaseError, match="Stop every server"):
        prepare_database(url, tmp_path)
    assert revision(url) == BEFORE

    assert prepare_database(url, tmp_path) is PrepareResult.UPGRADED
    postgresql.drop(name)


@pytest.mark.thorough
@pytest.mark.usefixtures("few_tries")
def test_a_lease_of_another_server_stops_the_upgrade_until_it_ends(
    postgresql: PostgresqlServer, tmp_path: Path
) -> None:
    name = postgresql.create()
    url = postgresql.url(name)
    make_older(url)
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        connection.execute(
            "INSERT INTO lease (name, owner, expires) "
            "VALUES ('packs', 'elsewhere/1/1/x', extract(epoch FROM clock_timestamp()) * 1000 + 60000)"
        )

    with pytest.raises(DatabaseError, match="packs"):
        prepare_database(url, tmp_path)
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        connection.execute("UPDATE lease SET expires = 0")

    assert prepare_database(url, tmp_path) is PrepareResult.UPGRADED
    postgresql.drop(name)


# --- numbers of new languages -----------------------------------------------------------------------------------------


def test_the_code_of_an_imported_language_decides_its_number(database: Database) -> None:
    import_records(database, read_catalogue_records(), now=NOW)
    for code, number, expected in (
        ("trp", 11, 12),  # A stored language keeps its number.
        ("qaa", 500, 500),  # A new code gets a free number.
        ("qab", 12, 1001),  # A new code does not get the number of another language.
        ("qac", 0, 1002),  # A new code without a number gets an own number.
    ):
        reported = import_language(database, LanguageRecord(number, code, None, "Name", "Name", "Latn"))

        assert numbers_of(database)[code] == expected
        assert reported == (
            [f"a.jsonl:1: The language qab gets the number {expected} here, not 12."] if number == 12 else []
        )


def test_numbers_of_xobdo_are_reserved_for_its_languages(database: Database) -> None:
    import_language(database, LanguageRecord(12, "qaa", None, "Name", "Name", "Latn"))
    import_language(database, LanguageRecord(11, "trp", "trp", "Kok-Borok", "Kókborok", "Latn"))

    assert numbers_of(database) == {"qaa": 1001, "trp": 12}


def import_language(database: Database, language: LanguageRecord) -> list[str]:
    """Import a language, and list what the import reports."""
    reported: list[str] = []
    placed = [LocatedRecord("a.jsonl", 1, language)]
    import_records(database, placed, now=NOW, on_remark=lambda fault: reported.append(str(fault)))
    return reported


def numbers_of(database: Database) -> dict[str, int]:
    """Return the number of each language by its code."""
    return {language.code: language.id for language in database.read_now(lambda reader: reader.catalogue).languages}
