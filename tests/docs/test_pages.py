"""`docs/pages.md` lists every page that can be opened, and none that cannot."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from litestar.handlers import HTTPRouteHandler

from abhidhan.app.page_handlers import PAGE_HANDLERS

DOCUMENT: Final = Path(__file__).parents[2] / "docs/pages.md"

BY_PAGES: Final = {"/assets/{mark:str}/{name:str}", "/favicon.ico", "/opensearch/suggest"}
"""Addresses that no person opens: pages and browsers load them."""

ELSEWHERE: Final = {"/api/docs", "/api/docs/build-an-app"}
"""Addresses in the table that do not belong to the pages' own handlers."""


def iter_routes(*, only_get: bool) -> Iterator[str]:
    """Yield the paths of pages: those that answer GET, or all of them."""
    for handler in PAGE_HANDLERS:
        assert isinstance(handler, HTTPRouteHandler)
        if not only_get or "GET" in {str(method) for method in handler.http_methods}:
            yield from handler.paths


def list_addresses(*, first_column: bool) -> set[str]:
    """List the addresses in the table, without their queries: those of its first column, or all that it names."""
    table = DOCUMENT.read_text(encoding="utf-8").partition("## Addresses")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `/")]
    named = [row.split(" | ")[0] if first_column else row for row in rows]
    return {address.partition("?")[0] for each in named for address in re.findall(r"`(/[^`]*)`", each)}


def matches(route: str, address: str) -> bool:
    """Return whether a path of the table may belong to a route."""
    pattern = re.sub(r"\\\{\w+:(\w+)\\\}", lambda kind: ".+" if kind[1] == "path" else "[^/]+", re.escape(route))
    return re.fullmatch(pattern, address) is not None


def test_every_page_is_listed() -> None:
    listed = list_addresses(first_column=False)
    pages = set(iter_routes(only_get=True)) - BY_PAGES
    assert [route for route in pages if not any(matches(route, address) for address in listed)] == []


def test_every_listed_address_exists() -> None:
    routes = list(iter_routes(only_get=False))
    listed = list_addresses(first_column=True) - ELSEWHERE
    assert [address for address in listed if not any(matches(route, address) for route in routes)] == []
