"""Fixtures for pages in a real browser: Debian's Chromium, driven by Playwright, with its own server.

Without Chromium or Playwright these tests are skipped, and one line says how to install them; with ABHIDHAN_CI set,
they fail.
"""

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import httpx2
import pytest
from playwright.sync_api import expect, sync_playwright

from abhidhan.app.database import open_dictionary
from abhidhan.app.wiring import build_write_services
from abhidhan.exchange.service.importing import import_records
from abhidhan.people.service.administration import NewAccount
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.batch_publishing import Batch, generation_lock
from abhidhan.publishing.service.download_files import Download, Downloads, Notice
from abhidhan.publishing.service.downloads import LEASE_NAME
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from abhidhan.records.submission_payloads import (
    CorrectionData,
    CorrectionSubmission,
    DefinitionData,
    IdeaData,
    ProverbData,
    ProverbSubmission,
    UserSubmission,
    WordChanges,
    WordData,
    WordSubmission,
)
from tests.support.many_senses import wide_records
from tests.support.sample import NOW
from tests.support.server import START_TIMEOUT_SECONDS, running_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

expect.set_options(timeout=START_TIMEOUT_SECONDS * 1000)

PASSWORD = "a long enough password"  # noqa: S105  # of people who exist in tests only
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SKIP_REASON = "browser tests left out: `apt-get install chromium` brings them"
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
WIDTHS = (320, 360, 1280)
PHONE_WIDTH, HEIGHT = 360, 800

LANGUAGES, SENSES, LANGUAGES_OF_EACH = 1000, 45, 370
"""Number of additional languages, and of one word's senses and the languages of each sense."""

THEMES: dict[str, Literal["light", "dark"]] = {"en": "light", "as": "dark"}
"""The theme for each interface language, so that both themes are tested at every width."""

DEFAULT_OPTIONS = {"locale": "en", "service_workers": "block"}
"""Default options of a browser context. Playwright's routes do not see requests of service workers."""

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


PENDING_SUBMISSIONS: tuple[UserSubmission, ...] = (
    WordSubmission(
        WordData("as", "পানি", meaning=IdeaData("Material Noun", definitions=(DefinitionData("as", "খোৱা বস্তু"),)))
    ),
    ProverbSubmission(ProverbData("নগৈ গড়গাঁৱৰ বাতৰি কয়", "Fokora (ফকৰা)", meaning="Tells what nobody has seen.")),
    CorrectionSubmission(CorrectionData(word_id=1, word=WordChanges(origin="সংস্কৃত"), comment="হেমকোষ")),
)
"""Pending submissions: a word, a proverb and a correction, numbered from 1."""


@dataclass
class BrowserWindow:
    """A page in the browser, and the problems recorded on it."""

    page: "Page"
    base: str
    problems: list[str] = field(default_factory=list)

    def open(self, address: str) -> "Page":
        """Open a path of the site."""
        self.page.goto(self.base + address)
        return self.page

    def sign_in(self, name: str) -> None:
        """Sign in with the form."""
        page = self.open("/account/sign-in")
        page.locator("#username").fill(name)
        page.locator("#password").fill(PASSWORD)
        page.locator("main form button").click()
        page.wait_for_url("**/account")


OpenWindow = Callable[..., BrowserWindow]


@pytest.fixture(scope="session")
def tools() -> str:
    """Return the path of the browser, or skip these tests."""
    if CHROMIUM:
        return CHROMIUM
    if os.environ.get("ABHIDHAN_CI"):
        pytest.fail(SKIP_REASON)
    pytest.skip(SKIP_REASON)


