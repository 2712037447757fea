import asyncio
import json
from ipaddress import ip_network
from typing import Any

import pytest
from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from abhidhan.platform.http.client_address import TrustedProxies
from abhidhan.platform.http.middleware import Edge
from abhidhan.platform.http.request_bodies import BodyTimeouts, RequestBodyLimiter
from tests.support.edge import make_edge, make_receive

SOON = BodyTimeouts(0.05, 60)
PIECE = {"type": "http.request", "body": b"{", "more_body": True}
GONE = {"type": "http.disconnect"}


def make_body_handler() -> HTTPRouteHandler:
    """Make a handler that reads a body, as Litestar does for all handlers."""

    @post("/api/taken", status_code=200)
    async def taken(data: JSONBody[dict[str, str]]) -> dict[str, str]:
        return data

    return taken


async def send_body(
    edge: Edge, *pieces: dict[str, Any], client: str = "192.0.2.1", headers: tuple[tuple[bytes, bytes], ...] = ()
) -> tuple[int, dict[bytes, bytes], Any]:
    sent: list[Any] = []

    async def send(message: Any) -> None:  # noqa: ANN401 (ASGI messages are dictionaries)
        sent.append(message)

    lines = [(b"host", b"a"), (b"content-type", b"application/json"), (b"content-length", b"100"), *headers]
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/api/taken",
        "raw_path": b"/api/taken",
        "root_path": "",
        "query_string": b"",
        "headers": lines,
        "client": (client, 5000),
        "server": ("127.0.0.1", 8080),
        "state": {},
        "extensions": {},
    }
    await edge(scope, make_receive(*pieces), send)  # type: ignore[arg-type]  # a receive of its own kind
    return sent[0]["status"], dict(sent[0]["headers"]), json.loads(sent[1]["body"])


def test_a_body_that_stops_is_rejected_with_408_and_its_connection_is_closed() -> None:
    edge = make_edge(make_body_handler(), bodies=RequestBodyLimiter(SOON))

    status, headers, problem = asyncio.run(send_body(edge, PIECE))

    assert (status, headers[b"connection"]) == (408, b"close")
    assert problem["type"] == "/api/docs#problem-request-timeout"
    assert "arrived too slowly" in problem["detail"]


def test_a_body_that_arrives_in_drips_is_rejected_at_the_total_deadline() -> None:
    edge = make_edge(make_body_handler(), bodies=RequestBodyLimiter(BodyTimeouts(60, 0.1)))

    status, _, _ = asyncio.run(send_body(edge, PIECE, PIECE, PIECE))

    assert status == 408


def test_an_interrupted_body_is_rejected_with_400_and_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    for pieces in ((GONE,), (PIECE, GONE)):
        status, headers, problem = asyncio.run(send_body(make_edge(make_body_handler()), *pieces))

        assert (status, headers[b"connection"]) == (400, b"close")
        assert "incomplete or malformed" in problem["detail"]
    assert caplog.text == ""


def test_a_complete_body_is_read() -> None:
    rest = {"type": "http.request", "body": b'"a":"b"}', "more_body": False}

    status, headers, answer = asyncio.run(send_body(make_edge(make_body_handler()), PIECE, rest))

    assert (status, answer) == (200, {"a": "b"})
    assert b"connection" not in headers


# --- how many of one client ------------------------------------------------------------------------------------------


def send_unfinished(edge: Edge, count: int, **rest: Any) -> list[int]:  # noqa: ANN401 (passed on)
    """Start this many requests at the same time, and return the status of each."""

    async def all_of_them() -> list[int]:
        return [
            status for status, _, _ in await asyncio.gather(*(send_body(edge, PIECE, **rest) for _ in range(count)))
        ]

    return asyncio.run(all_of_them())


def test_too_many_unfinished_requests_of_one_client_are_rejected_with_429() -> None:
    edge = make_edge(make_body_handler(), bodies=RequestBodyLimiter(SOON, max_unfinished=3))

    async def two_clients() -> tuple[list[int], int]:
        many = [asyncio.create_task(send_body(edge, PIECE)) for _ in range(5)]
        await asyncio.sleep(0)
        other, _, _ = await send_body(edge, PIECE, client="192.0.2.2")
        return [(await each)[0] for each in many], other

    many, other = asyncio.run(two_clients())

    assert sorted(many) == [408, 408, 408, 429, 429]
    assert other == 408


def test_ended_requests_no_longer_count_as_unfinished() -> None:
    edge = make_edge(make_body_handler(), bodies=RequestBodyLimiter(SOON, max_unfinished=2))

    assert [send_unfinished(edge, 2) for _ in range(3)] == [[408, 408]] * 3


def test_behind_a_trusted_proxy_requests_are_counted_by_the_forwarded_client() -> None:
    proxies = TrustedProxies((ip_network("10.0.0.0/8"),))
    edge = make_edge(make_body_handler(), bodies=RequestBodyLimiter(SOON, max_unfinished=1), proxies=proxies)

    assert send_unfinished(edge, 3, client="10.0.0.1") == [408, 408, 408]
    named = send_unfinished(edge, 3, client="10.0.0.1", headers=((b"x-forwarded-for", b"203.0.113.9"),))
    assert sorted(named) == [408, 429, 429]
