"""Load generation with wrk (Debian package `wrk`) from a list of paths, and its results."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.servers import Server, list_load_cores, restrict_to_cores

SCRIPT: Final = Path(__file__).with_name("ask.lua")


@dataclass(frozen=True, slots=True)
class LoadMeasurement:
    """Result of a run: requests per second, latencies in ms, processor time of the worker in µs per request, errors."""

    requests_per_second: float
    p50: float
    p99: float
    processor: float
    errors: int


class RequestPaths:
    """Paths to request. Each run continues after the last path of the previous run, so that no request is repeated."""

    def __init__(self, file: Path, paths: Sequence[str]) -> None:
        """Write the paths to `file`, for wrk."""
        file.write_text("".join(f"{path}\n" for path in paths))
        self._file = file
        self._request_count = 0
        self._count = len(paths)

    def measure(self, server: Server, *, seconds: int, connections: int) -> LoadMeasurement:
        """Send requests on several connections, as fast as the server responds."""
        environment = {**os.environ, "PATHS": str(self._file), "FROM": str(self._request_count)}
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "-s", str(SCRIPT)]
        before = server.processor_seconds()
        with restrict_to_cores(list_load_cores()):
            process = subprocess.run(  # noqa: S603  # no external input
                [*command, server.address],
                env=environment,
                capture_output=True,
                check=True,
                text=True,
            )
        processor = server.processor_seconds() - before
        requests, measured = parse_result(process.stdout, processor)
        self._request_count += requests
        return measured

    @property
    def has_repeated(self) -> bool:
        """Return whether all paths have been requested, and some of them again."""
        return self._request_count > self._count


def parse_result(output: str, processor_seconds: float) -> tuple[int, LoadMeasurement]:
    """Parse the output of `ask.lua`; return the number of requests and the result."""
    line = next(line for line in output.splitlines() if line.startswith("RESULT "))
    requests, duration, p50, p99, errors = map(int, line.split()[1:])
    processor = processor_seconds / max(requests, 1) * 1e6
    return requests, LoadMeasurement(requests / duration * 1e6, p50 / 1000, p99 / 1000, processor, errors)


def check_wrk() -> None:
    """Exit with a message if wrk is not installed."""
    if shutil.which("wrk") is None:
        raise SystemExit("bench needs wrk, the load program: apt-get install wrk (Debian, Ubuntu) or brew install wrk.")
