"""Heads of requests, and what the edge makes of them."""

import asyncio
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from litestar import Request, delete, get
from litestar.params import FromPath

from abhidhan.platform.http.middleware import Edge
from abhidhan.platform.http.rate_limit import Rate, RateLimiter
from abhidhan.platform.http.request_headers import accepts_gzip, is_valid_host, join_header_lines, prefers_linked_data
from tests.support.asgi import ask
from tests.support.edge import make_edge, make_hello_handler, make_receive

BROWSER = b"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


HOSTS = ("a", "a:", "a:80", "a:65535", "127.0.0.1:8080", "[::1]", "[::1]:80", "xn--0ib8cbb.example", "my_host")
NOT_HOSTS = (
    *("", "a:99999", "a:65536", "a:-1", "a b", "a, b", "[::1", "[zz]", "[1:2]", "a/b", "u@a", "অ", "\xff", "a:b:c"),
)


def test_a_host_is_a_name_or_an_address_with_an_optional_port() -> None:
    assert [host for host in HOSTS if not is_valid_host(host.encode())] == []
    assert [host for host in NOT_HOSTS if is_valid_host(host.encode())] == []


def test_repeated_header_lines_are_joined_to_one_list() -> None:
    lines = [(b"accept", b"a"), (b"cookie", b"x=1"), (b"accept", b"b, c"), (b"cookie", b"y=2"), (b"host", b"h")]

    assert join_header_lines(lines) == [(b"accept", b"a, b, c"), (b"cookie", b"x=1; y=2"), (b"host", b"h")]


def test_an_invalid_host_is_rejected_with_400() -> None:
    for host in ("a:99999", "a b", "", "[::1"):
        answer = ask(make_edge(make_hello_handler()), "/api/hello", headers={"host": host})

        assert answer.status == 400, host
        assert "Host" in answer.json["detail"]
    assert ask(make_edge(make_hello_handler()), "/api/hello", headers={"host": "dictionary.example.org"}).status == 200


def test_headers_of_more_than_64_kib_are_rejected_with_431() -> None:
    assert ask(make_edge(make_hello_handler()), "/api/hello", headers={"x-long": "a" * 60_000}).status == 200
    assert ask(make_edge(make_hello_handler()), "/api/hello", headers={"x-long": "a" * 70_000}).status == 431


async def raw_get(edge: Edge, *headers: tuple[bytes, bytes], method: str = "GET") -> tuple[int, dict[bytes, bytes]]:
    """Request /api/hello with unchanged header lines."""
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
    await edge(scope, make_receive({"type": "http.request", "body": b"", "more_body": False}), send)  # type: ignore[arg-type]  # a receive of its own kind
    return sent[0]["status"], dict(sent[0]["headers"])


HOST = (b"host", b"a")


def test_two_host_headers_are_rejected_with_400_even_if_they_agree() -> None:
    assert asyncio.run(raw_get(make_edge(make_hello_handler()), HOST, HOST))[0] == 400


def test_every_line_of_if_none_match_is_used() -> None:
    edge = make_edge(make_hello_handler())
    tag = asyncio.run(raw_get(edge, HOST))[1][b"etag"]

    known = asyncio.run(raw_get(edge, HOST, (b"if-none-match", tag), (b"if-none-match", b'"other"')))

    assert known[0] == 304


def test_every_line_of_accept_encoding_is_used() -> None:
    @get("/api/hello")
    async def long() -> dict[str, str]:
        return {"hello": "world " * 1000}

    lines = ((b"accept-encoding", b"gzip"), (b"accept-encoding", b"br"))

    assert asyncio.run(raw_get(make_edge(long), HOST, *lines))[1][b"content-encoding"] == b"gzip"


def test_every_cookie_line_reaches_the_application() -> None:
    seen: list[dict[str, str]] = []

    @get("/api/hello")
    async def cookies(request: Request[Any, Any, Any]) -> None:
        seen.append(dict(request.cookies))

    asyncio.run(raw_get(make_edge(cookies), HOST, (b"cookie", b"a=1"), (b"cookie", b"b=2")))

    assert seen == [{"a": "1", "b": "2"}]


# --- preflights ------------------------------------------------------------------------------------------------------


def test_preflights_do_not_count_against_the_rate_limit(tmp_path: Path) -> None:
    edge = make_edge(make_hello_handler(), limiter=RateLimiter(Rate.parse("1/minute"), tmp_path / "limits"))

    assert [ask(edge, "/api/hello", method="OPTIONS").status for _ in range(3)] == [204, 204, 204]
    assert [ask(edge, "/api/hello").status for _ in range(2)] == [200, 429]


def test_options_lists_the_methods_of_all_handlers_of_an_address() -> None:
    @get("/api/things/{number:int}")
    async def show_thing(number: FromPath[int]) -> int:
        return number

    @delete("/api/things/{number:int}")
    async def remove_thing(number: FromPath[int]) -> None: ...

    edge = make_edge(show_thing, remove_thing)

    assert ask(edge, "/api/things/7", method="OPTIONS").headers["allow"] == "DELETE, GET, HEAD, OPTIONS"
    assert ask(edge, "/api/nothing", method="OPTIONS").status == 404


ACCEPT_ENCODINGS = (
    ("gzip", True),
    ("GZip", True),
    ("x-gzip", True),
    ("br, gzip;q=0.5", True),
    ("*", True),
    ("identity;q=0", False),
    ("", False),
    ("br", False),
    ("gzip;q=0", False),
    ("gzip;q=0.000", False),
    ("gzip; q=0, *", False),
    ("*;q=0", False),
    ("gzip;q=0.2, identity", False),
    ("gzip;q=nonsense", False),
    ("gzip;q=1e9", False),
)


def test_accept_encoding_is_read_with_its_qualities() -> None:
    for header, accepted in ACCEPT_ENCODINGS:
        assert accepts_gzip(header.encode()) is accepted, header


ACCEPTS = (
    # accepted types, the type that is sent otherwise, whether linked data is preferred
    (b"application/ld+json", "application/json", True),
    (b"Application/LD+JSON", "text/html", True),
    (b'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', "text/html", True),
    (b"application/ld+json, application/json", "application/json", True),
    (b"application/ld+json;q=0.5, application/json", "application/json", False),
    (b"application/ld+json;q=0.5, application/json;q=0.4, */*;q=0.9", "application/json", True),
    (b"application/ld+json;q=0.5, application/*;q=0.6", "application/json", False),
    (b"application/ld+json;q=0.5, */*;q=0.1", "text/html", True),
    (b"application/ld+json;q=0", "application/json", False),
    (b"application/ld+json;q=wrong", "application/json", False),
    (b"application/json", "application/json", False),
    (b"*/*", "application/json", False),
    (b"application/*", "application/json", False),
    (b"", "application/json", False),
    (BROWSER, "text/html", False),
    (b"application/ld+jsonx", "text/html", False),
)


def test_linked_data_is_sent_only_to_clients_that_name_its_type() -> None:
    for accepted, otherwise, is_preferred in ACCEPTS:
        assert prefers_linked_data(accepted, otherwise) is is_preferred, accepted


@given(st.binary())
def test_any_accept_header_can_be_read(accepted: bytes) -> None:
    prefers_linked_data(accepted, "application/json")
