"""A proxy between a browser and a server, which can respond with errors or replace files."""

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import cast
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 30
CONNECTION_HEADERS = {"content-length", "connection", "transfer-encoding"}
"""Headers that are not forwarded, as each connection has its own."""

BODY_HEADERS = {"content-encoding", "etag"}
"""Headers that are dropped if the body is replaced."""


@dataclass(frozen=True)
class DelayedResponse:
    """A complete response that is not sent until the test releases it."""

    ready: Event = field(default_factory=Event)
    released: Event = field(default_factory=Event)


@dataclass
class ControlledProxy:
    """The state of a proxy.

    `status` is the status of all responses in place of the server's (0: none), `replacements` has bodies that replace
    the server's, by path, and `requested_paths` the paths of all requests. A response for a path in `delayed` waits
    until it is released.
    """

    server: str
    address: str = ""
    status: int = 0
    replacements: dict[str, bytes] = field(default_factory=dict)
    requested_paths: list[str] = field(default_factory=list)
    delayed: dict[str, DelayedResponse] = field(default_factory=dict)


class _ProxyServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, line: ControlledProxy) -> None:
        self.proxy = line
        super().__init__(("127.0.0.1", 0), _ProxyHandler)

    def handle_error(self, *_: object) -> None:
        """Ignore browsers that disconnect."""


class _ProxyHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        line = cast("_ProxyServer", self.server).proxy
        line.requested_paths.append(self.path)
        request_body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if line.status:
            self._send_response(line.status, [("content-type", "text/plain")], b"from between")
            return
        if self.path in line.replacements:
            del self.headers["if-none-match"]
        status, headers, body = self._forward(line.server, request_body)
        if self.path in line.replacements:
            headers = [each for each in headers if each[0].lower() not in BODY_HEADERS]
            status, body = 200, line.replacements[self.path]
        if delayed := line.delayed.pop(self.path, None):
            delayed.ready.set()
            delayed.released.wait(TIMEOUT_SECONDS)
        self._send_response(status, headers, body)

    do_POST = do_GET  # noqa: N815 (the name that http.server looks for)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its own name)
        """Log nothing."""

    def _forward(self, server: str, request_body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=TIMEOUT_SECONDS)
        connection.request(self.command, self.path, request_body, dict(self.headers.items()))
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.getheaders(), body

    def _send_response(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in CONNECTION_HEADERS:
                self.send_header(name, value)
        if status != http.client.NOT_MODIFIED:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def run_proxy(server: str) -> Iterator[ControlledProxy]:
    """Listen on a port, and forward requests to a server."""
    line = ControlledProxy(server)
    with _ProxyServer(line) as listening:
        line.address = f"http://127.0.0.1:{listening.server_port}"
        thread = Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        yield line
        listening.shutdown()
        thread.join()
