from ipaddress import ip_network
from typing import Any

import pytest

from abhidhan.platform.http.client_address import TrustedProxies, rate_limit_key

TRUSTED = TrustedProxies((ip_network("10.0.0.0/8"), ip_network("fd00::/8")))


def a_scope(client: str | None, headers: list[tuple[str, str]] | None = None) -> Any:  # noqa: ANN401 (a part of an ASGI scope)
    return {
        "client": None if client is None else (client, 1),
        "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in headers or []],
    }


def forwarded(*values: str) -> list[tuple[str, str]]:
    return [("x-forwarded-for", value) for value in values]


@pytest.mark.parametrize(
    ("client", "headers", "expected"),
    [
        ("192.0.2.1", forwarded("203.0.113.9"), "192.0.2.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", forwarded("203.0.113.9"), "203.0.113.9"),
        ("10.0.0.1", forwarded("6.6.6.6, 203.0.113.9, 10.1.1.1"), "203.0.113.9"),
        ("10.0.0.1", forwarded("6.6.6.6", "203.0.113.9"), "203.0.113.9"),
        ("10.0.0.1", forwarded("10.2.2.2, 10.1.1.1"), "10.2.2.2"),
        ("10.0.0.1", forwarded("203.0.113.9:4711"), "203.0.113.9"),
        ("10.0.0.1", forwarded("[2001:db8::1]:80"), "2001:db8::1"),
        ("10.0.0.1", forwarded("203.0.113.9, nonsense"), "10.0.0.1"),
        ("10.0.0.1", forwarded(""), "10.0.0.1"),
        ("::ffff:10.0.0.1", forwarded("203.0.113.9"), "203.0.113.9"),
        ("fd00::1", forwarded("::ffff:203.0.113.9"), "203.0.113.9"),
        ("", forwarded("203.0.113.9"), "unix"),
        (None, [], "unix"),
    ],
)
def test_the_client_is_the_first_hop_from_the_end_that_is_not_a_trusted_proxy(
    client: str | None, headers: list[tuple[str, str]], expected: str
) -> None:
    assert TRUSTED.find_client(a_scope(client, headers)).address == expected


@pytest.mark.parametrize(
    ("client", "value", "expected"),
    [
        ("10.0.0.1", "https", "https"),
        ("10.0.0.1", "http, HTTPS", "https"),
        ("10.0.0.1", "gopher", "http"),
        ("192.0.2.1", "https", "http"),
    ],
)
def test_the_scheme_counts_only_from_a_trusted_proxy(client: str, value: str, expected: str) -> None:
    assert TRUSTED.find_client(a_scope(client, [("x-forwarded-proto", value)])).scheme == expected


def test_nobody_is_trusted_by_default() -> None:
    assert TrustedProxies().find_client(a_scope("127.0.0.1", forwarded("203.0.113.9")))[:2] == ("127.0.0.1", False)


@pytest.mark.parametrize(
    ("client", "expected"),
    [("203.0.113.9", "203.0.113.9"), ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"), ("unix", "unix")],
)
def test_an_ipv6_customer_is_limited_as_one_network(client: str, expected: str) -> None:
    assert rate_limit_key(client) == expected
