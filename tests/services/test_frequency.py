"""How often a word is used: given in files and by editors, refused where it cannot be, and shown."""

import asyncio
from pathlib import Path
from typing import Final

import msgspec
import pytest

from abhidhan.domain.drafts import IdeaData, WordChanges, WordData
from abhidhan.domain.history import RecordName, WordState
from abhidhan.domain.incoming import Placed, Policy
from abhidhan.domain.people import Person, Role
from abhidhan.domain.records import IdeaRecord, Record, WordRecord
from abhidhan.domain.words import Word
from abhidhan.errors import InputError
from abhidhan.formats.reading import Options
from abhidhan.services.dictionary import browse
from abhidhan.services.editing import Editing
from abhidhan.services.exchange.exporting import export
from abhidhan.services.exchange.importing import Import, import_files, import_records
from abhidhan.storage.engine.database import Database
from tests.support.sample import NOW, SOURCE

EDITOR: Final = Person(id=1, username="editor", role=Role.EDITOR, email=None, created=0, disabled=None)
REFUSED: Final = "`frequency` must be a number from 0 to 1,000,000."


def bring(database: Database, frequency: float | None, policy: Policy = Policy.FILL) -> list[str]:
    """Import a word with a frequency, and give what is wrong with it."""
    counted = None if frequency is None else "a corpus"
    word = WordRecord("en", "often", frequency=frequency, frequency_source=counted)
    records: tuple[Record, ...] = (SOURCE, IdeaRecord("sample", "often", "Adverb", (word,)))
    placed = (Placed("file", line, each) for line, each in enumerate(records, 1))
    return [fault.detail for fault in import_records(database, placed, now=NOW, policy=policy).faults]


def found(database: Database, text: str) -> Word:
    page = database.read_now(lambda reader: browse.list_page(reader, text, 1, 10, 0))
    return next(word for word in page.words if word.word == text)


def test_a_frequency_of_a_file_is_answered_and_exported_again(dictionary: Database, tmp_path: Path) -> None:
    assert bring(dictionary, 12.5) == []

    export(dictionary, "jsonl", tmp_path / "all.jsonl")
    export(dictionary, "csv", tmp_path / "all.csv")

    assert found(dictionary, "often").frequency == 12.5
    assert '"text":"often","frequency":12.5,"frequency_source":"a corpus"' in (tmp_path / "all.jsonl").read_text()
    header, *rows = (tmp_path / "all.csv").read_text("utf-8-sig").splitlines()
    assert ",definitive,frequency,frequency_source,forms,reference,note" in header
    assert any(",often,,,,,,,,12.5,a corpus," in row for row in rows)


def test_where_nobody_gave_a_frequency_it_is_null_and_not_exported(dictionary: Database, tmp_path: Path) -> None:
    export(dictionary, "jsonl", tmp_path / "all.jsonl")

    assert found(dictionary, "water").frequency is None
    assert "frequency" not in (tmp_path / "all.jsonl").read_text()


def test_a_table_has_columns_for_it(dictionary: Database, tmp_path: Path) -> None:
    file = tmp_path / "counted.csv"
    file.write_text(
        "word,definition,frequency,frequency_source\nhardly,Almost not,0.25,a corpus\nseldom,Not often,many,\n"
    )
    wanted = Import("csv", (file,), Options(source=SOURCE, language="en"))

    loaded = import_files(dictionary, wanted, now=NOW, on_progress=lambda _: None).loaded

    assert [fault.detail for fault in loaded.faults] == [REFUSED]
    assert found(dictionary, "hardly").frequency == 0.25


def test_zero_is_a_frequency_that_is_known(dictionary: Database) -> None:
    bring(dictionary, 0)
    bring(dictionary, 3)

    assert found(dictionary, "often").frequency == 0
    bring(dictionary, 3, Policy.REPLACE)
    assert found(dictionary, "often").frequency == 3


@pytest.mark.parametrize("frequency", [-0.5, 1_000_000.5, float("inf"), float("nan")])
def test_what_is_no_frequency_is_refused_at_every_door(dictionary: Database, frequency: float) -> None:
    editing = Editing(dictionary)
    new = WordData(language="en", word="other", meaning=IdeaData("Adverb"), frequency=frequency)

    assert bring(dictionary, frequency) == [REFUSED]
    with pytest.raises(InputError, match=REFUSED[:40]):
        asyncio.run(editing.add_word(EDITOR, new))
    with pytest.raises(InputError, match=REFUSED[:40]):
        asyncio.run(editing.change(EDITOR, RecordName("word", "1"), 0, WordChanges(frequency=frequency)))


def test_an_editor_gives_and_takes_a_frequency_and_it_can_be_undone(dictionary: Database) -> None:
    editing, name = Editing(dictionary), RecordName("word", "1")
    given = asyncio.run(editing.change(EDITOR, name, 0, WordChanges(frequency=81.5, frequency_source="a corpus")))

    taken = asyncio.run(editing.change(EDITOR, name, given.version, WordChanges(frequency=None)))
    undone = asyncio.run(editing.undo(EDITOR, taken.version))

    assert isinstance(taken.state, WordState)
    assert (taken.state.frequency, taken.state.frequency_source) == (None, "a corpus")
    assert undone.state == given.state
    assert msgspec.to_builtins(undone.state)["frequency"] == 81.5
