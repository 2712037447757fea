from ipaddress import ip_network
from typing import Any

from abhidhan.platform.http.client_address import TrustedProxies, rate_limit_key

TRUSTED = TrustedProxies((ip_network("10.0.0.0/8"), ip_network("fd00::/8")))


def make_scope(client: str | None, headers: list[tuple[str, str]] | None = None) -> Any:  # noqa: ANN401 (a part of an ASGI scope)
    return {
        "client": None if client is None else (client, 1),
        "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in headers or []],
    }


def forwarded_for(*values: str) -> list[tuple[str, str]]:
    return [("x-forwarded-for", value) for value in values]


CLIENTS: tuple[tuple[str | None, list[tuple[str, str]], str], ...] = (
    ("192.0.2.1", forwarded_for("203.0.113.9"), "192.0.2.1"),
    ("10.0.0.1", [], "10.0.0.1"),
    ("10.0.0.1", forwarded_for("203.0.113.9"), "203.0.113.9"),
    ("10.0.0.1", forwarded_for("6.6.6.6, 203.0.113.9, 10.1.1.1"), "203.0.113.9"),
    ("10.0.0.1", forwarded_for("6.6.6.6", "203.0.113.9"), "203.0.113.9"),
    ("10.0.0.1", forwarded_for("10.2.2.2, 10.1.1.1"), "10.2.2.2"),
    ("10.0.0.1", forwarded_for("203.0.113.9:4711"), "203.0.113.9"),
    ("10.0.0.1", forwarded_for("[2001:db8::1]:80"), "2001:db8::1"),
    ("10.0.0.1", forwarded_for("203.0.113.9, nonsense"), "10.0.0.1"),
    ("10.0.0.1", forwarded_for(""), "10.0.0.1"),
    ("::ffff:10.0.0.1", forwarded_for("203.0.113.9"), "203.0.113.9"),
    ("fd00::1", forwarded_for("::ffff:203.0.113.9"), "203.0.113.9"),
    ("", forwarded_for("203.0.113.9"), "unix"),
    (None, [], "unix"),
)


def test_the_client_is_the_last_hop_that_is_not_a_trusted_proxy() -> None:
    for client, headers, expected in CLIENTS:
        assert TRUSTED.find_client(make_scope(client, headers)).address == expected, (client, headers)


def test_the_scheme_is_accepted_only_from_a_trusted_proxy() -> None:
    for client, value, expected in (
        ("10.0.0.1", "https", "https"),
        ("10.0.0.1", "http, HTTPS", "https"),
        ("10.0.0.1", "gopher", "http"),
        ("192.0.2.1", "https", "http"),
    ):
        scope = make_scope(client, [("x-forwarded-proto", value)])
        assert TRUSTED.find_client(scope).scheme == expected, (client, value)


def test_no_proxy_is_trusted_by_default() -> None:
    scope = make_scope("127.0.0.1", forwarded_for("203.0.113.9"))
    assert TrustedProxies().find_client(scope)[:2] == ("127.0.0.1", False)


def test_an_ipv6_network_is_rate_limited_as_one_client() -> None:
    assert [rate_limit_key(client) for client in ("203.0.113.9", "2001:db8:1:2:3::4", "unix")] == [
        "203.0.113.9",
        "2001:db8:1:2::/64",
        "unix",
    ]
