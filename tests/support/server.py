"""The real server, as an operator starts it: a process of its own, asked over HTTP."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

START_SECONDS = 180
"""How long a start may take on a busy machine before the test gives up; never what is measured."""


NO_WIKI = {"ABHIDHAN_ARTICLES_EN": "zim", "ABHIDHAN_ARTICLES_AS": "zim", "ABHIDHAN_ARTICLES_BN": "zim"}
"""Settings with which nothing is ever asked over the network."""

NO_DOWNLOADS = {"ABHIDHAN_DOWNLOADS_HOURS": "0"}
"""A setting with which a server makes no files to download."""


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


@dataclass
class RunningServer:
    """A server process and the way to ask it."""

    process: subprocess.Popen[bytes]
    port: int
    home: Path
    log: Path
    client: httpx2.Client = field(init=False)

    def __post_init__(self) -> None:
        """Open a client to it."""
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=START_SECONDS)

    def is_ready(self) -> bool:
        """Tell whether it answers."""
        try:
            return self.client.get("/health/ready").status_code == httpx2.codes.OK
        except httpx2.TransportError:
            return False


def command_environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Make the environment of the command, with no setting but those given."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ABHIDHAN_")}
    return plain | NO_WIKI | NO_DOWNLOADS | {"ABHIDHAN_HOME": str(home)} | dict(more or {})


def run_command(home: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the abhidhan command to its end."""
    return subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-m", "abhidhan", *arguments],
        env={"COLUMNS": "100", "NO_COLOR": "1"} | command_environment(home, settings),
        capture_output=True,
        text=True,
        check=False,
        timeout=START_SECONDS,
    )


@contextmanager
def running_server(home: Path, *, before: Sequence[str] = (), **settings: str) -> Iterator[RunningServer]:
    """Start a server on a free port, wait until it answers, and stop it at the end.

    `before` stands before its command.
    """
    port = free_port()
    home.mkdir(parents=True, exist_ok=True)
    log = home / "server.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(  # noqa: S603  # our own command
            [*before, sys.executable, "-m", "abhidhan", "serve"],
            env=command_environment(home, {"ABHIDHAN_PORT": str(port)} | settings),
            stderr=stream,
            stdout=stream,
        )
    server = RunningServer(process, port, home, log)
    try:
        _wait(server)
        yield server
    finally:
        server.client.close()
        if process.poll() is None:
            process.terminate()
            process.wait(START_SECONDS)


def _wait(server: RunningServer) -> None:
    give_up = time.monotonic() + START_SECONDS
    while not server.is_ready():
        if server.process.poll() is not None or time.monotonic() > give_up:
            raise AssertionError(f"the server did not start:\n{server.log.read_text()}")
        time.sleep(0.05)
