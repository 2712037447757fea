"""The real server, as started by an operator: a separate process with an HTTP client."""

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
from tests.support.forked_commands import ForkedProcess, Streams, launcher
from tests.support.ports import free_port

START_TIMEOUT_SECONDS = 180
"""Timeout of a start in seconds on a busy machine; not a measurement."""


NO_WIKI = {"ABHIDHAN_ARTICLES_EN": "zim", "ABHIDHAN_ARTICLES_AS": "zim", "ABHIDHAN_ARTICLES_BN": "zim"}
"""Settings that prevent all requests over the network."""

DICTIONARY_FILE = "dictionary.sqlite3"
"""The file name of the dictionary in its data folder."""

NO_DOWNLOADS = {"ABHIDHAN_DOWNLOADS_HOURS": "0"}
"""A setting that turns off the generation of downloads."""

NO_DRAINING = {"ABHIDHAN_DRAIN_SECONDS": "0"}
"""A setting with which a stopping server immediately refuses connections."""


@dataclass
class RunningServer:
    """A server process and a client."""

    process: ForkedProcess
    port: int
    home: Path
    log: Path
    client: httpx2.Client = field(init=False)

    def __post_init__(self) -> None:
        """Open the client."""
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=START_TIMEOUT_SECONDS)

    def is_ready(self) -> bool:
        """Return whether the server is ready."""
        try:
            return self.client.get("/health/ready").status_code == httpx2.codes.OK
        except httpx2.TransportError:
            return False


def command_environment(home: Path, extra_settings: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of the command, with only the given settings."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ABHIDHAN_")}
    return plain | NO_WIKI | NO_DOWNLOADS | NO_DRAINING | {"ABHIDHAN_HOME": str(home)} | dict(extra_settings or {})


def run_command(
    home: Path, *arguments: str, prefix: Sequence[str] = (), input_text: str = "", **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run the abhidhan command to its end. `prefix` is a command prefix; `input_text` is its standard input."""
    environment = {"COLUMNS": "100", "NO_COLOR": "1"} | command_environment(home, settings)
    with TemporaryFile("w+") as stdin, TemporaryFile("w+") as stdout, TemporaryFile("w+") as stderr:
        stdin.write(input_text)
        stdin.seek(0)
        streams = Streams(stdin.fileno(), stdout.fileno(), stderr.fileno())
        process = launcher(*prefix).start(arguments, environment, streams)
        ended = process.wait(START_TIMEOUT_SECONDS)
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(arguments, ended, stdout.read(), stderr.read())


def share_starter(folder: Path) -> None:
    """Set the folder in which all processes of a test run share one starter dictionary."""
    _shared_folders.append(folder)


_shared_folders: list[Path] = []


@cache
def _create_starter() -> Path:
    """Create the starter dictionary, which takes seconds, unless another process has done so."""
    if not _shared_folders:
        folder = Path(mkdtemp(prefix="abhidhan-starter-"))
        atexit.register(rmtree, folder)
        share_starter(folder)
    made = _shared_folders[-1] / "starter"
    with FileLock(_shared_folders[-1] / "starter.lock"):
        if not made.exists():
            making = Path(mkdtemp(dir=_shared_folders[-1]))
            done = run_command(making, "init")
            assert done.returncode == 0, done.stderr
            making.rename(made)
    return made / DICTIONARY_FILE


def copy_starter(home: Path) -> None:
    """Copy the files that `abhidhan init` creates to a new data folder."""
    home.mkdir(parents=True, exist_ok=True)
    home.joinpath(DICTIONARY_FILE).touch(mode=0o600)
    copyfile(_create_starter(), home / DICTIONARY_FILE)


@contextmanager
def starter_server(home: Path, **settings: str) -> Iterator[RunningServer]:
    """Run a server in a new data folder with a copy of the starter dictionary, which is faster than creating one."""
    copy_starter(home)
    with running_server(home, **settings) as server:
        yield server


@contextmanager
def running_server(home: Path, *, prefix: Sequence[str] = (), **settings: str) -> Iterator[RunningServer]:
    """Start a server on a free port unless a setting names one, wait until it is ready, and stop it at the end.

    `prefix` is a command prefix.
    """
    port = int(settings.get("ABHIDHAN_PORT") or free_port())
    home.mkdir(parents=True, exist_ok=True)
    log = home / "server.log"
    with log.open("wb") as stream, Path(os.devnull).open() as nothing:
        process = launcher(*prefix).start(
            ["serve"],
            command_environment(home, {"ABHIDHAN_PORT": str(port)} | settings),
            Streams(nothing.fileno(), stream.fileno(), stream.fileno()),
        )
    server = RunningServer(process, port, home, log)
    try:
        _wait_until_ready(server)
        yield server
    finally:
        server.client.close()
        if process.poll() is None:
            process.terminate()
            process.wait(START_TIMEOUT_SECONDS)


def _wait_until_ready(server: RunningServer) -> None:
    give_up = time.monotonic() + START_TIMEOUT_SECONDS
    while not server.is_ready():
        if server.process.poll() is not None or time.monotonic() > give_up:
            raise AssertionError(f"the server did not start:\n{server.log.read_text()}")
        time.sleep(0.05)
