"""Benchmark the most expensive valid requests one at a time, and the delay of concurrent ones."""

from collections.abc import Iterable
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import perf_counter
from typing import Final, NamedTuple, Self

from bench import servers
from bench.questions import costly, read_texts
from bench.servers import Server
from bench.tables import heading, row

HEADINGS: Final = (
    "query", "p50 ms", "p99 ms", "processor ms", "at the greatest limit: p50", "p99", "processor ms",
    "others wait at most ms",
)  # fmt: skip


class Times(NamedTuple):
    """Median and 99th percentile of response times, and mean processor time, in ms."""

    p50: float | str
    p99: float | str
    processor: float | str


NO_TIMES: Final = Times("", "", "")


def print_costly(label: str, home: Path) -> None:
    """Measure the most expensive requests of a dictionary, and the delay of concurrent ones."""
    texts = read_texts(home / "dictionary.sqlite3")
    print(heading(f"What costs most, at {label} words, one at a time", HEADINGS))
    greatest = costly(texts, list_limit=1000, short_limit=100, search_limit=1000)
    with servers.abhidhan(home) as server:
        for name, paths in costly(texts, list_limit=50, short_limit=10, search_limit=20).items():
            with Probe(server) as probe:
                usual = _one_by_one(server, paths)
                # These endpoints have no limit parameter.
                at_limit = (
                    NO_TIMES if name.startswith(("dic.php", "tlipi.php")) else _one_by_one(server, greatest[name])
                )
            print(row(name, *usual, *at_limit, probe.longest), flush=True)


def _one_by_one(server: Server, paths: Iterable[str]) -> Times:
    """Send the requests one after the other. A few per cent of the measured processor time belong to the probe."""
    connection = server.connection()
    before = server.processor_seconds()
    times = sorted(milliseconds(connection, path) for path in paths)
    processor = (server.processor_seconds() - before) / len(times) * 1000
    connection.close()
    return Times(median(times), times[int(len(times) * 0.99)], processor)


def milliseconds(connection: HTTPConnection, path: str) -> float:
    """Return the time of one request in ms. Raises SystemExit if the status is not 200."""
    began = perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:  # noqa: PLR2004  # HTTP OK
        raise SystemExit(f"{path} was answered with {answer.status}: {body.decode()}")
    return (perf_counter() - began) * 1000


class Probe:
    """A concurrent client that sends a trivial request every few milliseconds; `max_wait_ms` is its longest wait."""

    def __init__(self, server: Server) -> None:
        """Prepare the connection to a server."""
        self._connection = server.connection()
        self._ended = Event()
        self._thread = Thread(target=self._ask)
        self.longest = 0.0

    def _ask(self) -> None:
        while not self._ended.wait(0.003):
            self.longest = max(self.longest, milliseconds(self._connection, "/health/live"))

    def __enter__(self) -> Self:
        """Start sending requests."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop sending requests."""
        self._ended.set()
        self._thread.join()
        self._connection.close()
