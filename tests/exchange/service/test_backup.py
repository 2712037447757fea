from pathlib import Path

import pytest
from sqlalchemy import text

from abhidhan.dictionary.service.statistics import count_records
from abhidhan.exchange.service.backup import BackupError, FileLocations, back_up, restore, verify
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.object_store import PHOTO_STORE, create_key, open_file_store
from abhidhan.records.errors import DatabaseError
from tests.support.databases import PostgresqlDatabases, SqliteDatabases, leave_empty, load_sample
from tests.support.disk import limit_file_size
from tests.support.full_tables import assert_equal, fill_all_tables
from tests.support.object_store import ACCESS_VARIABLES, running_s3
from tests.support.sample import NOW


@pytest.fixture
def archive(sqlite_databases: SqliteDatabases, tmp_path: Path) -> Path:
    """Make a backup of the sample with a photo, while somebody reads it."""
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "a.jpeg").write_bytes(b"a photo")
    url = sqlite_databases.copy(load_sample)
    with Database(url) as database:
        database.read_now(count_records)
        back_up(url, FileLocations(photos), tmp_path / "b.tar.gz", now=NOW, program="abhidhan test")
    return tmp_path / "b.tar.gz"


def test_a_backup_is_restored_completely(archive: Path, tmp_path: Path) -> None:
    place = tmp_path / "new"
    manifest = restore(
        archive, f"sqlite:///{place}/d.sqlite3", FileLocations(place / "photos"), tmp_path, overwrite=False
    )

    assert sorted(manifest.files) == ["dictionary.sqlite3", "photos/a.jpeg"]
    assert (place / "photos" / "a.jpeg").read_bytes() == b"a photo"
    with Database(f"sqlite:///{place}/d.sqlite3") as database:
        assert database.read_now(count_records).ideas == 45
    assert verify(archive) == manifest


