"""The load: wrk (Debian package `wrk`) asks one server for a list of addresses, and what it saw."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.servers import Server, load_cores, on_cores

SCRIPT: Final = Path(__file__).with_name("ask.lua")


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run saw: requests a second, latencies in ms, the worker's computing time in µs a request, errors."""

    per_second: float
    p50: float
    p99: float
    processor: float
    errors: int


class Addresses:
    """Addresses to ask for, each run going on where the last one ended, so that no answer is asked for twice."""

    def __init__(self, file: Path, paths: Sequence[str]) -> None:
        """Write them to `file`."""
        file.write_text("".join(f"{path}\n" for path in paths))
        self._file = file
        self._asked = 0
        self._count = len(paths)

    def ask(self, server: Server, *, seconds: int, connections: int) -> Measured:
        """Ask as fast as the server answers, on so many connections at once."""
        environment = {**os.environ, "PATHS": str(self._file), "FROM": str(self._asked)}
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "-s", str(SCRIPT)]
        before = server.processor_seconds()
        with on_cores(load_cores()):
            done = subprocess.run(  # noqa: S603  # nothing in it comes from outside
                [*command, server.address],
                env=environment,
                capture_output=True,
                check=True,
                text=True,
            )
        processor = server.processor_seconds() - before
        requests, measured = read_result(done.stdout, processor)
        self._asked += requests
        return measured

    @property
    def come_again(self) -> bool:
        """Return whether the addresses have come to their end, and were asked for once more."""
        return self._asked > self._count


def read_result(told: str, processor_seconds: float) -> tuple[int, Measured]:
    """Read what `ask.lua` has told: how many requests there were, and what was measured."""
    line = next(line for line in told.splitlines() if line.startswith("RESULT "))
    requests, duration, p50, p99, errors = map(int, line.split()[1:])
    processor = processor_seconds / max(requests, 1) * 1e6
    return requests, Measured(requests / duration * 1e6, p50 / 1000, p99 / 1000, processor, errors)


def check_wrk() -> None:
    """Stop with a sentence if wrk is not there."""
    if shutil.which("wrk") is None:
        raise SystemExit("bench needs wrk, the load program: apt-get install wrk (Debian, Ubuntu) or brew install wrk.")
