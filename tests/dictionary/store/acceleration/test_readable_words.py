"""The index of words that may mean others: current after every change, on both engines."""

import asyncio
from collections.abc import Iterator
from functools import partial

import pytest
from sqlalchemy import Connection, select, text

from abhidhan.dictionary.model.ranking import is_plain
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.store.acceleration import readable_words
from abhidhan.dictionary.store.acceleration.readable_words import (
    READABLE_WORDS,
    RULES_CHECKSUM,
    PassState,
    ReadableNumbers,
)
from abhidhan.dictionary.store.index import REBUILD_START, StepResult, TransactionRows
from abhidhan.dictionary.store.keyed_words import KeyedWord
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.service.maintenance import (
    check,
    fill_readable_words,
    is_readable_word_index_incomplete,
    reindex,
    repair_findings,
)
from abhidhan.exchange.store.loading import bulk_load
from abhidhan.platform.database.database import Database
from abhidhan.records.history import RecordRef
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, WordRecord
from abhidhan.records.submission_payloads import DefinitionData, IdeaData, WordChanges, WordData
from abhidhan.schema import word
from tests.support.arbitrary_edits import EDITOR
from tests.support.sample import NOW


def add_word(database: Database, language: str, spelled: str) -> None:
    data = WordData(language, spelled, None, IdeaData("Adverb", definitions=(DefinitionData("en", spelled),)))
    asyncio.run(Editing(database).add_word(EDITOR, data))


def change_word(database: Database, spelled: str, changes: WordChanges) -> None:
    with database.engine.begin() as connection:
        word_id = connection.execute(select(word.c.id).where(word.c.text == spelled)).scalar_one()
    editing, name = Editing(database), RecordRef("word", str(word_id))
    version = asyncio.run(editing.read(EDITOR, name)).version
    asyncio.run(editing.change(EDITOR, name, version, changes))


def load_words(database: Database, *words: WordRecord) -> None:
    records = [
        LocatedRecord("test.jsonl", line, IdeaRecord(source="sample", key=f"new {line}", pos="Adverb", words=(one,)))
        for line, one in enumerate(words, 1)
    ]
    import_records(database, records, now=NOW)


def suggest_words(database: Database, query: str) -> list[str]:
    found = database.read_now(partial(look_up, query=query))
    return [suggestion.word for item in found for suggestion in item.suggestions]


def is_incomplete(database: Database) -> bool:
    return database.read_now(is_readable_word_index_incomplete)


def may_mean_others(database: Database, stored: str) -> bool:
    return database.read_now(lambda reader: readable_words.may_mean_others(reader, stored))


@pytest.fixture
def other(dictionary: Database) -> Iterator[Database]:
    """Another worker with the same dictionary."""
    with Database(dictionary.url.render_as_string(hide_password=False)) as database:
        yield database


