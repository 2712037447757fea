"""A line between a browser and a server: it may answer as a proxy does, or bring another file than the server's."""

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import cast
from urllib.parse import urlsplit

SECONDS = 30
OF_THE_WAY = {"content-length", "connection", "transfer-encoding"}
"""Headers that are not passed on: each side has its own."""

OF_THE_CONTENT = {"content-encoding", "etag"}
"""Headers that are not those of another content."""


@dataclass(frozen=True)
class Held:
    """An answer that has been written, and waits until it is let go."""

    written: Event = field(default_factory=Event)
    let_go: Event = field(default_factory=Event)


@dataclass
class Line:
    """The state of a line.

    `status` is what a proxy answers in the server's place (0: nothing), `instead` are bodies by path that come instead
    of the server's, `asked` tells what went over it. An answer by a path in `held` is on its way until it is let go.
    """

    server: str
    address: str = ""
    status: int = 0
    instead: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    held: dict[str, Held] = field(default_factory=dict)


class _Exchange(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, line: Line) -> None:
        self.line = line
        super().__init__(("127.0.0.1", 0), _Passing)

    def handle_error(self, *_: object) -> None:
        """Say nothing of a browser that hangs up."""


class _Passing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        line = cast("_Exchange", self.server).line
        line.asked.append(self.path)
        sent = self.rfile.read(int(self.headers.get("content-length") or 0))
        if line.status:
            self._answer(line.status, [("content-type", "text/plain")], b"from between")
            return
        if self.path in line.instead:
            del self.headers["if-none-match"]
        status, headers, body = self._ask(line.server, sent)
        if self.path in line.instead:
            headers = [each for each in headers if each[0].lower() not in OF_THE_CONTENT]
            status, body = 200, line.instead[self.path]
        if held := line.held.pop(self.path, None):
            held.written.set()
            held.let_go.wait(SECONDS)
        self._answer(status, headers, body)

    do_POST = do_GET  # noqa: N815 (the name that http.server looks for)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its own name)
        """Say nothing."""

    def _ask(self, server: str, sent: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        asked = http.client.HTTPConnection(urlsplit(server).netloc, timeout=SECONDS)
        asked.request(self.command, self.path, sent, dict(self.headers.items()))
        answer = asked.getresponse()
        body = answer.read()
        asked.close()
        return answer.status, answer.getheaders(), body

    def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in OF_THE_WAY:
                self.send_header(name, value)
        if status != http.client.NOT_MODIFIED:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def open_line(server: str) -> Iterator[Line]:
    """Listen on a port, and pass on to a server what comes."""
    line = Line(server)
    with _Exchange(line) as listening:
        line.address = f"http://127.0.0.1:{listening.server_port}"
        thread = Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        yield line
        listening.shutdown()
        thread.join()
