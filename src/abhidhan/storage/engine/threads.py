"""Threads in which jobs of the database run, and how long jobs wait for one."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import perf_counter
from typing import Any, TypeVar

from abhidhan.domain.figures import Figure

T = TypeVar("T")


class Threads:
    """So many threads for one kind of work; what finds none free waits for its turn."""

    def __init__(self, work: str, size: int) -> None:
        """Name the work; threads begin when they are needed."""
        self._work = work
        self._size = size
        self._executor = ThreadPoolExecutor(size, thread_name_prefix=f"database-{work}")
        self._guard = Lock()
        self._waiting = 0
        self._running = 0
        self._begun = 0
        self._waited = 0.0

    async def run(self, job: Callable[..., T], *arguments: Any) -> T:  # noqa: ANN401 (whatever the job takes)
        """Run a job in one of the threads."""
        with self._guard:
            self._waiting += 1
        future = self._executor.submit(self._run, perf_counter(), job, arguments)
        future.add_done_callback(self._note_end)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Finish what was begun."""
        self._executor.shutdown(wait=True)

    def figures(self) -> list[Figure]:
        """Return how many threads there may be, what runs and waits, and how long what has begun had waited in all."""
        with self._guard:
            return [
                Figure("abhidhan_database_threads", (self._work,), self._size),
                Figure("abhidhan_database_jobs", (self._work, "running"), self._running),
                Figure("abhidhan_database_jobs", (self._work, "waiting"), self._waiting),
                Figure("abhidhan_database_jobs_begun", (self._work,), self._begun),
                Figure("abhidhan_database_wait_seconds", (self._work,), self._waited),
            ]

    def _run(self, asked: float, job: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        with self._guard:
            self._waiting -= 1
            self._running += 1
            self._begun += 1
            self._waited += perf_counter() - asked
        return job(*arguments)

    def _note_end(self, future: "Future[Any]") -> None:
        """Count a job that has ended; one that nobody waited for any more was cancelled before it began."""
        with self._guard:
            if future.cancelled():
                self._waiting -= 1
            else:
                self._running -= 1
