"""The legal questions that cost most, asked one at a time, and whether others wait meanwhile."""

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
    "asked", "p50 ms", "p99 ms", "processor ms", "at the greatest limit: p50", "p99", "processor ms",
    "others wait at most ms",
)  # fmt: skip


class Times(NamedTuple):
    """What questions took: in the middle, of a hundred the slowest, and of the processor in the mean, in ms."""

    p50: float | str
    p99: float | str
    processor: float | str


NOT_ASKED: Final = Times("", "", "")


def print_costly(label: str, home: Path) -> None:
    """Ask the greatest dictionary what costs most, and look whether others wait meanwhile."""
    texts = read_texts(home / "dictionary.sqlite3")
    print(heading(f"What costs most, at {label} words, one at a time", HEADINGS))
    greatest = costly(texts, least=1000, short=100, usual=1000)
    with servers.abhidhan(home) as server:
        for name, paths in costly(texts, least=50, short=10, usual=20).items():
            with Probe(server) as probe:
                usual = _one_by_one(server, paths)
                # An address without a limit has nothing greater to ask for.
                far = NOT_ASKED if name.startswith(("dic.php", "tlipi.php")) else _one_by_one(server, greatest[name])
            print(row(name, *usual, *far, probe.longest), flush=True)


def _one_by_one(server: Server, paths: Iterable[str]) -> Times:
    """Ask for one address after the other. Some hundredths of the processor's time are the probe's."""
    connection = server.connection()
    before = server.processor_seconds()
    times = sorted(milliseconds(connection, path) for path in paths)
    processor = (server.processor_seconds() - before) / len(times) * 1000
    connection.close()
    return Times(median(times), times[int(len(times) * 0.99)], processor)


def milliseconds(connection: HTTPConnection, path: str) -> float:
    """Time one request. Raises SystemExit when it is not answered with 200: then it measures nothing."""
    began = perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:  # noqa: PLR2004  # HTTP's own number
        raise SystemExit(f"{path} was answered with {answer.status}: {body.decode()}")
    return (perf_counter() - began) * 1000


class Probe:
    """Somebody else, who asks for next to nothing every few milliseconds, and how long they waited at most, in ms."""

    def __init__(self, server: Server) -> None:
        """Prepare to ask a server."""
        self._connection = server.connection()
        self._ended = Event()
        self._thread = Thread(target=self._ask)
        self.longest = 0.0

    def _ask(self) -> None:
        while not self._ended.wait(0.003):
            self.longest = max(self.longest, milliseconds(self._connection, "/health/live"))

    def __enter__(self) -> Self:
        """Begin to ask."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._ended.set()
        self._thread.join()
        self._connection.close()
