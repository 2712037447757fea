"""The app of the guide, in a browser, on an address of its own: as whoever builds it has it at first."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from abhidhan.app.documentation.page import EXAMPLE_BASE_URL, find_code_blocks
from tests.browser.conftest import CHROMIUM, take_screenshot
from tests.support.server import START_TIMEOUT_SECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.thorough

GUIDE = Path(__file__).parents[2] / "docs/build-an-app.md"
FILES = {"html": "index.html", "js": "sw.js"}


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing of it."""

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def app(address: str, tmp_path: Path) -> Iterator[str]:
    """Serve the files of the guide from another origin than the dictionary's."""
    for language, code in find_code_blocks(GUIDE.read_text(encoding="utf-8")):
        if language in FILES:
            (tmp_path / FILES[language]).write_text(code.replace(EXAMPLE_BASE_URL, address), encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        serving.join()


@pytest.fixture
def page(browser: "Browser", app: str) -> Iterator["Page"]:
    """Open the app on a phone; errors of its script fail the test."""
    assert CHROMIUM
    context = browser.new_context(viewport={"width": 360, "height": 740})
    context.set_default_timeout(START_TIMEOUT_SECONDS * 1000)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(app)
    yield page
    context.close()
    assert problems == []


def look_up(page: "Page", text: str) -> str:
    page.locator("#word").fill(text)
    page.locator("form button").click()
    page.locator("#found li").first.wait_for()
    found: str = page.locator("#found").inner_text()
    return found


def test_the_app_looks_words_up_and_suggests_and_greets(page: "Page") -> None:
    assert "শব্দ (Assamese): word" in look_up(page, "xobdo")

    page.locator("#word").fill("pan")
    page.wait_for_selector("#suggested option", state="attached")
    page.wait_for_function("document.getElementById('today').textContent.startsWith('Today: ')")
    assert page.evaluate("JSON.parse(localStorage.kept).token.length") > 20
    take_screenshot(page, "guide-app")


def test_a_word_that_is_not_there_is_told_with_what_was_perhaps_meant(page: "Page") -> None:
    page.locator("#word").fill("পানঈঈঈ")
    page.locator("form button").click()

    page.wait_for_function("document.getElementById('said').textContent.startsWith('Did you mean')")


def test_without_a_network_the_app_opens_and_knows_what_it_has_kept(page: "Page") -> None:
    look_up(page, "xobdo")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("caches.match('./').then(Boolean)")
    # The browser itself keeps answers for five minutes; the app must do without.
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.context.set_offline(True)
    page.reload()

    assert "শব্দ (Assamese): word" in look_up(page, "xobdo")
    expect(page.locator("#said")).to_contain_text("Offline")
    assert page.locator("#today").inner_text().startswith("Today: ")

    page.context.set_offline(False)
    page.reload()
    look_up(page, "xobdo")
    expect(page.locator("#said")).to_have_text("")


def test_what_has_changed_is_forgotten(page: "Page") -> None:
    look_up(page, "xobdo")
    page.wait_for_function("JSON.parse(localStorage.kept).token")
    news = """{"data": [{"kind": "idea", "id": ID, "change": "changed", "at": ""}], "more": false, "next": "NEXT"}"""
    idea = page.evaluate("JSON.parse(localStorage.kept).words.xobdo[0].meanings[0].idea_id")
    page.route(
        "**/api/changes*",
        lambda route: route.fulfill(body=news.replace("ID", str(idea)), headers={"access-control-allow-origin": "*"}),
    )
    page.reload()

    page.wait_for_function("JSON.parse(localStorage.kept).token === 'NEXT'")
    assert page.evaluate("JSON.parse(localStorage.kept).words.xobdo") is None
