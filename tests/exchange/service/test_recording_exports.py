"""Recordings in what is exported and offered for download, on both engines and from an object store."""

import csv
import io
import json
import sqlite3
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pycldf
import pytest
from pycldf.media import MediaTable

from abhidhan.app.download_publisher import DownloadPublisher, PackSettings
from abhidhan.exchange.service import exporting
from abhidhan.exchange.service.recording_exports import (
    RecordingOptions,
    RecordingPlacement,
    RecordingReader,
    parse_placement,
)
from abhidhan.media.store.recordings import load_speakers
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.download_files import Downloads
from abhidhan.publishing.service.downloads import generate_downloads
from abhidhan.publishing.service.packs import generate_packs
from abhidhan.records.errors import InputError
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.object_store import ACCESS_VARIABLES, running_s3
from tests.support.published_downloads import read_published_file
from tests.support.recording_studio import RecordingStudio, open_studio, query_example, query_proverb, query_word
from tests.support.sample import NOW

EXAMPLE = "মই পানী খাওঁ।"


@pytest.fixture
def site(sqlite_databases: SqliteDatabases, tmp_path: Path) -> Iterator[RecordingStudio]:
    """Let somebody say two words, an example and a proverb."""
    with open_database(sqlite_databases, load_sample) as database, open_studio(database, tmp_path / "home") as site:
        yield add_voices(site)


@pytest.fixture
def on_each_engine(dictionary: Database, tmp_path: Path) -> Iterator[RecordingStudio]:
    """Let somebody say the same, once on each engine."""
    with open_studio(dictionary, tmp_path / "home") as site:
        yield add_voices(site)


def add_voices(site: RecordingStudio) -> RecordingStudio:
    site.add_recording(query_word("পানী"))
    site.add_recording(query_word("কলা"), speaker="=Bina; [x]", place=None, licence="CC0-1.0")
    site.add_recording(query_word("পানী"), speaker=None, place=None, licence=None)
    site.add_recording(query_example(1, EXAMPLE))
    site.add_recording(query_proverb(1))
    site.add_recording(query_word("পানী"), approved=False)
    return site


def export_cldf(
    site: RecordingStudio,
    folder: Path,
    hearing: RecordingOptions | None = None,
    **chosen: Any,  # noqa: ANN401  # options of a selection
) -> pycldf.Dataset:
    """Export a CLDF data set, unpack it, and hold it to the specification."""
    choice = exporting.build_selection(site.database.read_now(lambda reader: reader.catalogue), **chosen)
    exporting.export(site.database, "cldf", folder / "a.zip", choice, hearing or site.recording_options())
    with zipfile.ZipFile(folder / "a.zip") as made:
        made.extractall(folder / "set")
    data = pycldf.Dataset.from_metadata(folder / "set" / "Dictionary-metadata.json")
    assert data.validate()
    return data


def list_media(data: pycldf.Dataset, table: str, column: str) -> dict[str, list[str]]:
    return {row[column]: row["Media_IDs"] for row in data[table] if row["Media_IDs"]}


def make_downloads(site: RecordingStudio, folder: Path, now: int = NOW) -> Downloads:
    return generate_downloads(
        site.database,
        ArtifactStore(folder),
        now=now,
        formats=("anki", "cldf"),
        recording_options=site.recording_options(),
    )


def open_download(folder: Path, name: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(read_published_file(folder, name)))


def test_recordings_are_media_of_a_valid_cldf_data_set(on_each_engine: RecordingStudio, tmp_path: Path) -> None:
    site = on_each_engine
    data = export_cldf(site, tmp_path)

    assert list_media(data, "EntryTable", "Headword") == {"পানী": ["1", "3"], "কলা": ["2"]}
    assert list_media(data, "ExampleTable", "Primary_Text") == {EXAMPLE: ["4"]}
    files = {file.id: file for file in MediaTable(data)}
    assert set(files) == {"1", "2", "3", "4"}
    assert {(file.read(), str(file.mimetype.string)) for file in files.values()} == {(site.body, "audio/mpeg")}
    first, second = files["1"].row, files["2"].row
    assert first == {
        "ID": "1",
        "Name": "পানী",
        "Description": "word",
        "Media_Type": "audio/mpeg",
        "Download_URL": first["Download_URL"],
        "Path_In_Zip": None,
        "Language_ID": "2",
        "Speaker": "Anil",
        "Place": "Jorhat",
        "Licence": "CC-BY-4.0",
        "Milliseconds": 700,
    }
    assert files["1"].relpath == "media/1.mp3"
    assert (second["Speaker"], second["Place"], second["Licence"]) == ("=Bina; [x]", None, "CC0-1.0")
    assert "not stated" in data.properties["dc:license"]
    assert "CC-BY-4.0" in data.properties["dc:license"]


