"""Words of definitions: stored without an index on the idea, found by its current or earlier definitions."""

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import product

import msgspec
import pytest
from sqlalchemy import Connection, insert, inspect, select, text

from abhidhan.dictionary.store.index import Index, RebuildCursor, StepResult
from abhidhan.dictionary.store.indexes import definition_words, record_keys, registry
from abhidhan.dictionary.store.indexes.registry import INDEXES
from abhidhan.editing.service.editing import Editing
from abhidhan.editing.store.records.change_recorder import ChangeRecorder
from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.editing.store.records.ideas import read_idea
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.service.maintenance import check, reindex, repair_findings
from abhidhan.exchange.store.loading.bulk_load import BulkLoadOptions, load_in_transaction
from abhidhan.platform.database.database import Database
from abhidhan.records.history import IdeaState, RecordRef
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.kinds import DefinitionRecord, IdeaRecord, WordRecord
from abhidhan.schema import definition, definition_word, idea
from assamese.search_keys import compute_definition_keys
from tests.support.arbitrary_edits import EDITOR
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.edits import change_record, edit_record, remove_record
from tests.support.plans import find_plans, record_statements
from tests.support.sample import NOW

Key = tuple[str, int]

ENGLISH, ASSAMESE = 1, 2
FIRST = 1
"""The ID of an idea of the sample."""

BY_KEY = "SEARCH definition_word USING PRIMARY KEY (key=? AND idea_id=?)"


def list_rows(database: Database) -> list[Key]:
    """List all rows."""
    with database.engine.connect() as connection:
        return sorted((row.key, row.idea_id) for row in connection.execute(select(definition_word)))


def derive_rows(database: Database) -> list[Key]:
    """Derive all rows from the definitions."""
    with database.engine.connect() as connection:
        given = connection.execute(select(definition.c.idea_id, definition.c.text)).all()
    return sorted({(key, idea_id) for idea_id, text in given for key in compute_definition_keys(text)})


def find_keys(database: Database, idea_id: int) -> set[str]:
    return {key for key, of in list_rows(database) if of == idea_id}


def test_neither_an_index_nor_a_foreign_key_leads_from_an_idea_to_its_rows(database: Database) -> None:
    with database.engine.connect() as connection:
        assert inspect(connection).get_indexes("definition_word") == []
        assert inspect(connection).get_foreign_keys("definition_word") == []


# --- edits ------------------------------------------------------------------------------------------------------------


def define(database: Database, *texts: str, idea_id: int = FIRST) -> None:
    change_record(database, "idea", idea_id, definitions=tuple((ENGLISH, text) for text in texts))


def make(database: Database, *texts: str) -> int:
    """Make an idea with definitions, and without words."""
    given = tuple((ENGLISH, text) for text in texts)
    state = msgspec.structs.replace(state_of(database, FIRST), external_key=None, source_id=None, definitions=given)
    return int(edit_record(database, lambda ledger: ledger.create("idea", state)).id)


def state_of(database: Database, idea_id: int) -> IdeaState:
    catalogue = database.read_now(lambda reader: reader.catalogue)

    def read(connection: Connection) -> IdeaState:
        state = read_idea(EditContext(connection, catalogue, NOW), str(idea_id))
        assert state
        return state

    return database.write_now(read)


def restore(database: Database, idea_id: int, state: IdeaState) -> None:
    """Restore a deleted idea under its ID."""

    def job(ledger: ChangeRecorder) -> RecordRef:
        name = RecordRef("idea", str(idea_id))
        ledger.apply(name, state)
        return name

    edit_record(database, job)


def test_an_idea_is_found_by_the_words_of_its_current_definitions(
    dictionary: Database, subtests: pytest.Subtests
) -> None:
    later: tuple[tuple[str, ...], ...] = (
        ("gamma delta",),
        ("alpha beta",),
        ("beta gamma",),
        ("beta gamma", "alpha", "epsilon"),
        (),
    )
    for definitions in later:
        with subtests.test(definitions=definitions):
            define(dictionary, "alpha beta", "beta gamma")
            assert find_keys(dictionary, FIRST) == {"alpha", "beta", "gamma"}

            define(dictionary, *definitions)

            assert find_keys(dictionary, FIRST) == {*" ".join(definitions).split()}
            assert list_rows(dictionary) == derive_rows(dictionary)


def test_edits_of_other_parts_of_an_idea_change_no_row(dictionary: Database) -> None:
    before = list_rows(dictionary)

    change_record(dictionary, "idea", FIRST, examples=((ASSAMESE, "পানী খাম।", None),), contexts=(), pos_id=None)

    assert list_rows(dictionary) == before == derive_rows(dictionary)
    assert find_keys(dictionary, FIRST)


