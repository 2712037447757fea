"""One lock for processes of a machine."""

import multiprocessing
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from abhidhan.platform.runtime.file_lock import FileLock


@pytest.mark.parametrize("name", ["lock", "."])
def test_a_file_or_folder_is_locked_once_until_it_is_released(tmp_path: Path, name: str) -> None:
    first, second = FileLock(tmp_path / name), FileLock(tmp_path / name)
    assert first.acquire(blocking=False)
    assert first.acquire(blocking=False)
    assert not second.acquire(blocking=False)

    second.release()
    assert not second.acquire(blocking=False)
    first.release()

    with second:
        assert not first.acquire(blocking=False)
    assert first.acquire(blocking=False)
    first.release()


def test_who_waits_gets_the_lock_when_its_holder_is_killed(tmp_path: Path) -> None:
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


def test_what_cannot_be_opened_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")

    for lock in (FileLock(tmp_path / "no folder" / "lock"), FileLock(tmp_path / "link")):
        with pytest.raises(OSError, match=str(tmp_path)):
            lock.acquire()
    with pytest.raises(FileNotFoundError):
        FileLock(tmp_path / "absent", create=False).acquire()
    assert [path.name for path in tmp_path.iterdir()] == ["link"]