def test_entries_of_a_spelling_share_a_recording_and_examples_belong_to_senses(
    site: RecordingStudio, tmp_path: Path
) -> None:
    data = export_cldf(site, tmp_path)

    entries = [row for row in data["EntryTable"] if row["Headword"] == "কলা" and row["Language_ID"] == "2"]
    assert len(entries) == 2
    assert [row["Media_IDs"] for row in entries] == [["2"], ["2"]]
    assert [row["Media_IDs"] for row in data["EntryTable"] if row["Headword"] == "কলা"].count([]) == 1

    example = next(row for row in data["ExampleTable"] if row["Primary_Text"] == EXAMPLE)
    by_id = {row["ID"]: row for row in data["EntryTable"]}
    shown = {by_id[row["Entry_ID"]]["Headword"] for row in data["SenseTable"] if example["ID"] in row["Example_IDs"]}
    assert shown == {"পানী", "জল"}
    assert example["Translated_Text"] == "I drink water."


def test_only_recordings_of_the_selection_are_exported(site: RecordingStudio, tmp_path: Path) -> None:
    data = export_cldf(site, tmp_path, contexts=["Culture"])

    assert {file.id for file in MediaTable(data)} == {"2"}


def test_a_data_set_without_recordings_has_no_table_of_media(site: RecordingStudio, tmp_path: Path) -> None:
    none = export_cldf(site, tmp_path, site.recording_options(RecordingPlacement.NONE))
    english = export_cldf(site, tmp_path / "set", languages=["en"])

    assert (none.get("MediaTable"), english.get("MediaTable")) == (None, None)


