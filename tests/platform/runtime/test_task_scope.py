"""Periodic tasks: they go on after failures, one worker at a time, and end with the application."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from abhidhan.platform.runtime import task_scope
from abhidhan.platform.runtime.files import FileLock
from abhidhan.platform.runtime.task_scope import PeriodicTask, run_tasks, run_uninterrupted
from abhidhan.records.errors import DatabaseError, LostDatabaseError, ReadOnlyError, RetryAfter, UnavailableError

ADDRESS = "somebody@mail.example"


class Runs:
    """A function that counts its runs, of which the first ones fail."""

    def __init__(self, *failures: Exception) -> None:
        """Fail with these errors, one after the other."""
        self.count = 0
        self._failures = list(failures)

    async def __call__(self) -> None:
        """Count a run."""
        self.count += 1
        if self._failures:
            raise self._failures.pop(0)

    async def reach(self, count: int) -> None:
        """Wait for a number of runs."""
        async with asyncio.timeout(60):
            while self.count < count:  # noqa: ASYNC110 (no event tells of a run)
                await asyncio.sleep(0.001)


def task(function: Callable[[], Awaitable[object]], lock: FileLock | None = None) -> PeriodicTask:
    return PeriodicTask("counting", function, 0.001, lock=lock)


def test_a_task_is_repeated_until_the_block_ends() -> None:
    runs = Runs()

    async def scene() -> None:
        async with run_tasks([task(runs)]):
            await runs.reach(3)
        ended = runs.count
        await asyncio.sleep(0.02)
        assert runs.count == ended

    asyncio.run(scene())


FAILURES: tuple[tuple[Exception, list[tuple[str, str]]], ...] = (
    (UnavailableError("The database is busy.", RetryAfter.MOMENT), [("warning", "The database is busy.")]),
    (DatabaseError("It is damaged."), [("error", "It is damaged.")]),
    (FileNotFoundError("no folder"), [("error", "no folder")]),
    (ZeroDivisionError(ADDRESS), [("error", "ZeroDivisionError")]),
    (LostDatabaseError("It is away.", RetryAfter.MOMENT), []),
    (ReadOnlyError(), []),
)


def test_a_failed_task_is_repeated_and_the_reason_is_logged(subtests: pytest.Subtests) -> None:
    async def run_twice(runs: Runs) -> None:
        async with run_tasks([task(runs)]):
            await runs.reach(2)

    for failure, expected in FAILURES:
        with subtests.test(type(failure).__name__):
            with capture_logs() as logs:
                asyncio.run(run_twice(Runs(failure)))

            assert [(line["log_level"], line["reason"]) for line in logs] == expected
            assert all(line["task"] == "counting" for line in logs)
            assert ADDRESS not in str(logs)


def test_a_failed_task_waits_before_the_next_run() -> None:
    runs = Runs(OSError())

    async def scene() -> None:
        async with run_tasks([PeriodicTask("counting", runs, 0.001, failure_delay_seconds=60)]):
            await asyncio.sleep(0.02)

    asyncio.run(scene())
    assert runs.count == 1


def test_a_task_runs_only_while_it_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_scope, "POLL_INTERVAL_SECONDS", 0.001)
    runs, is_allowed = Runs(), asyncio.Event()

    async def scene() -> None:
        async with run_tasks([task(runs)], is_allowed.is_set):
            await asyncio.sleep(0.02)
            assert not runs.count
            is_allowed.set()
            await runs.reach(2)
            is_allowed.clear()
            await asyncio.sleep(0)
            stopped = runs.count
            await asyncio.sleep(0.02)
            assert runs.count == stopped

    asyncio.run(scene())


def test_one_of_the_workers_that_share_a_lock_runs_the_task(tmp_path: Path) -> None:
    first, second = Runs(), Runs()

    async def scene() -> None:
        async with run_tasks([task(first, FileLock(tmp_path / "lock"))]):
            await first.reach(1)
            async with run_tasks([task(second, FileLock(tmp_path / "lock"))]):
                await first.reach(5)
                assert not second.count
        async with run_tasks([task(second, FileLock(tmp_path / "lock"))]):
            await second.reach(1)

    asyncio.run(scene())


def test_an_uninterrupted_coroutine_is_completed_despite_cancellation() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def send() -> None:
        begun.set()
        await asyncio.sleep(0.01)
        ended.set()

    async def scene() -> None:
        sending = asyncio.create_task(run_uninterrupted(send()))
        await begun.wait()
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending
        assert ended.is_set()

    asyncio.run(scene())
