"""Metrics: the requests of each worker in its tally, and the sum of them all at `/metrics`."""

import asyncio
import os
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from itertools import accumulate
from pathlib import Path
from typing import Final

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.types import HTTPScope
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from abhidhan.domain.figures import Figure
from abhidhan.errors import ForbiddenError
from abhidhan.web.edge.figures import MEANINGS, families
from abhidhan.web.edge.logs import Seen
from abhidhan.web.edge.processes import build_info, is_alive, memory_of
from abhidhan.web.edge.worker_metrics import Tally, held, take_out, tally_path

LATENCIES: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper ends of the histogram's buckets in seconds."""

BUCKETS: Final = (*(str(end) for end in LATENCIES), "+Inf")
METRICS_MEDIA_TYPE: Final = "text/plain; version=0.0.4"
"""The text format of Prometheus; Litestar adds the charset."""

READY: Final = ("ready",)
RESPAWNS: Final = ("respawns",)
FIGURE: Final = "figure"
LAG: Final = ("lag",)
OF_NOW: Final = {READY, ("in_flight",), LAG}
"""Gauges: the state of a worker, not what it has done; not added up when it has ended."""

FORWARDED: Final = {b"x-forwarded-for", b"forwarded"}
LOOPBACK: Final = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


class Counters:
    """Count the requests of one worker: by route and status, by duration, by cache; and how busy it is."""

    def __init__(self, folder: Path) -> None:
        """Count in a new file in `folder`."""
        self._tally = Tally(tally_path(folder, os.getpid()))
        self._numbers = self._tally.numbers
        self._requests: dict[tuple[str, int], int] = {}
        self._durations: dict[str, tuple[int, ...]] = {}
        self._hits = self._tally.place("cache", "hit")
        self._misses = self._tally.place("cache", "miss")
        self._in_flight = self._tally.place("in_flight")
        self._lag = self._tally.place("lag")

    def ready(self) -> None:
        """Note that the worker has started and answers."""
        self._numbers[self._tally.place(*READY)] = 1

    def began(self) -> None:
        """Count a request that is being answered."""
        self._numbers[self._in_flight] += 1

    def ended(self) -> None:
        """Note that a request is not being answered any more."""
        self._numbers[self._in_flight] -= 1

    def count(self, requests: Iterable[Seen]) -> None:
        """Count finished requests."""
        numbers = self._numbers
        for seen in requests:
            places = self._durations.get(seen.template) or self._new_route(seen.template)
            numbers[self._place_of(seen.template, seen.status)] += 1
            numbers[places[bisect_left(LATENCIES, seen.seconds)]] += 1
            numbers[places[-1]] += seen.seconds
            if seen.kept is not None:
                numbers[self._hits if seen.kept else self._misses] += 1

    def lagged(self, seconds: float) -> None:
        """Note how late the event loop is."""
        self._numbers[self._lag] = seconds

    def note(self, figures: Iterable[Figure]) -> None:
        """Note what the parts of the program have counted."""
        for name, labels, number in figures:
            self._numbers[self._tally.place(FIGURE, name, *labels)] = number

    def close(self) -> None:
        """End: what was counted stays, and a request that is still being answered may be counted after this."""
        self._numbers[self._in_flight] = 0
        self._numbers[self._lag] = 0

    def _place_of(self, template: str, status: int) -> int:
        place = self._requests.get((template, status))
        if place is None:
            place = self._requests[template, status] = self._tally.place("requests", template, str(status))
        return place

    def _new_route(self, template: str) -> tuple[int, ...]:
        places = tuple(self._tally.place("seconds", template, end) for end in (*BUCKETS, "sum"))
        self._durations[template] = places
        return places


class ParentCounters:
    """What the parent of the workers counts: those it has replaced, and all that they had counted."""

    def __init__(self, folder: Path) -> None:
        """Count in a new file in `folder`."""
        self._folder = folder
        self._tally = Tally(tally_path(folder, os.getpid()))

    def replaced(self) -> None:
        """Count a worker that has ended by itself."""
        self._tally.numbers[self._tally.place(*RESPAWNS)] += 1

    def inherit(self, process: int) -> bool:
        """Take over what a worker that has ended had counted, and return whether it ever was ready.

        A worker that ends again and again would otherwise leave thousands of files, all of which `/metrics` adds up.
        """
        with held(self._folder):
            inherited = take_out(self._folder, process)
            for name, number in inherited.items():
                if not _is_of_now(name):
                    self._tally.numbers[self._tally.place(*name)] += number
        return inherited.get(READY, 0) > 0

    def is_ready(self, process: int) -> bool:
        """Return whether a worker has started and answers."""
        return any(Tally.read(path).get(READY, 0) > 0 for path in self._folder.glob(f"{process}-*.tally"))


def _is_of_now(name: tuple[str, ...]) -> bool:
    """Say whether a number is the state of a worker, which goes with it."""
    return name in OF_NOW or (name[0] == FIGURE and not MEANINGS[name[1]].counts)


