import asyncio
import threading

import pytest

from abhidhan.storage.engine.threads import Threads

PATIENCE = 60


def told(threads: Threads) -> dict[str, float]:
    """Read the figures, each by the last word of its name or by its state."""
    return {(labels[1] if len(labels) > 1 else name): number for name, labels, number in threads.figures()}


async def until(threads: Threads, state: str, number: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while told(threads)[state] != number:  # noqa: ASYNC110  # other threads change it
            await asyncio.sleep(0.001)


def test_jobs_that_run_and_wait_are_told_and_how_long_they_waited() -> None:
    threads, go = Threads("reading", 2), threading.Event()

    async def scene() -> None:
        jobs = [asyncio.create_task(threads.run(go.wait, PATIENCE)) for _ in range(3)]
        await until(threads, "running", 2)
        await until(threads, "waiting", 1)
        jobs[2].cancel()
        await until(threads, "waiting", 0)
        jobs[2] = asyncio.create_task(threads.run(go.wait, PATIENCE))
        await until(threads, "waiting", 1)
        await asyncio.sleep(0.01)
        go.set()
        await asyncio.gather(*jobs)
        await until(threads, "running", 0)

    asyncio.run(scene())
    threads.close()

    seen = told(threads)
    assert (seen["waiting"], seen["running"], seen["abhidhan_database_threads"]) == (0, 0, 2)
    assert seen["abhidhan_database_jobs_begun"] == 3
    assert seen["abhidhan_database_wait_seconds"] >= 0.01


def test_a_job_that_fails_runs_no_longer() -> None:
    threads = Threads("writing", 1)

    async def scene() -> None:
        with pytest.raises(ZeroDivisionError):
            await threads.run(lambda: 1 // 0)
        await until(threads, "running", 0)

    asyncio.run(scene())
    threads.close()
