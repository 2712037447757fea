import asyncio
import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from litestar import Request, delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from abhidhan.web.edge.bodies import Bodies, Deadlines
from abhidhan.web.edge.headers import is_host, joined
from abhidhan.web.edge.limits import CounterFile, Limiter, Rate, TrustedProxies
from abhidhan.web.edge.middleware import Edge
from abhidhan.web.edge.slots import SharedSlots
from abhidhan.web.uploads import Gate
from tests.support.asgi import ask
from tests.support.edge import an_edge, hello

SOON = Deadlines(0.05, 60)
PIECE = {"type": "http.request", "body": b"{", "more_body": True}
GONE = {"type": "http.disconnect"}


def taking() -> HTTPRouteHandler:
    """Make a handler that reads a body, as Litestar does for all handlers."""

    @post("/api/taken", status_code=200)
    async def taken(data: JSONBody[dict[str, str]]) -> dict[str, str]:
        return data

    return taken


def brought(*pieces: dict[str, Any]) -> Callable[[], Awaitable[dict[str, Any]]]:
    """Bring pieces of a body, and then nothing more for ever."""
    left = list(pieces)

    async def receive() -> dict[str, Any]:
        if not left:
            await asyncio.Event().wait()
        return left.pop(0)

    return receive


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
    await edge(scope, brought(*pieces), send)  # type: ignore[arg-type]  # a receive of its own kind
    return sent[0]["status"], dict(sent[0]["headers"]), json.loads(sent[1]["body"])


def test_a_body_that_stops_is_answered_with_408_and_its_connection_closed() -> None:
    edge = an_edge(taking(), bodies=Bodies(SOON))

    status, headers, problem = asyncio.run(send_body(edge, PIECE))

    assert (status, headers[b"connection"]) == (408, b"close")
    assert problem["type"] == "/api/docs#problem-request-timeout"
    assert "came too slowly" in problem["detail"]


def test_a_body_that_drips_for_ever_ends_at_the_deadline_of_the_whole() -> None:
    edge = an_edge(taking(), bodies=Bodies(Deadlines(60, 0.1)))

    status, _, _ = asyncio.run(send_body(edge, PIECE, PIECE, PIECE))

    assert status == 408


@pytest.mark.parametrize("pieces", [(GONE,), (PIECE, GONE)], ids=["at once", "in the middle"])
def test_a_body_that_breaks_off_is_a_400_and_no_fault_of_ours(
    pieces: tuple[dict[str, Any], ...], caplog: pytest.LogCaptureFixture
) -> None:
    status, headers, problem = asyncio.run(send_body(an_edge(taking()), *pieces))

    assert (status, headers[b"connection"]) == (400, b"close")
    assert "broke off" in problem["detail"]
    assert caplog.text == ""


def test_a_whole_body_is_read_as_ever() -> None:
    rest = {"type": "http.request", "body": b'"a":"b"}', "more_body": False}

    status, headers, answer = asyncio.run(send_body(an_edge(taking()), PIECE, rest))

    assert (status, answer) == (200, {"a": "b"})
    assert b"connection" not in headers


# --- how many of one client ------------------------------------------------------------------------------------------


def unfinished(edge: Edge, count: int, **rest: Any) -> list[int]:  # noqa: ANN401 (passed on)
    """Begin so many requests at the same time, and tell what each was answered."""

    async def all_of_them() -> list[int]:
        return [
            status for status, _, _ in await asyncio.gather(*(send_body(edge, PIECE, **rest) for _ in range(count)))
        ]

    return asyncio.run(all_of_them())


def test_more_unfinished_requests_of_one_client_are_refused_and_those_of_others_are_not(tmp_path: Path) -> None:
    places = SharedSlots(tmp_path, "held")
    edge = an_edge(taking(), bodies=Bodies(SOON, places, most=3))

    async def two_clients() -> tuple[list[int], int]:
        many = [asyncio.create_task(send_body(edge, PIECE)) for _ in range(5)]
        await asyncio.sleep(0)
        other, _, _ = await send_body(edge, PIECE, client="192.0.2.2")
        return [(await each)[0] for each in many], other

    many, other = asyncio.run(two_clients())

    assert sorted(many) == [408, 408, 408, 429, 429]
    assert other == 408
    assert places.held("192.0.2.1") == 0


