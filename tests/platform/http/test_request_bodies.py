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


def taking() -> HTTPRouteHandler:
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


def test_a_body_that_stops_is_answered_with_408_and_its_connection_closed() -> None:
    edge = make_edge(taking(), bodies=RequestBodyLimiter(SOON))

    status, headers, problem = asyncio.run(send_body(edge, PIECE))

    assert (status, headers[b"connection"]) == (408, b"close")
    assert problem["type"] == "/api/docs#problem-request-timeout"
    assert "arrived too slowly" in problem["detail"]


def test_a_body_that_drips_for_ever_ends_at_the_deadline_of_the_whole() -> None:
    edge = make_edge(taking(), bodies=RequestBodyLimiter(BodyTimeouts(60, 0.1)))

    status, _, _ = asyncio.run(send_body(edge, PIECE, PIECE, PIECE))

    assert status == 408


@pytest.mark.parametrize("pieces", [(GONE,), (PIECE, GONE)], ids=["at once", "in the middle"])
def test_a_body_that_breaks_off_is_a_400_and_no_fault_of_ours(
    pieces: tuple[dict[str, Any], ...], caplog: pytest.LogCaptureFixture
) -> None:
    status, headers, problem = asyncio.run(send_body(make_edge(taking()), *pieces))

    assert (status, headers[b"connection"]) == (400, b"close")
    assert "incomplete or malformed" in problem["detail"]
    assert caplog.text == ""


def test_a_whole_body_is_read_as_ever() -> None:
    rest = {"type": "http.request", "body": b'"a":"b"}', "more_body": False}

    status, headers, answer = asyncio.run(send_body(make_edge(taking()), PIECE, rest))

    assert (status, answer) == (200, {"a": "b"})
    assert b"connection" not in headers


# --- how many of one client ------------------------------------------------------------------------------------------


def unfinished(edge: Edge, count: int, **rest: Any) -> list[int]:  # noqa: ANN401 (passed on)
    """Start this many requests at the same time, and return the status of each."""

    async def all_of_them() -> list[int]:
        return [
            status for status, _, _ in await asyncio.gather(*(send_body(edge, PIECE, **rest) for _ in range(count)))
        ]

    return asyncio.run(all_of_them())


def test_more_unfinished_requests_of_one_client_are_refused_and_those_of_others_are_not() -> None:
    edge = make_edge(taking(), bodies=RequestBodyLimiter(SOON, max_unfinished=3))

    async def two_clients() -> tuple[list[int], int]:
        many = [asyncio.create_task(send_body(edge, PIECE)) for _ in range(5)]
        await asyncio.sleep(0)
        other, _, _ = await send_body(edge, PIECE, client="192.0.2.2")
        return [(await each)[0] for each in many], other

    many, other = asyncio.run(two_clients())

    assert sorted(many) == [408, 408, 408, 429, 429]
    assert other == 408


def test_places_come_back_when_requests_end() -> None:
    edge = make_edge(taking(), bodies=RequestBodyLimiter(SOON, max_unfinished=2))

    assert [unfinished(edge, 2) for _ in range(3)] == [[408, 408]] * 3


def test_behind_a_trusted_proxy_the_client_it_names_is_counted_and_never_the_proxy() -> None:
    proxies = TrustedProxies((ip_network("10.0.0.0/8"),))
    edge = make_edge(taking(), bodies=RequestBodyLimiter(SOON, max_unfinished=1), proxies=proxies)

    assert unfinished(edge, 3, client="10.0.0.1") == [408, 408, 408]
    named = unfinished(edge, 3, client="10.0.0.1", headers=((b"x-forwarded-for", b"203.0.113.9"),))
    assert sorted(named) == [408, 429, 429]
