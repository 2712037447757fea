"""One lock for processes of a machine."""

import multiprocessing
import os
import signal
import threading
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.platform.runtime.files import FileLock, ensure_writable, open_staging_folder
from abhidhan.records.errors import DiskFullError, UnwritableError
from tests.support.databases import Databases, load_sample
from tests.support.disk import limit_file_size, mount_small_disk


def test_a_file_or_folder_is_locked_by_one_holder_until_it_is_released(tmp_path: Path) -> None:
    for name in ("lock", "."):
        first, second = FileLock(tmp_path / name), FileLock(tmp_path / name)
        assert first.acquire(blocking=False), name
        assert first.acquire(blocking=False), name
        assert not second.acquire(blocking=False), name

        second.release()
        assert not second.acquire(blocking=False), name
        first.release()

        with second:
            assert not first.acquire(blocking=False), name
        assert first.acquire(blocking=False), name
        first.release()


@pytest.mark.thorough
def test_a_waiting_process_gets_the_lock_when_its_holder_is_killed(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    is_held = context.Event()
    holder = context.Process(target=_hold, args=(tmp_path / "lock", is_held), daemon=True)
    holder.start()
    assert is_held.wait(60)
    lock = FileLock(tmp_path / "lock")
    assert not lock.acquire(blocking=False)

    waiter = threading.Thread(target=lock.acquire, daemon=True)
    waiter.start()
    assert holder.pid is not None
    os.kill(holder.pid, signal.SIGKILL)
    waiter.join(60)

    assert not waiter.is_alive()
    assert not FileLock(tmp_path / "lock").acquire(blocking=False)
    holder.join(60)
    lock.release()


def _hold(path: Path, is_held: Any) -> None:  # noqa: ANN401 (the event of multiprocessing has no public type)
    FileLock(path).acquire()
    is_held.set()
    threading.Event().wait(60)


def test_a_lock_file_that_cannot_be_opened_is_reported_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")

    for lock in (FileLock(tmp_path / "no folder" / "lock"), FileLock(tmp_path / "link")):
        with pytest.raises(OSError, match=str(tmp_path)):
            lock.acquire()
    with pytest.raises(FileNotFoundError):
        FileLock(tmp_path / "absent", create=False).acquire()
    assert [path.name for path in tmp_path.iterdir()] == ["link"]


def test_checking_that_a_disk_is_writable_leaves_no_file(tmp_path: Path) -> None:
    ensure_writable(tmp_path / "new")

    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_reported_before_and_after_a_transaction_fails(tmp_path: Path) -> None:
    with mount_small_disk(tmp_path / "d", mebibytes=4) as disk:
        url = f"sqlite:///{disk.folder}/words.sqlite3"
        prepare_database(url, tmp_path)
        with Database(url) as database:
            # A server that runs has read before: SQLite makes files beside the database when it first does.
            assert database.version_now() >= 0
            disk.fill()
            with pytest.raises(DiskFullError, match=r"words\.sqlite3 cannot be written: No space left on device"):
                ensure_writable(disk.folder / "words.sqlite3")
            with pytest.raises(DiskFullError, match=r"words\.sqlite3(: the disk is full| cannot be written: No space)"):
                database.write_now(lambda connection: connection.exec_driver_sql("CREATE TABLE t AS SELECT 1"))
            assert database.version_now() >= 0

            disk.free_space()
            ensure_writable(disk.folder / "words.sqlite3")
            database.write_now(lambda _: None)


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UnwritableError, match="absent/x cannot be written: No such file or directory"):
        ensure_writable(tmp_path / "absent" / "x")


def test_a_server_that_cannot_write_is_distinguished_from_an_unreachable_one(databases: Databases) -> None:
    url = databases.copy(load_sample)
    with Database(url) as database:
        for error, kind in (
            (psycopg.errors.DiskFull("could not extend file: No space left on device"), DiskFullError),
            (psycopg.errors.ReadOnlySqlTransaction("cannot execute UPDATE"), UnwritableError),
        ):
            with pytest.raises(kind) as caught:
                database.write_now(partial(raise_error, error))
            assert type(caught.value) is kind
            database.write_now(lambda _: None)
    databases.remove(url)


def raise_error(error: Exception, _: object) -> None:
    raise error


def test_a_staging_folder_is_private_and_removed_however_the_work_ends(tmp_path: Path) -> None:
    def work(error: BaseException | None) -> None:
        with open_staging_folder(tmp_path) as folder:
            (folder / "half").write_text("half")
            assert folder.stat().st_mode & 0o077 == 0
            if error:
                raise error

    work(None)
    assert list(tmp_path.iterdir()) == []
    for error in (OSError("full"), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            work(error)
        assert list(tmp_path.iterdir()) == []


def test_staging_folders_of_killed_processes_are_removed_and_locked_ones_are_kept(tmp_path: Path) -> None:
    for name in (".abhidhan-left.part", ".abhidhan-alive.part", ".somebody-else.part"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".lock").touch()
    with FileLock(tmp_path / ".abhidhan-alive.part" / ".lock"), open_staging_folder(tmp_path):
        pass

    assert sorted(path.name for path in tmp_path.iterdir()) == [".abhidhan-alive.part", ".somebody-else.part"]


def test_a_staging_folder_is_removed_when_the_disk_is_full(tmp_path: Path) -> None:
    with (
        limit_file_size(1_000),
        pytest.raises(OSError, match="File too large"),
        open_staging_folder(tmp_path) as folder,
    ):
        (folder / "large").write_bytes(bytes(2_000))

    assert list(tmp_path.iterdir()) == []
