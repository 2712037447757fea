"""Words under their parts of speech: stored without an index on the word, found by its place in the alphabet."""

from collections.abc import Callable, Sequence

import msgspec
import pytest
from sqlalchemy import delete, func, inspect, select, text, update

from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.indexes import parts_of_speech
from abhidhan.dictionary.store.indexes.parts_of_speech import PARTS_OF_SPEECH
from abhidhan.editing.store.records.change_recorder import ChangeRecorder
from abhidhan.exchange.service.maintenance import check, reindex, repair_findings
from abhidhan.platform.database.compiled_queries import CompiledQuery, list_params
from abhidhan.platform.database.database import Database
from abhidhan.records.history import RecordRef, SenseState
from abhidhan.schema import idea, sense, word, word_pos
from tests.support.databases import PostgresqlDatabases, SqliteDatabases, load_sample, open_database
from tests.support.edits import change_record, edit_record, remove_record
from tests.support.plans import find_plans, record_statements

Place = tuple[int, int, bytes, str, int]
Step = Callable[[Database], object]

UNUSED = 15
"""A part of speech that no idea of the sample has."""

BY_PLACE = "SEARCH word_pos USING PRIMARY KEY (language_id=? AND pos_id=? AND sort_key=? AND text=? AND word_id=?)"


def list_rows(database: Database) -> list[Place]:
    """List all rows."""
    with database.engine.connect() as connection:
        return [(*row,) for row in connection.execute(select(word_pos).order_by(*word_pos.primary_key))]


def derive_rows(database: Database) -> list[Place]:
    """Derive all rows from the records."""
    places = (
        select(word.c.language_id, func.coalesce(idea.c.pos_id, 0), word.c.sort_key, word.c.text, word.c.id)
        .join_from(word, sense, sense.c.word_id == word.c.id)
        .join(idea, idea.c.id == sense.c.idea_id)
        .distinct()
    )
    with database.engine.connect() as connection:
        return sorted((*row,) for row in connection.execute(places))


def test_neither_an_index_nor_a_foreign_key_leads_from_a_word_to_its_rows(database: Database) -> None:
    with database.engine.connect() as connection:
        assert inspect(connection).get_indexes("word_pos") == []
        assert inspect(connection).get_foreign_keys("word_pos") == []


# --- edits ------------------------------------------------------------------------------------------------------------


def add_second_part_of_speech(database: Database) -> tuple[int, list[int]]:
    """Give the first word a second idea, with another part of speech; return the IDs of the word and its senses."""

    def job(ledger: ChangeRecorder) -> RecordRef:
        first = ledger.get_current(RecordRef("sense", "1"))
        assert isinstance(first, SenseState)
        of_first = select(idea.c.pos_id).where(idea.c.id == first.idea_id).scalar_subquery()
        other = ledger.context.connection.execute(
            select(idea.c.id).where(idea.c.pos_id != of_first).limit(1)
        ).scalar_one()
        return ledger.create("sense", msgspec.structs.replace(first, idea_id=other, position=9))

    edit_record(database, job)
    with database.engine.connect() as connection:
        word_id = connection.execute(select(sense.c.word_id).where(sense.c.id == 1)).scalar_one()
        senses = connection.execute(select(sense.c.id).where(sense.c.word_id == word_id).order_by(sense.c.id))
        return word_id, [*senses.scalars()]


def select_word(places: Sequence[Place], word_id: int) -> list[Place]:
    return [place for place in places if place[-1] == word_id]


def test_a_changed_word_leaves_its_old_place(dictionary: Database, subtests: pytest.Subtests) -> None:
    word_id, _ = add_second_part_of_speech(dictionary)
    changes: tuple[dict[str, object], ...] = (
        {"text": "অইনশব্দ"},
        {"language_id": 22},
        {"text": "another", "language_id": 1},
        {"origin": "unknown"},
    )
    for fields in changes:
        with subtests.test(fields=fields):
            before = select_word(list_rows(dictionary), word_id)

            change_record(dictionary, "word", word_id, **fields)

            after = select_word(list_rows(dictionary), word_id)
            assert list_rows(dictionary) == derive_rows(dictionary)
            assert len(after) == len(before) > 1
            assert (after == before) == (fields.keys() == {"origin"})


