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
    """The state of the data, as `get_version()` tells it, and how often a handler was asked."""

    def __init__(self) -> None:
        """Start with version 1, without requests."""
        self.number = 1
        self.asked = 0

    async def version(self) -> int:
        """Return the number of the present state."""
        return self.number


def an_edge(
    *more: HTTPRouteHandler,
    data: Data | None = None,
    request: type[Request[Any, Any, Any]] = CleanRequest,
    **rest: Any,  # noqa: ANN401 (passed on)
) -> Edge:
    known = data or Data()

    @get("/api/dic.php")
    async def look_up(w: Annotated[str, QueryParameter(min_length=1)], lim: FromQuery[int] = 50) -> dict[str, object]:
        known.asked += 1
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


def test_a_public_answer_may_be_shared_kept_and_read_by_every_site() -> None:
    answer = ask(an_edge(), "/api/dic.php", "w=a")

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


def test_an_answer_asked_again_comes_from_the_cache_with_the_same_bytes() -> None:
    data = Data()
    edge = an_edge(data=data)

    first, again, other = (ask(edge, "/api/dic.php", query) for query in ("w=a", "w=+a+&l=", "w=b"))

    assert data.asked == 2
    assert first.body == again.body != other.body
    assert first.headers["x-request-id"] != again.headers["x-request-id"]


def test_another_version_of_the_data_empties_the_cache_at_once() -> None:
    data = Data()
    edge = an_edge(data=data)
    before = ask(edge, "/api/dic.php", "w=a")
    data.number = 2

    assert before.json["version"] == 1
    assert ask(edge, "/api/dic.php", "w=a").json["version"] == 2


def test_an_answer_made_while_the_data_changed_is_not_kept() -> None:
    data = Data()
    gate = asyncio.Event()

    @get("/api/slow")
    async def slow() -> dict[str, int]:
        data.asked += 1
        seen = data.number
        await gate.wait()
        return {"version": seen}

    edge = an_edge(slow, data=data)

    async def scene() -> AsgiResponse:
        early = asyncio.create_task(ask_async(edge, "/api/slow"))
        while not data.asked:  # noqa: ASYNC110  # a handler has no event to wait for
            await asyncio.sleep(0.01)
        data.number = 2
        await ask_async(edge, "/api/dic.php", "w=a")
        gate.set()
        await early
        return await ask_async(edge, "/api/slow")

    assert asyncio.run(scene()).json == {"version": 2}
    assert data.asked == 3


def test_errors_are_not_kept_and_not_stored_by_anybody() -> None:
    edge = an_edge()

    for path, query, status in (("/api/dic.php", "", 400), ("/api/nothing", "", 404), ("/api/boom", "", 500)):
        answer = ask(edge, path, query)
        assert answer.status == status
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["content-type"] == "application/problem+json"
        assert "etag" not in answer.headers


def test_cookie_routes_are_never_stored_and_never_open_to_other_sites() -> None:
    for method in ("GET", "OPTIONS"):
        answer = ask(an_edge(), "/api/session", method=method, headers={"Origin": "https://elsewhere.example"})
        assert not [name for name in answer.headers if name.startswith("access-control")]
    assert ask(an_edge(), "/api/session", headers=GZIP).headers["content-encoding"] == "gzip"


def test_a_cookie_route_may_say_less_than_its_policy_but_its_errors_are_no_store() -> None:
    answer = ask(an_edge(), "/api/submit-foto.php")

    assert (answer.status, answer.headers["cache-control"]) == (405, "no-store")
    assert "access-control-allow-origin" not in answer.headers


# --- conditional requests, HEAD, OPTIONS, other methods -----------------------------------------------------------


@pytest.mark.parametrize("asked", ["{tag}", "W/{tag}", '"x", {tag}', '"x" ,W/{tag}', "*", "  {tag}  "], ids=str)
def test_who_has_the_bytes_already_gets_a_304_without_a_body(asked: str) -> None:
    edge = an_edge()
    tag = ask(edge, "/api/dic.php", "w=a").headers["etag"]

    answer = ask(edge, "/api/dic.php", "w=a", headers={"If-None-Match": asked.format(tag=tag)})

    assert (answer.status, answer.body) == (304, b"")
    assert answer.headers["etag"] == tag
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "max-age" in answer.headers["cache-control"]
    assert "content-length" not in answer.headers


