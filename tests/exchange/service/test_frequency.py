"""Frequencies of words: given in files and by editors, rejected where impossible, and shown."""

import asyncio
from pathlib import Path
from typing import Final

import msgspec
import pytest
from sqlalchemy import select

from abhidhan.dictionary.service import browse
from abhidhan.dictionary.service.changes import list_changes
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.exporting import export
from abhidhan.exchange.service.import_for_review import OmissionReason
from abhidhan.exchange.service.importing import ImportReport, ImportRequest, import_files, import_records
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.jsonl import encode_line
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError
from abhidhan.records.history import RecordRef, WordState
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.kinds import FrequencyRecord, IdeaRecord, Record, WordRecord
from abhidhan.records.languages import ASSAMESE, ENGLISH
from abhidhan.records.submission_payloads import IdeaData, WordChanges, WordData
from abhidhan.records.words import Word
from abhidhan.schema import word as word_table
from assamese.word_frequency import counted_frequency
from tests.support.arbitrary_edits import EDITOR
from tests.support.sample import NOW, SOURCE

REFUSED: Final = "`frequency` must be a number from 0 to 1,000,000."


def import_word(database: Database, frequency: float | None, policy: ConflictPolicy = ConflictPolicy.FILL) -> list[str]:
    """Import a word with a frequency, and give what is wrong with it."""
    counted = None if frequency is None else "a corpus"
    word = WordRecord("en", "often", frequency=frequency, frequency_source=counted)
    records: tuple[Record, ...] = (SOURCE, IdeaRecord("sample", "often", "Adverb", (word,)))
    placed = (LocatedRecord("file", line, each) for line, each in enumerate(records, 1))
    return [fault.detail for fault in import_records(database, placed, now=NOW, policy=policy).errors]


def find_word(database: Database, text: str) -> Word:
    language_id = ENGLISH if text.isascii() else ASSAMESE
    page = database.read_now(lambda reader: browse.list_page(reader, text, LanguageParam(str(language_id)), 10, 0))
    return next(word for word in page.items if word.word == text)


def find_record(database: Database, text: str) -> RecordRef:
    return RecordRef("word", str(find_word(database, text).id))


def test_an_imported_frequency_is_shown_and_exported(dictionary: Database, tmp_path: Path) -> None:
    assert import_word(dictionary, 12.5) == []

    export(dictionary, "jsonl", tmp_path / "all.jsonl")
    export(dictionary, "csv", tmp_path / "all.csv")

    assert find_word(dictionary, "often").frequency == 12.5
    assert '"text":"often","frequency":12.5,"frequency_source":"a corpus"' in (tmp_path / "all.jsonl").read_text()
    header, *rows = (tmp_path / "all.csv").read_text("utf-8-sig").splitlines()
    assert ",definitive,frequency,frequency_source,forms,reference,note" in header
    assert any(",often,,,,,,,,,12.5,a corpus," in row for row in rows)


def test_without_a_given_frequency_only_assamese_words_have_one_and_none_is_exported(
    dictionary: Database, tmp_path: Path
) -> None:
    export(dictionary, "jsonl", tmp_path / "all.jsonl")

    assert find_word(dictionary, "water").frequency is None
    assert find_word(dictionary, "পানী").frequency == counted_frequency("পানী", "as") == 720
    assert "frequency" not in (tmp_path / "all.jsonl").read_text()


def test_a_table_has_columns_for_frequencies(dictionary: Database, tmp_path: Path) -> None:
    file = tmp_path / "counted.csv"
    file.write_text(
        "word,definition,frequency,frequency_source\nhardly,Almost not,0.25,a corpus\nseldom,Not often,many,\n"
    )
    wanted = ImportRequest("csv", (file,), ImportOptions(source=SOURCE, language="en"))

    loaded = import_files(dictionary, wanted, now=NOW, on_progress=lambda _: None).loaded

    assert [fault.detail for fault in loaded.errors] == [REFUSED]
    assert find_word(dictionary, "hardly").frequency == 0.25


def test_zero_is_a_known_frequency(dictionary: Database) -> None:
    import_word(dictionary, 0)
    import_word(dictionary, 3)

    assert find_word(dictionary, "often").frequency == 0
    import_word(dictionary, 3, ConflictPolicy.REPLACE)
    assert find_word(dictionary, "often").frequency == 3


def test_an_impossible_frequency_is_rejected_from_files_and_editors(
    dictionary: Database, subtests: pytest.Subtests
) -> None:
    for frequency in [-0.5, 1_000_000.5, float("inf"), float("nan")]:
        with subtests.test(str(frequency)):
            editing = Editing(dictionary)
            new = WordData(language="en", word="other", meaning=IdeaData("Adverb"), frequency=frequency)

            assert import_word(dictionary, frequency) == [REFUSED]
            with pytest.raises(InputError, match=REFUSED[:40]):
                asyncio.run(editing.add_word(EDITOR, new))
            with pytest.raises(InputError, match=REFUSED[:40]):
                asyncio.run(editing.change(EDITOR, RecordRef("word", "1"), 0, WordChanges(frequency=frequency)))


def test_an_editor_sets_and_removes_a_frequency_and_undoes_that(dictionary: Database) -> None:
    editing, name = Editing(dictionary), RecordRef("word", "1")
    given = asyncio.run(editing.change(EDITOR, name, 0, WordChanges(frequency=81.5, frequency_source="a corpus")))

    taken = asyncio.run(editing.change(EDITOR, name, given.version, WordChanges(frequency=None)))
    undone = asyncio.run(editing.undo(EDITOR, taken.version))

    assert isinstance(taken.state, WordState)
    assert (taken.state.frequency, taken.state.frequency_source) == (None, "a corpus")
    assert undone.state == given.state
    assert msgspec.to_builtins(undone.state)["frequency"] == 81.5


