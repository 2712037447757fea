"""Servers to measure: started as in operation, with processor and memory figures of their worker from the kernel."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from bench.tables import UNKNOWN

START_TIMEOUT_SECONDS: Final = 300
SERVER_CORE: Final = 0
"""Processor of the server, if there are several; the load runs on the others."""

_CLOCK_TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")


class Memory(NamedTuple):
    """Memory of a process in MB (10^6 bytes): `own`, all `resident` memory, and the `peak`.

    `own` excludes mapped files such as the database, which the system caches in any case.
    """

    own: float
    resident: float
    peak: float


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its URL, the ID of its worker process if known, and the duration of its start in seconds.

    `start_processor_seconds` is the processor time of its processes during the start.
    """

    address: str
    process_id: int | None
    start_seconds: float = UNKNOWN
    start_processor_seconds: float = UNKNOWN

    def open_connection(self) -> HTTPConnection:
        """Create a connection to the server."""
        return HTTPConnection(urlsplit(self.address).netloc, timeout=START_TIMEOUT_SECONDS)

    def processor_seconds(self) -> float:
        """Return the processor time of the worker, which hardly depends on other programs, unlike elapsed time."""
        return UNKNOWN if self.process_id is None else _processor_seconds(self.process_id)

    def memory(self) -> Memory:
        """Return the memory of the worker."""
        if self.process_id is None:
            return Memory(UNKNOWN, UNKNOWN, UNKNOWN)
        kib = parse_status_kib(Path(f"/proc/{self.process_id}/status").read_text())
        return Memory(*(kib[name] * 1.024e-3 for name in ("RssAnon", "VmRSS", "VmHWM")))


def parse_status_kib(status: str) -> dict[str, int]:
    """Parse the kB values of a process from /proc, by name."""
    lines = (line.split() for line in status.splitlines() if line.endswith(" kB"))
    return {fields[0].rstrip(":"): int(fields[1]) for fields in lines}


@contextmanager
def serve_abhidhan(home: Path, database: str | None = None) -> Iterator[Server]:
    """Serve the dictionary in `home`, or its copy in another database."""
    port = _free_port()
    settings = {"ABHIDHAN_HOME": str(home), "ABHIDHAN_PORT": str(port), "ABHIDHAN_DOWNLOADS_HOURS": "0"}
    if database is not None:
        settings["ABHIDHAN_DATABASE"] = database
    command = [sys.executable, "-m", "abhidhan", "serve"]
    with _run_server(command, port, "/health/ready", settings) as server:
        yield server


@contextmanager
def serve_hello() -> Iterator[Server]:
    """Serve the minimal application."""
    port = _free_port()
    with _run_server([sys.executable, "-m", "bench.hello", str(port)], port, "/hello", {}) as server:
        yield server


@contextmanager
def restrict_to_cores(cores: set[int]) -> Iterator[None]:
    """Restrict processes started within the block to the given processors (Linux only)."""
    if sys.platform != "linux" or not cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def list_load_cores() -> set[int]:
    """Return the processors on which the load generator may run; an empty set if there is only one."""
    return set(range(os.cpu_count() or 1)) - {SERVER_CORE}


@contextmanager
def _run_server(command: list[str], port: int, path: str, settings: Mapping[str, str]) -> Iterator[Server]:
    began = time.perf_counter()
    with restrict_to_cores({SERVER_CORE} if list_load_cores() else set()):
        process = subprocess.Popen(  # noqa: S603  # no external input
            command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    try:
        _wait_until_ready(process, port, path)
        seconds = time.perf_counter() - began
        worker = _find_worker(process.pid)
        computed = sum(map(_processor_seconds, {process.pid, worker}))
        yield Server(f"http://127.0.0.1:{port}", worker, seconds, computed)
    finally:
        process.terminate()
        process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], port: int, path: str) -> None:
    until = time.monotonic() + START_TIMEOUT_SECONDS
    while process.poll() is None and time.monotonic() < until:
        connection = HTTPConnection("127.0.0.1", port, timeout=START_TIMEOUT_SECONDS)
        try:
            connection.request("GET", path)
            if connection.getresponse().status == 200:  # noqa: PLR2004  # HTTP OK
                return
        except (OSError, HTTPException):
            time.sleep(0.02)
        finally:
            connection.close()
    raise SystemExit(f"The server did not start: try {process.args!r}")


def _find_worker(parent: int) -> int:
    """Return the process ID of the worker: the child with the most resident memory, or `parent` without children."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return max(map(int, children), key=_resident_pages, default=parent)


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _CLOCK_TICKS_PER_SECOND


def _resident_pages(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1])


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port
