"""Who takes note of each request, and of how the worker fares: the access log, the counters."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final

from litestar import Litestar

from abhidhan.domain.figures import Figure
from abhidhan.web.edge.logs import AccessLog, Seen
from abhidhan.web.edge.metrics import Counters

SETTLED_AFTER: Final = 0.2
"""After so many seconds, at the latest, what was seen of requests is counted and written."""

MOST_WAITING: Final = 200
"""So many requests are counted and written at once: for a millisecond nobody is answered."""

LAG_EVERY: Final = 0.5
LAGS_TOLD: Final = 30
"""Seconds between two measurements of the event loop's lag, and the number of which the worst is reported."""


class Observer:
    """Observe every request of one worker: the access log, the counters, or neither.

    Requests are gathered for a moment, then counted and written one after the other: each by itself, right after its
    answer, took 11 µs more of some 200, since nothing that is needed was at hand.
    """

    def __init__(
        self,
        *,
        counters: Counters | None = None,
        log: AccessLog | None = None,
        figures: Callable[[], Iterable[Figure]] = list,
    ) -> None:
        """Observe with what is given; `figures` tells what other parts of the program have counted."""
        self._counters = counters
        self._log = log
        self._figures = figures
        self._waiting: list[Seen] = []

    def began(self) -> None:
        """Take note of a request that has come in."""
        if self._counters is not None:
            self._counters.began()

    def finished(self, seen: Seen) -> None:
        """Take note of a request that has been answered, or cut off."""
        if self._counters is not None:
            self._counters.ended()
        self._waiting.append(seen)
        if len(self._waiting) == 1:
            with contextlib.suppress(RuntimeError):
                asyncio.get_running_loop().call_later(SETTLED_AFTER, self.settle)
        elif len(self._waiting) >= MOST_WAITING:
            self.settle()

    def settle(self) -> None:
        """Count and write what was gathered."""
        waiting, self._waiting = self._waiting, []
        if self._counters is not None:
            self._counters.count(waiting)
        if self._log is not None:
            self._log.write(waiting)

    @contextlib.asynccontextmanager
    async def running(self, _app: Litestar) -> AsyncIterator[None]:
        """Watch while the application runs, and write what is left at its end (a Litestar lifespan)."""
        watch = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watch.cancel()
            self.settle()
            if self._counters is not None:
                self._counters.note(self._figures())

    async def _watch(self) -> None:
        """Measure how late a timer rings, of which the worst of the last while is told, and note what others count."""
        late: deque[float] = deque(maxlen=LAGS_TOLD)
        while self._counters is not None:
            rings = time.perf_counter() + LAG_EVERY
            await asyncio.sleep(LAG_EVERY)
            late.append(max(0.0, time.perf_counter() - rings))
            self._counters.lagged(max(late))
            self._counters.note(self._figures())
