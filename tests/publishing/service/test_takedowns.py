"""Removed texts are left out when the files are made again, and old editions with them are deleted."""

import gzip
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service import batch_publishing
from abhidhan.publishing.service.batch_publishing import Batch
from abhidhan.publishing.service.download_files import Downloads, Notice
from abhidhan.publishing.service.downloads import LEASE_NAME, generate_downloads, read_downloads
from abhidhan.publishing.service.takedowns import Takedown, list_edition_names, parse_takedown
from abhidhan.records.errors import ConflictError, InputError, UnwritableError
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.disk import limit_file_size
from tests.support.published_downloads import find_published_folder, make_old_edition, read_published_file
from tests.support.recording_studio import RecordingStudio, open_studio, query_word
from tests.support.sample import NOW

DAY = 86_400
BECAUSE = "Removed at the request of the rights holder."
FORBIDDEN = parse_takedown("forbidden", BECAUSE)


@pytest.fixture
def sample(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open the sample for a test that changes it."""
    with open_database(sqlite_databases, load_sample) as database:
        yield database


@pytest.fixture
def site(sample: Database, tmp_path: Path) -> Iterator[RecordingStudio]:
    """Let people say words."""
    with open_studio(sample, tmp_path / "home") as site:
        yield site


@pytest.fixture
def folder(sample: Database, tmp_path: Path) -> Path:
    """Make files with a text that nobody may offer any more, beside an old edition with it and one without."""
    folder = tmp_path / "downloads"
    for day, text in enumerate(("allowed", "forbidden")):
        change_word(sample, text)
        make(sample, folder, day=day)
        make_old_edition(folder, f"2026-09-2{day}")
    return folder


def change_word(database: Database, text: str) -> None:
    """Change a word, so that files are others."""
    database.write_now(lambda connection: connection.exec_driver_sql("UPDATE word SET ipa = ? WHERE id = 1", (text,)))


def make(database: Database, folder: Path, *, day: int, takedown: Takedown | None = None) -> Downloads:
    formats = ("jsonl", "csv", "anki")
    return generate_downloads(database, ArtifactStore(folder), now=NOW + day * DAY, formats=formats, takedown=takedown)


def hold_text(folder: Path) -> bool:
    """Say whether any file of a folder and of those below has the text."""
    bodies = (path.read_bytes() for path in folder.rglob("*") if path.is_file())
    return any(b"forbidden" in (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body) for body in bodies)


# --- texts --------------------------------------------------------------------------------------------------------


def test_a_removed_text_disappears_from_files_and_disk_and_leaves_a_notice(sample: Database, folder: Path) -> None:
    damaged = make_old_edition(folder, "2026-09-22")
    (damaged / "abhidhan.jsonl.gz").write_bytes(b"half")
    (make_old_edition(folder, "2026-09-22-2") / "downloads.json").write_text("{")
    before = {one.file: one.sha256 for one in make(sample, folder, day=1).files}
    change_word(sample, "allowed again")

    made = make(sample, folder, day=2, takedown=FORBIDDEN)

    assert list_edition_names(ArtifactStore(folder)) == ["2026-09-20"]
    assert not hold_text(folder)
    (notice,) = made.notices
    assert (notice.removed, notice.reason) == (NOW + 2 * DAY, BECAUSE)
    assert before.items() <= notice.files.items()
    assert "2026-09-21/abhidhan.csv" in notice.files
    assert make(sample, folder, day=3, takedown=FORBIDDEN) == read_downloads(ArtifactStore(folder)) == made


def test_removing_a_text_of_an_old_edition_leaves_a_notice_too(sample: Database, folder: Path) -> None:
    change_word(sample, "allowed again")
    make(sample, folder, day=2)
    made = make(sample, folder, day=3, takedown=FORBIDDEN)

    assert [set(one.files) for one in made.notices] == [
        {f"2026-09-21/{name}" for name in ("abhidhan.jsonl.gz", "abhidhan.csv", "abhidhan.apkg")}
    ]


def test_while_the_dictionary_has_the_text_nothing_changes(sample: Database, folder: Path) -> None:
    before = read_downloads(ArtifactStore(folder))
    with pytest.raises(ConflictError, match="dictionary still contains this text"):
        make(sample, folder, day=2, takedown=FORBIDDEN)

    assert read_downloads(ArtifactStore(folder)) == before
    assert read_published_file(folder, "abhidhan.csv")
    assert len(list_edition_names(ArtifactStore(folder))) == 2


def test_a_takedown_that_was_interrupted_leaves_the_older_files_and_is_done_the_next_time(
    sample: Database, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise UnwritableError("A disk that must not be written.")

    change_word(sample, "allowed again")
    for part, name in ((Batch, "publish"), (ArtifactStore, "remove_folder")):
        with monkeypatch.context() as patched:
            patched.setattr(part, name, refuse)
            with pytest.raises(UnwritableError):
                make(sample, folder, day=2, takedown=FORBIDDEN)
        assert read_published_file(folder, "abhidhan.csv")
    make(sample, folder, day=3, takedown=FORBIDDEN)

    assert not hold_text(folder)
    assert list_edition_names(ArtifactStore(folder)) == ["2026-09-20"]


def test_a_takedown_ignores_the_names_of_fields(sample: Database, folder: Path) -> None:
    before = read_downloads(ArtifactStore(folder))

    for text in ("definitions", "no such text", "record"):
        assert make(sample, folder, day=2, takedown=parse_takedown(text, BECAUSE)) == before, text
    assert len(list_edition_names(ArtifactStore(folder))) == 2


def test_a_takedown_needs_a_text_and_a_reason_of_one_line() -> None:
    for text, reason in ((" ", BECAUSE), ("x", " "), ("x", "two\nlines")):
        with pytest.raises(InputError):
            parse_takedown(text, reason)


def test_a_takedown_is_refused_while_files_are_made(sample: Database, folder: Path) -> None:
    with (
        batch_publishing.generation_lock(sample, ArtifactStore(folder), LEASE_NAME),
        pytest.raises(ConflictError),
    ):
        make(sample, folder, day=2, takedown=FORBIDDEN)


# --- notices of earlier versions ----------------------------------------------------------------------------------


def test_notices_of_earlier_versions_move_to_the_list_once_and_stay(sample: Database, tmp_path: Path) -> None:
    make(sample, tmp_path, day=0)
    for name in ("2026-09-20", "2026-09-20-2"):
        removed = [
            {"file": "abhidhan.xlsx", "sha256": "ab", "size": 1, "removed": NOW + 5, "why": "by_operator"}
            | {"reason": BECAUSE, "format": "xlsx"},
            {"file": "abhidhan-recordings.zip", "sha256": "cd", "removed": NOW, "why": "taken_back", "reason": ""},
        ]
        make_old_edition(tmp_path, name, removed)
    expected = (
        Notice(NOW + 5, BECAUSE, {"2026-09-20/abhidhan.xlsx": "ab", "2026-09-20-2/abhidhan.xlsx": "ab"}),
        Notice(
            NOW,
            "",
            dict.fromkeys(
                (f"{name}/abhidhan-recordings.zip" for name in list_edition_names(ArtifactStore(tmp_path))), "cd"
            ),
        ),
    )
    for day, left in ((1, 2), (2, 1)):
        sample.write_now(lambda _: None)
        assert make(sample, tmp_path, day=day).notices == expected
        assert len(list_edition_names(ArtifactStore(tmp_path))) == left
        (tmp_path / "editions/2026-09-20/downloads.json").unlink(missing_ok=True)
        (tmp_path / "editions/2026-09-20/voices.json").unlink(missing_ok=True)


# --- withdrawn recordings -----------------------------------------------------------------------------------------


def generate_with_recordings(site: RecordingStudio, folder: Path, day: int) -> Downloads:
    return generate_downloads(
        site.database,
        ArtifactStore(folder),
        now=NOW + day * DAY,
        formats=("csv", "cldf"),
        recording_options=site.recording_options(),
    )


def test_a_withdrawn_recording_is_removed_from_files_and_old_editions(site: RecordingStudio, tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    site.add_recording(query_word("কলা"))
    generate_with_recordings(site, folder, 0)
    make_old_edition(folder, "2026-09-20")
    number = site.add_recording(query_word("পানী"))
    generate_with_recordings(site, folder, 1)
    for name in ("2026-09-21", "2026-09-22", "2026-09-23"):
        make_old_edition(folder, name)
    (folder / "editions/2026-09-22/voices.json").write_text("{")
    (folder / "editions/2026-09-23/voices.json").unlink()
    site.withdraw(number)
    made = generate_with_recordings(site, folder, 2)

    assert list_edition_names(ArtifactStore(folder)) == ["2026-09-20"]
    assert set(zipfile.ZipFile(find_published_folder(folder) / "abhidhan-recordings.zip").namelist()) == {
        "recordings.csv",
        "recordings/1.mp3",
    }
    (notice,) = made.notices
    assert notice.reason == ""
    assert {name for name in notice.files if "/" not in name} == {"abhidhan-cldf.zip", "abhidhan-recordings.zip"}
    assert generate_with_recordings(site, folder, 3) == made


def test_an_old_edition_with_a_former_name_of_a_speaker_is_removed(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    folder = tmp_path / "downloads"
    with (
        open_database(sqlite_databases, load_sample, may_be_stale=True) as database,
        open_studio(database, tmp_path / "home") as site,
    ):
        site.add_recording(query_word("পানী"), speaker="Bina")
        generate_with_recordings(site, folder, 0)
        make_old_edition(folder, "2026-09-20")
        unnamed = "UPDATE recording SET speaker = NULL WHERE speaker = 'Bina'"
        database.write_now(lambda connection: connection.exec_driver_sql(unnamed))
        generate_with_recordings(site, folder, 1)

    assert list_edition_names(ArtifactStore(folder)) == []
    assert b"Bina" not in (find_published_folder(folder) / "abhidhan-recordings.zip").read_bytes()


def test_a_text_in_the_data_of_a_recording_is_found(site: RecordingStudio, tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    takedown = parse_takedown("Hidden street", BECAUSE)

    def make(day: int) -> Downloads:
        hearing = site.recording_options()
        return generate_downloads(
            site.database,
            ArtifactStore(folder),
            now=NOW + day,
            formats=("jsonl",),
            recording_options=hearing,
            takedown=takedown,
        )

    number = site.add_recording(query_word("পানী"), place="Hidden street 5")
    with pytest.raises(ConflictError):
        make(0)
    generate_downloads(
        site.database, ArtifactStore(folder), now=NOW, formats=("jsonl",), recording_options=site.recording_options()
    )
    make_old_edition(folder, "2026-09-20")
    (folder / "editions/2026-09-20/voices.json").write_text("{}")
    site.withdraw(number)

    assert {one.reason for one in make(1).notices} == {"", BECAUSE}
    assert list_edition_names(ArtifactStore(folder)) == []


def test_on_a_full_disk_the_older_files_and_editions_stay(sample: Database, folder: Path) -> None:
    change_word(sample, "allowed again")
    before = msgspec.to_builtins(read_downloads(ArtifactStore(folder)))
    with limit_file_size(1_000), pytest.raises(Exception, match=r"^.+\.$"):
        make(sample, folder, day=2, takedown=FORBIDDEN)

    assert msgspec.to_builtins(read_downloads(ArtifactStore(folder))) == before
    assert len(list_edition_names(ArtifactStore(folder))) == 2
