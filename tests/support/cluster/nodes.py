"""Nodes: real servers, each with its own data folder, that share a database."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import httpx2

from abhidhan.app.wiring import build_write_services
from abhidhan.people.service.administration import NewAccount
from abhidhan.platform.database.database import Database
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from tests.support.cluster.processes import TIMEOUT_SECONDS, kill_all, wait_until
from tests.support.contributions import PASSWORD
from tests.support.forked_commands import ForkedProcess, Streams, launcher
from tests.support.ports import free_port
from tests.support.server import command_environment


class Node:
    """One server, which can be killed and restarted."""

    def __init__(self, home: Path, settings: Mapping[str, str], port: int = 0, source: Path | None = None) -> None:
        """Set the data folder, and additional settings; `source` is the folder of another build."""
        self.home = home
        self.port = port or free_port()
        self._source = source
        self._settings = {**settings, "ABHIDHAN_PORT": str(self.port)}
        self._process: ForkedProcess | subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """The URL without a proxy."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """The log file."""
        return self.home / "server.log"

    @property
    def pid(self) -> int | None:
        """The ID of the main process, or None."""
        return None if self._process is None or self._process.poll() is not None else self._process.pid

    def start(self) -> None:
        """Start the server, and wait until it is ready."""
        self.start_without_waiting()
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until the server is ready."""
        wait_until(self.is_ready, "a node is ready", lambda: self.pid is not None, self.log)

    def start_without_waiting(self) -> None:
        """Start the server without waiting for it."""
        self.home.mkdir(parents=True, exist_ok=True)
        environment = command_environment(self.home, self._settings)
        with self.log.open("ab") as log, Path(os.devnull).open() as nothing:
            if self._source is not None:
                environment["PYTHONPATH"] = str(self._source)
                command = [sys.executable, "-m", "abhidhan", "serve"]
                self._process = subprocess.Popen(command, env=environment, stdin=nothing, stdout=log, stderr=log)  # noqa: S603
                return
            streams = Streams(nothing.fileno(), log.fileno(), log.fileno())
            self._process = launcher().start(["serve"], environment, streams)

    def is_ready(self) -> bool:
        """Return whether the server responds, and can read and write."""
        with suppress(httpx2.TransportError):
            return httpx2.get(f"{self.address}/health/ready", timeout=TIMEOUT_SECONDS).status_code == httpx2.codes.OK
        return False

    def kill(self) -> None:
        """Kill the server and all its workers."""
        if self._process is not None:
            kill_all(self._process.pid)
            self._process.wait(TIMEOUT_SECONDS)

    def stop(self) -> None:
        """Stop the server, as an operator does."""
        if self._process is not None and self.pid is not None:
            self._process.terminate()
            self._process.wait(TIMEOUT_SECONDS)


def add_editor(url: str, home: Path) -> None:
    """Add an account for `add_word` to a database."""
    with Database(url) as database, asyncio.Runner() as runner:
        write_side = build_write_services(Settings(home=home), database)
        runner.run(write_side.accounts.administration.create_account(NewAccount("editor", PASSWORD), Role.EDITOR))
        runner.run(write_side.close())


def add_word(address: str, spelling: str) -> httpx2.Response:
    """Sign in, and add a word."""
    with httpx2.Client(base_url=address, timeout=TIMEOUT_SECONDS) as client:
        response = client.post("/api/session", json={"username": "editor", "password": PASSWORD})
        if response.is_success:
            word = {"language": "en", "word": spelling, "idea_id": 1}
            response = client.post("/api/editing/words", json=word)
        return response