def test_a_given_frequency_takes_precedence_over_the_built_in_counts(dictionary: Database) -> None:
    editing, name = Editing(dictionary), find_record(dictionary, "পানী")
    given = asyncio.run(editing.change(EDITOR, name, 0, WordChanges(frequency=0)))
    shown = find_word(dictionary, "পানী").frequency
    asyncio.run(editing.change(EDITOR, name, given.version, WordChanges(frequency=None)))

    assert (shown, find_word(dictionary, "পানী").frequency) == (0, 720)


def import_table(
    database: Database, folder: Path, rows: str, policy: ConflictPolicy = ConflictPolicy.FILL, **more: bool
) -> ImportReport:
    """Import a table of frequencies of Assamese words."""
    file = folder / "counted.tsv"
    file.write_text(f"word\tfrequency\tsource\n{rows}", "utf-8")
    wanted = ImportRequest("frequencies", (file,), ImportOptions(language="as"), policy, **more)
    return import_files(database, wanted, now=NOW + 1, on_progress=lambda _: None)


def read_frequency(database: Database, text: str) -> tuple[float | None, str | None]:
    """Read what is stored of a word's frequency."""
    table = word_table.c
    columns = select(table.frequency, table.frequency_source).where(table.text == text, table.language_id == 2)
    with database.long_write() as connection:
        frequency, source = connection.execute(columns).one()
    return frequency, source


def test_a_table_of_frequencies_fills_words_without_one(dictionary: Database, tmp_path: Path) -> None:
    first = import_table(dictionary, tmp_path, "পানী\t12.5\tone\nনাইকিয়া শব্দ\t1\tone\nপানী\t3\tthree\n").loaded
    again = import_table(dictionary, tmp_path, "পানী\t99\ttwo\n").loaded

    assert (first.counts["filled"], first.rejected) == (1, 1)
    assert str(first.errors[0]) == "counted.tsv:3: There is no word 'নাইকিয়া শব্দ' for this frequency."
    assert not again.has_changes
    assert read_frequency(dictionary, "পানী") == (12.5, "one")
    assert find_word(dictionary, "পানী").frequency == 12.5


def test_the_policy_applies_to_a_frequency_and_its_source_together(dictionary: Database, tmp_path: Path) -> None:
    import_table(dictionary, tmp_path, "পানী\t5\tkept out\n", ConflictPolicy.KEEP)
    untouched = read_frequency(dictionary, "পানী")
    import_table(dictionary, tmp_path, "পানী\t12.5\tone\n")
    replaced = import_table(dictionary, tmp_path, "পানী\t0\ttwo\n", ConflictPolicy.REPLACE).loaded

    assert untouched == (None, None)
    assert replaced.counts["replaced"] == 1
    assert read_frequency(dictionary, "পানী") == (0, "two")


def test_a_source_without_a_frequency_is_replaced(dictionary: Database, tmp_path: Path) -> None:
    name = find_record(dictionary, "পানী")
    asyncio.run(Editing(dictionary).change(EDITOR, name, 0, WordChanges(frequency_source="nobody")))

    import_table(dictionary, tmp_path, "পানী\t12.5\tone\n")

    assert read_frequency(dictionary, "পানী") == (12.5, "one")


def test_a_source_is_not_changed_without_its_frequency(dictionary: Database, tmp_path: Path) -> None:
    import_table(dictionary, tmp_path, "পানী\t12.5\tone\n")
    water = WordRecord("as", "পানী", frequency=3, frequency_source="another")
    records: tuple[Record, ...] = (SOURCE, IdeaRecord("sample", "again", "Adverb", (water,)))
    import_records(dictionary, (LocatedRecord("file", line, each) for line, each in enumerate(records, 1)), now=NOW)

    assert read_frequency(dictionary, "পানী") == (12.5, "one")


def test_a_new_frequency_is_in_the_list_of_changes(dictionary: Database, tmp_path: Path) -> None:
    since = dictionary.read_now(lambda reader: list_changes(reader, None, 10)).next

    import_table(dictionary, tmp_path, "পানী\t12.5\tone\n")

    changed = dictionary.read_now(lambda reader: list_changes(reader, since, 10)).records
    assert [(one.kind, one.id) for one in changed] == [("word", find_word(dictionary, "পানী").id)]


def test_a_row_without_a_source_is_rejected_with_the_name_of_its_file(dictionary: Database, tmp_path: Path) -> None:
    loaded = import_table(dictionary, tmp_path, "পানী\t12.5\t\n").loaded

    assert [str(fault) for fault in loaded.errors] == [
        (
            "counted.tsv:2: Who counted the words of counted.tsv? Add a column source, or name it, such as: "
            "--source corpus --licence …."
        )
    ]


def test_frequencies_are_not_reviewed(dictionary: Database, tmp_path: Path) -> None:
    reviewed = import_table(dictionary, tmp_path, "পানী\t12.5\tone\n", review=True).reviewed

    assert reviewed is not None
    assert (reviewed.pending, reviewed.omitted) == (0, {OmissionReason.FREQUENCY: 1})


def test_a_frequency_is_a_record_of_its_own_in_jsonl(dictionary: Database, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(encode_line(FrequencyRecord("as", "পানী", 2_000_000, "x")))
    file.write_bytes(file.read_bytes() + encode_line(FrequencyRecord("as", "পানী", 12.5, "x")))

    loaded = import_files(dictionary, ImportRequest("jsonl", (file,)), now=NOW, on_progress=lambda _: None).loaded

    assert [fault.detail for fault in loaded.errors] == [REFUSED]
    assert read_frequency(dictionary, "পানী") == (12.5, "x")
