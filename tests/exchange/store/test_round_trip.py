"""A dictionary that people have edited goes out as a file, into an empty one and out again, byte for byte."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.store.dump import dump_records
from abhidhan.formats.jsonl import encode_line
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from tests.support.arbitrary_edits import ALL_EDIT_NAMES, ALL_KINDS_OF_EDITS, EditList, RandomEditor
from tests.support.databases import Databases, SqliteDatabases, leave_empty, load_sample, open_database
from tests.support.sample import NOW

LATER = NOW + 1_000
NUMBERS = st.integers(0, 200)


def dump_lines(database: Database) -> list[bytes]:
    """Return the lines of a file of the dictionary."""
    with database.snapshot() as reader:
        return [encode_line(record) for record in dump_records(reader)]


def dump_imported_copy(databases: Databases, database: Database, *, words_at_once: int | None) -> list[bytes]:
    """Return the lines of an empty dictionary into which another was imported."""
    with database.snapshot() as reader:
        records = [LocatedRecord("dump", line, record) for line, record in enumerate(dump_records(reader), 1)]
    with open_database(databases, leave_empty) as empty:
        loaded = import_records(empty, records, now=LATER, words_per_transaction=words_at_once, enforce_limits=False)
        assert loaded.errors == ()
        return dump_lines(empty)


def test_importing_the_dump_of_an_edited_dictionary_changes_nothing(databases: Databases) -> None:
    with open_database(databases, load_sample) as database:
        editor = RandomEditor(database)
        for deed in ALL_KINDS_OF_EDITS:
            editor.apply_edit(*deed)
        before = dump_lines(database)
        with database.snapshot() as reader:
            records = [LocatedRecord("dump", line, record) for line, record in enumerate(dump_records(reader), 1)]

        import_records(database, records, now=LATER)

        assert dump_lines(database) == before


def check(databases: Databases, deeds: EditList, *, words_at_once: int | None = None) -> None:
    with open_database(databases, load_sample) as database:
        editor = RandomEditor(database)
        for deed in deeds:
            editor.apply_edit(*deed)
        assert dump_imported_copy(databases, database, words_at_once=words_at_once) == dump_lines(database)


@pytest.mark.thorough
@settings(max_examples=6, deadline=None, phases=(Phase.reuse, Phase.generate))
@given(
    deeds=st.lists(st.tuples(st.sampled_from(ALL_EDIT_NAMES), NUMBERS, NUMBERS), min_size=1, max_size=25),
    words_at_once=st.sampled_from((None, 1, 40)),
)
def test_any_edited_dictionary_round_trips(
    sqlite_databases: SqliteDatabases, deeds: EditList, words_at_once: int | None
) -> None:
    check(sqlite_databases, deeds, words_at_once=words_at_once)


def test_a_dictionary_with_edits_of_every_kind_round_trips_on_both_engines(databases: Databases) -> None:
    check(databases, ALL_KINDS_OF_EDITS)