def test_a_new_idea_is_found_until_deleted_and_again_when_restored(dictionary: Database) -> None:
    before = list_rows(dictionary)
    made = make(dictionary, "alpha beta", "beta gamma")
    assert find_keys(dictionary, made) == {"alpha", "beta", "gamma"}

    state = state_of(dictionary, made)
    remove_record(dictionary, "idea", made)
    assert list_rows(dictionary) == before == derive_rows(dictionary)

    restore(dictionary, made, state)
    assert find_keys(dictionary, made) == {"alpha", "beta", "gamma"}
    assert list_rows(dictionary) == derive_rows(dictionary)


def test_merged_ideas_are_found_by_the_words_of_both_definitions(dictionary: Database) -> None:
    made = make(dictionary, "alpha beta")
    define(dictionary, "beta gamma")

    asyncio.run(Editing(dictionary).merge(EDITOR, FIRST, made))

    assert (find_keys(dictionary, made), find_keys(dictionary, FIRST)) == (set(), {"alpha", "beta", "gamma"})
    assert list_rows(dictionary) == derive_rows(dictionary)


# --- imports ----------------------------------------------------------------------------------------------------------

WORD = (WordRecord("as", "পানী"),)


def build_idea(key: str, *texts: str) -> IdeaRecord:
    given = tuple(DefinitionRecord("en", text) for text in texts)
    return IdeaRecord("sample", key, "Adverb", WORD, definitions=given)


def locate(*records: IdeaRecord) -> list[LocatedRecord]:
    return [LocatedRecord("test.jsonl", line, record) for line, record in enumerate(records, 1)]


def find_idea(database: Database, key: str) -> int:
    with database.engine.connect() as connection:
        return int(connection.execute(select(idea.c.id).where(idea.c.external_key == key)).scalar_one())


def test_after_a_second_import_an_idea_is_found_by_the_words_of_its_current_definitions(
    dictionary: Database, subtests: pytest.Subtests
) -> None:
    for policy, words_at_once, keys in (
        (ConflictPolicy.KEEP, None, {"alpha", "beta", "gamma"}),
        (ConflictPolicy.FILL, 1, {"alpha", "beta", "gamma", "delta"}),
        (ConflictPolicy.REPLACE, None, {"beta", "gamma", "delta"}),
        (ConflictPolicy.REPLACE, 1, {"beta", "gamma", "delta"}),
    ):
        with subtests.test(policy=policy, words_at_once=words_at_once):
            load = partial(import_records, dictionary, now=NOW, policy=policy, words_per_transaction=words_at_once)
            one, two, three = names = [f"{policy.value} {words_at_once} {name}" for name in ("one", "two", "three")]
            first = build_idea(one, "alpha beta", "beta gamma"), build_idea(two, "alpha beta")
            load(locate(*first, build_idea(three, "alpha beta")))

            load(locate(build_idea(one, "gamma delta", "beta gamma"), build_idea(two, "alpha beta"), build_idea(three)))

            found = [find_keys(dictionary, find_idea(dictionary, name)) for name in names]
            assert found == [keys, {"alpha", "beta"}, {"alpha", "beta"}]
            assert list_rows(dictionary) == derive_rows(dictionary)


def test_definitions_that_one_file_replaces_twice_leave_no_row(dictionary: Database) -> None:
    again = [build_idea("one", *texts) for texts in (("alpha beta",), ("gamma",), ("beta delta",))]

    import_records(dictionary, locate(*again), now=NOW, policy=ConflictPolicy.REPLACE)

    assert find_keys(dictionary, find_idea(dictionary, "one")) == {"beta", "delta"}
    assert list_rows(dictionary) == derive_rows(dictionary)


# --- how rows are found -----------------------------------------------------------------------------------------------

EDITS: dict[str, Callable[[Database, int], None]] = {
    "another definition": lambda database, idea_id: define(database, "gamma", idea_id=idea_id),
    "an idea that goes": lambda database, idea_id: remove_record(database, "idea", idea_id),
    "an import": lambda database, _: replace_definition(database),
}


def replace_definition(database: Database) -> None:
    def load(connection: Connection) -> None:
        load_in_transaction(
            connection, locate(build_idea("water", "gamma")), BulkLoadOptions(NOW, ConflictPolicy.REPLACE)
        )

    database.write_now(load)


