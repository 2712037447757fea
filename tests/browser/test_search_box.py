"""The search box on a phone, and what it offers."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import HEIGHT, OpenUserWindow, OpenWindow, take_screenshot
from tests.browser.conftest import PHONE_WIDTH as WIDTH

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.thorough

CLOSED_AFTER = 300
"""Milliseconds after which, at the latest, suggestions have gone from a field that was left."""

PROVERB = "অতি ভক্তি চোৰৰ লক্ষণ"


def test_on_a_phone_suggestions_stand_above_the_letters_which_take_half_of_the_screen(reading: OpenUserWindow) -> None:
    window = reading("en")
    window.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    for address in ("/", "/dic/পানী"):
        page = window.open(address)
        page.locator("#q").fill("")
        page.get_by_role("button", name="Assamese keyboard").click()
        keys = page.get_by_role("group", name="Assamese keyboard")

        keys.get_by_role("button", name="প", exact=True).click()
        option = page.get_by_role("option").first
        option.wait_for()

        panel, offered, box = keys.bounding_box(), page.get_by_role("listbox").bounding_box(), option.bounding_box()
        assert panel
        assert offered
        assert box
        assert panel["height"] <= HEIGHT / 2
        assert offered["y"] >= 0
        assert offered["y"] + offered["height"] <= panel["y"]
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        assert page.evaluate("({x, y}) => document.elementFromPoint(x, y).closest('[role=option]') !== null", at)
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
        for key in ("space", "erase"):
            found = keys.get_by_role("button", name=key).bounding_box()
            assert found
            assert found["y"] + found["height"] <= HEIGHT
        take_screenshot(page, f"keyboard-{'first' if address == '/' else 'word'}-en-360")


def test_a_suggestion_tells_its_language_as_the_reader_calls_it(reading: OpenUserWindow) -> None:
    page = reading("as").open("/")

    page.locator("#q").press_sequentially("pani")
    option = page.get_by_role("option").first
    option.wait_for()

    assert [span.inner_text() for span in option.locator("span").all()] == ["পানী", "pa.ni", "water", "অসমীয়া"]


def test_what_was_typed_before_the_scripts_came_keeps_its_suggestions(window: OpenWindow) -> None:
    opened = window(WIDTH)
    page = opened.page
    suggesting: list[Route] = []
    page.route("**/suggest.js", lambda route: suggesting.append(route))  # noqa: PLW0108  # Playwright marks what it is given
    with page.expect_request("**/suggest.js"):
        opened.open("/")
    page.locator("#q").press_sequentially("pani")

    suggesting[0].continue_()
    page.get_by_role("combobox").wait_for()

    option = page.get_by_role("option").first
    option.wait_for()
    page.wait_for_timeout(CLOSED_AFTER)
    expect(option).to_be_visible()


@pytest.mark.parametrize("language", ["en", "as"])
def test_what_is_right_stands_above_what_may_be_meant(reading: OpenUserWindow, language: str) -> None:
    window = reading(language)
    for width in (WIDTH, 1280):
        window.page.set_viewport_size({"width": width, "height": HEIGHT})
        page = window.open("/dic/man")

        assert top_of(page, "article.entry") < top_of(page, ".did-you-mean")


@pytest.mark.parametrize("language", ["en", "as"])
def test_a_proverb_is_the_first_that_its_words_find_and_those_of_its_meaning(
    reading: OpenUserWindow, language: str
) -> None:
    window = reading(language)
    for width in (WIDTH, 1280):
        window.page.set_viewport_size({"width": width, "height": HEIGHT})
        for words in (PROVERB, "devotion thief"):
            page = window.open(f"/dic/{words}")
            place = "main h1" if words == PROVERB else "main .proverb-list a"

            assert page.locator(place).first.inner_text().startswith(PROVERB)
            expect(page.locator("main h1, main .proverb-list a", has_text=PROVERB)).to_have_count(1)
            assert top_of(page, place) < HEIGHT
            if words != PROVERB:
                assert top_of(page, place) < top_of(page, "article.entry, .proverb-list li:nth-child(2)")


def top_of(page: "Page", selector: str) -> float:
    """Return how far below the top of the screen the first of some elements begins."""
    box = page.locator(selector).first.bounding_box()
    assert box
    return box["y"]
