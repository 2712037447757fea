"""Offline: what was seen before, the first page and flashcards are there; with one, nothing is ever old."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from abhidhan.dictionary.pages.offline import build_worker_script
from tests.browser.conftest import BrowserWindow, OpenWindow, take_screenshot
from tests.support.controlled_proxy import TIMEOUT_SECONDS, ControlledProxy, DelayedResponse, run_proxy

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.thorough

KEPT = """async (name) => {
  const found = [];
  for (const each of await caches.keys()) {
    if (!each.startsWith(name)) continue;
    const keys = await (await caches.open(each)).keys();
    found.push(...keys.map(({ url }) => decodeURI(url.slice(location.origin.length))));
  }
  return found;
}"""

OFFLINE_NOTICE = re.compile("You are offline. Saved copy from ")

TURNS = 600
"""How often a test looks whether something has happened that it waits for."""

OpenOnLine = Callable[..., BrowserWindow]


@pytest.fixture(scope="module")
def line(address: str) -> Iterator[ControlledProxy]:
    """Lay a line to the server."""
    with run_proxy(address) as laid:
        yield laid


@pytest.fixture
def phone(window: OpenWindow, line: ControlledProxy) -> Iterator[OpenOnLine]:
    """Open a telephone's window on that line, with a service worker of its own."""

    def open_phone(**options: Any) -> BrowserWindow:  # noqa: ANN401  # passed on
        opened = window(360, service_workers="allow", **options)
        opened.base = line.address
        return opened

    yield open_phone
    line.status = 0
    line.replacements.clear()
    line.delayed.clear()


def stored_paths(page: "Page", name: str = "abhidhan-visited-pages") -> list[str]:
    """Return the paths in a cache of the service worker."""
    found: list[str] = page.evaluate(KEPT, name)
    return found


def wait(page: "Page", is_so: Callable[[], bool]) -> None:
    """Wait until something is so that happens beside the page."""
    for _ in range(TURNS):
        if is_so():
            return
        page.wait_for_timeout(50)
    pytest.fail("waited in vain")


