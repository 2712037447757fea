import asyncio
import gzip
from collections.abc import AsyncIterator
from ipaddress import ip_network
from typing import Annotated, Any

import pytest
from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, QueryParameter, RawBody
from litestar.response import Stream

from abhidhan.platform.http.address_tree import RouteTree
from abhidhan.platform.http.answer_cache import ResponseCache
from abhidhan.platform.http.client_address import TrustedProxies
from abhidhan.platform.http.errors import build_exception_handlers
from abhidhan.platform.http.json_codec import CleanRequest
from abhidhan.platform.http.middleware import Edge
from tests.support.asgi import AsgiResponse, ask, ask_async

GZIP = {"Accept-Encoding": "gzip"}


class Data:
    """The state of the data, as `get_version()` returns it, and how often a handler was called."""

    def __init__(self) -> None:
        """Start with version 1, without requests."""
        self.number = 1
        self.calls = 0

    async def version(self) -> int:
        """Return the number of the present state."""
        return self.number


def make_dictionary_edge(
    *more: HTTPRouteHandler,
    data: Data | None = None,
    request: type[Request[Any, Any, Any]] = CleanRequest,
    **rest: Any,  # noqa: ANN401 (passed on)
) -> Edge:
    known = data or Data()

    @get("/api/dic.php")
    async def look_up(w: Annotated[str, QueryParameter(min_length=1)], lim: FromQuery[int] = 50) -> dict[str, object]:
        known.calls += 1
        return {"word": w, "lim": lim, "version": known.number}

    @get("/api/words/{word_id:int}")
    async def show(word_id: FromPath[int]) -> dict[str, str]:
        return {"word": "পানী " * 100 * word_id}

    @get("/api/session")
    async def session() -> Response[dict[str, str]]:
        return Response({"username": "x" * 2000}, headers={"Cache-Control": "public"})

    @post("/api/submit-foto.php")
    async def submit() -> None: ...

    @get("/api/boom")
    async def boom() -> None:
        raise RuntimeError("SELECT secret FROM /home")

    @get("/dic/{word:path}", media_type=MediaType.HTML)
    async def read(word: FromPath[str]) -> str:
        return f"<p>{len(word)}</p>"

    handlers = [look_up, show, session, submit, boom, read, *more]
    app = Litestar(
        handlers,
        request_class=request,
        openapi_config=None,
        logging_config=None,
        exception_handlers=build_exception_handlers(),
    )
    return Edge(app, get_version=known.version, **({"route_tree": RouteTree(app.routes)} | rest))


# --- sharing and caching ------------------------------------------------------------------------------------------


def test_a_public_answer_may_be_cached_and_read_by_every_site() -> None:
    answer = ask(make_dictionary_edge(), "/api/dic.php", "w=a")

    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == (
        "public, max-age=300, stale-while-revalidate=86400, stale-if-error=86400"
    )
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-expose-headers"] == "ETag, Link, Retry-After, RateLimit, RateLimit-Policy"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["etag"].startswith('"')
    assert int(answer.headers["content-length"]) == len(answer.body)


def test_a_repeated_request_is_answered_from_the_cache_with_the_same_bytes() -> None:
    data = Data()
    edge = make_dictionary_edge(data=data)

    first, again, other = (ask(edge, "/api/dic.php", query) for query in ("w=a", "w=+a+&l=", "w=b"))

    assert data.calls == 2
    assert first.body == again.body != other.body
    assert first.headers["x-request-id"] != again.headers["x-request-id"]


def test_a_new_version_of_the_data_empties_the_cache() -> None:
    data = Data()
    edge = make_dictionary_edge(data=data)
    before = ask(edge, "/api/dic.php", "w=a")
    data.number = 2

    assert before.json["version"] == 1
    assert ask(edge, "/api/dic.php", "w=a").json["version"] == 2


def test_an_answer_made_while_the_data_changes_is_not_cached() -> None:
    data = Data()
    gate = asyncio.Event()

    @get("/api/slow")
    async def slow() -> dict[str, int]:
        data.calls += 1
        seen = data.number
        await gate.wait()
        return {"version": seen}

    edge = make_dictionary_edge(slow, data=data)

    async def scene() -> AsgiResponse:
        early = asyncio.create_task(ask_async(edge, "/api/slow"))
        while not data.calls:  # noqa: ASYNC110  # a handler has no event to wait for
            await asyncio.sleep(0.01)
        data.number = 2
        await ask_async(edge, "/api/dic.php", "w=a")
        gate.set()
        await early
        return await ask_async(edge, "/api/slow")

    assert asyncio.run(scene()).json == {"version": 2}
    assert data.calls == 3


def test_errors_are_not_cached() -> None:
    edge = make_dictionary_edge()

    for path, query, status in (("/api/dic.php", "", 400), ("/api/nothing", "", 404), ("/api/boom", "", 500)):
        answer = ask(edge, path, query)
        assert answer.status == status
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["content-type"] == "application/problem+json"
        assert "etag" not in answer.headers