def test_places_come_back_when_requests_end(tmp_path: Path) -> None:
    edge = an_edge(taking(), bodies=Bodies(SOON, SharedSlots(tmp_path, "held"), most=2))

    assert [unfinished(edge, 2) for _ in range(3)] == [[408, 408]] * 3


def test_behind_a_trusted_proxy_the_client_it_names_is_counted_and_never_the_proxy(tmp_path: Path) -> None:
    proxies = TrustedProxies((ip_network("10.0.0.0/8"),))
    edge = an_edge(taking(), bodies=Bodies(SOON, SharedSlots(tmp_path, "held"), most=1), proxies=proxies)

    assert unfinished(edge, 3, client="10.0.0.1") == [408, 408, 408]
    named = unfinished(edge, 3, client="10.0.0.1", headers=((b"x-forwarded-for", b"203.0.113.9"),))
    assert sorted(named) == [408, 429, 429]


def test_workers_add_up_what_they_hold_and_a_killed_one_gives_it_back(tmp_path: Path) -> None:
    places = SharedSlots(tmp_path, "held", workers=2)
    context = multiprocessing.get_context("spawn")
    holding = context.Event()
    worker = context.Process(target=_hold, args=(tmp_path, holding), daemon=True)
    worker.start()
    assert holding.wait(60)

    assert places.held("a") == 3
    assert places.take("a", 4)
    assert not places.take("a", 4)
    assert places.take("b", 4)

    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join(60)

    give_up = time.monotonic() + 60
    while not places.take("a", 4) and time.monotonic() < give_up:
        threading.Event().wait(0.05)
    assert [places.take("a", 4) for _ in range(3)] == [True, True, False]


def _hold(folder: Path, holding: Any) -> None:  # noqa: ANN401 (the event of multiprocessing has no public type)
    places = SharedSlots(folder, "held", workers=2)
    assert all(places.take("a", 4) for _ in range(3))
    holding.set()
    threading.Event().wait(60)


def test_a_worker_that_ends_gives_back_what_it_held(tmp_path: Path) -> None:
    here, there = SharedSlots(tmp_path, "held", workers=2), SharedSlots(tmp_path, "held", workers=2)
    assert there.take("a", 1)
    assert not here.take("a", 1)

    there.close()
    there.give_back("a")

    assert here.take("a", 1)


def test_two_workers_let_in_as_many_uploads_together_as_one_alone(tmp_path: Path) -> None:
    gates = [Gate(places=3, of_one=2, shared=SharedSlots(tmp_path, "held", workers=2)) for _ in range(2)]
    inside: list[int] = []
    most: list[tuple[int, int]] = []

    async def upload(gate: Gate, person: int) -> None:
        async with gate.passing(person):
            inside.append(person)
            most.append((len(inside), inside.count(person)))
            await asyncio.sleep(0.01)
            inside.remove(person)

    async def everybody() -> None:
        await asyncio.gather(*(upload(gate, person) for gate in gates for person in (1, 1, 1, 2, 2, 3)))

    asyncio.run(everybody())

    assert len(most) == 12
    assert max(all_of_them for all_of_them, _ in most) <= 3
    assert max(of_one for _, of_one in most) <= 2


# --- heads -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["a", "a:", "a:80", "a:65535", "127.0.0.1:8080", "[::1]", "[::1]:80", "xn--0ib8cbb.example", "my_host"]
)
def test_a_host_is_a_name_or_an_address_and_maybe_a_port(host: str) -> None:
    assert is_host(host.encode())


@pytest.mark.parametrize(
    "host",
    ["", "a:99999", "a:65536", "a:-1", "a b", "a, b", "[::1", "[zz]", "[1:2]", "a/b", "u@a", "অ", "\xff", "a:b:c"],
)
def test_anything_else_is_not_a_host(host: str) -> None:
    assert not is_host(host.encode())


@pytest.mark.parametrize("host", ["a:99999", "a b", "", "[::1"])
def test_a_bad_host_is_a_400_everywhere(host: str) -> None:
    answer = ask(an_edge(hello()), "/api/hello", headers={"host": host})

    assert answer.status == 400
    assert "Host" in answer.json["detail"]


