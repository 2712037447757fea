"""Strangers who begin and never end, against the real server: whoever else asks is answered."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx2
import pytest

from abhidhan.platform.http.connections import raise_connection_limit
from tests.support.server import START_TIMEOUT_SECONDS, RunningServer, starter_server

pytestmark = pytest.mark.thorough

POST = b"POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
WORKERS = 4
MOST_UNFINISHED = 5
MOST_CONNECTIONS = 5_200
LIMIT = 60
ELSEWHERE = "127.0.0.2"
"""Another address of this machine, as if it were another client."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server with four workers that soon loses its patience."""
    with starter_server(
        tmp_path_factory.mktemp("server"),
        ABHIDHAN_WORKERS=str(WORKERS),
        ABHIDHAN_DRAIN_SECONDS="0",
        ABHIDHAN_RATE_LIMIT=f"{LIMIT}/hour",
        ABHIDHAN_BODY_IDLE_SECONDS="1",
        ABHIDHAN_BODY_SECONDS="2",
        ABHIDHAN_CONNECTION_IDLE_SECONDS="1",
        ABHIDHAN_UNFINISHED_REQUESTS=str(MOST_UNFINISHED),
    ) as server:
        yield server


@contextmanager
def connected(server: RunningServer, source: str = "127.0.0.1") -> Iterator[socket.socket]:
    with socket.create_connection(
        ("127.0.0.1", server.port), START_TIMEOUT_SECONDS, source_address=(source, 0)
    ) as stranger:
        yield stranger


def read_until_closed(stranger: socket.socket) -> bytes:
    """Read all that the server sends until it closes the connection."""
    answer = b""
    try:
        while piece := stranger.recv(65_536):
            answer += piece
    except ConnectionResetError:
        return answer
    return answer


def answer_to(server: RunningServer, request: bytes, *, breaks_off: bool = False) -> bytes:
    """Send a request, and return the answer."""
    with connected(server) as stranger:
        stranger.sendall(request)
        if breaks_off:
            stranger.shutdown(socket.SHUT_WR)
        return read_until_closed(stranger)


def test_a_connection_without_a_whole_request_or_without_a_next_one_is_closed(server: RunningServer) -> None:
    for beginning in (b"", b"GET /api/dic", b"GET / HTTP/1.1\r\nHost: a\r\nX-A: "):
        assert answer_to(server, beginning) == b"", beginning
    assert answer_to(server, b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"HTTP/1.1 200")


def test_a_body_that_stops_is_answered_and_its_connection_closed(server: RunningServer) -> None:
    for body in (b"Content-Length: 100\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n50\r\n{"):
        answer = answer_to(server, POST + body)

        assert answer.startswith(b"HTTP/1.1 408"), body
        assert b"application/problem+json" in answer


def test_a_badly_chunked_body_is_a_400(server: RunningServer) -> None:
    for chunks in (
        b"zz\r\n{}\r\n0\r\n\r\n",  # no size
        b"2\r\n{}XX0\r\n\r\n",  # no end
        b"2;" + b"a" * 60_000 + b"\r\n{}\r\n0\r\n\r\n",  # an endless extension
    ):
        answer = answer_to(server, POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)

        assert answer.startswith(b"HTTP/1.1 400"), chunks[:30]
        assert b"incomplete" in answer


def test_a_body_that_breaks_off_is_a_400_or_without_a_session_a_401(server: RunningServer) -> None:
    body = b"Content-Length: 100\r\n\r\n{"

    assert answer_to(server, POST + body, breaks_off=True).startswith(b"HTTP/1.1 400")
    for path in (b"/api/recordings", b"/api/submit-foto.php"):
        upload = b"POST " + path + b" HTTP/1.1\r\nHost: a\r\n" + body
        assert answer_to(server, upload, breaks_off=True).startswith(b"HTTP/1.1 401"), path


def test_a_bad_host_is_a_400(server: RunningServer) -> None:
    for path in (b"/", b"/api/languages"):
        for lines in (b"", b"Host: a\r\nHost: a\r\n", b"Host: a:99999\r\n", b"Host: a b\r\n"):
            request = b"GET " + path + b" HTTP/1.1\r\n" + lines + b"\r\n"
            assert answer_to(server, request).startswith(b"HTTP/1.1 400"), request