def test_routes_with_cookies_are_never_open_to_other_sites() -> None:
    for method in ("GET", "OPTIONS"):
        answer = ask(
            make_dictionary_edge(), "/api/session", method=method, headers={"Origin": "https://elsewhere.example"}
        )
        assert not [name for name in answer.headers if name.startswith("access-control")]
    assert ask(make_dictionary_edge(), "/api/session", headers=GZIP).headers["content-encoding"] == "gzip"


def test_an_error_of_a_route_with_cookies_is_not_cached_and_not_open_to_other_sites() -> None:
    answer = ask(make_dictionary_edge(), "/api/submit-foto.php")

    assert (answer.status, answer.headers["cache-control"]) == (405, "no-store")
    assert "access-control-allow-origin" not in answer.headers


# --- conditional requests, HEAD, OPTIONS, other methods -----------------------------------------------------------


def test_a_client_that_has_the_bytes_already_gets_304_without_a_body(subtests: pytest.Subtests) -> None:
    edge = make_dictionary_edge()
    tag = ask(edge, "/api/dic.php", "w=a").headers["etag"]

    for header in (tag, f"W/{tag}", f'"x", {tag}', f'"x" ,W/{tag}', "*", f"  {tag}  "):
        with subtests.test(header):
            answer = ask(edge, "/api/dic.php", "w=a", headers={"If-None-Match": header})

            assert (answer.status, answer.body) == (304, b"")
            assert answer.headers["etag"] == tag
            assert answer.headers["vary"] == "Accept-Encoding"
            assert answer.headers["access-control-allow-origin"] == "*"
            assert "max-age" in answer.headers["cache-control"]
            assert "content-length" not in answer.headers
    for header in ('"x"', "", '"x", "y"', f"{tag}x"):
        assert ask(edge, "/api/dic.php", "w=a", headers={"If-None-Match": header}).status == 200, header


def test_head_has_the_headers_of_get_and_no_body() -> None:
    edge = make_dictionary_edge()
    for path, query in (("/api/dic.php", "w=a"), ("/api/dic.php", ""), ("/dic/x", ""), ("/no", "")):
        whole, head = ask(edge, path, query), ask(edge, path, query, method="HEAD")
        for answer in (whole, head):
            del answer.headers["x-request-id"]

        assert (head.status, head.headers, head.body) == (whole.status, whole.headers, b""), path


def test_a_preflight_is_answered() -> None:
    headers = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    answer = ask(make_dictionary_edge(), "/api/dic.php", method="OPTIONS", headers=headers)

    assert (answer.status, answer.body) == (204, b"")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    assert answer.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
    assert answer.headers["access-control-allow-origin"] == "*"


def test_another_method_is_rejected_with_405_and_the_allowed_methods() -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE", "get", "BREW"):
        answer = ask(make_dictionary_edge(), "/api/dic.php", method=method)

        assert answer.status == 405, method
        assert answer.headers["allow"] == "GET, HEAD, OPTIONS", method
        assert answer.json["success"] is False


# --- codings ------------------------------------------------------------------------------------------------------


def test_compressed_and_plain_answers_have_different_valid_etags() -> None:
    edge = make_dictionary_edge()
    plain, packed = ask(edge, "/api/words/1"), ask(edge, "/api/words/1", headers=GZIP)

    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["etag"] != plain.headers["etag"]
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept, Accept-Encoding"
    assert ask(edge, "/api/words/1", headers=GZIP | {"If-None-Match": plain.headers["etag"]}).status == 200
    assert ask(edge, "/api/words/1", headers=GZIP | {"If-None-Match": packed.headers["etag"]}).status == 304


def test_only_short_answers_are_not_compressed() -> None:
    edge = make_dictionary_edge()
    short, long = ask(edge, "/api/dic.php", "w=a", headers=GZIP), ask(edge, "/api/words/500", headers=GZIP)

    assert "content-encoding" not in short.headers
    assert len(gzip.decompress(long.body)) > 100_000


# --- queries ------------------------------------------------------------------------------------------------------


def test_the_handler_receives_the_cleaned_query() -> None:
    classes: tuple[type[Request[Any, Any, Any]], ...] = (CleanRequest, Request)
    for request_class in classes:
        edge = make_dictionary_edge(request=request_class)

        assert ask(edge, "/api/dic.php", "w=%20a%C2%A0b+&lim=%2B07&w=").status == 400
        assert ask(edge, "/api/dic.php", "w=%20a%C2%A0b+&lim=%2B07").json == {"word": "a b", "lim": 7, "version": 1}


def test_an_unreadable_query_is_rejected_with_the_parameter_name() -> None:
    answer = ask(make_dictionary_edge(), "/api/dic.php", "w=%ff")

    assert answer.status == 400
    assert answer.json["errors"][0]["parameter"] == "w"
    assert answer.json["instance"] == "/api/dic.php"


