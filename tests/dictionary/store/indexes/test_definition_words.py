"""Words of definitions: kept without an index on the idea, found by the definitions that the idea has or had."""

import asyncio
from collections.abc import Callable
from functools import partial

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
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.edits import change_record, edit_record, remove_record
from tests.support.plans import find_plans, record_statements
from tests.support.sample import NOW
from tests.support.somebody import EDITOR

Key = tuple[str, int]

ENGLISH, ASSAMESE = 1, 2
FIRST = 1
"""The ID of an idea of the sample."""

BY_KEY = "SEARCH definition_word USING PRIMARY KEY (key=? AND idea_id=?)"


def kept(database: Database) -> list[Key]:
    """List all rows."""
    with database.engine.connect() as connection:
        return sorted((row.key, row.idea_id) for row in connection.execute(select(definition_word)))


def wanted(database: Database) -> list[Key]:
    """Derive all rows from the definitions."""
    with database.engine.connect() as connection:
        given = connection.execute(select(definition.c.idea_id, definition.c.text)).all()
    return sorted({(key, idea_id) for idea_id, text in given for key in compute_definition_keys(text)})


def of_idea(database: Database, idea_id: int) -> set[str]:
    return {key for key, of in kept(database) if of == idea_id}


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


def put(database: Database, idea_id: int, state: IdeaState) -> None:
    """Bring a deleted idea back under its ID."""

    def job(ledger: ChangeRecorder) -> RecordRef:
        name = RecordRef("idea", str(idea_id))
        ledger.apply(name, state)
        return name

    edit_record(database, job)


@pytest.mark.parametrize(
    "after",
    [("gamma delta",), ("alpha beta",), ("beta gamma",), ("beta gamma", "alpha", "epsilon"), ()],
    ids=" / ".join,
)
def test_an_idea_is_found_by_the_words_of_the_definitions_that_it_has_now(
    dictionary: Database, after: tuple[str, ...]
) -> None:
    define(dictionary, "alpha beta", "beta gamma")
    assert of_idea(dictionary, FIRST) == {"alpha", "beta", "gamma"}

    define(dictionary, *after)

    assert of_idea(dictionary, FIRST) == {*" ".join(after).split()}
    assert kept(dictionary) == wanted(dictionary)


def test_other_parts_of_an_idea_change_without_its_definitions(dictionary: Database) -> None:
    before = kept(dictionary)

    change_record(dictionary, "idea", FIRST, examples=((ASSAMESE, "পানী খাম।", None),), contexts=(), pos_id=None)

    assert kept(dictionary) == before == wanted(dictionary)
    assert of_idea(dictionary, FIRST)


def test_a_new_idea_is_found_and_one_that_is_deleted_no_more_until_it_comes_back(dictionary: Database) -> None:
    before = kept(dictionary)
    made = make(dictionary, "alpha beta", "beta gamma")
    assert of_idea(dictionary, made) == {"alpha", "beta", "gamma"}

    state = state_of(dictionary, made)
    remove_record(dictionary, "idea", made)
    assert kept(dictionary) == before == wanted(dictionary)

    put(dictionary, made, state)
    assert of_idea(dictionary, made) == {"alpha", "beta", "gamma"}
    assert kept(dictionary) == wanted(dictionary)


def test_of_two_ideas_that_become_one_the_words_of_both_definitions_stay(dictionary: Database) -> None:
    made = make(dictionary, "alpha beta")
    define(dictionary, "beta gamma")

    asyncio.run(Editing(dictionary).merge(EDITOR, FIRST, made))

    assert (of_idea(dictionary, made), of_idea(dictionary, FIRST)) == (set(), {"alpha", "beta", "gamma"})
    assert kept(dictionary) == wanted(dictionary)


# --- imports ----------------------------------------------------------------------------------------------------------

WORD = (WordRecord("as", "পানী"),)


def defined(key: str, *texts: str) -> IdeaRecord:
    given = tuple(DefinitionRecord("en", text) for text in texts)
    return IdeaRecord("sample", key, "Adverb", WORD, definitions=given)


def placed(*records: IdeaRecord) -> list[LocatedRecord]:
    return [LocatedRecord("test.jsonl", line, record) for line, record in enumerate(records, 1)]


def id_of(database: Database, key: str) -> int:
    with database.engine.connect() as connection:
        return int(connection.execute(select(idea.c.id).where(idea.c.external_key == key)).scalar_one())


@pytest.mark.parametrize(
    ("policy", "keys"),
    [
        (ConflictPolicy.KEEP, {"alpha", "beta", "gamma"}),
        (ConflictPolicy.FILL, {"alpha", "beta", "gamma", "delta"}),
        (ConflictPolicy.REPLACE, {"beta", "gamma", "delta"}),
    ],
)
@pytest.mark.parametrize("words_at_once", [None, 1])
def test_a_second_import_leaves_the_words_of_what_is_defined_then(
    dictionary: Database, policy: ConflictPolicy, keys: set[str], words_at_once: int | None
) -> None:
    bring = partial(import_records, dictionary, now=NOW, policy=policy, words_per_transaction=words_at_once)
    first = [defined("one", "alpha beta", "beta gamma"), defined("two", "alpha beta"), defined("three", "alpha beta")]
    bring(placed(*first))

    bring(placed(defined("one", "gamma delta", "beta gamma"), defined("two", "alpha beta"), defined("three")))

    found = [of_idea(dictionary, id_of(dictionary, key)) for key in ("one", "two", "three")]
    assert found == [keys, {"alpha", "beta"}, {"alpha", "beta"}]
    assert kept(dictionary) == wanted(dictionary)


