"""The `.php` addresses below /2025-web, where clients of XOBDO ask for them."""

from pathlib import Path

import msgspec
import pytest
from litestar import Litestar, get
from litestar.handlers import HTTPRouteHandler

from abhidhan.app.api_handlers import COMPAT_HANDLERS
from abhidhan.platform.http.address_tree import RouteTree
from abhidhan.platform.http.errors import build_exception_handlers
from abhidhan.platform.http.logging import AccessLog
from abhidhan.platform.http.middleware import Edge
from abhidhan.platform.http.policies import OLD_PREFIX
from abhidhan.platform.http.telemetry import RequestObserver
from abhidhan.records.people import Role
from tests.support.application import Ask, open_application
from tests.support.asgi import AsgiResponse, ask
from tests.support.contributions import Site, encode_form, photo_bytes
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.metrics import count_changes

ADDRESSES = sorted(
    path for handler in COMPAT_HANDLERS if isinstance(handler, HTTPRouteHandler) for path in handler.paths
)
QUERIES = {
    "/api/dic.php": "w=water",
    "/api/wordsalpha.php": "start=a&l=en",
    "/api/check-fj.php": "fj=hati",
    "/api/tlipi.php": "pa=xobdo",
    "/api/get-list.php": "type=POS",
}
"""Queries of the addresses that need one."""

ORIGIN = {"Origin": "https://example.org"}


def comparable(answer: AsgiResponse) -> tuple[int, dict[str, str], object]:
    """Return what must be the same below the prefix: all but the request's own ID and the path of an error."""
    own = {"x-request-id", "content-length", "etag"} if answer.status >= 400 else {"x-request-id"}
    headers = {name: value for name, value in answer.headers.items() if name not in own}
    if answer.status < 400 or not answer.body:
        return answer.status, headers, answer.body
    return answer.status, headers, answer.json | {"instance": answer.json["instance"].removeprefix(OLD_PREFIX)}


def test_every_address_of_this_interface_ends_in_php() -> None:
    assert ADDRESSES
    assert all(path.startswith("/api/") and path.endswith(".php") for path in ADDRESSES)


def test_an_address_answers_the_same_below_the_prefix(api: Ask, subtests: pytest.Subtests) -> None:
    for path in ADDRESSES:
        with subtests.test(path):
            for method in ("GET", "HEAD", "OPTIONS", "DELETE"):
                for query in (QUERIES.get(path, ""), "", "w=%ff&lim=0&l=%ff&fj=%ff"):
                    below = api(OLD_PREFIX + path, query, method=method, headers=ORIGIN)

                    assert comparable(below) == comparable(api(path, query, method=method, headers=ORIGIN))


def test_an_etag_is_valid_with_and_without_the_prefix(api: Ask) -> None:
    tag = api("/api/dic.php", "w=water").headers["etag"]

    answer = api(f"{OLD_PREFIX}/api/dic.php", "w=water", headers={"If-None-Match": tag})

    assert (answer.status, answer.body) == (304, b"")


def test_superfluous_slashes_are_ignored_below_the_prefix(api: Ask) -> None:
    for path in ("//2025-web//api/dic.php", "/2025-web/api/dic.php/"):
        assert api(path, "w=water").body == api("/api/dic.php", "w=water").body, path


def test_an_error_names_the_requested_address(api: Ask) -> None:
    answer = api(f"{OLD_PREFIX}/api/wordsalpha.php", "lim=0")

    assert answer.status == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.json["instance"] == f"{OLD_PREFIX}/api/wordsalpha.php"
    assert answer.json["type"].startswith("/api/docs#")


NOT_BELOW_THE_PREFIX = (
    "/api",
    "/api/words/1",
    "/api/languages",
    "/api/session",
    "/api/editing/words/1",
    "/api/openapi.json",
    "/api/docs",
    "/api/none.php",
    "/api/words/dic.php",
    "/api/dic.php/more",
    "/api/DIC.PHP",
    f"{OLD_PREFIX}/api/dic.php",
)
NOT_FOUND_PAGES = (
    OLD_PREFIX,
    f"{OLD_PREFIX}/",
    f"{OLD_PREFIX}/dic/water",
    "/alpha",
    "/2024-web/api/dic.php",
    "/2025-webapi/dic.php",
)