@pytest.fixture(scope="session")
def address(tools: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the starter dictionary and a thousand languages with a reader and an editor, and yield the URL."""
    assert tools
    home = tmp_path_factory.mktemp("home") / "site"
    settings = Settings(home=home)
    wide = wide_records(LANGUAGES, SENSES, LANGUAGES_OF_EACH)
    with open_dictionary(settings) as database:
        loaded = import_records(
            database, (LocatedRecord("wide", line, each) for line, each in enumerate(wide)), now=NOW
        )
        assert not loaded.errors
        asyncio.run(add_users(settings, database))
        _publish_file(database, ArtifactStore(settings.download_location))
    with running_server(home) as server:
        yield f"http://127.0.0.1:{server.port}"


def _publish_file(database: Database, store: ArtifactStore) -> None:
    """Offer a download that is not generated from the dictionary, with a takedown notice."""
    body = b"word,language\n"
    file = Download("csv", "abhidhan.csv", "text/csv", "", len(body), sha256(body).hexdigest(), "Apache-2.0", ("as",))
    notice = Notice(NOW, "Removed at the request of the rights holder.", {"abhidhan.csv": "0" * 64})
    with generation_lock(database, store, LEASE_NAME) as held:
        assert held is not None
        making = Batch(store, NOW)
        making.write(file.file, body)
        making.publish(database, held, Downloads(0, NOW, (file,), notices=(notice,)))


async def add_users(settings: Settings, database: Database) -> None:
    """Add a reader, an editor and an administrator, and the administrator's submissions."""
    write_side = build_write_services(settings, database)
    await write_side.accounts.administration.create_account(NewAccount("reader", PASSWORD), Role.READER)
    await write_side.accounts.administration.create_account(NewAccount("editor", PASSWORD), Role.EDITOR)
    head = await write_side.accounts.administration.create_account(NewAccount("head", PASSWORD), Role.ADMINISTRATOR)
    for submission in PENDING_SUBMISSIONS:
        await write_side.submissions.submit(head, submission)
    await write_side.close()


@pytest.fixture(scope="module")
def browser(address: str, tools: str) -> Iterator["Browser"]:
    """Start the browser for the tests of one file; while it runs, no other test can have an event loop."""
    assert address
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=tools, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def window(browser: "Browser", address: str) -> Iterator[OpenWindow]:
    """Open windows with a width and options of a browser context. Problems on their pages fail the test."""
    windows: list[BrowserWindow] = []

    def open_window(width: int = 1280, **options: Any) -> BrowserWindow:  # noqa: ANN401  # passed on
        context = browser.new_context(viewport={"width": width, "height": 800}, **(DEFAULT_OPTIONS | options))
        context.set_default_timeout(START_TIMEOUT_SECONDS * 1000)
        window = BrowserWindow(context.new_page(), address)
        watch_page(window)
        windows.append(window)
        return window

    yield open_window
    for each in windows:
        each.page.context.close()
    assert [problem for each in windows for problem in each.problems] == []


OpenUserWindow = Callable[..., BrowserWindow]


@pytest.fixture(scope="module")
def windows_of_readers(browser: "Browser", address: str) -> Iterator[OpenUserWindow]:
    """Open a window for each language and user; the windows stay open for all tests of a file."""
    kept: dict[tuple[str, str], BrowserWindow] = {}

    def open_for(language: str, person: str = "") -> BrowserWindow:
        if (language, person) not in kept:
            context = browser.new_context(locale=language, color_scheme=THEMES[language], service_workers="block")
            if person:
                context.add_cookies(
                    [
                        {"name": name, "value": value, "url": address}
                        for name, value in sign_in_without_browser(address, person)
                    ]
                )
            context.set_default_timeout(START_TIMEOUT_SECONDS * 1000)
            kept[language, person] = BrowserWindow(context.new_page(), address)
            watch_page(kept[language, person])
        return kept[language, person]

    yield open_for
    for each in kept.values():
        each.page.context.close()


@pytest.fixture
def reading(windows_of_readers: OpenUserWindow) -> Iterator[OpenUserWindow]:
    """Open a shared window of a language and user. Problems on its pages fail the test in which they occur."""
    used: list[BrowserWindow] = []

    def open_for(language: str, person: str = "") -> BrowserWindow:
        window = windows_of_readers(language, person)
        window.problems.clear()
        used.append(window)
        return window

    yield open_for
    assert [problem for each in used for problem in each.problems] == []


def sign_in_without_browser(address: str, name: str) -> list[tuple[str, str]]:
    """Sign in without a browser; return the cookies."""
    with httpx2.Client(base_url=address, timeout=START_TIMEOUT_SECONDS) as client:
        answer = client.post(
            "/account/sign-in", data={"username": name, "password": PASSWORD}, headers={"Origin": address}
        )
        assert answer.status_code == httpx2.codes.SEE_OTHER, answer.text
        return list(client.cookies.items())


def watch_page(window: BrowserWindow) -> None:
    """Record requests to other hosts, policy violations and script errors, and return a fixed encyclopedia article."""

    def answer_article(route: "Route") -> None:
        route.fulfill(json=ARTICLE)

    page, problems = window.page, window.problems
    page.route("**/api/dic-wiki.php*", answer_article)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda sent: None if sent.url.startswith((window.base, "blob:")) else problems.append(sent.url))
    page.on("console", lambda said: problems.append(said.text) if "Security Policy" in said.text else None)


def wait_for_expression(page: "Page", expression: str) -> None:
    """Wait until an expression is true on a page. The site's policy forbids `eval`, which `wait_for_function` uses."""
    give_up = time.monotonic() + START_TIMEOUT_SECONDS
    while not page.evaluate(expression):
        assert time.monotonic() < give_up, expression
        page.wait_for_timeout(20)


@contextmanager
def delay_request(page: "Page", address: str) -> Iterator[None]:
    """Hold up the requests for an address, such as that of a script, until the block ends."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks what it is given
    yield
    give_up = time.monotonic() + START_TIMEOUT_SECONDS
    while not held:
        assert time.monotonic() < give_up, f"{address} was not requested"
        page.wait_for_timeout(20)
    # The page and its service worker may both have requested it.
    page.unroute(address)
    for route in held:
        route.continue_()


def take_screenshot(page: "Page", name: str) -> None:
    """Store a screenshot of the page if ABHIDHAN_SCREENSHOTS=1 is set."""
    if not os.environ.get("ABHIDHAN_SCREENSHOTS"):
        return
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


def find_pending_file(page: "Page", text: str) -> "Locator":
    """Find the pending file with a text in the queue, which may also have files of other tests."""
    return page.locator("ol.queue > li").filter(has=page.locator(".comparison p", has_text=text))


def choose_photo(page: "Page", photo: Path) -> None:
    """Choose a photo, and wait for its preview: before, the form would be sent without the script."""
    page.locator("#photo").set_input_files(photo)
    page.locator(".preview").wait_for()


def approve_by_keys(page: "Page", text: str) -> None:
    """Move down the queue to the item with a text, and approve it."""
    for _ in range(page.locator("ol.queue > li").count()):
        page.keyboard.press("j")
        if find_pending_file(page, text).evaluate("item => item === document.activeElement"):
            break
    page.keyboard.press("a")