def test_what_is_replaced_twice_in_a_file_leaves_nothing(dictionary: Database) -> None:
    again = [defined("one", *texts) for texts in (("alpha beta",), ("gamma",), ("beta delta",))]

    import_records(dictionary, placed(*again), now=NOW, policy=ConflictPolicy.REPLACE)

    assert of_idea(dictionary, id_of(dictionary, "one")) == {"beta", "delta"}
    assert kept(dictionary) == wanted(dictionary)


# --- how rows are found -----------------------------------------------------------------------------------------------

EDITS: dict[str, Callable[[Database, int], None]] = {
    "another definition": lambda database, idea_id: define(database, "gamma", idea_id=idea_id),
    "an idea that goes": lambda database, idea_id: remove_record(database, "idea", idea_id),
    "an import": lambda database, _: bring_replaced(database),
}


def bring_replaced(database: Database) -> None:
    def load(connection: Connection) -> None:
        load_in_transaction(connection, placed(defined("water", "gamma")), BulkLoadOptions(NOW, ConflictPolicy.REPLACE))

    database.write_now(load)


@pytest.mark.parametrize("done", EDITS.values(), ids=EDITS)
def test_an_edit_searches_by_key_and_idea(
    sqlite_databases: SqliteDatabases, done: Callable[[Database, int], None]
) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        made = make(dictionary, "alpha beta")
        with record_statements(dictionary) as statements:
            done(dictionary, made)

        assert find_plans("definition_word", dictionary, [one for one in statements if "staged" not in one]) == {BY_KEY}


# --- checks -----------------------------------------------------------------------------------------------------------

STRAY = (
    "key, 999999",
    "'zzz' || key, idea_id",
    f"key, {FIRST}",
    f"key, {FIRST + 1}",
)

MENDINGS: dict[str, Callable[[Database], object]] = {
    "reindex": reindex,
    "mend": lambda database: repair_findings(database, {"E205"}),
}


@pytest.fixture
def a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definition_words, "ROW_BATCH_SIZE", 7)
    monkeypatch.setattr(definition_words, "IDEA_BATCH_SIZE", 3)
    monkeypatch.setattr(record_keys, "ROW_BATCH_SIZE", 5)
    monkeypatch.setattr(record_keys, "RECORDS_PER_CHECKSUM", 4)


def told(database: Database) -> set[str]:
    """List the ideas about which a check says that they are found by other words than they should be."""
    return {finding.record for finding in check(database) if finding.code == "E205"}


@pytest.mark.spoils
@pytest.mark.usefixtures("a_few_at_a_time")
@pytest.mark.parametrize("mended", MENDINGS.values(), ids=MENDINGS)
@pytest.mark.parametrize("row", STRAY)
def test_rows_that_no_definition_has_are_told_and_removed(
    dictionary: Database, row: str, mended: Callable[[Database], object]
) -> None:
    before = kept(dictionary)
    with dictionary.engine.begin() as connection:
        given = f"SELECT DISTINCT {row} FROM definition_word WHERE idea_id > 2"  # noqa: S608  # these rows
        connection.execute(text(f"INSERT INTO definition_word {given} ON CONFLICT DO NOTHING"))
    stray = {*kept(dictionary)} - {*before}
    assert len(stray) > 14

    found = told(dictionary)
    mended(dictionary)

    assert found == {f"idea:{idea_id}" for _, idea_id in stray}
    assert kept(dictionary) == before
    assert told(dictionary) == set()


@pytest.mark.spoils
@pytest.mark.usefixtures("a_few_at_a_time")
@pytest.mark.parametrize("mended", MENDINGS.values(), ids=MENDINGS)
@pytest.mark.parametrize("ideas", ["idea_id % 3 = 0", "idea_id > 0"])
def test_rows_that_ideas_lack_are_told_and_written(
    dictionary: Database, ideas: str, mended: Callable[[Database], object]
) -> None:
    before = kept(dictionary)
    with dictionary.engine.begin() as connection:
        connection.execute(text(f"DELETE FROM definition_word WHERE {ideas}"))  # noqa: S608  # these conditions
    lacking = {*before} - {*kept(dictionary)}

    found = told(dictionary)
    mended(dictionary)

    assert found == {f"idea:{idea_id}" for _, idea_id in lacking}
    assert len(found) > 3
    assert kept(dictionary) == before


@pytest.mark.spoils
def test_ideas_of_one_stretch_that_have_exchanged_their_keys_are_told(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sums tell which idea has which key, in each of a hundred pairs."""
    monkeypatch.setattr(record_keys, "RECORDS_PER_CHECKSUM", 2)
    ids = range(10_000, 10_200)
    with dictionary.engine.begin() as connection:
        connection.execute(insert(idea), [{"id": one, "created": NOW, "updated": NOW} for one in ids])
        given = [{"idea_id": one, "language_id": ENGLISH, "text": f"key{one}"} for one in ids]
        connection.execute(insert(definition), given)
        connection.execute(insert(definition_word), [{"key": f"key{one}", "idea_id": one ^ 1} for one in ids])

    assert told(dictionary) == {f"idea:{one}" for one in ids}


@pytest.mark.spoils
def test_reindexing_goes_through_the_rows_only_where_anything_is_wrong(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []

    def noting(index: Index) -> Index:
        def step(_: Connection, __: RebuildCursor) -> StepResult:
            taken.append(index.code)
            return StepResult(0, 0, None)

        return index._replace(steps=(step,))

    monkeypatch.setattr(registry, "INDEXES", tuple(map(noting, INDEXES)))

    reindex(dictionary)
    assert taken
    assert {"E204", "E205"}.isdisjoint(taken)

    with dictionary.engine.begin() as connection:
        connection.execute(text("DELETE FROM definition_word WHERE idea_id = 2"))
    reindex(dictionary)
    assert taken.count("E205") == 1
