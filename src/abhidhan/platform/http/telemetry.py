"""The access log and metrics of a worker, and the route `/metrics`, which reports those of all workers."""

import asyncio
import contextlib
import os
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Final

from litestar import Litestar, Request, Response, get
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.types import HTTPScope
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.samples import Sample

from abhidhan.platform.http.logging import AccessLog, FinishedRequest
from abhidhan.platform.runtime import metrics
from abhidhan.platform.runtime.build_info import read_build_info
from abhidhan.platform.runtime.metrics import MetricsCollector
from abhidhan.records.errors import ForbiddenError

FLUSH_DELAY_SECONDS: Final = 0.2
"""Maximum delay until finished requests are counted and logged."""

MAX_PENDING_REQUESTS: Final = 200
"""Maximum number of requests that are counted and logged together, which blocks the event loop for a millisecond."""

SAVE_INTERVAL_SECONDS: Final = 0.5
LAG_MEASUREMENTS: Final = 30
"""Number of measurements of the event loop's lag, one per interval, of which the worst is reported."""

_hits, _misses = (metrics.CACHE_LOOKUPS.labels(result) for result in ("hit", "miss"))
_get_duration_histogram = cache(metrics.REQUEST_SECONDS.labels)


class RequestObserver:
    """Observer that counts and logs the requests of one worker.

    Requests are collected for a moment, then counted and logged together. Doing that after each response took 11 µs
    more of some 200 µs per request, because of the processor's cache misses.
    """

    def __init__(self, *, log: AccessLog | None = None, files: metrics.WorkerMetricFiles | None = None) -> None:
        """`log` receives a line per request; through `files` the worker shares its metrics."""
        self._log = log
        self._files = files
        self._in_flight = 0
        self._pending: list[FinishedRequest] = []

    def start(self) -> None:
        """Count a new request."""
        self._in_flight += 1

    def finish(self, request: FinishedRequest) -> None:
        """Record a request that was answered or aborted."""
        self._in_flight -= 1
        self._pending.append(request)
        if len(self._pending) == 1:
            with contextlib.suppress(RuntimeError):
                asyncio.get_running_loop().call_later(FLUSH_DELAY_SECONDS, self.flush)
        elif len(self._pending) >= MAX_PENDING_REQUESTS:
            self.flush()

    def flush(self) -> None:
        """Count and log the collected requests."""
        pending, self._pending = self._pending, []
        _count_requests(pending)
        if self._log is not None:
            self._log.write(pending)

    def save(self) -> None:
        """Write the metrics of this worker to its files."""
        metrics.REQUESTS_IN_FLIGHT.set(self._in_flight)
        if self._files is not None:
            self._files.save()

    @contextlib.asynccontextmanager
    async def running(self, _app: Litestar) -> AsyncIterator[None]:
        """Measure lag and memory for the application's lifetime, and count its last requests (a Litestar lifespan)."""
        watch = asyncio.create_task(self._measure_periodically())
        try:
            yield
        finally:
            watch.cancel()
            self.flush()

    async def _measure_periodically(self) -> None:
        lags: deque[float] = deque(maxlen=LAG_MEASUREMENTS)
        memory_gauge = metrics.WORKER_MEMORY.labels(os.getpid())
        while True:
            due = time.perf_counter() + SAVE_INTERVAL_SECONDS
            await asyncio.sleep(SAVE_INTERVAL_SECONDS)
            lags.append(max(0.0, time.perf_counter() - due))
            metrics.EVENT_LOOP_LAG.set(max(lags))
            memory_gauge.set(read_private_memory())
            self.save()


def _count_requests(requests: list[FinishedRequest]) -> None:
    groups = Counter((request.template, request.status, request.cached) for request in requests)
    for (route, status, is_hit), number in groups.items():
        metrics.REQUESTS.labels(route, status).inc(number)
        if is_hit is not None:
            (_hits if is_hit else _misses).inc(number)
    for request in requests:
        _get_duration_histogram(request.template).observe(request.seconds)


METRICS_MEDIA_TYPE: Final = "text/plain; version=0.0.4"
"""The text format of Prometheus; Litestar adds the charset."""

FORWARDING_HEADERS: Final = {b"x-forwarded-for", b"forwarded"}
LOOPBACK_NETWORKS: Final = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


async def _read_no_samples() -> list[Sample]:
    return []


def build_metrics_handler(
    folder: Path,
    networks: Iterable[IPv4Network | IPv6Network] = (),
    read_data: Callable[[], Awaitable[list[Sample]]] = _read_no_samples,
    save: Callable[[], None] = lambda: None,
) -> HTTPRouteHandler:
    """Build the handler of `/metrics`, which answers this machine and clients in `networks`.

    `read_data` reads the gauges of `HealthMetrics`; `save` writes the latest metrics of this worker to its files.
    """
    allowed_networks = (*LOOPBACK_NETWORKS, *networks)
    build = Sample("abhidhan_build_info", read_build_info(), 1)

    @get("/metrics", include_in_schema=False)
    async def metrics(request: Request[object, object, State]) -> Response[bytes]:
        if not may_see_metrics(request.scope, allowed_networks):
            raise ForbiddenError(
                "The metrics are available to this machine only, unless a setting allows more networks."
            )
        samples = [build, *await read_data()]
        save()
        return Response(await asyncio.to_thread(_format_metrics, folder, samples), media_type=METRICS_MEDIA_TYPE)

    return metrics


def _format_metrics(folder: Path, samples: list[Sample]) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(MetricsCollector(folder, samples))
    return generate_latest(registry)


def may_see_metrics(scope: HTTPScope, allowed_networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Return whether the client is on this machine or in an allowed network.

    Requests through an untrusted proxy are refused: all of them would seem to come from this machine.
    """
    client = scope["client"][0] if scope["client"] else ""
    if not scope.get("trusted") and any(name in FORWARDING_HEADERS for name, _ in scope["headers"]):
        return False
    if client in {"", "unix"}:
        return True
    try:
        address = ip_address(client)
    except ValueError:
        return False
    return any(address in network for network in allowed_networks)


def read_private_memory() -> int:
    """Return the memory of this process in bytes; 0 on a system without /proc.

    Memory-mapped files, such as the database, are left out: the system reclaims their memory when it needs it.
    """
    try:
        _, resident, shared_pages, *_ = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared_pages)) * os.sysconf("SC_PAGE_SIZE")
