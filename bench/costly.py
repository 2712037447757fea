"""Benchmark the most expensive valid requests one at a time, and the delay of concurrent ones."""

from collections.abc import Iterable
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import perf_counter
from typing import Final, NamedTuple, Self

from bench import servers
from bench.questions import list_costly_requests, read_texts
from bench.servers import Server
from bench.tables import format_heading, format_row

HEADINGS: Final = (
    "query", "p50 ms", "p99 ms", "processor ms", "at the greatest limit: p50", "p99", "processor ms",
    "others wait at most ms",
)  # fmt: skip


class ResponseTimes(NamedTuple):
    """Median and 99th percentile of response times, and mean processor time, in ms."""

    p50: float | str
    p99: float | str
    processor: float | str


NO_TIMES: Final = ResponseTimes("", "", "")


def print_costly_requests(label: str, home: Path) -> None:
    """Measure the most expensive requests of a dictionary, and the delay of concurrent ones."""
    texts = read_texts(home / "dictionary.sqlite3")
    print(format_heading(f"What costs most, at {label} words, one at a time", HEADINGS))
    greatest = list_costly_requests(texts, list_limit=1000, short_limit=100, search_limit=1000)
    with servers.serve_abhidhan(home) as server:
        for name, paths in list_costly_requests(texts, list_limit=50, short_limit=10, search_limit=20).items():
            with Probe(server) as probe:
                usual = _measure_sequentially(server, paths)
                # These endpoints have no limit parameter.
                at_limit = (
                    NO_TIMES
                    if name.startswith(("dic.php", "tlipi.php"))
                    else _measure_sequentially(server, greatest[name])
                )
            print(format_row(name, *usual, *at_limit, probe.max_wait_ms), flush=True)


def _measure_sequentially(server: Server, paths: Iterable[str]) -> ResponseTimes:
    """Send the requests one after the other. A few per cent of the measured processor time belong to the probe."""
    connection = server.open_connection()
    before = server.processor_seconds()
    times = sorted(measure_milliseconds(connection, path) for path in paths)
    processor = (server.processor_seconds() - before) / len(times) * 1000
    connection.close()
    return ResponseTimes(median(times), times[int(len(times) * 0.99)], processor)


def measure_milliseconds(connection: HTTPConnection, path: str) -> float:
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
        self._connection = server.open_connection()
        self._ended = Event()
        self._thread = Thread(target=self._send_requests)
        self.max_wait_ms = 0.0

    def _send_requests(self) -> None:
        while not self._ended.wait(0.003):
            self.max_wait_ms = max(self.max_wait_ms, measure_milliseconds(self._connection, "/health/live"))

    def __enter__(self) -> Self:
        """Start sending requests."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop sending requests."""
        self._ended.set()
        self._thread.join()
        self._connection.close()
