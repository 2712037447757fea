import asyncio
import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.downloads import DownloadFiles, OpenedDownload, generate_downloads, read_downloads
from abhidhan.records.errors import AbhidhanError, NotFoundError
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.disk import limit_file_size
from tests.support.object_store import ACCESS_VARIABLES, running_s3
from tests.support.published_downloads import DOWNLOADS_URL, list_generated_folders, open_published, read_published_file
from tests.support.sample import NOW

SOME = ("csv", "anki")


@pytest.fixture
def sample(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open the sample for a test that changes it."""
    with open_database(sqlite_databases, load_sample) as database:
        yield database


def test_files_are_made_once_for_each_state_of_the_data(dictionary: Database, tmp_path: Path) -> None:
    first = generate_downloads(dictionary, ArtifactStore(tmp_path), now=NOW, formats=SOME)
    assert generate_downloads(dictionary, ArtifactStore(tmp_path), now=NOW + 1, formats=SOME) == first
    dictionary.write_now(lambda _: None)
    again = generate_downloads(dictionary, ArtifactStore(tmp_path), now=NOW + 2, formats=SOME)

    assert again.made == NOW + 2
    assert read_downloads(ArtifactStore(tmp_path)) == again
    assert {one.sha256 for one in again.files} == {one.sha256 for one in first.files}
    assert len(list_generated_folders(tmp_path)) == 1
    sums = read_published_file(tmp_path, "SHA256SUMS").decode()
    assert f"{first.files[0].sha256}  abhidhan.csv" in sums
    assert json.loads(read_published_file(tmp_path, "downloads.json"))["files"][0]["file"] == "abhidhan.csv"


def test_each_file_lists_its_languages(sample: Database, tmp_path: Path) -> None:
    table, cards = generate_downloads(sample, ArtifactStore(tmp_path), now=NOW, formats=SOME).files

    assert {"as", "en", "hi"} <= set(table.languages)
    assert set(cards.languages) == {"as", "en"}


def test_each_language_has_its_own_smaller_files(sample: Database, tmp_path: Path) -> None:
    formats = ("csv", "tei", "stardict")
    made = generate_downloads(sample, ArtifactStore(tmp_path), now=NOW, formats=formats, languages=("as", "en", "zza"))

    assert [one.file for one in made.of_everything()] == ["abhidhan.csv", "abhidhan.tei.xml", "abhidhan-stardict.zip"]
    assert {code: [one.file for one in files] for code, files in made.by_language().items()} == {
        code: [f"abhidhan-{code}-stardict.zip", f"abhidhan-{code}.csv"] for code in ("as", "en")
    }
    assert made.by_language()["as"][0].languages == ("as", "en")
    table = list(csv.DictReader(io.StringIO(read_published_file(tmp_path, "abhidhan-as.csv").decode("utf-8-sig"))))
    assert {row["language"] for row in table} == {"as", "en"}
    assert "abhidhan-as.csv" in read_published_file(tmp_path, "SHA256SUMS").decode()
    with zipfile.ZipFile(io.BytesIO(read_published_file(tmp_path, "abhidhan-as-stardict.zip"))) as packed:
        told = packed.read("abhidhan-as/abhidhan-as.ifo").decode()
        articles = packed.read("abhidhan-as/abhidhan-as.dict").decode()
    assert "bookname=Abhidhan: Assamese\n" in told
    assert "English: water" in articles
    assert "Hindi" not in articles


def test_language_files_are_reproducible_and_follow_the_chosen_languages(sample: Database, tmp_path: Path) -> None:
    first = generate_downloads(sample, ArtifactStore(tmp_path), now=NOW, formats=("csv",), languages=("as",))
    assert (
        generate_downloads(sample, ArtifactStore(tmp_path), now=NOW + 1, formats=("csv",), languages=("as",)) == first
    )

    others = generate_downloads(sample, ArtifactStore(tmp_path), now=NOW + 2, formats=("csv",), languages=("en",))
    again = generate_downloads(sample, ArtifactStore(tmp_path), now=NOW + 3, formats=("csv",), languages=("as",))

    assert set(others.by_language()) == {"en"}
    assert [one.sha256 for one in again.files] == [one.sha256 for one in first.files]


def test_without_files_there_is_no_list(tmp_path: Path) -> None:
    assert read_downloads(ArtifactStore(tmp_path)) is None
    with pytest.raises(NotFoundError):
        open_published(tmp_path, "abhidhan.csv")


def test_only_listed_files_can_be_opened(sample: Database, tmp_path: Path) -> None:
    generate_downloads(sample, ArtifactStore(tmp_path), now=NOW, formats=SOME)

    for name in ("", ".", "..", "../.lock", "abhidhan.pdf", "current", "/etc/passwd"):
        with pytest.raises(NotFoundError):
            open_published(tmp_path, name)


def test_a_download_in_progress_is_completed_when_the_file_is_replaced(sample: Database, tmp_path: Path) -> None:
    generate_downloads(sample, ArtifactStore(tmp_path), now=NOW, formats=SOME)
    files = DownloadFiles(ArtifactStore(tmp_path))

    async def read_meanwhile() -> tuple[OpenedDownload, bytes]:
        before = await files.find("abhidhan.csv", DOWNLOADS_URL)
        pieces = await files.stream(before, 0, before.size)
        sample.write_now(lambda connection: connection.exec_driver_sql("UPDATE word SET ipa = 'changed' WHERE id = 1"))
        generate_downloads(sample, ArtifactStore(tmp_path), now=NOW + 1, formats=SOME)
        with pytest.raises(FileNotFoundError):
            await files.stream(before, 0, before.size)
        return before, b"".join([piece async for piece in pieces])

    before, whole = asyncio.run(read_meanwhile())
    assert hashlib.sha256(whole).hexdigest() == before.sha256
    assert whole != read_published_file(tmp_path, "abhidhan.csv")


def test_two_servers_serve_matching_files_and_checksums_immediately(
    sample: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_s3() as address:
        for name, value in {"AWS_ENDPOINT_URL": address, **ACCESS_VARIABLES}.items():
            monkeypatch.setenv(name, value)
        store = ArtifactStore("s3://dictionary/downloads")
        generate_downloads(sample, store, now=NOW, formats=("csv",))
        one, other = DownloadFiles(store), DownloadFiles(store)

        async def read_from_both() -> tuple[str, str]:
            before = await one.find("abhidhan.csv", DOWNLOADS_URL)
            sample.write_now(lambda write: write.exec_driver_sql("UPDATE word SET ipa = 'changed' WHERE id = 1"))
            generate_downloads(sample, store, now=NOW + 1, formats=("csv",))
            sums = (await other.find("SHA256SUMS", DOWNLOADS_URL)).content.decode()
            assert before.sha256 not in sums
            return (await one.find("abhidhan.csv", DOWNLOADS_URL)).sha256, sums

        digest, sums = asyncio.run(read_from_both())
    assert digest in sums


def test_a_full_disk_is_reported_and_keeps_the_older_files(sample: Database, tmp_path: Path) -> None:
    older = generate_downloads(sample, ArtifactStore(tmp_path), now=NOW, formats=("anki",))

    for format_name in ("csv", "sqlite", "xlsx", "tei"):
        with limit_file_size(10_000), pytest.raises(AbhidhanError, match=r"^.+\.$"):
            generate_downloads(sample, ArtifactStore(tmp_path), now=NOW + 1, formats=(format_name,))

        assert read_downloads(ArtifactStore(tmp_path)) == older, format_name
        assert read_published_file(tmp_path, "abhidhan.apkg")
        assert len(list_generated_folders(tmp_path)) == 1


def test_files_left_by_a_crash_are_removed(sample: Database, tmp_path: Path) -> None:
    generate_downloads(sample, ArtifactStore(tmp_path), now=NOW, formats=SOME)
    (tmp_path / "made-1-1").mkdir()
    (tmp_path / "made-1-1" / "abhidhan.csv").write_text("half")
    sample.write_now(lambda _: None)

    generate_downloads(sample, ArtifactStore(tmp_path), now=NOW + 1, formats=SOME)

    assert len(list_generated_folders(tmp_path)) == 1


def test_files_of_an_earlier_version_are_offered_until_there_are_newer_ones(sample: Database, tmp_path: Path) -> None:
    generate_downloads(sample, ArtifactStore(tmp_path), now=NOW, formats=SOME)
    (made,) = list_generated_folders(tmp_path)
    # So they stood before there was a list of what is offered: a link led to a folder with its list in it.
    (tmp_path / made / "downloads.json").write_bytes(read_published_file(tmp_path, "downloads.json"))
    (tmp_path / "current.json").unlink()
    (tmp_path / "current").symlink_to(made)
    known = read_downloads(ArtifactStore(tmp_path))
    assert known is not None
    assert read_published_file(tmp_path, "abhidhan.csv")

    sample.write_now(lambda _: None)
    generate_downloads(sample, ArtifactStore(tmp_path), now=NOW + 1, formats=SOME)

    assert open_published(tmp_path, "abhidhan.csv").made == NOW + 1
    assert list_generated_folders(tmp_path) != [made]
    assert not (tmp_path / "current").is_symlink()
