"""Clients that send requests without pause over persistent connections, and record every result."""

import socket
import threading
from collections import Counter

from tests.support.server import START_TIMEOUT_SECONDS

MIN_RESPONSES = 3
"""Number of responses after which a client counts as busy."""


class UnansweredError(ConnectionError):
    """The server closed the connection before it sent any part of the response."""


class PersistentConnection:
    """A plain persistent connection, without the retries of HTTP clients."""

    def __init__(self, port: int) -> None:
        """Connect. Raises ConnectionRefusedError if no process listens."""
        self._socket = socket.create_connection(("127.0.0.1", port), START_TIMEOUT_SECONDS)
        self._stream = self._socket.makefile("rb")

    def get(self, path: str) -> tuple[int, bool]:
        """Return the status, and whether it is the last response. Raises OSError if the response is incomplete."""
        try:
            self._socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            status = self._stream.readline()
        except ConnectionError as error:
            raise UnansweredError from error
        if not status:
            raise UnansweredError
        headers = {}
        while line := self._stream.readline().strip():
            name, _, value = line.decode().partition(":")
            headers[name.lower()] = value.strip()
        length = int(headers.get("content-length", "-1"))
        if len(self._stream.read(max(0, length))) != length:
            raise ConnectionResetError("the answer was cut off")
        return int(status.split()[1]), headers.get("connection") == "close"

    def is_closed(self) -> bool:
        """Return whether the server closes the connection without sending more."""
        return self._stream.read(1) == b""

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()
        self._socket.close()


class Crowd:
    """Clients that send requests without pause, each in a thread, until the server accepts no connections."""

    def __init__(self, port: int, clients: int) -> None:
        """Create a number of clients."""
        self._port = port
        self._threads = [threading.Thread(target=self._ask, daemon=True) for _ in range(clients)]
        self._busy = threading.Semaphore(0)
        self.statuses: Counter[int] = Counter()
        self.cut_off: list[str] = []
        self.refused = 0

    def start_all(self) -> None:
        """Start all clients, and wait until all are busy."""
        for thread in self._threads:
            thread.start()
        for _ in self._threads:
            assert self._busy.acquire(timeout=START_TIMEOUT_SECONDS)

    def wait_until_refused(self) -> None:
        """Wait until the server refuses the connections of all clients."""
        for thread in self._threads:
            thread.join(START_TIMEOUT_SECONDS)
            assert not thread.is_alive()

    def _ask(self) -> None:
        answers = 0
        while True:
            try:
                connection = PersistentConnection(self._port)
            except ConnectionError:
                self.refused += 1
                return
            is_last = False
            while not is_last:
                try:
                    status, is_last = connection.get(f"/api/search?q=a{answers % 50}&limit=5")
                except UnansweredError:
                    # The server closed the connection while the request was on its way: reconnect, as browsers do.
                    break
                except OSError as error:
                    self.cut_off.append(f"{type(error).__name__} after {answers} answers")
                    break
                self.statuses[status] += 1
                answers += 1
                if answers == MIN_RESPONSES:
                    self._busy.release()
            connection.close()
