"""Addresses of older versions."""

import pytest

from tests.support.application import Ask


def test_the_address_of_mcp_names_the_package_that_took_its_place(api: Ask) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = api("/mcp", method=method, body=b'{"jsonrpc": "2.0"}' if method == "POST" else b"")

        assert (answer.status, answer.headers["content-type"]) == (410, "application/problem+json")
        assert answer.json["type"] == "/api/docs#problem-gone"
        assert "abhidhan-mcp" in answer.json["detail"]
        assert (answer.headers["cache-control"], answer.headers["access-control-allow-origin"]) == ("no-store", "*")

    assert api("/mcp", method="PUT").headers["allow"] == "DELETE, GET, HEAD, OPTIONS, POST"


@pytest.mark.parametrize(
    ("method", "path", "page"),
    [
        ("GET", "/api/people", "/account/people"),
        ("DELETE", "/api/people/1", "/account/people"),
        ("POST", "/api/people/invitations", "/account/people"),
        ("DELETE", "/api/people/1/two-factor", "/account/people"),
        ("POST", "/api/account/two-factor/confirm", "/account/two-factor"),
        ("POST", "/api/account/tokens", "/account/tokens"),
        ("DELETE", "/api/account/tokens/1", "/account/tokens"),
        ("POST", "/api/account/mails", "/account"),
        ("GET", "/api/account/export", "/account"),
        ("DELETE", "/api/account", "/account/remove"),
    ],
)
def test_what_pages_do_now_names_the_page(api: Ask, method: str, path: str, page: str) -> None:
    answer = api(path, method=method)

    assert (answer.status, answer.json["type"]) == (410, "/api/docs#problem-gone")
    assert f"the page {page}." in answer.json["detail"]
    assert answer.headers["cache-control"] == "no-store"