@pytest.mark.parametrize("asked", ['"x"', "", '"x", "y"', "{tag}x"])
def test_another_tag_gets_the_whole_answer(asked: str) -> None:
    edge = an_edge()
    tag = ask(edge, "/api/dic.php", "w=a").headers["etag"]

    assert ask(edge, "/api/dic.php", "w=a", headers={"If-None-Match": asked.format(tag=tag)}).status == 200


@pytest.mark.parametrize(
    ("path", "query"), [("/api/dic.php", "w=a"), ("/api/dic.php", ""), ("/dic/x", ""), ("/no", "")]
)
def test_head_has_the_headers_of_get_and_no_body(path: str, query: str) -> None:
    edge = an_edge()
    whole, head = ask(edge, path, query), ask(edge, path, query, method="HEAD")
    for answer in (whole, head):
        del answer.headers["x-request-id"]

    assert (head.status, head.headers, head.body) == (whole.status, whole.headers, b"")


def test_a_preflight_is_answered() -> None:
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    answer = ask(an_edge(), "/api/dic.php", method="OPTIONS", headers=asked)

    assert (answer.status, answer.body) == (204, b"")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    assert answer.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "get", "BREW"])
def test_another_method_is_a_405_that_names_head(method: str) -> None:
    answer = ask(an_edge(), "/api/dic.php", method=method)

    assert answer.status == 405
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    assert answer.json["success"] is False


# --- codings ------------------------------------------------------------------------------------------------------


def test_each_coding_has_its_own_etag_and_both_are_right() -> None:
    edge = an_edge()
    plain, packed = ask(edge, "/api/words/1"), ask(edge, "/api/words/1", headers=GZIP)

    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["etag"] != plain.headers["etag"]
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept, Accept-Encoding"
    assert ask(edge, "/api/words/1", headers=GZIP | {"If-None-Match": plain.headers["etag"]}).status == 200
    assert ask(edge, "/api/words/1", headers=GZIP | {"If-None-Match": packed.headers["etag"]}).status == 304


def test_a_short_answer_is_not_compressed() -> None:
    assert "content-encoding" not in ask(an_edge(), "/api/dic.php", "w=a", headers=GZIP).headers


def test_a_long_answer_is_compressed_aside() -> None:
    answer = ask(an_edge(), "/api/words/500", headers=GZIP)

    assert len(gzip.decompress(answer.body)) > 100_000


# --- queries ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("request_class", [CleanRequest, Request])
def test_the_handler_gets_the_clean_query(request_class: type[Request[Any, Any, Any]]) -> None:
    edge = an_edge(request=request_class)

    assert ask(edge, "/api/dic.php", "w=%20a%C2%A0b+&lim=%2B07&w=").status == 400
    assert ask(edge, "/api/dic.php", "w=%20a%C2%A0b+&lim=%2B07").json == {"word": "a b", "lim": 7, "version": 1}


def test_a_query_that_cannot_be_read_is_a_problem_that_names_the_parameter() -> None:
    answer = ask(an_edge(), "/api/dic.php", "w=%ff")

    assert answer.status == 400
    assert answer.json["errors"][0]["parameter"] == "w"
    assert answer.json["instance"] == "/api/dic.php"


def test_unknown_parameters_do_not_make_another_answer() -> None:
    data = Data()
    edge = an_edge(data=data)
    for query in ("w=a", "w=a&fbclid=1", "w=a&x=%ff", "lim=&w=a"):
        assert ask(edge, "/api/dic.php", query).status == 200

    assert data.asked == 1


def test_an_address_with_a_name_in_it_has_one_answer_however_it_is_written() -> None:
    cache = ResponseCache()
    edge = an_edge(cache=cache)
    for path in ("/api/words/1", "/api/words/1/", "/api//words/1", "//api/words//1//"):
        for query in ("", "x=1", "x=2", "%ff=%ff", "l=%00"):
            assert ask(edge, path, query).status == 200

    assert len(cache) == 1


