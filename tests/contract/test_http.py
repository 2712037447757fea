"""Behaviour that also depends on the HTTP server: bytes on its socket, connections, malformed requests."""

import gzip
import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

import httpx2
import pytest

from tests.support.server import START_TIMEOUT_SECONDS, RunningServer

pytestmark = pytest.mark.thorough
"""A server is started."""

WATER = "/api/dic.php?w=%E0%A6%AA%E0%A6%BE%E0%A6%A8%E0%A7%80"


class Raw(NamedTuple):
    """An answer as it came over the wire."""

    status: int
    headers: dict[str, str]
    body: bytes


def request(path: str, *, method: str = "GET", headers: Iterable[str] = (), body: bytes = b"") -> bytes:
    """Write a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def connect(server: RunningServer) -> socket.socket:
    """Open a connection of one's own."""
    return socket.create_connection(("127.0.0.1", server.port), timeout=START_TIMEOUT_SECONDS)


def read_answer(connection: socket.socket, *, head: bool = False) -> Raw:
    """Read one answer and nothing after it."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(connection)
    head_lines, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head_lines.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    status = int(first.split()[1])
    length = 0 if head or status in {204, 304} else int(headers.get("content-length", 0))
    while len(body) < length:
        body += _more(connection)
    return Raw(status, headers, body)


def _more(connection: socket.socket) -> bytes:
    more = connection.recv(65_536)
    assert more, "the connection was closed"
    return more


def ask_raw(server: RunningServer, sent: bytes) -> bytes:
    """Send bytes and read until the server closes."""
    received = b""
    with connect(server) as connection, suppress(OSError):
        connection.sendall(sent)
        while more := connection.recv(65_536):
            received += more
    return received


def test_a_connection_stays_open_and_head_and_304_send_no_body(server: RunningServer) -> None:
    with connect(server) as connection:
        connection.sendall(request(WATER))
        full = read_answer(connection)
        connection.sendall(request(WATER, method="HEAD"))
        head = read_answer(connection, head=True)
        connection.sendall(request(WATER, headers=[f"If-None-Match: {full.headers['etag']}"]))
        same = read_answer(connection)
        connection.sendall(request("/api/dic.php", method="HEAD"))
        wrong = read_answer(connection, head=True)
        connection.sendall(request(WATER, method="OPTIONS"))
        options = read_answer(connection)
        connection.sendall(request(WATER))
        again = read_answer(connection)

    assert (full.status, head.status, same.status, wrong.status, options.status) == (200, 200, 304, 400, 204)
    assert head.headers["content-length"] == full.headers["content-length"] == str(len(full.body))
    assert head.headers["etag"] == same.headers["etag"] == full.headers["etag"]
    assert again.body == full.body
    assert "transfer-encoding" not in full.headers


def test_pipelined_requests_are_answered_in_order(server: RunningServer) -> None:
    with connect(server) as connection:
        connection.sendall(
            b"".join(request(f"/api/words/{number}") for number in range(1, 4)) + request("/api/nothing")
        )
        received = b""
        while received.count(b"HTTP/1.1 ") < 4 or not received.endswith(b"}"):
            received += _more(connection)

    assert [each[:3] for each in received.split(b"HTTP/1.1 ")[1:]] == [b"200", b"200", b"200", b"404"]


def test_a_compressed_answer_has_the_same_content_on_the_wire(server: RunningServer) -> None:
    with connect(server) as connection:
        connection.sendall(request("/api/languages", headers=["Accept-Encoding: gzip"]))
        zipped = read_answer(connection)
        connection.sendall(request("/api/languages"))
        plain = read_answer(connection)
        connection.sendall(
            request(
                "/api/languages",
                headers=["Accept-Encoding: gzip", f"If-None-Match: {zipped.headers['etag']}"],
            )
        )
        same = read_answer(connection)
        connection.sendall(
            request("/api/languages", headers=["Accept-Encoding: gzip", f"If-None-Match: {plain.headers['etag']}"])
        )
        other = read_answer(connection)

    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(zipped.body) == plain.body
    assert len(zipped.body) < len(plain.body)
    assert (same.status, other.status) == (304, 200)
    assert same.headers["vary"] == "Accept-Encoding"


NO_REQUESTS: Final[list[tuple[bytes, set[bytes]]]] = [
    (request("/api/dic.php?w=" + "a" * 70_000), {b"414", b"431"}),
    (request("/api/languages", headers=["X-Long: " + "a" * 70_000]), {b"431"}),
    (request("/api/languages", headers=[f"X-{number}: 1" for number in range(5_000)]), {b"431"}),
    (b"not http at all\r\n\r\n", {b"400"}),
    (b"GET /api/ languages HTTP/1.1\r\nHost: x\r\n\r\n", {b"400"}),
    (b"GET /api/languages HTTP/9.9\r\nHost: x\r\n\r\n", {b"400", b"505"}),
    (b"GET /api/languages HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n", {b"400"}),
    (b"GET /api/languages HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n", {b"400"}),
    (
        b"POST /api/dic.php HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        {b"400"},
    ),
    (b"POST /api/dic.php HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", {b"400"}),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", {b"400"}),
]


def test_malformed_requests_are_refused_and_the_server_lives_on(
    server: RunningServer, subtests: pytest.Subtests
) -> None:
    for sent, statuses in NO_REQUESTS:
        with subtests.test(repr(sent[:60])):
            received = ask_raw(server, sent)

            assert received[9:12] in statuses
            assert b"Traceback" not in received
            assert server.client.get("/health/live").status_code == 200


def test_a_long_request_line_below_the_limit_is_answered(server: RunningServer) -> None:
    answer = server.client.get("/api/dic.php", params={"w": "water", "unknown": "a" * 50_000})

    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/api/dic.php", "/api/nothing"])
def test_an_unread_chunked_body_does_no_harm(server: RunningServer, path: str) -> None:
    def chunks() -> Iterable[bytes]:
        yield from [b"a" * 10_000] * 20

    # The server may close a connection whose body it has not read, when the answer is out: nobody else goes on with it.
    with httpx2.Client(base_url=server.client.base_url, timeout=START_TIMEOUT_SECONDS) as client:
        answer = client.post(path, content=chunks())

    assert answer.status_code in {404, 405}
    assert answer.headers["content-type"] == "application/problem+json"
    assert server.client.get("/health/live").status_code == 200


def test_strange_targets_are_answered(server: RunningServer, subtests: pytest.Subtests) -> None:
    for target, status in (
        ("/api/%ff", 404),
        ("/api/words/%00", 404),
        ("/api/words/%ED%A0%80", 404),
        ("/api/dic.php?w=\xe0\xa6\x95", 200),
        ("/api/dic.php?w=\xff", 400),
        ("/api/dic.php?w=%ED%A0%80", 400),
        ("/api/dic.php?w=a#fragment", 200),
        ("/api/../api/languages", 404),
        ("/api/dic.php?w=a?b", 200),
        ("http://127.0.0.1/api/languages", 200),
    ):
        with subtests.test(target):
            with connect(server) as connection:
                connection.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode("latin-1"))
                answer = read_answer(connection)

            assert answer.status == status
            assert answer.headers.get("access-control-allow-origin", "*") == "*"


def test_an_http_1_0_request_is_answered_and_its_connection_closed(server: RunningServer) -> None:
    received = ask_raw(server, b"GET /api/languages HTTP/1.0\r\n\r\n")

    assert received.split()[1] == b"200"
    assert received.endswith(b"}")


def test_fifty_simultaneous_connections_are_all_answered(server: RunningServer) -> None:
    connections = [connect(server) for _ in range(50)]
    try:
        for connection in connections:
            connection.sendall(request("/api/suggest?q=wat"))
        assert {read_answer(connection).status for connection in connections} == {200}
    finally:
        for connection in connections:
            connection.close()


def test_clients_that_close_their_connection_early_do_no_harm(server: RunningServer) -> None:
    for _ in range(20):
        with connect(server) as connection:
            connection.sendall(request("/api/words?limit=1000"))
    with connect(server) as connection:
        connection.sendall(b"GET /api/languages HTT")

    assert server.client.get("/api/languages").status_code == httpx2.codes.OK