def visit(window: BrowserWindow, address: str) -> "Page":
    """Open a page, and wait until the worker, which may have to come first, has kept it."""
    page = window.open(address)
    wait(page, lambda: address in stored_paths(page, "abhidhan-"))
    wait(page, lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    return page


def begin(window: BrowserWindow, address: str = "/") -> "Page":
    """Open a page, and wait until the worker is at work."""
    page = window.open(address)
    wait(page, lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    return page


def cut(window: BrowserWindow, *, off: bool = True) -> None:
    """Disconnect or reconnect the network."""
    window.page.context.set_offline(off)
    wait(window.page, lambda: window.page.evaluate("navigator.onLine") is not off)


def test_what_was_seen_is_there_without_a_network(phone: OpenOnLine) -> None:
    window = phone()
    visit(window, "/dic/পানী")
    visit(window, "/flashcards?set=1")
    cut(window)

    page = window.open("/dic/পানী")
    expect(page.locator("h1.word")).to_have_text("পানী")
    page.get_by_text(OFFLINE_NOTICE).wait_for()
    assert page.evaluate("document.fonts.load('16px \"Abhidhan Assamese\"', 'প').then((found) => found.length)")
    take_screenshot(page, "offline-word")

    page = window.open("/")
    page.get_by_text(OFFLINE_NOTICE).wait_for()
    expect(page.locator("#q")).to_be_visible()

    page = window.open("/flashcards?set=1")
    page.get_by_role("button", name="Show answer").click()
    page.get_by_role("button", name="I knew it").click()
    expect(page.locator("[data-position]")).to_have_text("1 of 24")
    page.reload()
    page.locator(".flashcard").wait_for()
    expect(page.locator("[data-position]")).to_have_text("0 of 23")

    page.get_by_role("link", name="Close").click()
    page.locator(".sets progress").first.wait_for()
    expect(page.locator("[data-set='1'] [data-progress]")).to_have_text("1 of 24")
    others = page.locator("[data-set]").count() - 1
    absent = page.get_by_title("Not on this device")
    absent.nth(others - 1).wait_for()
    expect(absent).to_have_count(others)


def test_a_page_that_was_never_seen_leads_to_what_is_on_the_device(phone: OpenOnLine) -> None:
    window = phone()
    visit(window, "/dic/পানী")
    cut(window)

    page = window.open("/")
    page.locator("#q").fill("কিতাপ")
    page.keyboard.press("Enter")
    page.wait_for_url("**/dic/*")
    page.get_by_text("“কিতাপ” is not saved on this device").wait_for()
    page.locator("[data-list] a").first.wait_for()
    expect(page.locator("#q")).to_have_value("কিতাপ")
    page.get_by_text("You have not downloaded a dictionary yet.").wait_for()
    take_screenshot(page, "offline-never-seen")

    page.get_by_role("link", name="পানী", exact=True).first.click()
    page.get_by_text(OFFLINE_NOTICE).wait_for()
    expect(page.locator("h1.word")).to_have_text("পানী")

    page = window.open("/dic/কিতাপ")
    cut(window, off=False)
    page.get_by_role("link", name="Try again").click()
    page.locator("h1.word").wait_for()
    assert page.locator("[data-cached-page-notice]").is_hidden()

    page = window.open("/offline")
    page.get_by_role("button", name="Remove these pages").click()
    page.get_by_text("No pages saved yet.").wait_for()
    assert stored_paths(page) == []


def test_with_a_network_no_page_is_older_than_the_server(phone: OpenOnLine, line: ControlledProxy) -> None:
    window = phone()
    address = "/dic/পানী"
    visit(window, address)
    page = begin(window, address)
    old = page.content()
    encoded = page.evaluate("location.pathname")

    line.replacements[encoded] = old.replace("<h1", "<p id=edited>edited meanwhile</p><h1").encode()
    expect(window.open(address).locator("#edited")).to_be_visible()
    wait(page, lambda: "edited meanwhile" in page.evaluate(CONTENT, "abhidhan-visited-pages"))
    cut(window)
    expect(window.open(address).locator("#edited")).to_be_visible()
    cut(window, off=False)

    del line.replacements[encoded]
    window.open(address)
    line.status = 404
    window.open(address)
    wait(page, lambda: not stored_paths(page))


def test_a_server_that_is_just_starting_shows_the_copy_and_says_so(phone: OpenOnLine, line: ControlledProxy) -> None:
    window = phone()
    visit(window, "/dic/পানী")
    line.status = 503

    page = window.open("/dic/পানী")

    page.get_by_text("The server is not responding. Saved copy from").wait_for()
    assert window.page.goto(window.base + "/about").status == 503  # type: ignore[union-attr]


def test_nothing_of_who_was_signed_in_is_left(phone: OpenOnLine) -> None:
    window = phone()
    page = visit(window, "/dic/পানী")
    window.sign_in("editor")
    wait(page, lambda: not stored_paths(page))
    window.open("/dic/মাছ")
    visit(window, "/flashcards?set=1")
    window.open("/review/submissions")
    window.open("/account")
    assert stored_paths(page) == ["/flashcards?set=1"]

    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(window.base + "/")
    wait(page, lambda: not stored_paths(page))
    everything = {name: page.evaluate(CONTENT, name) for name in page.evaluate("caches.keys()")}
    assert not [name for name, text in everything.items() if "/edit/word" in text or "editor" in text]

    cut(window)
    window.open("/account").get_by_text("“/account” is not saved on this device").wait_for()


CONTENT = """async (name) => {
  const cache = await caches.open(name);
  const pages = (await cache.keys()).filter(({ url }) => !url.includes("/assets/"));
  const texts = pages.map(async (each) => (await cache.match(each, { ignoreVary: true })).text());
  return (await Promise.all(texts)).join("");
}"""


def test_a_form_that_cannot_be_sent_stays_as_it_is(phone: OpenOnLine) -> None:
    window = phone()
    page = begin(window, "/account/submit/missing?word=নতুনটো")
    cut(window)

    page.locator("main form button:not([type=button])").last.click()

    page.get_by_role("alert").get_by_text("You are offline. Nothing was sent").wait_for()
    expect(page.locator("main form [name=word]")).to_have_value("নতুনটো")


def test_the_worker_of_an_older_version_makes_room(phone: OpenOnLine, line: ControlledProxy) -> None:
    script = build_worker_script(works_offline=True).decode()
    mark = re.search(r'"mark":"(\w+)"', script)
    assert mark is not None
    line.replacements["/sw.js"] = script.replace(mark[1], "older").encode()
    window = phone()
    page = visit(window, "/dic/পানী")
    assert stored_paths(page, "abhidhan-files-older")

    line.replacements.clear()
    window.open("/dic/মাছ")
    wait(page, lambda: not stored_paths(page, "abhidhan-files-older"))
    assert f"/assets/{mark[1]}/style.css" in stored_paths(page, "abhidhan-files")
    assert "/dic/পানী" in stored_paths(page)


def test_the_worker_goes_where_offline_is_turned_off(phone: OpenOnLine, line: ControlledProxy) -> None:
    window = phone()
    page = visit(window, "/dic/পানী")

    without_worker(line, page)
    window.open("/")
    wait(page, lambda: has_no_worker(page))
    window.open("/")
    assert page.evaluate("navigator.serviceWorker.controller") is None
    wait(page, lambda: page.evaluate("caches.keys()") == [])


def test_the_worker_goes_although_it_was_being_asked_for_just_before(phone: OpenOnLine, line: ControlledProxy) -> None:
    window = phone()
    page = visit(window, "/dic/পানী")
    under_way = line.delayed["/sw.js"] = DelayedResponse()
    page.evaluate("navigator.serviceWorker.ready.then((registration) => void registration.update())")
    assert under_way.ready.wait(TIMEOUT_SECONDS)

    without_worker(line, page)
    window.open("/")
    # The update that the browser itself asks for a second after the page joins that one.
    page.wait_for_timeout(2500)
    under_way.released.set()
    wait(page, lambda: has_no_worker(page))


def without_worker(line: ControlledProxy, page: "Page") -> None:
    """Turn working offline off at the server: its script is another one, and its pages name none."""
    line.replacements["/sw.js"] = build_worker_script(works_offline=False)
    line.replacements["/"] = page.content().replace('data-worker="/sw.js"', "").encode()


def has_no_worker(page: "Page") -> bool:
    """Return whether the worker has gone."""
    return bool(page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0)


def test_a_change_of_language_changes_what_is_kept(phone: OpenOnLine) -> None:
    window = phone()
    page = begin(window)
    page.get_by_role("link", name="অসমীয়া", exact=True).click()
    wait(page, lambda: 'lang="as"' in page.evaluate("caches.match('/offline').then((found) => found.text())"))
    cut(window)
    expect(window.open("/dic/কিতাপ").locator("html")).to_have_attribute("lang", "as")
    page = window.open("/")
    page.get_by_text(re.compile(r", ২০[০-৯]{2}, [০-৯]{2}:[০-৯]{2}")).wait_for()


def test_the_browser_may_install_the_site(phone: OpenOnLine) -> None:
    window = phone()
    page = begin(window, "/about")
    devtools = page.context.new_cdp_session(page)

    found = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    manifest = devtools.send("Page.getAppManifest")

    # Playwright's contexts are as private windows, in which nothing is installed.
    assert [each["errorId"] for each in found] == ["in-incognito"]
    assert manifest["errors"] == []
    page.evaluate("dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt() { self.asked = true; } }))")
    page.get_by_role("button", name="Install Abhidhan").click()
    assert page.evaluate("self.asked")
