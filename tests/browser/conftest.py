"""The pages in a real browser: Debian's Chromium, driven by Playwright, over a server of its own.

Without a Chromium or Playwright these tests are left out, and one line says how to get them; where ABHIDHAN_CI is set,
that is a failure.
"""

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from abhidhan.domain.people import Role
from abhidhan.opening import open_dictionary
from abhidhan.services.accounts import NewAccount
from abhidhan.settings import Settings
from abhidhan.storage.database import Database
from abhidhan.writing import open_write_side
from tests.support.server import running_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

PASSWORD = "a long enough password"  # noqa: S105  # of people who exist in tests only
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HOW = "browser tests left out: `apt-get install chromium` and `pip install playwright axe-playwright-python` bring them"
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
WIDTHS = (360, 1280)

ARTICLE = {
    "success": True,
    "title": "পানী",
    "extract": "পানী এবিধ তৰল পদাৰ্থ।",
    "url": "https://as.wikipedia.org/wiki/পানী",
    "source": "Assamese Wikipedia",
    "language_id": 2,
    "licence": "CC BY-SA 4.0",
    "retrieved": "2026-11-20T08:15:00Z",
}


@dataclass
class Window:
    """A page in the browser, and what went wrong on it."""

    page: "Page"
    base: str
    problems: list[str] = field(default_factory=list)

    def open(self, address: str) -> "Page":
        """Open an address of the site."""
        self.page.goto(self.base + address)
        return self.page

    def sign_in(self, name: str) -> None:
        """Sign in by the form."""
        page = self.open("/account/sign-in")
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/account")


OpenWindow = Callable[..., Window]


@pytest.fixture(scope="session")
def tools() -> str:
    """Find the browser, or leave these tests out."""
    if CHROMIUM and find_spec("playwright") and find_spec("axe_playwright_python"):
        return CHROMIUM
    if os.environ.get("ABHIDHAN_CI"):
        pytest.fail(HOW)
    pytest.skip(HOW)


@pytest.fixture(scope="session")
def address(tools: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the starter dictionary with a reader and an editor, and tell the address."""
    assert tools
    home = tmp_path_factory.mktemp("home") / "site"
    settings = Settings(home=home)
    with open_dictionary(settings) as database:
        asyncio.run(_add_people(settings, database))
    with running_server(home) as server:
        yield f"http://127.0.0.1:{server.port}"


async def _add_people(settings: Settings, database: Database) -> None:
    write_side = open_write_side(settings, database)
    await write_side.accounts.add(NewAccount("reader", PASSWORD), Role.READER)
    await write_side.accounts.add(NewAccount("editor", PASSWORD), Role.EDITOR)
    await write_side.close()


@pytest.fixture(scope="module")
def browser(address: str, tools: str) -> Iterator["Browser"]:
    """Start the browser for the tests of one file: while it runs, no other test can have an event loop."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # an optional tool

    assert address
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=tools, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def window(browser: "Browser", address: str) -> Iterator[OpenWindow]:
    """Open windows: their width, and what a browser context takes. Problems on their pages fail the test."""
    windows: list[Window] = []

    def open_window(width: int = 1280, **options: Any) -> Window:  # noqa: ANN401  # passed on
        context = browser.new_context(viewport={"width": width, "height": 800}, **({"locale": "en"} | options))
        window = Window(context.new_page(), address)
        _watch(window)
        windows.append(window)
        return window

    yield open_window
    for each in windows:
        each.page.context.close()
    assert [problem for each in windows for problem in each.problems] == []


def _watch(window: Window) -> None:
    """Note requests to other hosts, violations of the policy and errors of scripts."""

    def answer_article(route: "Route") -> None:
        route.fulfill(json=ARTICLE)

    page, problems = window.page, window.problems
    page.route("**/api/dic-wiki.php*", answer_article)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda sent: None if sent.url.startswith((window.base, "blob:")) else problems.append(sent.url))
    page.on("console", lambda said: problems.append(said.text) if "Security Policy" in said.text else None)


def shoot(page: "Page", name: str) -> None:
    """Keep a picture of the page for people to look at."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