def test_unfinished_requests_of_one_client_are_bounded_and_others_are_answered(server: RunningServer) -> None:
    with ExitStack() as all_of_them:
        strangers = [all_of_them.enter_context(connected(server, ELSEWHERE)) for _ in range(10 * MOST_UNFINISHED)]
        for stranger in strangers:
            stranger.sendall(POST + b"Content-Length: 100\r\n\r\n{")
        assert server.client.get("/health/live").status_code == 200
        assert server.client.post("/api/session", json={"username": "a", "password": "b"}).status_code == 401
        statuses = [read_until_closed(stranger).split(b" ")[1] for stranger in strangers]

    assert MOST_UNFINISHED <= statuses.count(b"408") <= WORKERS * MOST_UNFINISHED
    assert set(statuses) == {b"408", b"429"}


def test_one_client_gets_the_limit_from_all_workers_together(server: RunningServer) -> None:
    """An hour and not a minute: a bucket that fills while a slow machine asks would be counted, too."""
    statuses = []
    for _ in range(3 * LIMIT):
        with connected(server, "127.0.0.3") as client:
            client.sendall(b"GET /api/languages HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            statuses.append(read_until_closed(client).split(b" ")[1])

    assert LIMIT <= statuses.count(b"200") <= LIMIT + 3
    assert set(statuses) == {b"200", b"429"}


def test_none_of_these_requests_is_logged_as_an_error(server: RunningServer) -> None:
    written = server.log.read_text()

    assert "Traceback" not in written
    assert "request failed" not in written


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server that waits for an hour before it ends anything: who is answered did not wait for that."""
    assert raise_connection_limit(6_000) == 6_000, "the system allows too few open files for the clients of these tests"
    with starter_server(
        tmp_path_factory.mktemp("patient"),
        ABHIDHAN_BODY_IDLE_SECONDS="3600",
        ABHIDHAN_BODY_SECONDS="3600",
        ABHIDHAN_CONNECTION_IDLE_SECONDS="3600",
        ABHIDHAN_CONNECTIONS=str(MOST_CONNECTIONS),
    ) as server:
        yield server


def test_eleven_hundred_bodies_that_stop_hold_up_nobody_else(patient: RunningServer) -> None:
    for addresses in (1, 200):
        with ExitStack() as unfinished:
            for number in range(1_100):
                stranger = unfinished.enter_context(connected(patient, f"127.0.1.{1 + number % addresses}"))
                stranger.sendall(POST + b"Content-Length: 100\r\n\r\n{")

            assert_others_are_answered(patient)


def test_five_thousand_idle_connections_hold_up_nobody_else_and_more_than_are_allowed_wait(
    patient: RunningServer,
) -> None:
    with ExitStack() as idle:
        for _ in range(5_000):
            idle.enter_context(connected(patient, ELSEWHERE))
        assert_others_are_answered(patient)

        for _ in range(MOST_CONNECTIONS - 5_000):
            idle.enter_context(connected(patient, ELSEWHERE))
        with pytest.raises(httpx2.ReadTimeout):
            httpx2.get(f"http://127.0.0.1:{patient.port}/health/live", timeout=0.5)
    assert_others_are_answered(patient)


def assert_others_are_answered(server: RunningServer) -> None:
    with httpx2.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=30) as other:
        assert other.get("/health/live").status_code == 200
        assert other.get("/api/dic.php?w=pani").status_code == 200
        assert other.post("/api/session", json={"username": "a", "password": "b"}).status_code == 401


def test_a_client_that_never_reads_its_answer_loses_its_connection(server: RunningServer) -> None:
    with socket.socket() as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        stranger.settimeout(START_TIMEOUT_SECONDS)
        stranger.bind(("127.0.0.4", 0))
        stranger.connect(("127.0.0.1", server.port))
        with pytest.raises(ConnectionError):
            ask_for_ever(stranger)


def ask_for_ever(stranger: socket.socket) -> None:
    """Ask for something large again and again, as long as the connection lasts."""
    while True:
        stranger.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n")