def test_suggestions_for_stored_words_are_the_same_without_the_index(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for spelled in ("pani", "Mon", "hati", "kola", "jam"):
        add_word(dictionary, "en", spelled)
    with dictionary.engine.begin() as connection:
        stored = [spelled for spelled in connection.execute(select(word.c.text)).scalars() if is_plain(spelled)]
    assert not is_incomplete(dictionary)
    with_list = {spelled: suggest_words(dictionary, spelled) for spelled in stored}
    assert with_list["pani"]
    assert not all(with_list.values())

    monkeypatch.setattr(READABLE_WORDS, "current", lambda _: None)

    assert {spelled: suggest_words(dictionary, spelled) for spelled in stored} == with_list


def test_a_stored_word_is_looked_up_in_the_index_alone(dictionary: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    add_word(dictionary, "en", "pani")
    assert "পানী" in suggest_words(dictionary, "pani")

    monkeypatch.setattr(READABLE_WORDS, "current", lambda _: ReadableNumbers.from_pages(None, {}))

    assert suggest_words(dictionary, "pani") == []


def test_words_are_suggested_for_a_word_just_added_by_another_worker(dictionary: Database, other: Database) -> None:
    assert not may_mean_others(dictionary, "panee")

    add_word(other, "en", "panee")

    assert not is_incomplete(dictionary)
    assert "পানী" in suggest_words(dictionary, "panee")


def test_a_word_just_added_by_another_worker_is_suggested_for_stored_ones(
    dictionary: Database, other: Database
) -> None:
    load_words(dictionary, WordRecord("en", "xylophone"), WordRecord("en", "zither"))
    assert not may_mean_others(dictionary, "xylophone")

    add_word(other, "as", "শলফনে")

    assert suggest_words(dictionary, "xylophone") == ["শলফনে"]
    assert is_incomplete(dictionary)
    assert not may_mean_others(dictionary, "zither")

    assert fill_readable_words(other)

    assert not is_incomplete(dictionary)
    assert suggest_words(dictionary, "xylophone") == ["শলফনে"]
    assert not may_mean_others(dictionary, "zither")


def test_a_new_word_with_a_known_sound_is_suggested(dictionary: Database) -> None:
    """`xylophone` is read as both, but people type it for one of them only."""
    load_words(dictionary, WordRecord("en", "xylophone"), WordRecord("as", "শোলোফোনে"))
    fill_readable_words(dictionary)
    before = suggest_words(dictionary, "xylophone")

    add_word(dictionary, "as", "শলফনে")

    assert "শলফনে" not in before
    assert "শলফনে" in suggest_words(dictionary, "xylophone")


def test_of_imported_words_only_those_that_may_mean_others_are_indexed(dictionary: Database) -> None:
    load_words(dictionary, WordRecord("en", "Pani"), WordRecord("en", "xylophone"))

    assert not is_incomplete(dictionary)
    assert may_mean_others(dictionary, "pani")
    assert not may_mean_others(dictionary, "xylophone")


def test_an_import_of_new_sounds_completes_the_index(dictionary: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_load, "MAX_CHECKED_PER_NEW_WORD", 1000)

    load_words(dictionary, WordRecord("en", "xylophone"), WordRecord("as", "শলফনে"), WordRecord("en", "zither"))

    assert not is_incomplete(dictionary)
    assert suggest_words(dictionary, "xylophone") == ["শলফনে"]
    assert not may_mean_others(dictionary, "zither")


@pytest.mark.parametrize("most", [0, 2000])
def test_an_import_of_few_new_sounds_leaves_the_index_to_the_server(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(bulk_load, "MAX_CHECKED_PER_NEW_WORD", 0)
    monkeypatch.setattr(readable_words, "MAX_NEW_SOUNDS", most)

    load_words(dictionary, WordRecord("en", "xylophone"), WordRecord("as", "শলফনে"), WordRecord("en", "zither"))

    assert is_incomplete(dictionary)
    assert suggest_words(dictionary, "xylophone") == ["শলফনে"]
    assert may_mean_others(dictionary, "zither") is not bool(most), "of too many sounds none is kept"
    fill_readable_words(dictionary)
    assert suggest_words(dictionary, "xylophone") == ["শলফনে"]
    assert not may_mean_others(dictionary, "zither")


def test_a_database_without_the_index_gives_the_same_suggestions(dictionary: Database) -> None:
    add_word(dictionary, "en", "pani")
    with dictionary.engine.begin() as connection:
        connection.execute(text("DELETE FROM readable_word"))
        connection.execute(text("UPDATE state SET data_version = data_version + 1"))
    assert is_incomplete(dictionary)
    assert "পানী" in suggest_words(dictionary, "pani")

    fill_readable_words(dictionary)

    assert not is_incomplete(dictionary)
    assert "পানী" in suggest_words(dictionary, "pani")
    assert not may_mean_others(dictionary, "water")
    assert repair_findings(dictionary, {"E219"}) == 0


def test_an_index_made_by_other_rules_is_not_used(dictionary: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readable_words, "RULES_CHECKSUM", RULES_CHECKSUM ^ 1)
    with dictionary.engine.begin() as connection:
        connection.execute(text("UPDATE state SET data_version = data_version + 1"))

    assert is_incomplete(dictionary)
    assert may_mean_others(dictionary, "water")

    fill_readable_words(dictionary)

    assert not is_incomplete(dictionary)


def test_a_word_added_by_a_server_with_other_rules_is_suggested(
    dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_words(dictionary, WordRecord("en", "xylophone"))
    with monkeypatch.context() as patched:
        patched.setattr(readable_words, "RULES_CHECKSUM", RULES_CHECKSUM ^ 1)
        add_word(dictionary, "as", "শলফনে")

    assert suggest_words(dictionary, "xylophone") == ["শলফনে"]

    with monkeypatch.context() as patched:
        patched.setattr(readable_words, "RULES_CHECKSUM", RULES_CHECKSUM ^ 1)
        patched.setattr(bulk_load, "MAX_CHECKED_PER_NEW_WORD", 0)
        load_words(dictionary, WordRecord("en", "xolofone"))

    assert suggest_words(dictionary, "xolofone") == ["শলফনে"]


def test_a_number_in_indic_digits_is_suggested(dictionary: Database) -> None:
    load_words(dictionary, WordRecord("en", "2020a"))
    assert suggest_words(dictionary, "2020a") == []

    add_word(dictionary, "as", "২০২০")

    assert suggest_words(dictionary, "2020a") == ["২০২০"]


def test_only_a_changed_spelling_makes_the_index_incomplete(dictionary: Database) -> None:
    add_word(dictionary, "as", "শলফনে")
    fill_readable_words(dictionary)
    assert not is_incomplete(dictionary)

    change_word(dictionary, "শলফনে", WordChanges(frequency=3.0, ipa="xɔlɔfɔne"))
    assert not is_incomplete(dictionary)

    change_word(dictionary, "শলফনে", WordChanges(word="শলফন"))
    assert is_incomplete(dictionary)


def test_repaired_keys_count_as_new_sounds(dictionary: Database) -> None:
    load_words(dictionary, WordRecord("en", "xylophone"), WordRecord("as", "শলফনে"))
    with dictionary.engine.begin() as connection:
        connection.execute(
            text("UPDATE word SET exact_key = 'x', sound_key = 'x' WHERE text IN ('xylophone', 'শলফনে')")
        )
        connection.execute(text("DELETE FROM readable_word WHERE page < 256"))

    reindex(dictionary)

    assert suggest_words(dictionary, "xylophone") == ["শলফনে"]
    assert not is_incomplete(dictionary)
    assert [str(finding) for finding in check(dictionary) if finding.code == "E219"] == []


# --- during a rebuild -------------------------------------------------------------------------------------------------


XOLOFONE = KeyedWord(1_000_000, 2, "শলফনে", "শলফনে", "শলফনে", "xolofone", None)


def run_first_step(connection: Connection) -> StepResult:
    """Rebuild the first words only."""
    step = READABLE_WORDS.rebuild_next(connection, REBUILD_START, batch_size=3)
    assert step.next_cursor is not None
    return step


def run_last_step(connection: Connection, step: StepResult) -> StepResult:
    """Rebuild all others."""
    assert step.next_cursor is not None
    return READABLE_WORDS.rebuild_next(connection, step.next_cursor)


def load_new_sounds(connection: Connection) -> tuple[int, ...]:
    """Read the new sounds that are noted."""
    head = connection.execute(text("SELECT numbers FROM readable_word WHERE page = 256")).scalar_one()
    return PassState.read(bytes(head)).since


def test_a_sound_added_during_a_rebuild_stays_noted(dictionary: Database) -> None:
    with dictionary.engine.begin() as connection:
        READABLE_WORDS.update(connection, (), [XOLOFONE])
        step = run_first_step(connection)
        before = load_new_sounds(connection)
        READABLE_WORDS.update(connection, (), [XOLOFONE])

        run_last_step(connection, step)

        assert len(before) == 1
        assert load_new_sounds(connection) == before


def test_the_later_of_two_rebuilds_stops(dictionary: Database) -> None:
    with dictionary.engine.begin() as connection:
        READABLE_WORDS.update(connection, (), [XOLOFONE])
        first, second = run_first_step(connection), run_first_step(connection)
        assert run_last_step(connection, first).changed
        READABLE_WORDS.update(connection, (), [XOLOFONE])

        assert run_last_step(connection, second) == StepResult(0, 0, None)
        assert len(load_new_sounds(connection)) == 1


@pytest.mark.parametrize("is_first_time", [True, False])
def test_a_rebuild_starts_again_after_too_many_new_sounds(
    dictionary: Database,
    monkeypatch: pytest.MonkeyPatch,
    is_first_time: bool,  # noqa: FBT001  # a case of the test
) -> None:
    with dictionary.engine.begin() as connection:
        if is_first_time:
            connection.execute(text("DELETE FROM readable_word"))
        step = run_first_step(connection)
        monkeypatch.setattr(readable_words, "MAX_NEW_SOUNDS", 0)
        READABLE_WORDS.update(connection, (), [XOLOFONE])

        assert run_last_step(connection, step) == StepResult(0, 0, None)
        assert not READABLE_WORDS.is_complete(TransactionRows(connection))
        assert run_last_step(connection, run_first_step(connection)).changed
        assert READABLE_WORDS.is_complete(TransactionRows(connection))


def test_nothing_is_noted_until_the_sound_frames_are_complete(dictionary: Database) -> None:
    with dictionary.engine.begin() as connection:
        connection.execute(text("DELETE FROM readable_word"))
        connection.execute(text("UPDATE sound_frame SET form = 0"))
        tables = TransactionRows(connection)

        assert not READABLE_WORDS.is_complete(tables)
        assert not READABLE_WORDS.needs_full_pass(tables), "nobody can do anything about it before they are"
        assert READABLE_WORDS.rebuild_next(connection, REBUILD_START) == StepResult(0, 0, None)
