"""Servers under measurement: started as an operator starts them, and what the kernel tells of their worker."""

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
from typing import Final

SECONDS_TO_START: Final = 60
SERVER_CORE: Final = 0
"""The server runs on this processor and the load on all others, where there is more than one."""

_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Server:
    """A running server of one worker: its port, the worker's process, and how many seconds its start took."""

    port: int
    worker: int
    seconds_to_start: float

    def processor_seconds(self) -> float:
        """Tell how long the worker has computed. Unlike time on the clock, it hardly depends on who else computes."""
        fields = Path(f"/proc/{self.worker}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def memory(self) -> tuple[float, float]:
        """Tell the worker's memory: all that is resident, and its proportional share of it, in MB (10^6 bytes)."""
        lines = Path(f"/proc/{self.worker}/smaps_rollup").read_text().splitlines()
        kib = {line.split(":")[0]: int(line.split()[1]) for line in lines if line.endswith(" kB")}
        return kib["Rss"] * 1.024e-3, kib["Pss"] * 1.024e-3


@contextmanager
def abhidhan(home: Path) -> Iterator[Server]:
    """Serve the dictionary in `home`."""
    port = _free_port()
    settings = {"ABHIDHAN_HOME": str(home), "ABHIDHAN_PORT": str(port), "ABHIDHAN_DOWNLOADS_HOURS": "0"}
    command = [sys.executable, "-m", "abhidhan", "serve"]
    with _running(command, port, "/health/ready", settings) as server:
        yield server


@contextmanager
def hello() -> Iterator[Server]:
    """Serve the bare application."""
    port = _free_port()
    with _running([sys.executable, "-m", "bench.hello", str(port)], port, "/hello", {}) as server:
        yield server


@contextmanager
def on_cores(cores: set[int]) -> Iterator[None]:
    """Let processes that are started here run on some processors only, where the system can be told so."""
    if sys.platform != "linux" or not cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def load_cores() -> set[int]:
    """Tell which processors the load may use."""
    return set(range(os.cpu_count() or 1)) - {SERVER_CORE}


@contextmanager
def _running(command: list[str], port: int, path: str, settings: Mapping[str, str]) -> Iterator[Server]:
    began = time.perf_counter()
    with on_cores({SERVER_CORE} if load_cores() else set()):
        process = subprocess.Popen(  # noqa: S603  # nothing in it comes from outside
            command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    try:
        _wait(process, port, path)
        seconds = time.perf_counter() - began
        yield Server(port, _worker_of(process.pid), seconds)
    finally:
        process.terminate()
        process.wait()


def _wait(process: subprocess.Popen[bytes], port: int, path: str) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while process.poll() is None and time.monotonic() < until:
        connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_START)
        try:
            connection.request("GET", path)
            if connection.getresponse().status == 200:  # noqa: PLR2004  # HTTP's own number
                return
        except (OSError, HTTPException):
            time.sleep(0.02)
        finally:
            connection.close()
    raise SystemExit(f"The server did not start: try {process.args!r}")


def _worker_of(parent: int) -> int:
    """Find the worker: the greatest child of the process that was started, or that process itself."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return max(map(int, children), key=_resident_pages, default=parent)


def _resident_pages(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1])


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port