def test_headers_that_came_in_one_piece_are_not_larger_than_others_may_be() -> None:
    assert ask(an_edge(hello()), "/api/hello", headers={"x-long": "a" * 60_000}).status == 200
    assert ask(an_edge(hello()), "/api/hello", headers={"x-long": "a" * 70_000}).status == 431


def test_a_good_host_is_not_looked_at_twice() -> None:
    assert ask(an_edge(hello()), "/api/hello", headers={"host": "dictionary.example.org"}).status == 200


def test_lines_that_stand_several_times_are_one_list() -> None:
    lines = [(b"accept", b"a"), (b"cookie", b"x=1"), (b"accept", b"b, c"), (b"cookie", b"y=2"), (b"host", b"h")]

    assert joined(lines) == [(b"accept", b"a, b, c"), (b"cookie", b"x=1; y=2"), (b"host", b"h")]


async def raw_get(edge: Edge, *headers: tuple[bytes, bytes], method: str = "GET") -> tuple[int, dict[bytes, bytes]]:
    """Ask /api/hello with header lines just as they are."""
    sent: list[Any] = []

    async def send(message: Any) -> None:  # noqa: ANN401 (ASGI messages are dictionaries)
        sent.append(message)

    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": "/api/hello",
        "raw_path": b"/api/hello",
        "root_path": "",
        "query_string": b"",
        "headers": list(headers),
        "client": ("192.0.2.1", 5000),
        "server": ("127.0.0.1", 8080),
        "state": {},
        "extensions": {},
    }
    await edge(scope, brought({"type": "http.request", "body": b"", "more_body": False}), send)  # type: ignore[arg-type]  # a receive of its own kind
    return sent[0]["status"], dict(sent[0]["headers"])


HOST = (b"host", b"a")


def test_two_hosts_are_a_400_even_when_they_agree() -> None:
    assert asyncio.run(raw_get(an_edge(hello()), HOST, HOST))[0] == 400


def test_each_line_of_if_none_match_counts() -> None:
    edge = an_edge(hello())
    tag = asyncio.run(raw_get(edge, HOST))[1][b"etag"]

    known = asyncio.run(raw_get(edge, HOST, (b"if-none-match", tag), (b"if-none-match", b'"other"')))

    assert known[0] == 304


def test_each_line_of_accept_encoding_counts() -> None:
    @get("/api/hello")
    async def long() -> dict[str, str]:
        return {"hello": "world " * 1000}

    lines = ((b"accept-encoding", b"gzip"), (b"accept-encoding", b"br"))

    assert asyncio.run(raw_get(an_edge(long), HOST, *lines))[1][b"content-encoding"] == b"gzip"


def test_each_line_of_cookies_reaches_the_application() -> None:
    seen: list[dict[str, str]] = []

    @get("/api/hello")
    async def cookies(request: Request[Any, Any, Any]) -> None:
        seen.append(dict(request.cookies))

    asyncio.run(raw_get(an_edge(cookies), HOST, (b"cookie", b"a=1"), (b"cookie", b"b=2")))

    assert seen == [{"a": "1", "b": "2"}]


# --- preflights ------------------------------------------------------------------------------------------------------


def test_preflights_do_not_count_against_the_rate_limit(tmp_path: Path) -> None:
    edge = an_edge(hello(), limiter=Limiter(Rate.parse("1/minute"), CounterFile(tmp_path / "limits")))

    assert [ask(edge, "/api/hello", method="OPTIONS").status for _ in range(3)] == [204, 204, 204]
    assert [ask(edge, "/api/hello").status for _ in range(2)] == [200, 429]


def test_options_tells_all_methods_of_an_address_whose_handlers_stand_apart() -> None:
    @get("/api/things/{number:int}")
    async def show_thing(number: FromPath[int]) -> int:
        return number

    @delete("/api/things/{number:int}")
    async def remove_thing(number: FromPath[int]) -> None: ...

    edge = an_edge(show_thing, remove_thing)

    assert ask(edge, "/api/things/7", method="OPTIONS").headers["allow"] == "DELETE, GET, HEAD, OPTIONS"
    assert ask(edge, "/api/nothing", method="OPTIONS").status == 404