def test_no_other_address_exists_below_the_prefix(api: Ask, subtests: pytest.Subtests) -> None:
    for path in NOT_BELOW_THE_PREFIX:
        with subtests.test(path):
            for method in ("GET", "POST"):
                answer = api(OLD_PREFIX + path, method=method)

                assert answer.status == 404
                if path.startswith("/api"):
                    assert answer.headers["content-type"] == "application/problem+json"
                    assert answer.json["instance"] == OLD_PREFIX + path


def test_other_old_addresses_answer_with_the_not_found_page(api: Ask) -> None:
    for path in NOT_FOUND_PAGES:
        answer = api(path)

        assert answer.status == 404, path
        assert answer.headers["content-type"].startswith("text/html"), path


def test_an_escaped_slash_does_not_match_the_prefix(api: Ask) -> None:
    path = f"{OLD_PREFIX}/api/dic.php"

    assert api(path, "w=water", raw_path=b"/2025-web%2Fapi/dic.php").status == 404


def test_a_word_that_looks_like_the_prefix_is_looked_up_as_a_word(api: Ask) -> None:
    assert api(f"/dic{OLD_PREFIX}/api/dic.php").headers["content-type"].startswith("text/html")


def test_requests_below_the_prefix_count_against_the_same_limit(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    with (
        open_database(sqlite_databases, load_sample) as database,
        open_application(database, tmp_path, rate_limit="2/hour") as limited,
    ):
        answers = [limited(f"{prefix}/api/dic.php", "w=water") for prefix in ("", OLD_PREFIX, OLD_PREFIX)]

    assert [answer.status for answer in answers] == [200, 200, 429]
    assert answers[2].json["instance"] == f"{OLD_PREFIX}/api/dic.php"


def send_photo(site: Site, by: str | None, **headers: str) -> AsgiResponse:
    body, kind = encode_form({"ideaID": "1", "photoCredit": "A. Photographer"}, photo_bytes("PNG"))
    path = f"{OLD_PREFIX}/api/submit-foto.php"
    return site.ask("POST", path, by=by, body=body, headers={"Content-Type": kind} | headers)


def test_submitting_a_photo_below_the_prefix_follows_the_same_rules(open_site: Site) -> None:
    open_site.add("reader", Role.READER)

    assert send_photo(open_site, None).status == 401
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, ORIGIN):
        refused = send_photo(open_site, "reader", **headers)
        assert refused.status == 403
        assert refused.json["instance"] == f"{OLD_PREFIX}/api/submit-foto.php"
        assert "access-control-allow-origin" not in refused.headers
    accepted = send_photo(open_site, "reader", **{"Sec-Fetch-Site": "same-origin"})
    assert (accepted.status, accepted.json["status"]) == (201, "pending_review")
    assert accepted.headers["cache-control"] == "no-store"


def test_both_addresses_share_the_answer_cache_and_the_metrics_label() -> None:
    calls: list[str] = []
    logged: list[bytes] = []

    @get("/api/dic.php")
    async def look_up() -> dict[str, str]:
        calls.append("look_up")
        return {"word": "water"}

    async def version() -> int:
        return 1

    app = Litestar([look_up], openapi_config=None, logging_config=None, exception_handlers=build_exception_handlers())
    observer = RequestObserver(log=AccessLog("json", logged.append))
    edge = Edge(app, get_version=version, route_tree=RouteTree(app.routes), observer=observer)
    with count_changes("requests_total", "route") as counted:
        for prefix in ("", OLD_PREFIX):
            assert ask(edge, f"{prefix}/api/dic.php").status == 200
        observer.flush()

    assert calls == ["look_up"]
    assert counted == {"/api/dic.php": 2}
    lines = [msgspec.json.decode(line) for line in b"".join(logged).splitlines()]
    assert [line["path"] for line in lines] == ["/api/dic.php", f"{OLD_PREFIX}/api/dic.php"]


def test_the_description_names_the_prefix_for_these_addresses_only(api: Ask) -> None:
    document = api("/api/openapi.json").json

    assert [server["url"] for server in document["servers"]] == ["/", OLD_PREFIX]
    for path, item in document["paths"].items():
        for operation in item.values():
            own = [server["url"] for server in operation.get("servers", document["servers"])]
            assert own == (["/", OLD_PREFIX] if path.endswith(".php") else ["/"])


def test_no_other_document_mentions_the_prefix(api: Ask) -> None:
    for path, query in (("/sitemap.xml", ""), ("/sitemap.xml", "part=1"), ("/robots.txt", ""), ("/", "")):
        assert OLD_PREFIX.encode() not in api(path, query).body
