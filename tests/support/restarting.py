"""A server whose listening socket survives restarts, as with systemd, and clients that send requests throughout."""

import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import httpx2

from tests.support.ports import free_port
from tests.support.server import START_SECONDS, command_environment

PAUSE: Final = 0.03
"""Seconds between two requests of a client."""

LIKE_SYSTEMD: Final = 'exec 3<&"$1"; export LISTEN_FDS=1 LISTEN_PID=$$; shift; exec "$@"'


class Unit:
    """A service with a socket, as managed by systemd: the socket, and the process that is started and stopped."""

    def __init__(self, home: Path, listener: socket.socket) -> None:
        """Set the data folder and the socket."""
        self.home = home
        self.port: int = listener.getsockname()[1]
        self._listener = listener
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, **settings: str) -> None:
        """Start the server without waiting until it is ready; the socket queues connections meanwhile."""
        with (self.home / "server.log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  # our own command
                [
                    *("bash", "-c", LIKE_SYSTEMD, "bash", str(self._listener.fileno())),
                    *(sys.executable, "-m", "abhidhan", "serve"),
                ],
                env=command_environment(self.home, {"ABHIDHAN_DRAIN_SECONDS": "1.5"} | settings),
                pass_fds=[self._listener.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def stop(self) -> None:
        """Stop the main process, and wait for its end."""
        if self._process is not None:
            self._process.terminate()
            assert self._process.wait(START_SECONDS) == 0, (self.home / "server.log").read_text()
            self._process = None


@contextmanager
def unit(home: Path) -> Iterator[Unit]:
    """Open a socket for a server, and stop the server at the end."""
    with socket.create_server(("127.0.0.1", free_port()), backlog=4096) as listener:
        kept = Unit(home, listener)
        try:
            yield kept
        finally:
            kept.stop()


class Asking:
    """Clients that send requests repeatedly, half of them with persistent connections; every response is counted."""

    def __init__(self, requests: list[Callable[[httpx2.Client], httpx2.Response]]) -> None:
        """Set the requests; each has its own clients."""
        self.answers: Counter[str] = Counter()
        self._of_each: Counter[int] = Counter()
        self._enough = threading.Event()
        asked = [(request, keeps) for request in requests for keeps in (True, False)]
        self._threads = [
            threading.Thread(target=self._ask, args=(number, *each), daemon=True) for number, each in enumerate(asked)
        ]

    def __enter__(self) -> Self:
        """Start the clients."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Wait for the last response of each client."""
        self._enough.set()
        for thread in self._threads:
            thread.join(START_SECONDS)

    def until_each_is_answered(self, times: int) -> None:
        """Wait until each client has received a number of further responses."""
        before, give_up = Counter(self._of_each), time.monotonic() + START_SECONDS
        while any(self._of_each[number] < before[number] + times for number in range(len(self._threads))):
            assert time.monotonic() < give_up, self.answers
            time.sleep(0.02)

    def _ask(self, number: int, request: Callable[[httpx2.Client], httpx2.Response], keeps: bool) -> None:  # noqa: FBT001
        client = httpx2.Client(timeout=START_SECONDS, headers={} if keeps else {"Connection": "close"})
        while not self._enough.is_set():
            try:
                self.answers[str(self._answered(client, request, keeps).status_code)] += 1
            except httpx2.TransportError as error:
                self.answers[type(error).__name__] += 1
            self._of_each[number] += 1
            time.sleep(PAUSE)
        client.close()

    @staticmethod
    def _answered(
        client: httpx2.Client,
        request: Callable[[httpx2.Client], httpx2.Response],
        keeps: bool,  # noqa: FBT001
    ) -> httpx2.Response:
        """Send a request; retry, like browsers, if the server has just closed the persistent connection.

        Neither side can notice this in time (RFC 9112, section 9.3.1).
        """
        try:
            return request(client)
        except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError):
            if not keeps:
                raise
            return request(client)
