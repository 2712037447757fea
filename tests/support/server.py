"""The real server, as an operator starts it: a process of its own, asked over HTTP."""

import atexit
import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import TemporaryFile, mkdtemp

import httpx2

from abhidhan.platform.runtime.files import FileLock
from tests.support.forking import ForkedProcess, Streams, launcher
from tests.support.ports import free_port

START_SECONDS = 180
"""How long a start may take on a busy machine before the test gives up; never what is measured."""


NO_WIKI = {"ABHIDHAN_ARTICLES_EN": "zim", "ABHIDHAN_ARTICLES_AS": "zim", "ABHIDHAN_ARTICLES_BN": "zim"}
"""Settings with which nothing is ever asked over the network."""

DICTIONARY = "dictionary.sqlite3"
"""The name of the dictionary in its home."""

NO_DOWNLOADS = {"ABHIDHAN_DOWNLOADS_HOURS": "0"}
"""A setting with which a server makes no files to download."""

NO_DRAINING = {"ABHIDHAN_DRAIN_SECONDS": "0"}
"""A setting with which a server that is asked to stop accepts nobody any more."""


@dataclass
class RunningServer:
    """A server process and the way to ask it."""

    process: ForkedProcess
    port: int
    home: Path
    log: Path
    client: httpx2.Client = field(init=False)

    def __post_init__(self) -> None:
        """Open a client to it."""
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=START_SECONDS)

    def is_ready(self) -> bool:
        """Say whether it answers."""
        try:
            return self.client.get("/health/ready").status_code == httpx2.codes.OK
        except httpx2.TransportError:
            return False


def command_environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Make the environment of the command, with no setting but those given."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ABHIDHAN_")}
    return plain | NO_WIKI | NO_DOWNLOADS | NO_DRAINING | {"ABHIDHAN_HOME": str(home)} | dict(more or {})


def run_command(
    home: Path, *arguments: str, before: Sequence[str] = (), said: str = "", **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run the abhidhan command to its end. `before` stands before it; `said` is what it reads."""
    environment = {"COLUMNS": "100", "NO_COLOR": "1"} | command_environment(home, settings)
    with TemporaryFile("w+") as stdin, TemporaryFile("w+") as stdout, TemporaryFile("w+") as stderr:
        stdin.write(said)
        stdin.seek(0)
        streams = Streams(stdin.fileno(), stdout.fileno(), stderr.fileno())
        process = launcher(*before).start(arguments, environment, streams)
        ended = process.wait(START_SECONDS)
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(arguments, ended, stdout.read(), stderr.read())


def share_starter(folder: Path) -> None:
    """Let all processes of a run of the tests, which are given the same folder, make the starter dictionary once."""
    _shared.append(folder)


_shared: list[Path] = []


@cache
def _starter() -> Path:
    """Make the starter dictionary, which takes seconds, unless a process that shares it has done so."""
    if not _shared:
        folder = Path(mkdtemp(prefix="abhidhan-starter-"))
        atexit.register(rmtree, folder)
        share_starter(folder)
    made = _shared[-1] / "starter"
    with FileLock(_shared[-1] / "starter.lock"):
        if not made.exists():
            making = Path(mkdtemp(dir=_shared[-1]))
            done = run_command(making, "init")
            assert done.returncode == 0, done.stderr
            making.rename(made)
    return made / DICTIONARY


def bring_starter(home: Path) -> None:
    """Let a new home have what `abhidhan init` puts there."""
    home.mkdir(parents=True, exist_ok=True)
    home.joinpath(DICTIONARY).touch(mode=0o600)
    copyfile(_starter(), home / DICTIONARY)


@contextmanager
def starter_server(home: Path, **settings: str) -> Iterator[RunningServer]:
    """Run a server that finds the starter dictionary in its new home, instead of making it first."""
    bring_starter(home)
    with running_server(home, **settings) as server:
        yield server


@contextmanager
def running_server(home: Path, *, before: Sequence[str] = (), **settings: str) -> Iterator[RunningServer]:
    """Start a server on a free port unless a setting names one, wait until it answers, and stop it at the end.

    `before` stands before its command.
    """
    port = int(settings.get("ABHIDHAN_PORT") or free_port())
    home.mkdir(parents=True, exist_ok=True)
    log = home / "server.log"
    with log.open("wb") as stream, Path(os.devnull).open() as nothing:
        process = launcher(*before).start(
            ["serve"],
            command_environment(home, {"ABHIDHAN_PORT": str(port)} | settings),
            Streams(nothing.fileno(), stream.fileno(), stream.fileno()),
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