def test_recordings_lost_or_withdrawn_during_the_export_are_omitted(
    site: RecordingStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = RecordingReader.read

    def read_slowly(sounds: RecordingReader, number: int) -> bytes | None:
        # The export has begun, and has found this recording approved.
        if number == 1:
            site.withdraw(1)
        return read(sounds, number)

    monkeypatch.setattr(RecordingReader, "read", read_slowly)
    data = export_cldf(site, tmp_path)

    assert list_media(data, "EntryTable", "Headword") == {"পানী": ["3"], "কলা": ["2"]}
    site.remove_files()
    again = export_cldf(site, tmp_path / "set")
    assert (list_media(again, "EntryTable", "Headword"), list(again["MediaTable"])) == ({}, [])


def test_a_large_data_set_links_to_recordings_on_the_server(
    site: RecordingStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "https://dictionary.example"
    linked = export_cldf(site, tmp_path, site.recording_options(RecordingPlacement.LINKED, address))
    monkeypatch.setattr("abhidhan.exchange.service.recording_exports.MAX_EMBEDDED_BYTES", 1)
    large = export_cldf(site, tmp_path / "set", site.recording_options(None, address))

    for data in (linked, large):
        assert {file.url for file in MediaTable(data)} == {
            f"{address}/recordings/{number}.mp3" for number in range(1, 5)
        }
    without_address = export_cldf(site, tmp_path / "set" / "set")
    assert {file.scheme for file in MediaTable(without_address)} == {"file"}
    with pytest.raises(InputError, match="ABHIDHAN_BASE_URL"):
        export_cldf(site, tmp_path, site.recording_options(RecordingPlacement.LINKED))


def test_an_invalid_recording_placement_is_rejected(subtests: pytest.Subtests) -> None:
    for name, file_format in [("outside", "cldf"), ("inside", "csv"), ("linked", "anki")]:
        with subtests.test(name), pytest.raises(InputError):
            parse_placement(name, file_format)


def test_recordings_are_among_the_downloads_until_withdrawn(on_each_engine: RecordingStudio, tmp_path: Path) -> None:
    site, folder = on_each_engine, tmp_path / "downloads"
    made = make_downloads(site, folder)
    assert make_downloads(site, folder, NOW + 1) == made

    last = made.files[-1]
    assert (last.format, last.file, last.languages) == ("recordings", "abhidhan-recordings.zip", ("as",))
    assert last.licences == "CC-BY-4.0; CC0-1.0; not stated"
    assert [name for name in open_download(folder, last.file).namelist() if name.endswith(".mp3")] == [
        f"recordings/{number}.mp3" for number in range(1, 6)
    ]
    site.withdraw(1)
    again = make_downloads(site, folder, NOW + 2)
    assert again.made == NOW + 2
    assert "recordings/1.mp3" not in open_download(folder, last.file).namelist()
    assert "media/1.mp3" not in open_download(folder, "abhidhan-cldf.zip").namelist()
    rows = list(csv.DictReader(io.StringIO(open_download(folder, last.file).read("recordings.csv").decode())))
    assert [row["spoken"] for row in rows][1:3] == ["পানী", EXAMPLE]

    for number in range(2, 6):
        site.withdraw(number)
    assert [one.format for one in make_downloads(site, folder, NOW + 3).files] == ["anki", "cldf"]
    site.add_recording(query_word("পানী"))
    assert [one.format for one in make_downloads(site, folder, NOW + 4).files] == ["anki", "cldf", "recordings"]


def test_flashcard_decks_contain_recordings(site: RecordingStudio, tmp_path: Path) -> None:
    elephant = site.add_recording(query_word("হাতী"))
    site.add_recording(query_word("হাতী"), speaker="Chandan", place=None)
    make_downloads(site, tmp_path / "downloads")

    package = open_download(tmp_path / "downloads", "abhidhan.apkg")
    names = json.loads(package.read("media"))
    assert sorted(names.values()) == [f"abhidhan-{elephant}.mp3", f"abhidhan-{elephant + 1}.mp3"]
    assert package.read(next(iter(names))) == site.body
    (tmp_path / "notes").write_bytes(package.read("collection.anki2"))
    with sqlite3.connect(tmp_path / "notes") as notes:
        notes_with_sound = [
            row[0].split("\x1f") for row in notes.execute("SELECT flds FROM notes WHERE flds LIKE '%[sound:%'")
        ]
    played = "".join(f"[sound:abhidhan-{number}.mp3]" for number in (elephant, elephant + 1))
    assert [fields[3] for fields in notes_with_sound] == [f"elephant{played}"]
    assert notes_with_sound[0][4].endswith("Voice: Anil, Jorhat, CC-BY-4.0. Voice: Chandan, CC-BY-4.0")


def test_downloads_contain_recordings_from_an_object_store(
    sqlite_databases: SqliteDatabases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_s3() as address, open_database(sqlite_databases, load_sample) as database:
        for name, value in {"AWS_ENDPOINT_URL": address, **ACCESS_VARIABLES}.items():
            monkeypatch.setenv(name, value)
        with open_studio(database, tmp_path / "home", recordings="s3://dictionary/recordings") as site:
            site.add_recording(query_word("পানী"))
            make_downloads(site, tmp_path / "downloads")

    assert open_download(tmp_path / "downloads", "abhidhan-recordings.zip").read("recordings/1.mp3") == site.body
    assert open_download(tmp_path / "downloads", "abhidhan-cldf.zip").read("media/1.mp3") == site.body
    assert not list((tmp_path / "home").rglob("*.mp3"))


# --- what is taken back -------------------------------------------------------------------------------------------


def test_files_with_a_withdrawn_recording_are_regenerated_soon(on_each_engine: RecordingStudio, tmp_path: Path) -> None:
    site, folder = on_each_engine, tmp_path / "downloads"
    number = site.add_recording(query_word("কলা"))
    now = int(time.time())
    hour_old = partial(
        generate_downloads,
        site.database,
        ArtifactStore(folder),
        formats=("csv",),
        recording_options=site.recording_options(),
    )
    is_due = publisher_of(site, folder)

    hour_old(now=now - 3600)
    site.add_recording(query_word("পানী"))
    assert not is_due()
    site.withdraw(number)
    assert is_due()
    hour_old(now=now - 60)
    assert not is_due()
    site.withdraw(site.add_recording(query_word("পানী")))
    assert not is_due(), "a recording that no file holds"
    site.withdraw(site.database.read_now(lambda reader: min(load_speakers(reader))))
    assert not is_due(), "not every minute"


def publisher_of(site: RecordingStudio, folder: Path) -> Callable[[], bool]:
    """Say whether a server that makes files once a day would make them now."""
    generate_packs(site.database, ArtifactStore(folder / "packs"), now=int(time.time()), pairs=())
    wanted = PackSettings(ArtifactStore(folder / "packs"), ())
    settings: dict[str, Any] = {"interval_hours": 24, "formats": ("csv",), "languages": (), "packs": wanted}
    settings["environment"] = {}
    watching = DownloadPublisher(site.database, ArtifactStore(folder), folder / "lock", **settings)
    return lambda: site.runner.run(watching.is_due(site.database.read_now(ReadConnection.read_data_version)))
