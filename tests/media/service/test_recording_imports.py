"""Recordings brought by a list, on both engines and into an object store, and what comes out of that again."""

import zipfile
from pathlib import Path

import pytest

from abhidhan.exchange.service.recording_exports import LIST_FILE, export_recordings
from abhidhan.media.service.recording_imports import RecordingImport, RecordingReport, import_recordings
from abhidhan.media.service.recording_manifest import RecordingDefaults
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.downloads import generate_downloads, read_downloads
from abhidhan.records.errors import UnavailableError
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.generated_recordings import encode_recording, synthesize_vowels
from tests.support.object_store import ACCESS_VARIABLES, running_s3
from tests.support.ports import free_port
from tests.support.published_downloads import list_generated_folders
from tests.support.recording_studio import RecordingStudio, open_studio, query_word
from tests.support.sample import NOW

LIST_OF_TWO = "file,word,what,licence\none.wav,পানী,word,CC0-1.0\ntwo.ogg,কলা,word,CC-BY-4.0\n"


def write_list(folder: Path) -> Path:
    folder.mkdir()
    (folder / "one.wav").write_bytes(encode_recording(samples=synthesize_vowels("ai")))
    (folder / "two.ogg").write_bytes(encode_recording("OGG", synthesize_vowels("aa")))
    (folder / "list.csv").write_text(LIST_OF_TWO, "utf-8")
    return folder


def import_list(site: RecordingStudio, folder: Path) -> RecordingReport:
    wanted = RecordingImport(folder, site.editor, RecordingDefaults(language="as"), approve=True)
    return site.runner.run(import_recordings(site.database, site.write_side.recordings, wanted))


def export_list(site: RecordingStudio, file: Path) -> list[str]:
    with site.database.snapshot() as reader:
        assert export_recordings(reader, site.recording_options().reader, file).lost_ids == []
    with zipfile.ZipFile(file) as made:
        return made.namelist()


def test_a_list_of_recordings_is_imported_once_and_exported_again(dictionary: Database, tmp_path: Path) -> None:
    folder = write_list(tmp_path / "voices")
    with open_studio(dictionary, tmp_path / "home") as site:
        first, again = import_list(site, folder), import_list(site, folder)

        assert (first.new, first.approved, first.errors) == (2, 2, [])
        assert (again.new, again.already_imported) == (0, 2)
        assert export_list(site, tmp_path / "a.zip") == ["recordings/1.mp3", "recordings/2.mp3", LIST_FILE]


def test_recordings_are_imported_into_an_object_store(
    sqlite_databases: SqliteDatabases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_list(tmp_path / "voices")
    with running_s3() as address, open_database(sqlite_databases, load_sample) as database:
        for name, value in {"AWS_ENDPOINT_URL": address, **ACCESS_VARIABLES}.items():
            monkeypatch.setenv(name, value)
        with open_studio(database, tmp_path / "home", recordings="s3://dictionary/recordings") as site:
            assert import_list(site, folder).approved == 2
            assert export_list(site, tmp_path / "a.zip") == ["recordings/1.mp3", "recordings/2.mp3", LIST_FILE]
    assert not list((tmp_path / "home").rglob("*.mp3"))


def test_an_unreachable_store_keeps_the_older_downloads(
    sqlite_databases: SqliteDatabases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "downloads"
    with open_database(sqlite_databases, load_sample) as database, open_studio(database, tmp_path / "home") as site:
        site.add_recording(query_word("পানী"))
        older = generate_downloads(
            database, ArtifactStore(folder), now=NOW, formats=("csv",), recording_options=site.recording_options()
        )
        site.add_recording(query_word("কলা"))
        for name, value in {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}", **ACCESS_VARIABLES}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(site, "settings", site.settings.model_copy(update={"recordings": "s3://dictionary/x"}))
        monkeypatch.setattr("abhidhan.platform.sandbox.object_store.MAX_RETRIES", 0)

        with pytest.raises(UnavailableError):
            generate_downloads(
                database,
                ArtifactStore(folder),
                now=NOW + 1,
                formats=("csv",),
                recording_options=site.recording_options(),
            )

    assert read_downloads(ArtifactStore(folder)) == older
    assert len(list_generated_folders(folder)) == 1
