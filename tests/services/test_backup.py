from pathlib import Path

import pytest

from abhidhan.errors import DatabaseError
from abhidhan.services.dictionary.statistics import count
from abhidhan.services.exchange.backup import BackupError, Folders, back_up, restore, verify
from abhidhan.storage.engine.database import Database
from tests.support.databases import SqliteDatabases, with_sample
from tests.support.disk import full_disk
from tests.support.sample import NOW


@pytest.fixture
def archive(sqlite_databases: SqliteDatabases, tmp_path: Path) -> Path:
    """Make a backup of the sample with a photo, while somebody reads it."""
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "a.jpeg").write_bytes(b"a photo")
    url = sqlite_databases.copy(with_sample)
    with Database(url) as database:
        database.read_now(count)
        back_up(url, Folders(photos), tmp_path / "b.tar.gz", now=NOW, program="abhidhan test")
    return tmp_path / "b.tar.gz"


def test_a_backup_comes_back_whole(archive: Path, tmp_path: Path) -> None:
    place = tmp_path / "new"
    manifest = restore(archive, f"sqlite:///{place}/d.sqlite3", Folders(place / "photos"), overwrite=False)

    assert sorted(manifest.files) == ["dictionary.sqlite3", "photos/a.jpeg"]
    assert (place / "photos" / "a.jpeg").read_bytes() == b"a photo"
    with Database(f"sqlite:///{place}/d.sqlite3") as database:
        assert database.read_now(count).ideas == 45
    assert verify(archive) == manifest


def test_what_is_there_is_kept_unless_one_says_otherwise(archive: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/d.sqlite3"
    (tmp_path / "d.sqlite3").write_bytes(b"precious")

    with pytest.raises(BackupError, match="--force"):
        restore(archive, url, Folders(tmp_path / "p"), overwrite=False)
    assert (tmp_path / "d.sqlite3").read_bytes() == b"precious"
    restore(archive, url, Folders(tmp_path / "p"), overwrite=True)
    with Database(url) as database:
        assert database.read_now(count).ideas == 45


@pytest.mark.parametrize("keep", [0, 100, 5_000])
def test_a_backup_that_is_cut_short_changes_nothing(archive: Path, tmp_path: Path, keep: int) -> None:
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(archive.read_bytes()[:keep])

    with pytest.raises(BackupError, match="damaged, cut short or not a backup"):
        restore(cut, f"sqlite:///{tmp_path}/d.sqlite3", Folders(tmp_path / "p"), overwrite=True)
    assert not (tmp_path / "d.sqlite3").exists()


def test_a_full_disk_is_no_fault_of_the_backup_and_changes_nothing(archive: Path, tmp_path: Path) -> None:
    with full_disk(50_000), pytest.raises(BackupError, match=r"dictionary\.sqlite3 cannot be unpacked into .+/new: "):
        restore(archive, f"sqlite:///{tmp_path}/new/d.sqlite3", Folders(tmp_path / "p"), overwrite=True)

    assert list((tmp_path / "new").iterdir()) == []


def test_a_backup_that_cannot_be_written_leaves_the_one_before(
    archive: Path, sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    before = archive.read_bytes()
    url = sqlite_databases.copy(with_sample)

    with full_disk(20_000), pytest.raises((BackupError, DatabaseError)):
        back_up(url, Folders(tmp_path / "photos"), archive, now=NOW, program="abhidhan test")
    with pytest.raises(BackupError, match="cannot be written"):
        back_up(url, Folders(tmp_path), archive / "under a file" / "b.tar.gz", now=NOW, program="x")

    assert archive.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar.gz", "photos"]


def test_a_restore_that_fails_at_the_last_step_leaves_database_and_photos_as_they_were(
    archive: Path, sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    url = sqlite_databases.copy(with_sample)
    place = tmp_path / "other disk" / "photos"
    place.mkdir(parents=True)
    (place / "mine.jpeg").write_bytes(b"mine")

    with Database(url) as used, used.snapshot(), pytest.raises(DatabaseError, match="is in use"):
        restore(archive, url, Folders(place), overwrite=True)

    assert [file.name for file in place.iterdir()] == ["mine.jpeg"]
    assert [path.name for path in place.parent.iterdir()] == ["photos"]
    restore(archive, url, Folders(place), overwrite=True)
    assert [file.name for file in place.iterdir()] == ["a.jpeg"]
    assert [path.name for path in place.parent.iterdir()] == ["photos"]


def test_no_backup_at_all_is_told(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="There is no backup"):
        verify(tmp_path / "none")
    with pytest.raises(BackupError, match="There is no backup"):
        restore(tmp_path, f"sqlite:///{tmp_path}/d.sqlite3", Folders(tmp_path), overwrite=False)
    with pytest.raises(DatabaseError, match="pg_dump"):
        back_up("postgresql://h/d", Folders(tmp_path), tmp_path / "x", now=NOW, program="x")
    with pytest.raises(DatabaseError, match="no database"):
        back_up(f"sqlite:///{tmp_path}/none", Folders(tmp_path), tmp_path / "x", now=NOW, program="x")


def test_recordings_are_backed_up_in_a_folder_of_their_own(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    url, sound = sqlite_databases.copy(with_sample), tmp_path / "recordings" / "ab" / "sound.mp3"
    sound.parent.mkdir(parents=True)
    sound.write_bytes(b"sound")
    archive = tmp_path / "c.tar.gz"

    back_up(url, Folders(tmp_path / "photos", tmp_path / "recordings"), archive, now=NOW, program="abhidhan test")
    place = Folders(tmp_path / "new" / "photos", tmp_path / "new" / "recordings")
    restore(archive, f"sqlite:///{tmp_path}/new/d.sqlite3", place, overwrite=False)

    assert (tmp_path / "new" / "recordings" / "ab" / "sound.mp3").read_bytes() == b"sound"
