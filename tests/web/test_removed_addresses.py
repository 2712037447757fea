"""Addresses of older versions."""

from tests.support.application import Ask


def test_the_address_of_mcp_names_the_package_that_took_its_place(api: Ask) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = api("/mcp", method=method, body=b'{"jsonrpc": "2.0"}' if method == "POST" else b"")

        assert (answer.status, answer.headers["content-type"]) == (410, "application/problem+json")
        assert answer.json["type"] == "/api/docs#problem-gone"
        assert "abhidhan-mcp" in answer.json["detail"]
        assert (answer.headers["cache-control"], answer.headers["access-control-allow-origin"]) == ("no-store", "*")

    assert api("/mcp", method="PUT").headers["allow"] == "DELETE, GET, HEAD, OPTIONS, POST"
