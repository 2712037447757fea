"""Sharing a word and a meaning: by the phone's own sharing, or by copying the address."""

import re
from typing import TYPE_CHECKING

from tests.browser.conftest import PHONE_WIDTH, OpenWindow, take_screenshot

if TYPE_CHECKING:
    from playwright.sync_api import Page
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.thorough

SHARING = """
window.shared = [];
Object.defineProperty(navigator, "share", { value: async (what) => {
  window.shared.push(what);
  document.documentElement.dataset.shared = "";
} });
Object.defineProperty(navigator, "canShare", { value: () => true });
"""
NO_SHARING = """
Object.defineProperty(navigator, "share", { value: undefined });
"""
NO_COPYING = NO_SHARING + 'Object.defineProperty(navigator, "clipboard", { value: undefined });'


def open_tools(page: "Page") -> None:
    """Open the menu of the first sense."""
    page.locator(".sense details.more > summary").first.click()


def test_a_phone_shares_the_address_of_a_meaning_that_stays(window: OpenWindow) -> None:
    opened = window(PHONE_WIDTH)
    opened.page.add_init_script(SHARING)
    page = opened.open("/dic/পানী")

    open_tools(page)
    page.get_by_role("button", name="Share this meaning").first.click()

    page.locator("html[data-shared]").wait_for()
    [what] = page.evaluate("window.shared")
    assert what["title"] == "পানী"
    assert re.fullmatch(re.escape(opened.base) + r"/sense/\d+", what["url"])
    assert "/dic/" in page.url
    page.goto(what["url"])
    expect(page.locator("h1")).to_have_text("পানী")
    expect(page.locator(".sense")).to_have_count(1)


def test_where_nothing_shares_the_address_is_copied_by_the_keyboard_too(window: OpenWindow) -> None:
    opened = window(permissions=["clipboard-read", "clipboard-write"])
    opened.page.add_init_script(NO_SHARING)
    page = opened.open("/dic/পানী")

    open_tools(page)
    page.get_by_role("button", name="Share this word").first.press(" ")

    page.get_by_text("Link copied").wait_for()
    take_screenshot(page, "share-copied-en-1280")
    assert re.fullmatch(re.escape(opened.base) + r"/word/\d+", page.evaluate("navigator.clipboard.readText()"))


def test_where_nothing_can_be_copied_the_address_is_shown_to_copy_by_hand(window: OpenWindow) -> None:
    opened = window()
    opened.page.add_init_script(NO_COPYING)
    page = opened.open("/dic/পানী")

    open_tools(page)
    page.get_by_role("button", name="Share this word").first.click()

    field = page.locator(".shared input")
    field.wait_for()
    assert field.input_value().startswith(opened.base + "/word/")


def test_without_a_script_the_link_leads_to_the_address_that_stays(window: OpenWindow) -> None:
    opened = window(java_script_enabled=False)
    page = opened.open("/dic/পানী")

    open_tools(page)
    page.get_by_role("link", name="Share this meaning").first.click()

    assert "idea=" in page.url
    page.get_by_role("link", name="A random word").click()
    assert "/dic/" in page.url


def test_how_a_meaning_is_cited_is_copied(window: OpenWindow) -> None:
    opened = window(PHONE_WIDTH, permissions=["clipboard-read", "clipboard-write"])
    page = opened.open("/dic/পানী")

    open_tools(page)
    page.get_by_role("link", name="Cite").first.click()
    page.get_by_role("button", name="Copy").first.click()
    page.get_by_text("Copied").first.wait_for()
    take_screenshot(page, "cite-en-360")

    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("“পানী” (Assamese: water). In: Abhidhan.")
    page.get_by_text("BibTeX").click()
    expect(page.locator("details[open] pre")).to_contain_text("@incollection{")
