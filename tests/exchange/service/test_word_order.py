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
from tests.support.databases import SqliteDatabases, leave_empty, open_database
from tests.support.sample import NOW
from tests.support.somebody import EDITOR, run

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


def bring(
    database: Database, *records: Record, policy: ConflictPolicy = ConflictPolicy.FILL, words_at_once: int | None = None
) -> None:
    placed = [LocatedRecord("a", line, each) for line, each in enumerate((*LANGUAGES, SOURCE, *records), 1)]
    loaded = import_records(database, placed, now=NOW, policy=policy, words_per_transaction=words_at_once)
    assert not loaded.errors, loaded.errors


def words_of(database: Database, key: str) -> list[str]:
    """List the Assamese words of an idea as an export has them."""
    records = database.read_now(lambda reader: list(dump_records(reader)))
    found = next(one for one in records if isinstance(one, IdeaRecord) and one.words[0].text == key)
    return [word.text for word in found.words if word.language == "as"]


def meanings_of(database: Database, text: str) -> list[str]:
    """List the meanings of a word by their English words, as a look-up shows them."""
    word = database.read_now(lambda reader: look_up(reader, text, 2))[0].entries[0]
    return [next(one.word for one in meaning.translations if one.language_id == 1) for meaning in word.meanings]


def sense_of(database: Database, text: str, key: str) -> int:
    word = database.read_now(lambda reader: look_up(reader, text, 2))[0].entries[0]
    return next(meaning.sense_id for meaning in word.meanings if key in {one.word for one in meaning.translations})


@pytest.mark.parametrize("words_at_once", [None, 1])
def test_words_stand_as_files_give_them_and_new_ones_last(database: Database, words_at_once: int | None) -> None:
    bring(database, idea("house", "ঘৰ", "গৃহ"), idea("house", "আলয়", "ঘৰ"), words_at_once=words_at_once)
    bring(database, idea("house", "অট্টালিকা", "আলয়", "গৃহ"))

    assert words_of(database, "house") == ["ঘৰ", "গৃহ", "আলয়", "অট্টালিকা"]


@pytest.mark.parametrize("policy", list(ConflictPolicy))
def test_no_later_import_reorders_what_an_editor_has_ordered(empty: Database, policy: ConflictPolicy) -> None:
    records = idea("house", "গৃহ", "ঘৰ"), idea("home", "ঘৰ")
    bring(empty, *records)
    editing = Editing(empty)
    run(editing.move_word(EDITOR, sense_of(empty, "ঘৰ", "house"), -1))
    run(editing.move_meaning(EDITOR, sense_of(empty, "ঘৰ", "home"), -1))

    bring(empty, *records, policy=policy)

    assert words_of(empty, "house") == ["ঘৰ", "গৃহ"]
    assert meanings_of(empty, "ঘৰ") == ["home", "house"]


@pytest.mark.parametrize("name", ["jsonl", "csv", "xlsx", "lift"])
def test_the_order_of_an_editor_goes_out_and_comes_in_with_a_file(
    sqlite_databases: SqliteDatabases, tmp_path: Path, name: str
) -> None:
    file = tmp_path / EXPORTERS[name].file
    with (
        open_database(sqlite_databases, leave_empty) as database,
        open_database(sqlite_databases, leave_empty) as other,
    ):
        bring(database, idea("house", "অট্টালিকা", "গৃহ", "ঘৰ"), idea("home", "ঘৰ"), idea("room", "ঘৰ"))
        editing = Editing(database)
        run(editing.move_word(EDITOR, sense_of(database, "ঘৰ", "house"), -1))
        run(editing.move_meaning(EDITOR, sense_of(database, "ঘৰ", "room"), -2))
        export(database, name, file)
        bring(other)
        options = ImportOptions() if name in {"jsonl", "lift"} else ImportOptions(source=SOURCE)
        wanted = ImportRequest("csv" if name == "xlsx" else name, (file,), options)
        assert import_files(other, wanted, now=NOW, on_progress=lambda _: None).loaded.rejected == 0

        assert words_of(other, "house") == words_of(database, "house") == ["অট্টালিকা", "ঘৰ", "গৃহ"]
        assert meanings_of(other, "ঘৰ") == meanings_of(database, "ঘৰ") == ["room", "house", "home"]


def test_a_mirror_keeps_the_order_that_an_editor_has_made(empty: Database, tmp_path: Path) -> None:
    bring(empty, idea("house", "অট্টালিকা", "গৃহ", "ঘৰ"))
    export(empty, "jsonl", tmp_path / "a.jsonl")
    run(Editing(empty).move_word(EDITOR, sense_of(empty, "ঘৰ", "house"), -1))
    wanted = ImportRequest("jsonl", (tmp_path / "a.jsonl",), mirror=True)

    import_files(empty, wanted, now=NOW, on_progress=lambda _: None)

    assert words_of(empty, "house") == ["অট্টালিকা", "ঘৰ", "গৃহ"]


def test_words_of_merged_ideas_follow_each_other_and_part_again(empty: Database) -> None:
    bring(empty, idea("house", "ঘৰ", "গৃহ"), idea("dwelling", "নিবাস", "আলয়"))
    editing = Editing(empty)

    merged = run(editing.merge(EDITOR, 1, 2))

    assert words_of(empty, "house") == ["ঘৰ", "গৃহ", "নিবাস", "আলয়"]
    run(editing.undo(EDITOR, merged.version))
    assert words_of(empty, "dwelling") == ["নিবাস", "আলয়"]


def test_an_entry_of_the_history_from_before_the_order_was_stored_is_undone(empty: Database) -> None:
    bring(empty, idea("house", "ঘৰ", "গৃহ"))
    editing = Editing(empty)
    sense_id = sense_of(empty, "গৃহ", "house")
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
