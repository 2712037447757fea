"""Threads in which jobs of the database run, and how long jobs wait for one."""

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
    """Something that is to be done, since when, and the future of whoever waits for it."""

    do: Callable[[], Any]
    future: "asyncio.Future[Any]"
    asked_at: float
    is_running: bool = False


class Threads:
    """So many threads for one kind of work; what finds none free waits for its turn.

    An executor of `concurrent.futures` gives each job a future of its own and chains one of asyncio's to it, each with
    its locks: that took a twentieth of a search.
    """

    def __init__(self, work: str, size: int) -> None:
        """Name the work; threads begin when they are needed."""
        self._work = work
        self._size = size
        self._threads: list[Thread] = []
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._guard = Lock()
        self._is_closed = False
        self._waiting = 0
        self._running = 0
        self._running_jobs = metrics.DATABASE_JOBS.labels(work, "running")
        self._waiting_jobs = metrics.DATABASE_JOBS.labels(work, "waiting")
        self._jobs_started = metrics.DATABASE_JOBS_BEGUN.labels(work)
        self._wait_seconds = metrics.DATABASE_WAIT.labels(work)
        metrics.DATABASE_THREADS.labels(work).inc(size)

    async def run(self, job: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 (whatever the job takes)
        """Run a job in one of the threads. Raises RuntimeError when they are closed."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        wanted = _Job(partial(job, *arguments), future, perf_counter())
        self._submit(wanted)
        try:
            return await future
        except asyncio.CancelledError:
            self._abandon(wanted)
            raise

    def close(self) -> None:
        """Finish what was begun, and what waits."""
        with self._guard:
            if not self._is_closed:
                metrics.DATABASE_THREADS.labels(self._work).dec(self._size)
            ending, self._threads, self._is_closed = self._threads, [], True
        for _ in ending:
            self._jobs.put(None)
        for thread in ending:
            thread.join()

    def _submit(self, job: _Job) -> None:
        with self._guard:
            if self._is_closed:
                raise RuntimeError("the threads are closed")
            if len(self._threads) < min(self._size, self._running + self._waiting + 1):
                self._start_thread()
            self._waiting += 1
            self._waiting_jobs.inc()
            # Within the guard, so that `close` ends the threads behind it.
            self._jobs.put(job)

    def _start_thread(self) -> None:
        # Of a program that ends without closing them they are not waited for.
        thread = Thread(target=self._run_jobs, name=f"database-{self._work}_{len(self._threads)}", daemon=True)
        thread.start()
        self._threads.append(thread)

    def _abandon(self, job: _Job) -> None:
        """Count a job no more that nobody waits for, and that is left out; one that has begun goes on to its end."""
        with self._guard:
            if not job.is_running:
                self._waiting -= 1
                self._waiting_jobs.dec()

    def _run_jobs(self) -> None:
        while (job := self._jobs.get()) is not None:
            if self._start(job):
                self._run_job(job)
            # What it has read is not held while the next one is waited for.
            del job

    def _start(self, job: _Job) -> bool:
        with self._guard:
            if job.future.cancelled():
                return False
            job.is_running = True
            self._waiting -= 1
            self._running += 1
            self._waiting_jobs.dec()
            self._running_jobs.inc()
            self._jobs_started.inc()
            self._wait_seconds.inc(perf_counter() - job.asked_at)
        return True

    def _run_job(self, job: _Job) -> None:
        settle: Callable[[Any], None]
        try:
            outcome, settle = job.do(), job.future.set_result
        except BaseException as error:  # noqa: BLE001  # whoever waits for it is told
            outcome, settle = error, job.future.set_exception
        with self._guard:
            self._running -= 1
            self._running_jobs.dec()
        # Nobody waits on a loop that is closed.
        with suppress(RuntimeError):
            job.future.get_loop().call_soon_threadsafe(_settle, job.future, settle, outcome)
        # An error that has come through here knows this frame, which would know the error.
        del outcome, settle


def _settle(future: "asyncio.Future[Any]", settle: Callable[[Any], None], outcome: object) -> None:
    """Settle the future of a job for whoever still waits for it."""
    if not future.cancelled():
        settle(outcome)
