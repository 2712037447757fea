"""The order of the words of an idea and of the meanings of a word: given by files, changed by editors, and kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, update

from abhidhan.dictionary.service.lookup import look_up
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.exporting import export
from abhidhan.exchange.service.importing import ImportRequest, import_files, import_records
from abhidhan.exchange.store.dump import dump_records
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.registry import EXPORTERS
from abhidhan.platform.database.database import Database
from abhidhan.records.history import RecordRef
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.kinds import IdeaRecord, LanguageRecord, Record, SourceRecord, WordRecord
from abhidhan.records.kinds.word import SenseChanges
from abhidhan.schema import history
from tests.support.arbitrary_edits import EDITOR, run
from tests.support.databases import Databases, SqliteDatabases, leave_empty, open_database
from tests.support.sample import NOW

SOURCE = SourceRecord("s", "S", "CC0-1.0")
LANGUAGES = (
    LanguageRecord(1, "en", "eng", "English", "English", "Latn"),
    LanguageRecord(2, "as", "asm", "Assamese", "অসমীয়া", "Beng"),
)


@pytest.fixture
def empty(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open an empty dictionary."""
    with open_database(sqlite_databases, leave_empty) as database:
        yield database


def idea(key: str, *words: str) -> IdeaRecord:
    """Make an idea of Assamese words and one in English."""
    return IdeaRecord("s", key, None, (*(WordRecord("as", word) for word in words), WordRecord("en", key)))


def load(
    database: Database, *records: Record, policy: ConflictPolicy = ConflictPolicy.FILL, words_at_once: int | None = None
) -> None:
    placed = [LocatedRecord("a", line, each) for line, each in enumerate((*LANGUAGES, SOURCE, *records), 1)]
    loaded = import_records(database, placed, now=NOW, policy=policy, words_per_transaction=words_at_once)
    assert not loaded.errors, loaded.errors


def list_words(database: Database, key: str) -> list[str]:
    """List the Assamese words of an idea as an export has them."""
    records = database.read_now(lambda reader: list(dump_records(reader)))
    found = next(one for one in records if isinstance(one, IdeaRecord) and one.words[0].text == key)
    return [word.text for word in found.words if word.language == "as"]


def list_meanings(database: Database, text: str) -> list[str]:
    """List the meanings of a word by their English words, as a look-up shows them."""
    word = database.read_now(lambda reader: look_up(reader, text, 2))[0].entries[0]
    return [next(one.word for one in meaning.translations if one.language_id == 1) for meaning in word.meanings]


def find_sense(database: Database, text: str, key: str) -> int:
    word = database.read_now(lambda reader: look_up(reader, text, 2))[0].entries[0]
    return next(meaning.sense_id for meaning in word.meanings if key in {one.word for one in meaning.translations})


def test_words_keep_the_order_of_files_and_new_words_are_last(databases: Databases, subtests: pytest.Subtests) -> None:
    for words_at_once in [None, 1]:
        with subtests.test(str(words_at_once)), open_database(databases, leave_empty) as database:
            load(database, idea("house", "ঘৰ", "গৃহ"), idea("house", "আলয়", "ঘৰ"), words_at_once=words_at_once)
            load(database, idea("house", "অট্টালিকা", "আলয়", "গৃহ"))

            assert list_words(database, "house") == ["ঘৰ", "গৃহ", "আলয়", "অট্টালিকা"]


def test_later_imports_keep_the_order_made_by_an_editor(
    sqlite_databases: SqliteDatabases, subtests: pytest.Subtests
) -> None:
    for policy in ConflictPolicy:
        with subtests.test(str(policy)), open_database(sqlite_databases, leave_empty) as empty:
            records = idea("house", "গৃহ", "ঘৰ"), idea("home", "ঘৰ")
            load(empty, *records)
            editing = Editing(empty)
            run(editing.move_word(EDITOR, find_sense(empty, "ঘৰ", "house"), -1))
            run(editing.move_meaning(EDITOR, find_sense(empty, "ঘৰ", "home"), -1))

            load(empty, *records, policy=policy)

            assert list_words(empty, "house") == ["ঘৰ", "গৃহ"]
            assert list_meanings(empty, "ঘৰ") == ["home", "house"]


def test_the_order_made_by_an_editor_is_exported_and_imported(
    sqlite_databases: SqliteDatabases, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for name in ["jsonl", "csv", "xlsx", "lift"]:
        with subtests.test(name):
            file = tmp_path / EXPORTERS[name].file
            with (
                open_database(sqlite_databases, leave_empty) as database,
                open_database(sqlite_databases, leave_empty) as other,
            ):
                load(database, idea("house", "অট্টালিকা", "গৃহ", "ঘৰ"), idea("home", "ঘৰ"), idea("room", "ঘৰ"))
                editing = Editing(database)
                run(editing.move_word(EDITOR, find_sense(database, "ঘৰ", "house"), -1))
                run(editing.move_meaning(EDITOR, find_sense(database, "ঘৰ", "room"), -2))
                export(database, name, file)
                load(other)
                options = ImportOptions() if name in {"jsonl", "lift"} else ImportOptions(source=SOURCE)
                wanted = ImportRequest("csv" if name == "xlsx" else name, (file,), options)
                assert import_files(other, wanted, now=NOW, on_progress=lambda _: None).loaded.rejected == 0

                assert list_words(other, "house") == list_words(database, "house") == ["অট্টালিকা", "ঘৰ", "গৃহ"]
                assert list_meanings(other, "ঘৰ") == list_meanings(database, "ঘৰ") == ["room", "house", "home"]


def test_a_mirror_keeps_the_order_made_by_an_editor(empty: Database, tmp_path: Path) -> None:
    load(empty, idea("house", "অট্টালিকা", "গৃহ", "ঘৰ"))
    export(empty, "jsonl", tmp_path / "a.jsonl")
    run(Editing(empty).move_word(EDITOR, find_sense(empty, "ঘৰ", "house"), -1))
    wanted = ImportRequest("jsonl", (tmp_path / "a.jsonl",), mirror=True)

    import_files(empty, wanted, now=NOW, on_progress=lambda _: None)

    assert list_words(empty, "house") == ["অট্টালিকা", "ঘৰ", "গৃহ"]


def test_words_of_merged_ideas_are_appended_and_separated_by_undo(empty: Database) -> None:
    load(empty, idea("house", "ঘৰ", "গৃহ"), idea("dwelling", "নিবাস", "আলয়"))
    editing = Editing(empty)

    merged = run(editing.merge(EDITOR, 1, 2))

    assert list_words(empty, "house") == ["ঘৰ", "গৃহ", "নিবাস", "আলয়"]
    run(editing.undo(EDITOR, merged.version))
    assert list_words(empty, "dwelling") == ["নিবাস", "আলয়"]


def test_a_history_entry_without_a_stored_order_can_be_undone(empty: Database) -> None:
    load(empty, idea("house", "ঘৰ", "গৃহ"))
    editing = Editing(empty)
    sense_id = find_sense(empty, "গৃহ", "house")
    read = run(editing.read(EDITOR, _sense(sense_id)))
    changed = run(editing.change(EDITOR, _sense(sense_id), read.version, SenseChanges(note="poetic")))
    with empty.engine.begin() as connection:
        for column in ("before", "after"):
            without = func.replace(history.c[column], ',"rank":2', "")
            connection.execute(update(history).where(history.c.id == changed.version).values({column: without}))

    run(editing.undo(EDITOR, changed.version))

    assert run(editing.read(EDITOR, _sense(sense_id))).state == read.state


def _sense(number: int) -> RecordRef:
    return RecordRef("sense", str(number))
