import csv
import gzip
import io
import re
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from defusedxml import ElementTree
from sqlalchemy import update

from abhidhan import schema
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.exchange.model import ExportSelection
from abhidhan.exchange.service import exporting
from abhidhan.exchange.service.exporting import ExportError, export
from abhidhan.exchange.service.importing import ImportRequest, import_files, import_records
from abhidhan.exchange.store.dump import read_last_change
from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.registry import EXPORTERS, IMPORTERS
from abhidhan.formats.writers.stardict import list_roman_spellings
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import FrequencyRecord, IdeaRecord, LanguageRecord, Record, SourceRecord, WordRecord
from abhidhan.records.languages import ASSAMESE
from tests.support.databases import SqliteDatabases, leave_empty, load_sample, open_database
from tests.support.edits import change_record
from tests.support.sample import NOW


@pytest.fixture(scope="module")
def sample(sqlite_databases: SqliteDatabases) -> Database:
    """Open the sample for all tests of this file."""
    return Database(sqlite_databases.copy(load_sample))


def test_the_same_data_yield_the_same_bytes(sample: Database, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name in sorted({*EXPORTERS} - {"recordings"}):
        with subtests.test(name):
            folder = tmp_path / name
            folder.mkdir()
            first = export(sample, name, folder / "one")
            second = export(sample, name, folder / "two")

            assert first.sha256 == second.sha256
            assert first.size > 0
            assert "Apache-2.0" in first.licences
            assert sorted(path.name for path in folder.iterdir()) == ["one", "two"]


def test_a_file_whose_name_ends_with_gz_is_compressed(
    sample: Database, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for name in ["jsonl", "csv", "tei", "wn-lmf", "ontolex"]:
        with subtests.test(name):
            plain, compressed = (tmp_path / file for file in ("words", "words.gz"))
            export(sample, name, plain)
            assert export(sample, name, compressed).media_type == "application/gzip"

            assert gzip.decompress(compressed.read_bytes()) == plain.read_bytes()


def test_jsonl_round_trips_to_the_same_bytes(
    sample: Database, sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    file = tmp_path / "all.jsonl"
    first = export(sample, "jsonl", file)
    with open_database(sqlite_databases, leave_empty) as empty:
        report = import_files(empty, ImportRequest("jsonl", (file,)), now=NOW, on_progress=lambda _: None)
        second = export(empty, "jsonl", tmp_path / "again.jsonl")

    assert report.loaded.rejected == 0
    assert second.sha256 == first.sha256


def test_exported_files_can_be_read_by_our_own_importers(
    sample: Database, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for name in ["csv", "xlsx", "tei", "wn-lmf", "cldf", "lift"]:
        with subtests.test(name):
            file = tmp_path / EXPORTERS[name].file
            export(sample, name, file)
            options = ImportOptions(source=SourceRecord("s", "S", "CC0-1.0"), language="as", target="en")

            importer = IMPORTERS["csv" if name == "xlsx" else name]
            found = list(importer.read(open_contents([file]), options))

            assert [one for one in found if isinstance(one, RecordError)] == []
            texts = {
                word.text
                for one in found
                if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord)
                for word in one.record.words
            }
            assert "পানী" in texts


def test_frequencies_can_be_read_by_our_own_importer_and_are_sorted(sample: Database, tmp_path: Path) -> None:
    export(sample, "frequencies", tmp_path / "counted.zip")
    with zipfile.ZipFile(tmp_path / "counted.zip") as packed:
        (tmp_path / "as.tsv").write_bytes(packed.read("as.tsv"))

    found = list(IMPORTERS["frequencies"].read(open_contents([tmp_path / "as.tsv"]), ImportOptions(language="as")))

    counted = [
        one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, FrequencyRecord)
    ]
    assert len(counted) > 40
    assert {one.field for one in found if isinstance(one, UnstoredValue)} == {"comment"}
    figures = [one.frequency for one in counted]
    assert figures == sorted(figures, reverse=True)
    with sample.snapshot() as reader:
        words = exporting.build_export_source(reader, ExportSelection()).words(ASSAMESE)
        known = {word.word: word.frequency for word in words if word.frequency}
    assert {one.text: one.frequency for one in counted} == known


def test_csv_has_a_row_for_each_word_with_its_terms(sample: Database, tmp_path: Path) -> None:
    export(sample, "csv", tmp_path / "a.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text("utf-8-sig"))))

    row = next(row for row in rows if row["word"] == "পানী")
    assert (row["language"], row["pos"], row["key"]) == ("as", "Material Noun", "sample:water")
    assert row["short"] == "N.mat"
    assert row["licence"]


def test_tei_is_well_formed_and_names_licences(sample: Database, tmp_path: Path) -> None:
    export(sample, "tei", tmp_path / "a.xml")
    root = ElementTree.parse(tmp_path / "a.xml").getroot()

    assert root is not None
    assert len(root.findall(".//{http://www.tei-c.org/ns/1.0}entry")) > 100
    assert "Apache-2.0" in "".join(root.find(".//{http://www.tei-c.org/ns/1.0}licence").itertext())


def test_the_snapshot_has_no_personal_data(sample: Database, tmp_path: Path) -> None:
    export(sample, "sqlite", tmp_path / "a.sqlite3")

    with closing(sqlite3.connect(tmp_path / "a.sqlite3")) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert connection.execute("SELECT count(*) FROM word").fetchone()[0] > 100
    assert not tables & {"person", "session", "submission", "photo", "history"}


def test_anki_notes_have_unique_guids(sample: Database, tmp_path: Path) -> None:
    export(sample, "anki", tmp_path / "a.apkg")
    with zipfile.ZipFile(tmp_path / "a.apkg") as made:
        (tmp_path / "collection").write_bytes(made.read("collection.anki2"))

    with closing(sqlite3.connect(tmp_path / "collection")) as connection:
        notes = connection.execute("SELECT guid, flds FROM notes").fetchall()
    assert len({guid for guid, _ in notes}) == len(notes) == 7
    assert any("হাতী" in fields for _, fields in notes)


def test_a_selection_rejects_unknown_names_and_includes_subcontexts(sample: Database) -> None:
    catalogue = sample.read_now(lambda reader: reader.catalogue)
    for wrong in ({"languages": ["klingon"]}, {"sources": ["x"]}, {"contexts": ["x"]}, {"parts_of_speech": ["x"]}):
        with pytest.raises(InputError, match="There is no"):
            exporting.build_selection(catalogue, **wrong)

    assert len(exporting.build_selection(catalogue, contexts=["Science and Technology"]).contexts) > 3


def test_an_export_of_one_language_has_it_in_its_title_and_name(sample: Database) -> None:
    with sample.snapshot() as reader:
        whole = exporting.build_export_source(reader, ExportSelection())
        of_one = exporting.build_export_source(reader, exporting.build_selection(reader.catalogue, languages=["as"]))

    assert (whole.title, whole.name) == ("Abhidhan", "abhidhan")
    assert (of_one.title, of_one.name) == ("Abhidhan: Assamese", "abhidhan-as")


def test_extra_languages_are_exported_with_the_ideas_of_a_language(sample: Database) -> None:
    with sample.snapshot() as reader:
        choice = exporting.build_selection(reader.catalogue, languages=["as"], extra_languages=["en"])
        book = exporting.build_export_source(reader, choice)
        ideas = list(book.ideas())
        words = list(book.words(next(iter(choice.languages))))

    assert all("as" in {word.language for word in idea.words} for idea in ideas)
    assert {word.language for idea in ideas for word in idea.words} == {"as", "en"}
    others = [one.language for word in words for meaning in word.meanings for one in meaning.translations]
    assert {"Assamese", "English"} == set(others)


def test_entries_show_a_limited_number_of_languages(sqlite_databases: SqliteDatabases) -> None:
    codes = [f"q{first}{second}" for first in "ab" for second in "abcdefghijklmnopqrstuvwxyz"][:45]
    languages = [LanguageRecord(0, code, None, f"Language {code}", code, "Latn") for code in codes]
    words = tuple(WordRecord(code, f"water {code}") for code in codes)
    records: list[Record] = [*languages, SourceRecord("s", "S", "CC0-1.0"), IdeaRecord("s", "w", None, words)]
    with open_database(sqlite_databases, load_sample) as database:
        import_records(database, [LocatedRecord("a", number, one) for number, one in enumerate(records)], now=NOW)
        with database.snapshot() as reader:
            last = reader.catalogue.find_language(codes[-1])
            assert last is not None
            (word,) = exporting.build_export_source(reader, ExportSelection()).words(last.id)
            chosen = exporting.build_selection(reader.catalogue, languages=[codes[-1]], extra_languages=[codes[-2]])
            (beside,) = exporting.build_export_source(reader, chosen).words(last.id)
            records_of_all = list(exporting.build_export_source(reader, ExportSelection()).ideas())

    assert 0 < len(word.meanings[0].translations) < exporting.MAX_GLOSS_LANGUAGES
    assert [one.word for one in beside.meanings[0].translations] == [f"water {codes[-2]}"]
    assert len(records_of_all[-1].words) == len(codes)


def test_an_unknown_format_or_folder_is_rejected(sample: Database, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no format"):
        export(sample, "docx", tmp_path / "x")
    with pytest.raises(ExportError, match="there is no folder"):
        export(sample, "csv", tmp_path / "none" / "x")
    assert list(tmp_path.iterdir()) == []


def test_formulas_are_exported_as_text_and_read_back_unchanged(
    sqlite_databases: SqliteDatabases, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for name in ["csv", "xlsx"]:
        with subtests.test(name):
            texts = ["-বোৰ", "'-বোৰ", "=SUM(A1)", "+1", "@home", "'ng", "''", "{=1}", "http://example.org"]
            records: list[Record] = [
                LanguageRecord(0, "as", "asm", "Assamese", "অসমীয়া", "Beng"),
                SourceRecord("s", "S", "CC0-1.0"),
                *(IdeaRecord("s", f"k{place}", None, (WordRecord("as", text),)) for place, text in enumerate(texts)),
            ]
            placed = [LocatedRecord("a", number, record) for number, record in enumerate(records)]
            with open_database(sqlite_databases, leave_empty) as database:
                import_records(database, placed, now=NOW)
                export(database, name, tmp_path / EXPORTERS[name].file)

            options = ImportOptions(source=SourceRecord("s", "S", "CC0-1.0"))
            found = IMPORTERS["csv"].read(open_contents([tmp_path / EXPORTERS[name].file]), options)
            back = [
                one.record.words[0].text
                for one in found
                if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord)
            ]
            assert back == texts
            if name == "csv":
                cells = list(csv.reader(io.StringIO((tmp_path / "abhidhan.csv").read_text("utf-8-sig"))))
                assert not [cell for row in cells for cell in row if cell.startswith(("=", "+", "-", "@"))]
            else:
                with zipfile.ZipFile(tmp_path / "abhidhan.xlsx") as made:
                    assert b"<f>" not in made.read("xl/worksheets/sheet1.xml")


def test_stardict_synonyms_are_romanizations_with_and_without_marks(sample: Database, tmp_path: Path) -> None:
    target = tmp_path / "export.zip"
    export(sample, "stardict", target)
    with zipfile.ZipFile(target) as packed:
        index = packed.read("abhidhan/abhidhan.idx")
        synonyms = packed.read("abhidhan/abhidhan.syn")
    headwords = [entry[1].decode() for entry in re.finditer(rb"([^\0]+)\0.{8}", index, re.DOTALL)]
    names = [
        (entry[1].decode(), headwords[int.from_bytes(entry[2])])
        for entry in re.finditer(rb"([^\0]+)\0(.{4})", synonyms, re.DOTALL)
    ]

    assert {("pa.ni", "পানী"), ("xob.do", "শব্দ"), ("xobdo", "শব্দ")} <= set(names)
    assert [name for name, _ in names] == sorted(name for name, _ in names)
    assert len(names) == len({name for name, _ in names})
    assert {"kola", "pani"} <= set(headwords) - {name for name, _ in names}


def test_a_romanization_with_diacritics_is_also_listed_without(sample: Database) -> None:
    (water,) = sample.read_now(lambda reader: look_up(reader, "পানী", 2))[0].entries
    hindi = msgspec.structs.replace(water, word="अच्छा लड़का", language_id=21, roman="acchā laṛkā")

    assert list_roman_spellings(hindi) == ("acchā laṛkā".encode(), b"accha larka")
    assert list_roman_spellings(msgspec.structs.replace(hindi, roman=None)) == ()


def test_an_edit_makes_a_deck_newer_so_that_anki_updates_it(
    sqlite_databases: SqliteDatabases, subtests: pytest.Subtests
) -> None:
    for kind in ["word", "card", "phrase"]:
        with subtests.test(kind), open_database(sqlite_databases, load_sample) as database:
            before = database.read_now(read_last_change)
            change_record(database, kind, 1, roman="changed")
            with database.engine.begin() as connection:
                later = update(schema.history).where(schema.history.c.record == kind).values(at=NOW + 60)
                connection.execute(later)

            assert database.read_now(read_last_change) == NOW + 60 > before