def test_an_edit_searches_by_key_and_idea(sqlite_databases: SqliteDatabases, subtests: pytest.Subtests) -> None:
    for name, edit in EDITS.items():
        with subtests.test(name), open_database(sqlite_databases, load_sample) as dictionary:
            idea_id = make(dictionary, "alpha beta")
            with record_statements(dictionary) as statements:
                edit(dictionary, idea_id)

            unstaged = [one for one in statements if "staged" not in one]
            assert find_plans("definition_word", dictionary, unstaged) == {BY_KEY}


# --- checks -----------------------------------------------------------------------------------------------------------

STRAY = (
    "key, 999999",
    "'zzz' || key, idea_id",
    f"key, {FIRST}",
    f"key, {FIRST + 1}",
)

REPAIRS: dict[str, Callable[[Database], object]] = {
    "reindex": reindex,
    "mend": lambda database: repair_findings(database, {"E205"}),
}


@pytest.fixture
def a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definition_words, "ROW_BATCH_SIZE", 7)
    monkeypatch.setattr(definition_words, "IDEA_BATCH_SIZE", 3)
    monkeypatch.setattr(record_keys, "ROW_BATCH_SIZE", 5)
    monkeypatch.setattr(record_keys, "RECORDS_PER_CHECKSUM", 4)


def report_wrong_ideas(database: Database) -> set[str]:
    """List the ideas that a check reports as found by the wrong words."""
    return {finding.record for finding in check(database) if finding.code == "E205"}


@pytest.mark.spoils
@pytest.mark.usefixtures("a_few_at_a_time")
def test_rows_that_no_definition_has_are_reported_and_removed(dictionary: Database, subtests: pytest.Subtests) -> None:
    before = list_rows(dictionary)
    for row, name in product(STRAY, REPAIRS):
        with subtests.test(name, row=row):
            with dictionary.engine.begin() as connection:
                given = f"SELECT DISTINCT {row} FROM definition_word WHERE idea_id > 2"  # noqa: S608  # these rows
                connection.execute(text(f"INSERT INTO definition_word {given} ON CONFLICT DO NOTHING"))
            stray = {*list_rows(dictionary)} - {*before}
            assert len(stray) > 14

            reported = report_wrong_ideas(dictionary)
            REPAIRS[name](dictionary)

            assert reported == {f"idea:{idea_id}" for _, idea_id in stray}
            assert list_rows(dictionary) == before
            assert report_wrong_ideas(dictionary) == set()


@pytest.mark.spoils
@pytest.mark.usefixtures("a_few_at_a_time")
def test_missing_rows_are_reported_and_written(dictionary: Database, subtests: pytest.Subtests) -> None:
    before = list_rows(dictionary)
    for ideas, name in product(("idea_id % 3 = 0", "idea_id > 0"), REPAIRS):
        with subtests.test(name, ideas=ideas):
            with dictionary.engine.begin() as connection:
                connection.execute(text(f"DELETE FROM definition_word WHERE {ideas}"))  # noqa: S608  # these conditions
            missing = {*before} - {*list_rows(dictionary)}

            reported = report_wrong_ideas(dictionary)
            REPAIRS[name](dictionary)

            assert reported == {f"idea:{idea_id}" for _, idea_id in missing}
            assert len(reported) > 3
            assert list_rows(dictionary) == before


@pytest.mark.spoils
def test_ideas_with_exchanged_keys_are_reported(dictionary: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sums tell which idea has which key, in each of a hundred pairs."""
    monkeypatch.setattr(record_keys, "RECORDS_PER_CHECKSUM", 2)
    ids = range(10_000, 10_200)
    with dictionary.engine.begin() as connection:
        connection.execute(insert(idea), [{"id": one, "created": NOW, "updated": NOW} for one in ids])
        given = [{"idea_id": one, "language_id": ENGLISH, "text": f"key{one}"} for one in ids]
        connection.execute(insert(definition), given)
        connection.execute(insert(definition_word), [{"key": f"key{one}", "idea_id": one ^ 1} for one in ids])

    assert report_wrong_ideas(dictionary) == {f"idea:{one}" for one in ids}


@pytest.mark.spoils
def test_reindex_rewrites_the_rows_only_where_some_are_wrong(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps_run: list[str] = []

    def record_step(index: Index) -> Index:
        def step(_: Connection, __: RebuildCursor) -> StepResult:
            steps_run.append(index.code)
            return StepResult(0, 0, None)

        return index._replace(steps=(step,))

    monkeypatch.setattr(registry, "INDEXES", tuple(map(record_step, INDEXES)))

    reindex(dictionary)
    assert steps_run
    assert {"E204", "E205"}.isdisjoint(steps_run)

    with dictionary.engine.begin() as connection:
        connection.execute(text("DELETE FROM definition_word WHERE idea_id = 2"))
    reindex(dictionary)
    assert steps_run.count("E205") == 1
