"""The address /mcp: what it takes, and how everything else is refused, whatever is asked by it."""

import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abhidhan.web.mcp import handlers
from tests.support.application import Ask, application
from tests.support.asgi import Answered
from tests.support.databases import SqliteDatabases, opened, with_sample
from tests.support.packages import needed

JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def say(api: Ask, message: object, **headers: str) -> Answered:
    body = message if isinstance(message, bytes) else msgspec.json.encode(message)
    return api("/mcp", method="POST", body=body, headers=JSON | {"host": "dictionary.example"} | headers)


def problem(answer: Answered, status: int) -> str:
    assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.headers["access-control-allow-origin"] == "*"
    detail: str = answer.json["detail"]
    return detail


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PUT"])
def test_nothing_but_messages_is_taken(api: Ask, method: str) -> None:
    answer = api("/mcp", method=method, headers=JSON)

    assert (answer.status, answer.headers["allow"]) == (405, "OPTIONS, POST")


def test_every_site_may_ask_and_none_as_somebody(api: Ask) -> None:
    preflight = api(
        "/mcp",
        method="OPTIONS",
        headers={"origin": "https://elsewhere.example", "access-control-request-method": "POST"},
    )

    assert preflight.status == 204
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert "POST" in preflight.headers["access-control-allow-methods"]
    assert "access-control-allow-credentials" not in preflight.headers


def test_without_the_package_the_address_says_how_to_get_it(api: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "is_there", lambda: False)

    assert "optional package `mcp` (docs/installing.md)" in problem(say(api, LIST), 404)


def test_the_package_is_not_imported_when_the_program_starts() -> None:
    started = "import sys, abhidhan.bootstrap.application; sys.exit(bool({'mcp', 'starlette'} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", started], check=False).returncode == 0  # noqa: S603  # our own line


# --- with the package -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def limited_api(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    home = tmp_path_factory.mktemp("home")
    with opened(sqlite_databases, with_sample) as database, application(database, home, rate_limit="3/minute") as ask:
        yield ask


@pytest.fixture(scope="module")
def spoken() -> None:
    """Leave a test out where the package is not installed."""
    needed("mcp", where="it is the extra `mcp`")


with_package = pytest.mark.usefixtures("spoken")


@with_package
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b'"\xff"', 400),
        (b'{"a": "\\ud800"}', 400),
        (b'{"a": "\\u0000"}', 400),
        (b"[" * 30_000, 400),
        (b'{"a": "' + b"x" * 70_000 + b'"}', 400),
    ],
)
def test_a_body_that_cannot_be_read_is_a_problem(api: Ask, body: bytes, status: int) -> None:
    problem(say(api, body), status)


@with_package
def test_another_type_is_a_415(api: Ask) -> None:
    problem(say(api, LIST, **{"content-type": "text/html"}), 415)


@with_package
@pytest.mark.parametrize(
    "message",
    [
        [],
        [LIST, LIST],
        5,
        None,
        "tools/list",
        {},
        {"jsonrpc": "1.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": {"a": 1}, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"jsonrpc": "2.0", "id": 1, "method": "nothing/such"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "drop_tables", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look_up", "arguments": []}},
        {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "file:///etc/passwd"}},
        {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    ],
)
@pytest.mark.parametrize("version", ["", "2025-06-18", "2026-07-28", "1999-01-01", "x"])
def test_messages_that_are_wrong_are_answered_in_the_protocols_own_words(
    api: Ask, message: object, version: str
) -> None:
    answer = say(api, message, **({"mcp-protocol-version": version} if version else {}))

    assert answer.status in {200, 202, 400, 404, 406}
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cache-control"] == "no-store"
    assert "mcp-session-id" not in answer.headers
    assert len(answer.body) < 4000
    if answer.body and answer.headers["content-type"] == "application/json":
        assert answer.json["jsonrpc"] == "2.0"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSON_VALUES,
        "id": st.integers() | JSON_VALUES,
        "method": st.sampled_from(["initialize", "tools/list", "tools/call", "ping", "server/discover"]) | JSON_VALUES,
        "params": JSON_VALUES
        | st.fixed_dictionaries(
            {"name": st.sampled_from(["look_up", "today"]) | JSON_VALUES},
            optional={"arguments": JSON_VALUES, "_meta": JSON_VALUES},
        ),
    },
)


@with_package
@given(MESSAGES | JSON_VALUES, st.sampled_from(["", "2025-06-18", "2026-07-28"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_no_message_is_too_strange(api: Ask, message: object, version: str) -> None:
    answer = say(api, message, **({"mcp-protocol-version": version} if version else {}))

    assert answer.status < 500
    assert "Traceback" not in answer.body.decode()


@with_package
def test_a_message_of_any_site_is_answered_and_nothing_is_remembered(api: Ask) -> None:
    answer = say(api, LIST, origin="https://elsewhere.example", host="dictionary.example", cookie="abhidhan=x")

    assert answer.status == 200
    assert [tool["name"] for tool in answer.json["result"]["tools"]][:2] == ["look_up", "search"]
    assert not {"set-cookie", "mcp-session-id", "etag"} & set(answer.headers)


@with_package
def test_messages_are_counted_where_requests_are_limited(limited_api: Ask) -> None:
    answers = [say(limited_api, LIST) for _ in range(4)]

    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    assert answers[0].headers["ratelimit"]
    assert "retry-after" in answers[3].headers
