"""Busy clients that keep their connections and never pause, and what becomes of every request they make."""

import socket
import threading
from collections import Counter

from tests.support.server import START_SECONDS

ENOUGH = 3
"""Answers that each client has before the test goes on: then all are busy."""


class UnansweredError(ConnectionError):
    """The server closed the connection before it sent any of the answer."""


class KeptConnection:
    """A plain connection, on which a test sees all that a client of its own would hide."""

    def __init__(self, port: int) -> None:
        """Connect. Raises ConnectionRefusedError when nobody listens."""
        self._socket = socket.create_connection(("127.0.0.1", port), START_SECONDS)
        self._stream = self._socket.makefile("rb")

    def get(self, path: str) -> tuple[int, bool]:
        """Ask for a path, and return the status and whether it was the last answer. Raises OSError if it is cut off."""
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
        """Return whether the server closes the connection without another word."""
        return self._stream.read(1) == b""

    def close(self) -> None:
        """Hang up."""
        self._stream.close()
        self._socket.close()


class Crowd:
    """Clients that ask again and again, each in a thread, until nobody lets them in."""

    def __init__(self, port: int, clients: int) -> None:
        """Make so many clients."""
        self._port = port
        self._threads = [threading.Thread(target=self._ask, daemon=True) for _ in range(clients)]
        self._busy = threading.Semaphore(0)
        self.statuses: Counter[int] = Counter()
        self.cut_off: list[str] = []
        self.refused = 0

    def gather(self) -> None:
        """Let all begin, and wait until all are busy."""
        for thread in self._threads:
            thread.start()
        for _ in self._threads:
            assert self._busy.acquire(timeout=START_SECONDS)

    def disperse(self) -> None:
        """Wait until nobody lets any of them in."""
        for thread in self._threads:
            thread.join(START_SECONDS)
            assert not thread.is_alive()

    def _ask(self) -> None:
        answers = 0
        while True:
            try:
                connection = KeptConnection(self._port)
            except ConnectionError:
                self.refused += 1
                return
            is_last = False
            while not is_last:
                try:
                    status, is_last = connection.get(f"/api/search?q=a{answers % 50}&limit=5")
                except UnansweredError:
                    # Client and server did not know of each other: as a browser does, ask on a new connection.
                    break
                except OSError as error:
                    self.cut_off.append(f"{type(error).__name__} after {answers} answers")
                    break
                self.statuses[status] += 1
                answers += 1
                if answers == ENOUGH:
                    self._busy.release()
            connection.close()