def test_unknown_parameters_do_not_cause_another_cache_entry() -> None:
    data = Data()
    edge = make_dictionary_edge(data=data)
    for query in ("w=a", "w=a&fbclid=1", "w=a&x=%ff", "lim=&w=a"):
        assert ask(edge, "/api/dic.php", query).status == 200

    assert data.calls == 1


def test_all_spellings_of_an_address_share_one_cache_entry() -> None:
    cache = ResponseCache()
    edge = make_dictionary_edge(cache=cache)
    for path in ("/api/words/1", "/api/words/1/", "/api//words/1", "//api/words//1//"):
        for query in ("", "x=1", "x=2", "%ff=%ff", "l=%00"):
            assert ask(edge, path, query).status == 200

    assert len(cache) == 1


def test_an_escaped_slash_does_not_end_a_part_of_a_path() -> None:
    for path, raw, status in (
        ("/api/words/1/", "/api/words/1%2F", 404),
        ("/api/words/1", "/api%2fwords/1", 404),
        ("/dic/a/b", "/dic/a%2Fb", 200),
        ("/dic/a/b", "/dic/a/b", 200),
        ("/nowhere/1", "/nowhere%2f1", 404),
    ):
        assert ask(make_dictionary_edge(), path, raw_path=raw.encode()).status == status, raw


# --- request ids, failures, streams -------------------------------------------------------------------------------


def test_only_a_trusted_proxy_may_set_the_request_id() -> None:
    edge = make_dictionary_edge(proxies=TrustedProxies((ip_network("192.0.2.0/24"),)))

    def send_id(name: str, peer: str) -> str:
        answer = ask(edge, "/api/dic.php", "w=a", headers={"X-Request-ID": name}, client=(peer, 1))
        return answer.headers["x-request-id"]

    assert send_id("abc-1", "192.0.2.1") == "abc-1"
    assert send_id("abc-1", "198.51.100.1") != "abc-1"
    assert send_id("bad id\n", "192.0.2.1") != "bad id\n"


@pytest.mark.usefixtures("caplog")
def test_the_answer_to_a_failure_discloses_no_details() -> None:
    answer = ask(make_dictionary_edge(), "/api/boom")

    assert b"SELECT" not in answer.body
    assert b"Error" not in answer.body
    assert answer.headers["x-request-id"] in answer.json["detail"]


def test_an_unreadable_data_version_is_answered_with_500() -> None:
    async def broken() -> int:
        raise OSError("disk")

    app = Litestar([], openapi_config=None, logging_config=None)
    answer = ask(Edge(app, get_version=broken), "/api/dic.php")

    assert (answer.status, answer.json["status"]) == (500, 500)


def test_a_stream_is_passed_through_in_pieces() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b"piece"

    @get("/photos/1.webp")
    async def photo() -> Stream:
        return Stream(pieces, media_type="image/webp", headers={"Cache-Control": "public, max-age=60", "ETag": '"p"'})

    edge = make_dictionary_edge(photo)
    whole, head = ask(edge, "/photos/1.webp"), ask(edge, "/photos/1.webp", method="HEAD")

    assert whole.body == b"piecepiecepiece"
    assert whole.headers["access-control-allow-origin"] == "*"
    assert (head.status, head.body) == (200, b"")
    assert ask(edge, "/photos/1.webp", headers={"If-None-Match": '"p"'}).status == 304


def test_a_stream_that_fails_is_cut_off() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"piece"
        raise RuntimeError("gone")

    @get("/api/stream")
    async def stream() -> Stream:
        return Stream(pieces)

    with pytest.raises(Exception, match=r"response started|gone"):
        ask(make_dictionary_edge(stream), "/api/stream")


def test_an_application_without_an_answer_causes_500() -> None:
    async def silent(*_: object) -> None: ...

    assert ask(Edge(silent, get_version=Data().version), "/api/x").status == 500


def test_scopes_other_than_http_are_passed_through() -> None:
    seen: list[str] = []

    async def inner(scope: Any, *_: object) -> None:  # noqa: ANN401 (an ASGI scope)
        seen.append(scope["type"])

    scope: Any = {"type": "lifespan"}
    unused: Any = None
    asyncio.run(Edge(inner, get_version=Data().version)(scope, unused, unused))

    assert seen == ["lifespan"]


def test_the_body_of_a_request_is_passed_through_unchanged() -> None:
    @post("/api/echo")
    async def echo(body: RawBody) -> bytes:
        return body

    assert ask(make_dictionary_edge(echo), "/api/echo", method="POST", body=b"\x00\xff").body == b"\x00\xff"


def test_errors_of_pages_are_answered_with_pages() -> None:
    answer = ask(make_dictionary_edge(), "/nothing/<script>")

    assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "script-src 'self'" in answer.headers["content-security-policy"]
