"""Pages from the answer cache: who shares one, and who never does."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import pytest

from abhidhan.platform.http import rendering
from abhidhan.platform.http.preferences import InterfacePreferences
from abhidhan.records.timestamps import DAY_SECONDS
from tests.app.pages.test_pages import MISSING, PAGES
from tests.support.contributions import Site
from tests.support.databases import SqliteDatabases
from tests.support.edits import change_record
from tests.support.pages import open_pages

WORD: Final = "/dic/পানী"
NOT_CACHED: Final = ("/account", "/downloads", "/take-along", "/cite")

Rendered = Callable[..., bool]
"""Asks for a page, and returns whether it was rendered for that."""


@pytest.fixture(scope="module")
def site(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Open the application with a reader and an editor."""
    with open_pages(sqlite_databases, tmp_path_factory.mktemp("cached")) as site:
        # The first page waits a second for the word of the day to be chosen, and is not cached without it.
        assert site.ask("GET", "/api/today").status == 200
        yield site


@pytest.fixture
def rendered(site: Site, monkeypatch: pytest.MonkeyPatch) -> Rendered:
    """Return a function that requests a page and returns whether it was rendered."""
    calls = []
    render = rendering.render

    def note(interface: InterfacePreferences, template: str, values: Mapping[str, object]) -> str:
        calls.append(template)
        return render(interface, template, values)

    monkeypatch.setattr(rendering, "render", note)

    def ask(path: str, by: str | None = None, **headers: str) -> bool:
        before = len(calls)
        answer = site.ask("GET", path, by=by, headers={name.replace("_", "-"): each for name, each in headers.items()})
        assert answer.status == 200
        return len(calls) > before

    return ask


def test_readers_with_the_same_preferences_share_a_cached_page(rendered: Rendered) -> None:
    assert rendered(WORD, accept_language="as-IN, en;q=0.5")
    for headers in (
        {"accept_language": "as"},
        {"cookie": "interface=as"},
        {"cookie": "seen=1; interface=as; theme=auto; languages=xx-unknown", "accept_language": "en"},
    ):
        assert not rendered(WORD, **headers), headers
    for headers in (
        {"accept_language": "en"},
        {"cookie": "interface=as; theme=dark"},
        {"cookie": "interface=as; languages=hi.as"},
        {"cookie": "interface=as; languages=as.hi"},
        {"cookie": "interface=as", "Host": "other.example"},
    ):
        assert rendered(WORD, **headers), headers
        assert not rendered(WORD, **headers), headers
    assert rendered(f"{WORD}/")


def test_a_page_for_a_signed_in_person_is_neither_cached_nor_from_the_cache(site: Site, rendered: Rendered) -> None:
    for path, query in PAGES:
        address = f"{path}?{query}" if query else path
        anonymous = site.ask("GET", address)
        first = site.ask("GET", address, by="editor")
        if first.status == 200:
            assert rendered(address, by="editor"), address

        again = site.ask("GET", address)

        assert again.body == anonymous.body, address
        assert "set-cookie" not in again.headers
        if again.status == 200 and not address.startswith(NOT_CACHED):
            assert not rendered(address), address
    assert rendered(WORD, cookie="abhidhan =spelled-in-another-way")
    assert rendered(WORD, authorization="Bearer somebody's")


def test_every_page_is_private_and_varies_by_cookie_and_language(site: Site) -> None:
    for path, query in (*PAGES, *MISSING, ("/browse", "language=xx"), ("/account", "")):
        for headers in ({}, {"cookie": "theme=dark"}):
            answer = site.ask("GET", f"{path}?{query}", headers=headers)

            if answer.headers["content-type"].startswith("text/html"):
                assert {"Cookie", "Accept-Language"} <= {*answer.headers["vary"].split(", ")}, path
                assert answer.headers["cache-control"] in {"private, no-cache", "no-store"}, path


def test_an_edit_is_visible_in_the_next_answer(site: Site, rendered: Rendered) -> None:
    assert not (rendered("/recent"), rendered("/recent"))[1]

    change_record(site.database, "word", 1, origin="An edited origin.")

    assert "An edited origin." in site.ask("GET", WORD).body.decode()
    assert rendered("/recent")


def test_a_cached_page_expires_on_the_next_day(rendered: Rendered, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered("/")
    assert not rendered("/")
    tomorrow = time.time() + DAY_SECONDS
    monkeypatch.setattr(time, "time", lambda: tomorrow)

    assert rendered("/")


def test_the_page_itself_contains_the_chosen_theme(site: Site) -> None:
    """So it needs no script, and nothing flashes."""
    light, dark = (site.ask("GET", WORD, headers={"cookie": f"theme={theme}"}).body for theme in ("light", "dark"))

    assert b' data-theme="light"' in light
    assert b' data-theme="dark"' in dark
    assert b'<meta name="color-scheme" content="dark">' in dark
    assert b"data-theme" not in site.ask("GET", WORD).body
