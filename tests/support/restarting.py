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
from tests.support.server import START_TIMEOUT_SECONDS, command_environment

PAUSE_SECONDS: Final = 0.03
"""Seconds between two requests of a client."""

SOCKET_ACTIVATION_SCRIPT: Final = 'exec 3<&"$1"; export LISTEN_FDS=1 LISTEN_PID=$$; shift; exec "$@"'


class SystemdUnit:
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
                    *("bash", "-c", SOCKET_ACTIVATION_SCRIPT, "bash", str(self._listener.fileno())),
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
            assert self._process.wait(START_TIMEOUT_SECONDS) == 0, (self.home / "server.log").read_text()
            self._process = None


@contextmanager
def open_unit(home: Path) -> Iterator[SystemdUnit]:
    """Open a socket for a server, and stop the server at the end."""
    with socket.create_server(("127.0.0.1", free_port()), backlog=4096) as listener:
        kept = SystemdUnit(home, listener)
        try:
            yield kept
        finally:
            kept.stop()


class ClientLoad:
    """Clients that send requests repeatedly, half of them with persistent connections; every response is counted."""

    def __init__(self, requests: list[Callable[[httpx2.Client], httpx2.Response]]) -> None:
        """Set the requests; each has its own clients."""
        self.responses: Counter[str] = Counter()
        self._response_counts: Counter[int] = Counter()
        self._stopped = threading.Event()
        asked = [(request, keeps) for request in requests for keeps in (True, False)]
        self._threads = [
            threading.Thread(target=self._send_requests, args=(number, *each), daemon=True)
            for number, each in enumerate(asked)
        ]

    def __enter__(self) -> Self:
        """Start the clients."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Wait for the last response of each client."""
        self._stopped.set()
        for thread in self._threads:
            thread.join(START_TIMEOUT_SECONDS)

    def wait_for_responses(self, times: int) -> None:
        """Wait until each client has received a number of further responses."""
        before, give_up = Counter(self._response_counts), time.monotonic() + START_TIMEOUT_SECONDS
        while any(self._response_counts[number] < before[number] + times for number in range(len(self._threads))):
            assert time.monotonic() < give_up, self.responses
            time.sleep(0.02)

    def _send_requests(
        self,
        number: int,
        request: Callable[[httpx2.Client], httpx2.Response],
        is_persistent: bool,  # noqa: FBT001  # an argument of a thread
    ) -> None:
        client = httpx2.Client(timeout=START_TIMEOUT_SECONDS, headers={} if is_persistent else {"Connection": "close"})
        while not self._stopped.is_set():
            try:
                self.responses[str(self._send_with_retry(client, request, is_persistent).status_code)] += 1
            except httpx2.TransportError as error:
                self.responses[type(error).__name__] += 1
            self._response_counts[number] += 1
            time.sleep(PAUSE_SECONDS)
        client.close()

    @staticmethod
    def _send_with_retry(
        client: httpx2.Client,
        request: Callable[[httpx2.Client], httpx2.Response],
        is_persistent: bool,  # noqa: FBT001
    ) -> httpx2.Response:
        """Send a request; retry, like browsers, if the server has just closed the persistent connection.

        Neither side can notice this in time (RFC 9112, section 9.3.1).
        """
        try:
            return request(client)
        except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError):
            if not is_persistent:
                raise
            return request(client)
