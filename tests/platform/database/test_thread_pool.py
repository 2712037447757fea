import asyncio
import gc
import threading
import weakref

import pytest

from abhidhan.platform.database.thread_pool import ThreadPool
from tests.support.metrics import metric

PATIENCE = 60
WORK = "tests"


def jobs(state: str) -> float:
    """Return how many jobs are in a state."""
    return metric("database_jobs", work=WORK, state=state)


async def until(state: str, number: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while jobs(state) != number:  # noqa: ASYNC110  # other threads change it
            await asyncio.sleep(0.001)


def test_metrics_count_running_and_waiting_jobs_and_their_waiting_time() -> None:
    begun = metric("database_jobs_begun_total", work=WORK)
    waited = metric("database_wait_seconds_total", work=WORK)
    threads, go = ThreadPool(WORK, 2), threading.Event()

    async def scene() -> None:
        jobs = [asyncio.create_task(threads.run(go.wait, PATIENCE)) for _ in range(3)]
        await until("running", 2)
        await until("waiting", 1)
        jobs[2].cancel()
        await until("waiting", 0)
        jobs[2] = asyncio.create_task(threads.run(go.wait, PATIENCE))
        await until("waiting", 1)
        await asyncio.sleep(0.01)
        go.set()
        await asyncio.gather(*jobs)
        await until("running", 0)

    asyncio.run(scene())
    assert metric("database_threads", work=WORK) == 2
    threads.close()

    assert (jobs("waiting"), jobs("running"), metric("database_threads", work=WORK)) == (0, 0, 0)
    assert metric("database_jobs_begun_total", work=WORK) == begun + 3
    assert metric("database_wait_seconds_total", work=WORK) >= waited + 0.01


def test_a_failed_job_is_not_counted_as_running() -> None:
    threads = ThreadPool(WORK, 1)

    async def scene() -> None:
        with pytest.raises(ZeroDivisionError):
            await threads.run(lambda: 1 // 0)
        await until("running", 0)

    asyncio.run(scene())
    threads.close()


def test_closing_waits_for_running_and_waiting_jobs() -> None:
    threads, go = ThreadPool(WORK, 1), threading.Event()

    def wait_and_tell(number: int) -> int:
        go.wait(PATIENCE)
        return number

    async def scene() -> list[int]:
        jobs = [asyncio.create_task(threads.run(wait_and_tell, number)) for number in (1, 2, 3)]
        await until("waiting", 2)
        closing = asyncio.create_task(asyncio.to_thread(threads.close))
        await asyncio.sleep(0.01)
        go.set()
        await closing
        with pytest.raises(RuntimeError, match="closed"):
            await threads.run(print)
        return await asyncio.gather(*jobs)

    assert asyncio.run(scene()) == [1, 2, 3]
    assert jobs("waiting") == 0


def test_a_started_job_is_completed_even_if_it_is_cancelled_and_the_loop_is_closed() -> None:
    threads, go, ended = ThreadPool(WORK, 1), threading.Event(), threading.Event()

    def write() -> None:
        go.wait(PATIENCE)
        ended.set()

    async def scene() -> None:
        job = asyncio.create_task(threads.run(write))
        await until("running", 1)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job

    asyncio.run(scene())
    assert jobs("running") == 1
    go.set()
    threads.close()

    assert ended.is_set()
    assert jobs("running") == 0


def test_a_job_may_be_cancelled_at_the_moment_it_ends() -> None:
    threads = ThreadPool(WORK, 1)

    async def scene() -> int:
        ended = threading.Event()
        job = asyncio.create_task(threads.run(ended.set))
        await asyncio.sleep(0)
        ended.wait(PATIENCE)
        threads.close()
        # Its end is told to the loop, which has not heard of it yet.
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        return len(asyncio.all_tasks())

    assert asyncio.run(scene()) == 1


def test_threads_are_started_on_demand_up_to_the_maximum() -> None:
    threads, go = ThreadPool(WORK, 3), threading.Event()

    async def scene() -> tuple[int, int]:
        before = set(threading.enumerate())
        for _ in range(5):
            await threads.run(int)
        one_by_one = len(set(threading.enumerate()) - before)
        jobs = [asyncio.create_task(threads.run(go.wait, PATIENCE)) for _ in range(5)]
        await until("running", 3)
        at_once = len(set(threading.enumerate()) - before)
        go.set()
        await asyncio.gather(*jobs)
        return one_by_one, at_once

    counts = asyncio.run(scene())
    threads.close()

    assert counts == (1, 3)


class Read:
    """Something that a job has read."""


def test_the_result_of_a_job_is_not_kept_in_memory() -> None:
    threads = ThreadPool(WORK, 1)

    async def scene() -> None:
        reference = weakref.ref(await threads.run(Read))
        async with asyncio.timeout(PATIENCE):
            while reference() is not None:  # noqa: ASYNC110  # the thread lets go of it by itself
                await asyncio.sleep(0.001)

    gc.disable()
    try:
        asyncio.run(scene())
    finally:
        gc.enable()
        threads.close()
