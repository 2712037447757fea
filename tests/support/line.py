"""A proxy between a browser and a server, which can respond with errors or replace files."""

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
"""Headers that are not forwarded, as each connection has its own."""

OF_THE_CONTENT = {"content-encoding", "etag"}
"""Headers that are dropped if the body is replaced."""


@dataclass(frozen=True)
class Held:
    """A complete response that is not sent until the test releases it."""

    written: Event = field(default_factory=Event)
    let_go: Event = field(default_factory=Event)


@dataclass
class Line:
    """The state of a proxy.

    `status` is the status of all responses in place of the server's (0: none), `replacements` has bodies that replace
    the server's, by path, and `requested_paths` the paths of all requests. A response for a path in `delayed` waits
    until it is released.
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
        """Ignore browsers that disconnect."""


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
        """Log nothing."""

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
    """Listen on a port, and forward requests to a server."""
    line = Line(server)
    with _Exchange(line) as listening:
        line.address = f"http://127.0.0.1:{listening.server_port}"
        thread = Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        yield line
        listening.shutdown()
        thread.join()