def test_a_word_leaves_the_part_of_speech_of_a_deleted_sense(dictionary: Database) -> None:
    word_id, senses = add_second_part_of_speech(dictionary)
    before = select_word(list_rows(dictionary), word_id)

    remove_record(dictionary, "sense", senses[-1])

    assert len(select_word(list_rows(dictionary), word_id)) == len(before) - 1
    assert list_rows(dictionary) == derive_rows(dictionary)


def test_the_words_of_an_idea_follow_its_part_of_speech(dictionary: Database) -> None:
    word_id, _ = add_second_part_of_speech(dictionary)
    for new_pos in (UNUSED, None):
        with dictionary.engine.connect() as connection:
            first = select(idea.c.id, idea.c.pos_id).join(sense, sense.c.idea_id == idea.c.id).where(sense.c.id == 1)
            idea_id, pos_id = connection.execute(first).one()
        before = {place[1] for place in select_word(list_rows(dictionary), word_id)}

        change_record(dictionary, "idea", idea_id, pos_id=new_pos)

        after = {place[1] for place in select_word(list_rows(dictionary), word_id)}
        assert after == before - {pos_id} | {new_pos or 0}
        parts = dictionary.read_now(lambda reader: words.load_pos_ids(reader, [word_id]))
        assert set(parts[word_id]) == after - {0}
        assert list_rows(dictionary) == derive_rows(dictionary)


def test_a_word_whose_ideas_have_no_part_of_speech_is_listed_under_0(dictionary: Database) -> None:
    with dictionary.engine.connect() as connection:
        word_id, idea_id = connection.execute(select(sense.c.word_id, sense.c.idea_id).where(sense.c.id == 1)).one()
    change_record(dictionary, "idea", idea_id, pos_id=None)

    assert [place[1] for place in select_word(list_rows(dictionary), word_id)] == [0]
    assert list_rows(dictionary) == derive_rows(dictionary)
    assert dictionary.read_now(lambda reader: words.load_pos_ids(reader, [word_id])) == {}


@pytest.mark.spoils
def test_a_deleted_word_leaves_no_row(dictionary: Database) -> None:
    word_id, _ = add_second_part_of_speech(dictionary)
    # So that it is the deletion of the word that finds the rows, and not that of its senses before.
    with dictionary.engine.begin() as connection:
        connection.execute(delete(sense).where(sense.c.word_id == word_id))
    assert len(select_word(list_rows(dictionary), word_id)) > 1

    remove_record(dictionary, "word", word_id)

    assert select_word(list_rows(dictionary), word_id) == []
    assert list_rows(dictionary) == derive_rows(dictionary)


# --- how rows are found -----------------------------------------------------------------------------------------------


EDITS: dict[str, Callable[[Database, int, int], None]] = {
    "the text of a word": lambda database, word_id, _: change_record(database, "word", word_id, text="অইনশব্দ"),
    "a word's language": lambda database, word_id, _: change_record(database, "word", word_id, language_id=22),
    "the note of a sense": lambda database, _, sense_id: change_record(database, "sense", sense_id, note="x"),
    "a sense that goes": lambda database, _, sense_id: remove_record(database, "sense", sense_id),
    "the part of speech of an idea": lambda database, *_: change_record(database, "idea", 1, pos_id=UNUSED),
}


def test_an_edit_searches_by_the_place_of_the_word(
    sqlite_databases: SqliteDatabases, subtests: pytest.Subtests
) -> None:
    for name, edit in EDITS.items():
        with subtests.test(name), open_database(sqlite_databases, load_sample) as dictionary:
            word_id, senses = add_second_part_of_speech(dictionary)
            with record_statements(dictionary) as statements:
                edit(dictionary, word_id, senses[-1])

            assert find_plans("word_pos", dictionary, statements) == {BY_PLACE}