class Totals:
    """The counters of all workers, added up, for `prometheus_client`."""

    def __init__(self, folder: Path, figures: Iterable[Figure] = ()) -> None:
        """Read the files in `folder` at every collection; `figures` are told beside them."""
        self._folder = folder
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """Return the metrics of this moment. What a worker that has ended counted still counts."""
        numbers, workers = self._sums()
        requests = CounterMetricFamily(
            "abhidhan_requests", "Requests answered, by route and status.", labels=("route", "status")
        )
        answers = CounterMetricFamily(
            "abhidhan_answer_cache", "Public answers, by whether the cache had them.", labels=("result",)
        )
        for (kind, *labels), number in numbers.items():
            if kind == "requests":
                requests.add_metric(labels, number)
            elif kind == "cache":
                answers.add_metric(labels, number)
        yield from (requests, answers, _histogram(numbers))
        yield GaugeMetricFamily(
            "abhidhan_requests_in_flight", "Requests being answered.", numbers.get(("in_flight",), 0)
        )
        yield GaugeMetricFamily(
            "abhidhan_event_loop_lag_seconds",
            "The longest that the event loop of any worker was late in the last 15 s.",
            numbers.get(("lag",), 0),
        )
        yield CounterMetricFamily(
            "abhidhan_worker_respawns", "Workers that ended unasked and were replaced.", numbers.get(RESPAWNS, 0)
        )
        counted = [Figure(name[1], name[2:], number) for name, number in numbers.items() if name[0] == FIGURE]
        yield from families([*counted, *_of_workers(workers), *self._figures])

    def _sums(self) -> tuple[dict[tuple[str, ...], float], list[int]]:
        with held(self._folder):
            return self._sums_of_files()

    def _sums_of_files(self) -> tuple[dict[tuple[str, ...], float], list[int]]:
        """Add up what all have counted; return that, and the processes of the workers that answer."""
        sums: dict[tuple[str, ...], float] = {}
        workers: list[int] = []
        for path in sorted(self._folder.glob("*.tally")):
            process = int(path.name.partition("-")[0])
            alive = is_alive(process)
            numbers = Tally.read(path)
            if alive and numbers.get(READY):
                workers.append(process)
            for name, number in numbers.items():
                if name == LAG:
                    sums[name] = max(sums.get(name, 0.0), number if alive else 0.0)
                elif alive or not _is_of_now(name):
                    sums[name] = sums.get(name, 0.0) + number
        return sums, workers


def _of_workers(processes: Iterable[int]) -> Iterator[Figure]:
    processes = list(processes)
    yield Figure("abhidhan_workers", (), len(processes))
    for process in processes:
        memory = memory_of(process)
        if memory is not None:
            yield Figure("abhidhan_worker_memory_bytes", (str(process),), memory)


def _histogram(numbers: Mapping[tuple[str, ...], float]) -> HistogramMetricFamily:
    family = HistogramMetricFamily("abhidhan_request_seconds", "How long answers took, by route.", labels=("route",))
    for route in sorted({name[1] for name in numbers if name[0] == "seconds"}):
        counts = accumulate(numbers.get(("seconds", route, end), 0.0) for end in BUCKETS)
        buckets = list(zip(BUCKETS, counts, strict=True))
        family.add_metric([route], buckets, numbers.get(("seconds", route, "sum"), 0.0))
    return family


def metrics_handler(
    folder: Path,
    networks: Iterable[IPv4Network | IPv6Network] = (),
    state: Callable[[], Awaitable[Iterable[Figure]]] | None = None,
) -> HTTPRouteHandler:
    """Make `/metrics`, which answers this machine and the networks named. `state` tells figures of data and files."""
    allowed = (*LOOPBACK, *networks)
    build = build_info()

    @get("/metrics", include_in_schema=False)
    async def metrics(request: Request[object, object, State]) -> Response[bytes]:
        if not may_see_metrics(request.scope, allowed):
            raise ForbiddenError("The metrics are answered to this machine only, unless a setting names more networks.")
        figures = [build, *(await state() if state is not None else ())]
        return Response(await asyncio.to_thread(_written, folder, figures), media_type=METRICS_MEDIA_TYPE)

    return metrics


def _written(folder: Path, figures: Iterable[Figure]) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Totals(folder, figures))
    return generate_latest(registry)


def may_see_metrics(scope: HTTPScope, allowed: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Return whether who asks is on this machine or in an allowed network.

    Through a proxy that is not trusted, every stranger would seem to be on this machine: so whoever comes that way is
    refused.
    """
    client = scope["client"][0] if scope["client"] else ""
    if not scope.get("trusted") and any(name in FORWARDED for name, _ in scope["headers"]):
        return False
    if client in {"", "unix"}:
        return True
    try:
        address = ip_address(client)
    except ValueError:
        return False
    return any(address in network for network in allowed)
