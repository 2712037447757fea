"""LIFT out of a dictionary, into an empty one and out again; and FieldWorks's own through a dictionary."""

import zipfile
from pathlib import Path

from lxml import etree

from abhidhan.exchange.service.exporting import build_selection, export
from abhidhan.exchange.service.importing import ImportReport, ImportRequest, import_files
from abhidhan.exchange.store.dump import dump_records
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import ConflictPolicy, RecordError
from abhidhan.records.kinds import IdeaRecord
from tests.support.databases import SqliteDatabases, leave_empty, load_sample, open_database
from tests.support.importing import SOURCE
from tests.support.lift import DRINK, ENTRY, FIELDWORKS, HOT, OTHER, RANGES, WATER
from tests.support.recording_studio import open_studio, query_word
from tests.support.sample import NOW

BARE = ImportOptions()


def import_lift(
    database: Database, file: Path, options: ImportOptions = BARE, policy: ConflictPolicy = ConflictPolicy.FILL
) -> ImportReport:
    rejected: list[RecordError] = []
    wanted = ImportRequest("lift", (file,), options, policy)
    report = import_files(database, wanted, now=NOW, on_progress=lambda _: None, on_reject=rejected.append)
    assert rejected == []
    return report


def entries(file: Path) -> etree._Element:
    with zipfile.ZipFile(file) as made:
        return etree.fromstring(made.read(next(name for name in made.namelist() if name.endswith(".lift"))))


def ideas(database: Database) -> dict[str, IdeaRecord]:
    records = database.read_now(lambda reader: list(dump_records(reader)))
    return {one.key: one for one in records if isinstance(one, IdeaRecord)}


def test_lift_round_trips_to_the_same_bytes(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    with (
        open_database(sqlite_databases, load_sample) as database,
        open_database(sqlite_databases, leave_empty) as empty,
    ):
        first = export(database, "lift", tmp_path / "a.zip")
        import_lift(empty, tmp_path / "a.zip")
        second = export(empty, "lift", tmp_path / "b.zip")
        again = import_lift(empty, tmp_path / "a.zip", policy=ConflictPolicy.REPLACE)
        third = export(empty, "lift", tmp_path / "c.zip")

    assert first.sha256 == second.sha256 == third.sha256
    assert again.loaded.counts.get("word", 0) == 0


def test_entries_of_fieldworks_keep_their_ids(dictionary: Database, tmp_path: Path) -> None:
    (tmp_path / "k").mkdir()
    (tmp_path / "k/k.lift").write_text(FIELDWORKS, "utf-8")
    (tmp_path / "k/k.lift-ranges").write_text(RANGES, "utf-8")
    import_lift(dictionary, tmp_path / "k", ImportOptions(source=SOURCE))
    before = ideas(dictionary)
    assert import_lift(dictionary, tmp_path / "k", ImportOptions(source=SOURCE)).loaded.counts.get("idea", 0) == 0
    assert ideas(dictionary) == before
    catalogue = dictionary.read_now(lambda reader: reader.catalogue)
    export(
        dictionary,
        "lift",
        tmp_path / "a.zip",
        build_selection(catalogue, languages=["mjw"], extra_languages=["en", "as"]),
    )

    words = {(word.language, word.text) for word in before[f"mjw/{ENTRY}/{WATER}"].words}
    assert words == {
        ("mjw", "lang"),
        ("mjw", "laang"),
        ("en", "water"),
        ("en", "river water"),
        ("as", "পানী"),
        ("la", "Aqua pura"),
    }
    root = entries(tmp_path / "a.zip")
    lang = root.xpath("entry[lexical-unit/form[@lang='mjw']/text='lang']")
    assert [one.get("guid") for one in lang] == [ENTRY, OTHER]
    assert [one.get("order") for one in lang] == ["1", "2"]
    assert [one.xpath("sense/@id | sense/subsense/@id") for one in lang] == [[WATER, DRINK], [HOT]]
    assert lang[1].xpath("relation[@type='_component-lexeme']/@ref") == [f"lang_{ENTRY}"]
    assert lang[0].xpath("variant/trait[@name='paradigm']/@value") == ["plural"]


def test_recordings_are_exported_with_their_entries_if_requested(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    with open_database(sqlite_databases, load_sample) as database, open_studio(database, tmp_path / "home") as site:
        number = site.add_recording(query_word("পানী"))
        export(site.database, "lift", tmp_path / "a.zip", recordings=site.recording_options())
        export(site.database, "lift", tmp_path / "b.zip")

    with zipfile.ZipFile(tmp_path / "a.zip") as made:
        assert made.read(f"audio/{number}.mp3") == site.body
    (said,) = entries(tmp_path / "a.zip").xpath("entry/pronunciation[media]")
    assert said.xpath("media/@href") == [f"{number}.mp3"]
    assert said.xpath("media/label/form/text/text()") == ["Anil, Jorhat, CC-BY-4.0"]
    assert {one.get("name"): one.get("value") for one in said.findall("trait")} == {
        "speaker": "Anil",
        "place": "Jorhat",
        "licence": "CC-BY-4.0",
    }
    assert entries(tmp_path / "b.zip").xpath("//media") == []