@pytest.mark.parametrize(
    ("path", "raw", "status"),
    [
        ("/api/words/1/", "/api/words/1%2F", 404),
        ("/api/words/1", "/api%2fwords/1", 404),
        ("/dic/a/b", "/dic/a%2Fb", 200),
        ("/dic/a/b", "/dic/a/b", 200),
        ("/nowhere/1", "/nowhere%2f1", 404),
    ],
)
def test_an_escaped_slash_ends_no_part_of_a_path(path: str, raw: str, status: int) -> None:
    assert ask(an_edge(), path, raw_path=raw.encode()).status == status


# --- request ids, failures, streams -------------------------------------------------------------------------------


def test_only_a_trusted_proxy_names_the_request() -> None:
    edge = an_edge(proxies=TrustedProxies((ip_network("192.0.2.0/24"),)))

    def named(name: str, peer: str) -> str:
        asked = ask(edge, "/api/dic.php", "w=a", headers={"X-Request-ID": name}, client=(peer, 1))
        return asked.headers["x-request-id"]

    assert named("abc-1", "192.0.2.1") == "abc-1"
    assert named("abc-1", "198.51.100.1") != "abc-1"
    assert named("bad id\n", "192.0.2.1") != "bad id\n"


def test_a_failure_tells_an_attacker_nothing_and_the_log_everything(caplog: pytest.LogCaptureFixture) -> None:
    answer = ask(an_edge(), "/api/boom")

    assert b"SELECT" not in answer.body
    assert b"Error" not in answer.body
    assert answer.headers["x-request-id"] in answer.json["detail"]
    del caplog


def test_a_version_that_cannot_be_read_is_a_500_and_not_a_crash() -> None:
    async def broken() -> int:
        raise OSError("disk")

    app = Litestar([], openapi_config=None, logging_config=None)
    answer = ask(Edge(app, get_version=broken), "/api/dic.php")

    assert (answer.status, answer.json["status"]) == (500, 500)


def test_a_stream_passes_through_piece_by_piece() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b"piece"

    @get("/photos/1.webp")
    async def photo() -> Stream:
        return Stream(pieces, media_type="image/webp", headers={"Cache-Control": "public, max-age=60", "ETag": '"p"'})

    edge = an_edge(photo)
    whole, head = ask(edge, "/photos/1.webp"), ask(edge, "/photos/1.webp", method="HEAD")

    assert whole.body == b"piecepiecepiece"
    assert whole.headers["access-control-allow-origin"] == "*"
    assert (head.status, head.body) == (200, b"")
    assert ask(edge, "/photos/1.webp", headers={"If-None-Match": '"p"'}).status == 304


def test_a_stream_that_breaks_off_is_cut_and_not_mended() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"piece"
        raise RuntimeError("gone")

    @get("/api/stream")
    async def stream() -> Stream:
        return Stream(pieces)

    with pytest.raises(Exception, match=r"response started|gone"):
        ask(an_edge(stream), "/api/stream")


def test_an_application_that_says_nothing_is_a_500() -> None:
    async def silent(*_: object) -> None: ...

    assert ask(Edge(silent, get_version=Data().version), "/api/x").status == 500


def test_other_scopes_pass_through() -> None:
    seen: list[str] = []

    async def inner(scope: Any, *_: object) -> None:  # noqa: ANN401 (an ASGI scope)
        seen.append(scope["type"])

    scope: Any = {"type": "lifespan"}
    unused: Any = None
    asyncio.run(Edge(inner, get_version=Data().version)(scope, unused, unused))

    assert seen == ["lifespan"]


def test_the_body_of_a_request_passes_through_untouched() -> None:
    @post("/api/echo")
    async def echo(body: RawBody) -> bytes:
        return body

    assert ask(an_edge(echo), "/api/echo", method="POST", body=b"\x00\xff").body == b"\x00\xff"


def test_errors_of_pages_are_pages() -> None:
    answer = ask(an_edge(), "/nothing/<script>")

    assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "script-src 'self'" in answer.headers["content-security-policy"]
