"""Addresses of older versions."""

from tests.support.application import Ask


def test_the_removed_address_of_mcp_names_the_package_that_replaces_it(api: Ask) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = api("/mcp", method=method, body=b'{"jsonrpc": "2.0"}' if method == "POST" else b"")

        assert (answer.status, answer.headers["content-type"]) == (410, "application/problem+json")
        assert answer.json["type"] == "/api/docs#problem-gone"
        assert "abhidhan-mcp" in answer.json["detail"]
        assert (answer.headers["cache-control"], answer.headers["access-control-allow-origin"]) == ("no-store", "*")

    assert api("/mcp", method="PUT").headers["allow"] == "DELETE, GET, HEAD, OPTIONS, POST"


def test_a_removed_address_names_the_page_that_replaces_it(api: Ask) -> None:
    for method, path, page in (
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
    ):
        answer = api(path, method=method)

        assert (answer.status, answer.json["type"]) == (410, "/api/docs#problem-gone"), path
        assert f"the page {page}." in answer.json["detail"]
        assert answer.headers["cache-control"] == "no-store"
