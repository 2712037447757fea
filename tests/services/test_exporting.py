import csv
import io
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from defusedxml import ElementTree

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import IdeaRecord, SourceRecord
from abhidhan.errors import InputError
from abhidhan.formats.files import open_contents
from abhidhan.formats.importers import find_importer
from abhidhan.formats.reading import Options
from abhidhan.services import exporting
from abhidhan.services.exchange import Import, import_files
from abhidhan.services.exporting import export, format_names
from abhidhan.storage.database import Database
from tests.support.databases import SqliteDatabases, nothing, opened, with_sample
from tests.support.sample import NOW


@pytest.fixture(scope="module")
def sample(sqlite_databases: SqliteDatabases) -> Database:
    """Open the sample for all tests of this file."""
    return Database(sqlite_databases.copy(with_sample))


@pytest.mark.parametrize("name", format_names())
def test_the_same_data_give_the_same_bytes(sample: Database, tmp_path: Path, name: str) -> None:
    first = export(sample, name, tmp_path / "one")
    second = export(sample, name, tmp_path / "two")

    assert first.sha256 == second.sha256
    assert first.size > 0
    assert "Apache-2.0" in first.licences
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_jsonl_goes_round_to_the_same_bytes(
    sample: Database, sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    file = tmp_path / "all.jsonl"
    first = export(sample, "jsonl", file)
    with opened(sqlite_databases, nothing) as empty:
        report = import_files(empty, Import("jsonl", (file,)), now=NOW, told=lambda _: None)
        second = export(empty, "jsonl", tmp_path / "again.jsonl")

    assert report.loaded.rejected == 0
    assert second.sha256 == first.sha256


@pytest.mark.parametrize("name", ["csv", "xlsx", "stardict", "dictd", "tei", "wn-lmf", "cldf"])
def test_what_is_written_can_be_read_by_our_own_importers(sample: Database, tmp_path: Path, name: str) -> None:
    file = tmp_path / exporting.file_name(name)
    export(sample, name, file)
    options = Options(source=SourceRecord("s", "S", "CC0-1.0"), language="as", target="en")

    importer = find_importer("csv" if name == "xlsx" else name)
    found = list(importer.read(open_contents([file]), options))

    assert [one for one in found if isinstance(one, Fault)] == []
    texts = {
        word.text
        for one in found
        if isinstance(one, Placed) and isinstance(one.record, IdeaRecord)
        for word in one.record.words
    }
    assert "পানী" in texts


def test_csv_has_a_row_for_each_word_with_its_terms(sample: Database, tmp_path: Path) -> None:
    export(sample, "csv", tmp_path / "a.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text("utf-8-sig"))))

    row = next(row for row in rows if row["word"] == "পানী")
    assert (row["language"], row["pos"], row["key"]) == ("as", "Material Noun", "sample:water")
    assert row["licence"]


def test_tei_is_well_formed_and_names_licences(sample: Database, tmp_path: Path) -> None:
    export(sample, "tei", tmp_path / "a.xml")
    root = ElementTree.parse(tmp_path / "a.xml").getroot()

    assert root is not None
    assert len(root.findall(".//{http://www.tei-c.org/ns/1.0}entry")) > 100
    assert "Apache-2.0" in "".join(root.find(".//{http://www.tei-c.org/ns/1.0}licence").itertext())


def test_the_snapshot_has_nothing_of_people(sample: Database, tmp_path: Path) -> None:
    export(sample, "sqlite", tmp_path / "a.sqlite3")

    with closing(sqlite3.connect(tmp_path / "a.sqlite3")) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert connection.execute("SELECT count(*) FROM word").fetchone()[0] > 100
    assert not tables & {"person", "session", "submission", "photo", "history"}


def test_the_notes_of_anki_keep_their_names(sample: Database, tmp_path: Path) -> None:
    export(sample, "anki", tmp_path / "a.apkg")
    with zipfile.ZipFile(tmp_path / "a.apkg") as made:
        (tmp_path / "collection").write_bytes(made.read("collection.anki2"))

    with closing(sqlite3.connect(tmp_path / "collection")) as connection:
        notes = connection.execute("SELECT guid, flds FROM notes").fetchall()
    assert len({guid for guid, _ in notes}) == len(notes) == 7
    assert any("হাতী" in fields for _, fields in notes)


def test_a_choice_that_names_nothing_is_told(sample: Database) -> None:
    catalogue = sample.read_now(lambda reader: reader.catalogue)
    for wrong in ({"languages": ["klingon"]}, {"sources": ["x"]}, {"contexts": ["x"]}, {"parts_of_speech": ["x"]}):
        with pytest.raises(InputError, match="There is no"):
            exporting.choose(catalogue, **wrong)


def test_a_context_takes_those_under_it(sample: Database) -> None:
    catalogue = sample.read_now(lambda reader: reader.catalogue)

    assert len(exporting.choose(catalogue, contexts=["Science and Technology"]).contexts) > 3


def test_an_unknown_format_is_told(sample: Database, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no format"):
        export(sample, "pdf", tmp_path / "x")
    assert list(tmp_path.iterdir()) == []
