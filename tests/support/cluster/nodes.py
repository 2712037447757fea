"""Nodes: real servers, each with its own data folder, that share a database."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import httpx2

from tests.support.cluster.processes import TIMEOUT_SECONDS, kill_all, wait_until
from tests.support.forked_commands import ForkedProcess, Streams, launcher
from tests.support.ports import free_port
from tests.support.server import command_environment


class Node:
    """One server, which can be killed and restarted."""

    def __init__(self, home: Path, settings: Mapping[str, str]) -> None:
        """Set the data folder, and additional settings."""
        self.home = home
        self.port = free_port()
        self._settings = {**settings, "ABHIDHAN_PORT": str(self.port)}
        self._process: ForkedProcess | None = None

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
