"""`make bench`: how fast the server answers, beside a bare "hello" in the same run, and what memory it takes.

Nothing is asserted about time: docs/speed.md says what is aimed at, and how to read the numbers.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import perf_counter
from typing import Final, Self

from bench import load, servers, wordnet
from bench.load import Addresses, Measured
from bench.questions import QUESTIONS, Texts, costly, read_texts
from bench.servers import Server
from bench.synthetic import home_of

SIZES: Final = (10_000, 100_000, 1_000_000)
CONNECTIONS: Final = 8
ROUNDS: Final = 3
WARM_UP_SECONDS: Final = 2

SPEED_HEADINGS: Final = (
    "words", "asked", "requests/s", "of hello", "of hello, by processor", "processor µs", "p50 ms", "p99 ms"
)  # fmt: skip
IMPORT_HEADINGS: Final = ("format", "seconds", "processor s", "memory MB (PSS)", "it said")
MEMORY_HEADINGS: Final = ("words", "second start s", "at first MB", "after load MB (RSS)", "after load MB (PSS)")
COSTLY_HEADINGS: Final = ("asked", "p50 ms", "p99 ms", "at the greatest limit: p50", "p99", "others wait at most ms")


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure: sizes of dictionaries, seconds of each run, where data are kept."""

    sizes: tuple[int, ...]
    seconds: int
    data: Path
    quick: bool = False


def main() -> None:
    """Measure and print."""
    load.check_wrk()
    options = _options()
    dictionaries = {f"{size:,}": home_of(options.data, size) for size in options.sizes}
    dictionaries |= _wordnet(options)
    memory: list[Sequence[object]] = []
    print(_heading("Speed", SPEED_HEADINGS))
    with servers.hello() as hello:
        for label, home in dictionaries.items():
            texts = read_texts(home / "dictionary.sqlite3")
            with servers.abhidhan(home) as server:
                first = server.memory()[0]
                for name, row in _speeds(server, hello, texts, options):
                    print(_row(label, name, *row), flush=True)
                memory.append((label, server.seconds_to_start, first, *server.memory()))
    print(_heading("Memory and start", MEMORY_HEADINGS))
    print("\n".join(_row(*row) for row in memory))
    _print_costly(*list(dictionaries.items())[-1])


def _wordnet(options: Options) -> dict[str, Path]:
    """Import WordNet and the Open Multilingual Wordnet where they are there, and print what that took."""
    data = wordnet.shared_data()
    if data is None or options.quick:
        print("WordNet is left out: --quick is set, or ABHIDHAN_SHARED_DATA names no folder with wordnet30 and omw.")
        return {}
    home = options.data / "wordnet"
    print(_heading("Import of WordNet and the Open Multilingual Wordnet", IMPORT_HEADINGS))
    for imported in wordnet.import_into(home, data):
        print(_row(*imported), flush=True)
    return {wordnet.LABEL: home}


def _options() -> Options:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="words of each dictionary, with commas")
    parser.add_argument("--quick", action="store_true", help="only the smallest size, and short runs")
    parser.add_argument("--seconds", type=int, default=4, help="seconds of one run")
    parser.add_argument("--data", type=Path, default=Path("build/bench"), help="folder where dictionaries are kept")
    given = parser.parse_args()
    sizes = tuple(sorted(int(size) for size in given.sizes.split(",")))
    return Options(sizes[:1] if given.quick else sizes, 1 if given.quick else given.seconds, given.data, given.quick)


# --- speed ----------------------------------------------------------------------------------------------------------


def _speeds(server: Server, hello: Server, texts: Texts, options: Options) -> Iterator[tuple[str, Sequence[object]]]:
    greeting = Addresses(options.data / "hello.txt", ["/hello"])
    for place, (name, question) in enumerate(QUESTIONS.items()):
        asked = Addresses(options.data / f"question-{place}.txt", list(question(texts)))
        asked.ask(server, seconds=WARM_UP_SECONDS, connections=CONNECTIONS)
        yield name, _beside(server, asked, hello, greeting, options.seconds)


def _beside(
    server: Server, asked: Addresses, hello: Server, greeting: Addresses, seconds: int
) -> tuple[float, float, float, float, float, float]:
    """Measure in alternation with hello: other programs on the machine then slow both down alike."""
    bare = [greeting.ask(hello, seconds=seconds, connections=CONNECTIONS)]
    runs: list[Measured] = []
    for _ in range(ROUNDS):
        runs.append(asked.ask(server, seconds=seconds, connections=CONNECTIONS))
        bare.append(greeting.ask(hello, seconds=seconds, connections=CONNECTIONS))
    alone = [asked.ask(server, seconds=seconds, connections=1) for _ in range(ROUNDS)]
    if errors := sum(run.errors for run in (*runs, *alone)):
        print(f"  {errors} requests were not answered with 200", flush=True)
    processor = median(run.processor for run in runs)
    return (
        median(run.per_second for run in runs),
        median(run.per_second for run in runs) / median(run.per_second for run in bare),
        median(run.processor for run in bare) / processor,
        processor,
        median(run.p50 for run in alone),
        median(run.p99 for run in alone),
    )


# --- the questions that cost most -----------------------------------------------------------------------------------


def _print_costly(label: str, home: Path) -> None:
    """Ask the greatest dictionary what costs most, and look whether others wait meanwhile."""
    texts = read_texts(home / "dictionary.sqlite3")
    print(_heading(f"What costs most, at {label} words, one at a time", COSTLY_HEADINGS))
    greatest = costly(texts, least=1000, short=100, usual=1000)
    with servers.abhidhan(home) as server:
        for name, paths in costly(texts, least=50, short=10, usual=20).items():
            with Probe(server) as probe:
                usual = _one_by_one(server, paths)
                # An address without a limit has nothing greater to ask for.
                far = ("", "") if name.startswith(("dic.php", "tlipi.php")) else _one_by_one(server, greatest[name])
            print(_row(name, *usual, *far, probe.longest), flush=True)


def _one_by_one(server: Server, paths: Iterable[str]) -> tuple[float, float]:
    """Ask for one address after the other, and tell p50 and p99 in ms."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    times = sorted(milliseconds(connection, path) for path in paths)
    connection.close()
    return median(times), times[int(len(times) * 0.99)]


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
        self._connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
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


# --- the tables -----------------------------------------------------------------------------------------------------


def _heading(title: str, columns: Sequence[str]) -> str:
    return f"\n## {title}\n\n{_row(*columns)}\n{'|---' * len(columns)}|"


def _row(*cells: object) -> str:
    return f"| {' | '.join(_shown(cell) for cell in cells)} |"


def _shown(cell: object) -> str:
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:,.0f}" if cell >= 100 else f"{cell:.3g}"  # noqa: PLR2004  # three digits are enough


if __name__ == "__main__":
    main()
