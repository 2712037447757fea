"""`docs/pages.md` lists every page that can be opened, and none that cannot."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from litestar.handlers import HTTPRouteHandler

from abhidhan.app.page_handlers import PAGE_HANDLERS

DOCUMENT: Final = Path(__file__).parents[2] / "docs/pages.md"

BY_PAGES: Final = {"/assets/{mark:str}/{name:str}", "/favicon.ico", "/opensearch/suggest"}
"""Addresses that no person opens: pages and browsers load them."""

ELSEWHERE: Final = {"/api/docs", "/api/docs/build-an-app"}
"""Addresses in the table that do not belong to the pages' own handlers."""


def routes(*, opened: bool) -> Iterator[str]:
    """Yield the paths of pages: those that can be `opened` (GET), or all of them."""
    for handler in PAGE_HANDLERS:
        assert isinstance(handler, HTTPRouteHandler)
        if not opened or "GET" in {str(method) for method in handler.http_methods}:
            yield from handler.paths


def addresses(*, first_column: bool) -> set[str]:
    """List the addresses in the table, without their queries: those of its first column, or all that it names."""
    table = DOCUMENT.read_text(encoding="utf-8").partition("## Addresses")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `/")]
    named = [row.split(" | ")[0] if first_column else row for row in rows]
    return {found.partition("?")[0] for each in named for found in re.findall(r"`(/[^`]*)`", each)}


def fits(route: str, address: str) -> bool:
    """Return whether a path of the table may belong to a route."""
    pattern = re.sub(r"\\\{\w+:(\w+)\\\}", lambda kind: ".+" if kind[1] == "path" else "[^/]+", re.escape(route))
    return re.fullmatch(pattern, address) is not None


@pytest.mark.parametrize("route", sorted(set(routes(opened=True)) - BY_PAGES))
def test_every_page_is_listed(route: str) -> None:
    assert any(fits(route, address) for address in addresses(first_column=False))


@pytest.mark.parametrize("address", sorted(addresses(first_column=True) - ELSEWHERE))
def test_every_address_that_is_listed_is_there(address: str) -> None:
    assert any(fits(route, address) for route in routes(opened=False))