def test_an_existing_database_is_only_overwritten_with_force(archive: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/d.sqlite3"
    (tmp_path / "d.sqlite3").write_bytes(b"precious")

    with pytest.raises(BackupError, match="--force"):
        restore(archive, url, FileLocations(tmp_path / "p"), tmp_path, overwrite=False)
    assert (tmp_path / "d.sqlite3").read_bytes() == b"precious"
    restore(archive, url, FileLocations(tmp_path / "p"), tmp_path, overwrite=True)
    with Database(url) as database:
        assert database.read_now(count_records).ideas == 45


def test_a_truncated_backup_changes_nothing(archive: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for keep in [0, 100, 5_000]:
        with subtests.test(str(keep)):
            cut = tmp_path / "cut.tar.gz"
            cut.write_bytes(archive.read_bytes()[:keep])

            with pytest.raises(BackupError, match="damaged, incomplete or not a backup"):
                restore(cut, f"sqlite:///{tmp_path}/d.sqlite3", FileLocations(tmp_path / "p"), tmp_path, overwrite=True)
            assert not (tmp_path / "d.sqlite3").exists()


def test_a_full_disk_during_a_restore_changes_nothing(archive: Path, tmp_path: Path) -> None:
    with (
        limit_file_size(50_000),
        pytest.raises(BackupError, match=r"dictionary\.sqlite3 cannot be unpacked into .+/new: "),
    ):
        restore(archive, f"sqlite:///{tmp_path}/new/d.sqlite3", FileLocations(tmp_path / "p"), tmp_path, overwrite=True)

    assert list((tmp_path / "new").iterdir()) == []


def test_a_failed_backup_keeps_the_previous_one(
    archive: Path, sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    before = archive.read_bytes()
    url = sqlite_databases.copy(load_sample)

    with limit_file_size(20_000), pytest.raises((BackupError, DatabaseError)):
        back_up(url, FileLocations(tmp_path / "photos"), archive, now=NOW, program="abhidhan test")
    with pytest.raises(BackupError, match="cannot be written"):
        back_up(url, FileLocations(tmp_path), archive / "under a file" / "b.tar.gz", now=NOW, program="x")

    assert archive.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar.gz", "photos"]


def test_a_restore_that_fails_at_the_last_step_changes_nothing(
    archive: Path, sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    url = sqlite_databases.copy(load_sample)
    place = tmp_path / "other disk" / "photos"
    place.mkdir(parents=True)
    (place / "mine.jpeg").write_bytes(b"mine")

    with Database(url) as used, used.snapshot(), pytest.raises(DatabaseError, match="is in use"):
        restore(archive, url, FileLocations(place), tmp_path, overwrite=True)

    assert [file.name for file in place.iterdir()] == ["mine.jpeg"]
    assert [path.name for path in place.parent.iterdir()] == ["photos"]
    restore(archive, url, FileLocations(place), tmp_path, overwrite=True)
    assert [file.name for file in place.iterdir()] == ["a.jpeg"]
    assert [path.name for path in place.parent.iterdir()] == ["photos"]


def test_a_missing_backup_or_database_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="There is no backup"):
        verify(tmp_path / "none")
    with pytest.raises(BackupError, match="There is no backup"):
        restore(tmp_path, f"sqlite:///{tmp_path}/d.sqlite3", FileLocations(tmp_path), tmp_path, overwrite=False)
    with pytest.raises(DatabaseError, match="no database"):
        back_up(f"sqlite:///{tmp_path}/none", FileLocations(tmp_path), tmp_path / "x", now=NOW, program="x")


UNUSABLE_VERSIONS = [
    ("0033", "The database in the backup is at database revision 0033, .* upgrade it with commit 5af1802 first"),
    ("9999", "The database in the backup was written by a newer version"),
]


def test_a_backup_of_an_unusable_version_is_rejected_and_replaces_nothing(
    sqlite_databases: SqliteDatabases, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for step, message in UNUSABLE_VERSIONS:
        with subtests.test(step):
            folder = tmp_path / step
            folder.mkdir()
            url, archive, there = (
                sqlite_databases.copy(load_sample),
                folder / "old.tar.gz",
                folder / "there" / "d.sqlite3",
            )
            with Database(url) as database, database.engine.begin() as connection:
                connection.execute(text("UPDATE alembic_version SET version_num = :step"), {"step": step})
            back_up(url, FileLocations(folder / "photos"), archive, now=NOW, program="abhidhan test")
            there.parent.mkdir()
            there.write_bytes(b"what is there")

            with pytest.raises(DatabaseError, match=message):
                restore(archive, f"sqlite:///{there}", FileLocations(folder / "photos"), folder, overwrite=True)

            assert there.read_bytes() == b"what is there"


def test_recordings_are_backed_up_and_restored(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    url, sound = sqlite_databases.copy(load_sample), tmp_path / "recordings" / "ab" / "sound.mp3"
    sound.parent.mkdir(parents=True)
    sound.write_bytes(b"sound")
    archive = tmp_path / "c.tar.gz"

    back_up(url, FileLocations(tmp_path / "photos", tmp_path / "recordings"), archive, now=NOW, program="abhidhan test")
    place = FileLocations(tmp_path / "new" / "photos", tmp_path / "new" / "recordings")
    restore(archive, f"sqlite:///{tmp_path}/new/d.sqlite3", place, tmp_path, overwrite=False)

    assert (tmp_path / "new" / "recordings" / "ab" / "sound.mp3").read_bytes() == b"sound"


@pytest.mark.thorough
def test_a_backup_of_postgresql_is_restored_on_either_engine(
    postgresql_databases: PostgresqlDatabases, sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    url, other = postgresql_databases.copy(fill_all_tables), postgresql_databases.copy(load_sample)
    file, places, archive = sqlite_databases.absent(), FileLocations(tmp_path / "photos"), tmp_path / "b.tar.gz"

    back_up(url, places, archive, now=NOW, program="abhidhan test")
    with pytest.raises(BackupError, match="--force"):
        restore(archive, other, places, tmp_path, overwrite=False)
    for target in (other, file, postgresql_databases.absent()):
        restore(archive, target, places, tmp_path, overwrite=target == other)
        assert_equal(url, target)

    back_up(file, places, archive, now=NOW, program="abhidhan test")
    restore(archive, other, places, tmp_path, overwrite=True)
    assert_equal(file, other)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar.gz"]


@pytest.mark.thorough
def test_a_restore_into_a_postgresql_database_in_use_changes_nothing(
    archive: Path, postgresql_databases: PostgresqlDatabases, tmp_path: Path
) -> None:
    url, place = postgresql_databases.copy(leave_empty), tmp_path / "theirs"
    place.mkdir()
    (place / "mine.jpeg").write_bytes(b"mine")

    with Database(url) as used, used.snapshot(), pytest.raises(DatabaseError, match="is in use"):
        restore(archive, url, FileLocations(place), tmp_path, overwrite=True)

    with Database(url) as database:
        assert database.read_now(count_records).ideas == 0
    assert [file.name for file in place.iterdir()] == ["mine.jpeg"]


def test_photos_in_an_object_store_are_backed_up_and_restored_into_another(
    sqlite_databases: SqliteDatabases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, archive = sqlite_databases.copy(load_sample), tmp_path / "b.tar.gz"
    photos = {f"{create_key()}.jpg": bytes([number]) * 70_000 for number in range(10)}
    with running_s3() as address:
        for name, value in (ACCESS_VARIABLES | {"AWS_ENDPOINT_URL": address}).items():
            monkeypatch.setenv(name, value)
        store, other = (
            open_file_store(f"s3://dictionary/{name}", tmp_path, PHOTO_STORE) for name in ("photos", "others")
        )
        for name, content in photos.items():
            store.save_now(name, content)

        back_up(url, FileLocations(store), archive, now=NOW, program="abhidhan test")
        with pytest.raises(BackupError, match="--force"):
            restore(archive, sqlite_databases.absent(), FileLocations(store), tmp_path, overwrite=False)
        restore(archive, sqlite_databases.absent(), FileLocations(other), tmp_path, overwrite=False)
        restore(archive, sqlite_databases.absent(), FileLocations(tmp_path / "folder"), tmp_path, overwrite=False)

        assert {name: other.read_now(name) for name in photos} == photos
    assert {name: (tmp_path / "folder" / name).read_bytes() for name in photos} == photos
