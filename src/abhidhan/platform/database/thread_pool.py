"""Thread pools for database jobs, with metrics of running and waiting jobs."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from time import perf_counter
from typing import Any, TypeVar

from abhidhan.platform.runtime import metrics

T = TypeVar("T")


@dataclass(slots=True)
class _Job:
    """A submitted job, the future of its caller, and the time of its submission."""

    function: Callable[[], Any]
    future: "asyncio.Future[Any]"
    submitted_at: float
    is_running: bool = False


class ThreadPool:
    """A pool of threads for one kind of job; jobs that find no free thread are queued.

    An executor of `concurrent.futures` would create a second future with its own lock for each job and chain it to the
    asyncio future, which took a twentieth of the time of a search.
    """

    def __init__(self, name: str, size: int) -> None:
        """Create a pool of at most `size` threads, started on demand; `name` is its label in metrics."""
        self._name = name
        self._size = size
        self._threads: list[Thread] = []
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = Lock()
        self._is_closed = False
        self._waiting_count = 0
        self._running_count = 0
        self._running_jobs = metrics.DATABASE_JOBS.labels(name, "running")
        self._waiting_jobs = metrics.DATABASE_JOBS.labels(name, "waiting")
        self._jobs_started = metrics.DATABASE_JOBS_STARTED.labels(name)
        self._wait_seconds = metrics.DATABASE_WAIT_SECONDS.labels(name)
        metrics.DATABASE_THREADS.labels(name).inc(size)

    async def run(self, job: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 (arguments of the job)
        """Run a job in one of the threads. Raises RuntimeError if the pool is closed."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        queued_job = _Job(partial(job, *arguments), future, perf_counter())
        self._submit(queued_job)
        try:
            return await future
        except asyncio.CancelledError:
            self._abandon(queued_job)
            raise

    def close(self) -> None:
        """Run all queued jobs, wait for them, and stop the threads."""
        with self._lock:
            if not self._is_closed:
                metrics.DATABASE_THREADS.labels(self._name).dec(self._size)
            threads, self._threads, self._is_closed = self._threads, [], True
        for _ in threads:
            self._jobs.put(None)
        for thread in threads:
            thread.join()

    def _submit(self, job: _Job) -> None:
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the threads are closed")
            if len(self._threads) < min(self._size, self._running_count + self._waiting_count + 1):
                self._start_thread()
            self._waiting_count += 1
            self._waiting_jobs.inc()
            # Within the guard, so that the end markers of `close` come after this job.
            self._jobs.put(job)

    def _start_thread(self) -> None:
        # A program that exits without closing the pool does not wait for daemon threads.
        thread = Thread(target=self._run_jobs, name=f"database-{self._name}_{len(self._threads)}", daemon=True)
        thread.start()
        self._threads.append(thread)

    def _abandon(self, job: _Job) -> None:
        """Remove a cancelled job from the waiting count: it will be skipped. A running job finishes."""
        with self._lock:
            if not job.is_running:
                self._waiting_count -= 1
                self._waiting_jobs.dec()

    def _run_jobs(self) -> None:
        while (job := self._jobs.get()) is not None:
            if self._start(job):
                self._run_job(job)
            # Release the job's results before waiting for the next one.
            del job

    def _start(self, job: _Job) -> bool:
        with self._lock:
            if job.future.cancelled():
                return False
            job.is_running = True
            self._waiting_count -= 1
            self._running_count += 1
            self._waiting_jobs.dec()
            self._running_jobs.inc()
            self._jobs_started.inc()
            self._wait_seconds.inc(perf_counter() - job.submitted_at)
        return True

    def _run_job(self, job: _Job) -> None:
        settle: Callable[[Any], None]
        try:
            outcome, settle = job.function(), job.future.set_result
        except BaseException as error:  # noqa: BLE001  # raised again in the caller
            outcome, settle = error, job.future.set_exception
        with self._lock:
            self._running_count -= 1
            self._running_jobs.dec()
        # The loop may be closed, and then no caller waits.
        with suppress(RuntimeError):
            job.future.get_loop().call_soon_threadsafe(_settle, job.future, settle, outcome)
        # The error's traceback refers to this frame: without this there would be a reference cycle.
        del outcome, settle


def _settle(future: "asyncio.Future[Any]", settle: Callable[[Any], None], outcome: object) -> None:
    """Set the outcome of a job's future unless its caller has cancelled it."""
    if not future.cancelled():
        settle(outcome)