def test_a_deleted_word_is_searched_for_by_its_place(sqlite_databases: SqliteDatabases) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        word_id, senses = add_second_part_of_speech(dictionary)
        for sense_id in senses:
            remove_record(dictionary, "sense", sense_id)
        with record_statements(dictionary) as statements:
            remove_record(dictionary, "word", word_id)

        assert find_plans("word_pos", dictionary, statements) == {BY_PLACE}


@pytest.mark.thorough
def test_postgresql_finds_the_rows_of_a_word_by_the_primary_key(postgresql_databases: PostgresqlDatabases) -> None:
    query: CompiledQuery = PARTS_OF_SPEECH.stored_query(1)
    statement, arrange = query.compile("postgresql")
    with open_database(postgresql_databases, load_sample) as dictionary, dictionary.engine.connect() as connection:
        connection.execute(text("SET LOCAL enable_seqscan = off"))
        rows = connection.exec_driver_sql(f"EXPLAIN {statement}", arrange(list_params("id", [1])))
        plan = "\n".join(str(row[0]) for row in rows)

    assert "using pk_word_pos" in plan
    assert "Index Cond: ((language_id = word.language_id) AND (pos_id = ANY (" in plan


# --- checks -----------------------------------------------------------------------------------------------------------

STRAY = (
    "language_id, pos_id, sort_key, text, 999999",
    "language_id, pos_id, SUBSTR(sort_key, 2), text, word_id",
    "language_id, pos_id, sort_key, 'old', word_id",
    "99, pos_id, sort_key, text, word_id",
    "language_id, 99, sort_key, text, word_id",
)


@pytest.mark.spoils
def test_rows_that_no_word_has_are_reported_and_removed_in_batches(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts_of_speech, "ROW_BATCH_SIZE", 7)
    before = list_rows(dictionary)
    repairs: tuple[Step, ...] = (reindex, lambda database: repair_findings(database, {"E206"}))
    for repair in repairs:
        with dictionary.engine.begin() as connection:
            for row in STRAY:
                connection.execute(text(f"INSERT INTO word_pos SELECT {row} FROM word_pos WHERE word_id < 9"))  # noqa: S608  # these rows
        stray = len(list_rows(dictionary)) - len(before)
        assert stray > 7 * len(STRAY)

        reported = [finding for finding in check(dictionary) if finding.code == "E206"]
        repair(dictionary)

        assert len(reported) == stray
        assert list_rows(dictionary) == before
        assert reindex(dictionary) == 0


@pytest.mark.spoils
def test_missing_rows_are_reported_once_and_written(dictionary: Database) -> None:
    with dictionary.engine.begin() as connection:
        connection.execute(update(idea).values(pos_id=UNUSED))
    repair_findings(dictionary, {"E206"})
    before = list_rows(dictionary)
    with dictionary.engine.begin() as connection:
        connection.execute(text("DELETE FROM word_pos WHERE word_id % 3 = 0"))
    missing = len(before) - len(list_rows(dictionary))

    reported = [finding for finding in check(dictionary) if finding.code == "E206"]
    repair_findings(dictionary, {"E206"})

    assert len(reported) == missing > 9
    assert list_rows(dictionary) == before == derive_rows(dictionary)


@pytest.mark.spoils
def test_words_with_repaired_sort_keys_change_their_places(dictionary: Database) -> None:
    before = list_rows(dictionary)
    with dictionary.engine.begin() as connection:
        for table in ("word", "word_pos"):
            connection.execute(text(f"UPDATE {table} SET sort_key = SUBSTR(sort_key, 2)"))  # noqa: S608  # these two
    assert not [finding for finding in check(dictionary) if finding.code == "E206"]

    repair_findings(dictionary, {"E201"})

    assert list_rows(dictionary) == before == derive_rows(dictionary)
