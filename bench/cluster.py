"""Benchmark the cost of requests with several workers and nodes, PostgreSQL and nginx: the table of docs/scaling.md.

python -m bench.cluster --home var --seconds 5
"""

import argparse
import os
import shutil
import statistics
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from bench.load import RequestPaths, check_wrk
from bench.postgresql import copy_rows
from bench.questions import SAMPLE_SIZE, SampleTexts, look_up_words, read_texts, repeat_look_up
from bench.servers import Server
from bench.tables import format_heading, format_row
from tests.support.cluster.nodes import Node
from tests.support.cluster.postgresql import PostgresqlDaemon, make_primary
from tests.support.cluster.processes import change_owner, find_descendants
from tests.support.proxies import run_nginx

CONNECTIONS: Final = 16
ROUNDS: Final = 3
CLOCK_TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
PARTS: Final = ("program", "PostgreSQL", "nginx")


@dataclass(frozen=True)
class Setup:
    """A setup to measure: the database, and the numbers of nodes and of workers per node; several are behind nginx."""

    name: str
    uses_postgresql: bool
    workers: int = 1
    nodes: int = 1


SETUPS: Final = (
    Setup("SQLite, one worker", uses_postgresql=False),
    Setup("PostgreSQL, one worker", uses_postgresql=True),
    Setup("PostgreSQL, two workers", uses_postgresql=True, workers=2),
    Setup("PostgreSQL, two nodes of one worker behind nginx", uses_postgresql=True, nodes=2),
)


def main() -> int:
    """Measure all setups and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--home", type=Path, required=True, help="the ABHIDHAN_HOME of a dictionary in SQLite")
    parser.add_argument("--seconds", type=int, default=5, help="how long each of three runs asks (default: 5)")
    chosen = parser.parse_args()
    check_wrk()
    sqlite = f"sqlite:///{chosen.home.absolute()}/dictionary.sqlite3"
    texts = read_texts(chosen.home / "dictionary.sqlite3")
    columns = ("setup", "query", "requests/s", *(f"{part}, processor µs" for part in PARTS), "errors")
    folder = Path(mkdtemp(prefix="abhidhan-bench-"))
    change_owner(folder)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        primary = make_primary(folder)
        stack.callback(primary.kill)
        copy_rows(sqlite, primary.address())
        print(format_heading("What a request costs", columns))
        for number, setup in enumerate(SETUPS):
            database = primary.address() if setup.uses_postgresql else sqlite
            with run_setup(setup, folder / str(number), database, primary) as (address, parts):
                measure(setup.name, address, parts, texts, chosen.seconds)
    return 0


@contextmanager
def run_setup(
    setup: Setup, folder: Path, database: str, primary: PostgresqlDaemon
) -> Iterator[tuple[str, Mapping[str, list[int]]]]:
    """Start a setup; yield its URL, and the process IDs of each part."""
    folder.mkdir()
    settings = {"ABHIDHAN_DATABASE": database, "ABHIDHAN_WORKERS": str(setup.workers), "ABHIDHAN_LOG_LEVEL": "warning"}
    nodes = [Node(folder / str(number), settings) for number in range(setup.nodes)]
    with ExitStack() as stack:
        for node in nodes:
            node.start()
            stack.callback(node.stop)
        parts = {"program": [node.pid or 0 for node in nodes]}
        if setup.uses_postgresql:
            parts["PostgreSQL"] = [primary.pid or 0]
        address = nodes[0].address
        if setup.nodes > 1:
            address = f"http://127.0.0.1:{stack.enter_context(run_nginx(folder, *(node.port for node in nodes)))}"
            parts["nginx"] = [int((folder / "nginx.pid").read_text())]
        yield address, parts


def measure(name: str, address: str, parts: Mapping[str, list[int]], texts: SampleTexts, seconds: int) -> None:
    """Measure new requests and repeated ones, and print a row for each."""
    with ExitStack() as stack:
        file = Path(mkdtemp()) / "addresses"
        stack.callback(shutil.rmtree, file.parent)
        paths_by_kind = {"never asked before": look_up_words(texts), "repeated": repeat_look_up(texts)}
        for kind, paths in paths_by_kind.items():
            print(
                format_row(
                    name,
                    kind,
                    *_measure_runs(address, parts, RequestPaths(file, list(islice(paths, SAMPLE_SIZE))), seconds),
                ),
                flush=True,
            )


def _measure_runs(address: str, parts: Mapping[str, list[int]], addresses: RequestPaths, seconds: int) -> list[object]:
    """Return the medians of several runs (requests per second, and the cost in each part) and the number of errors."""
    server, rates, costs, errors = Server(address, None), [], {part: list[float]() for part in parts}, 0
    for _ in range(ROUNDS):
        before = {part: _processor_seconds(pids) for part, pids in parts.items()}
        measured = addresses.measure(server, seconds=seconds, connections=CONNECTIONS)
        for part, pids in parts.items():
            costs[part].append(
                (_processor_seconds(pids) - before[part]) / (measured.requests_per_second * seconds) * 1e6
            )
        rates.append(measured.requests_per_second)
        errors += measured.errors
    medians = [statistics.median(costs[part]) if part in costs else "" for part in PARTS]
    return [statistics.median(rates), *medians, errors]


def _processor_seconds(pids: list[int]) -> float:
    """Return the processor time of processes and their descendants, in seconds."""
    family = [each for pid in pids for each in (pid, *find_descendants(pid))]
    return sum(map(_process_seconds, family))


def _process_seconds(pid: int) -> float:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    fields = stat.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS_PER_SECOND


if __name__ == "__main__":
    sys.exit(main())
