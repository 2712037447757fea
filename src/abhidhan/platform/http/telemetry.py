"""The access log and the metrics of a worker: of each request, and of the event loop."""

import asyncio
import contextlib
import os
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from functools import cache
from typing import Final

from litestar import Litestar

from abhidhan.platform.http.logging import AccessLog, Seen
from abhidhan.platform.http.metrics import memory
from abhidhan.platform.runtime import metrics

SETTLE_SECONDS: Final = 0.2
"""Maximum delay until finished requests are counted and logged."""

MAX_WAITING: Final = 200
"""Number of requests that are counted and logged together: for a millisecond nothing else is answered."""

SAVE_INTERVAL_SECONDS: Final = 0.5
LAG_MEASUREMENTS: Final = 30
"""Number of measurements of the event loop's lag, one per interval, of which the worst is reported."""

_hits, _misses = (metrics.ANSWER_CACHE.labels(result) for result in ("hit", "miss"))
_duration_of = cache(metrics.REQUEST_SECONDS.labels)


class Observer:
    """Count and log the requests of one worker.

    Requests are collected for a moment, then counted and logged together: each by itself, right after its answer, took
    11 µs more of some 200, because nothing that is needed was in the processor's cache.
    """

    def __init__(self, *, log: AccessLog | None = None, files: metrics.WorkerFiles | None = None) -> None:
        """Write lines to `log`, and share metrics by `files`."""
        self._log = log
        self._files = files
        self._in_flight = 0
        self._waiting: list[Seen] = []

    def start(self) -> None:
        """Count a request that has come in."""
        self._in_flight += 1

    def finish(self, seen: Seen) -> None:
        """Note a request that has been answered, or cut off."""
        self._in_flight -= 1
        self._waiting.append(seen)
        if len(self._waiting) == 1:
            with contextlib.suppress(RuntimeError):
                asyncio.get_running_loop().call_later(SETTLE_SECONDS, self.settle)
        elif len(self._waiting) >= MAX_WAITING:
            self.settle()

    def settle(self) -> None:
        """Count and log the requests collected."""
        waiting, self._waiting = self._waiting, []
        _count(waiting)
        if self._log is not None:
            self._log.write(waiting)

    def save(self) -> None:
        """Write the metrics of this worker into its files."""
        metrics.REQUESTS_IN_FLIGHT.set(self._in_flight)
        if self._files is not None:
            self._files.save()

    @contextlib.asynccontextmanager
    async def running(self, _app: Litestar) -> AsyncIterator[None]:
        """Measure while the application runs, and count the last requests at its end (a Litestar lifespan)."""
        watch = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watch.cancel()
            self.settle()

    async def _watch(self) -> None:
        late: deque[float] = deque(maxlen=LAG_MEASUREMENTS)
        own_memory = metrics.WORKER_MEMORY.labels(os.getpid())
        while True:
            due = time.perf_counter() + SAVE_INTERVAL_SECONDS
            await asyncio.sleep(SAVE_INTERVAL_SECONDS)
            late.append(max(0.0, time.perf_counter() - due))
            metrics.EVENT_LOOP_LAG.set(max(late))
            own_memory.set(memory())
            self.save()


def _count(requests: list[Seen]) -> None:
    groups = Counter((seen.template, seen.status, seen.cached) for seen in requests)
    for (route, status, is_hit), number in groups.items():
        metrics.REQUESTS.labels(route, status).inc(number)
        if is_hit is not None:
            (_hits if is_hit else _misses).inc(number)
    for seen in requests:
        _duration_of(seen.template).observe(seen.seconds)
