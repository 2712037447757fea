"""The answer first: what a reader sees before anything is scrolled, pressed or opened."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenUserWindow, OpenWindow, wait_for_expression
from tests.support.first_screen import IS_IN_ENTRY, MAX_ANSWER_OFFSET, MEASURE_SCRIPT, QUERIES, format_page_path

pytestmark = pytest.mark.thorough

MAX_STOPS = 6
MAX_CONTROLS = 3
FULL_SIZE = 24


@pytest.mark.parametrize("query", QUERIES)
def test_the_answer_stands_on_the_first_screen_of_a_phone(reading: OpenUserWindow, query: str) -> None:
    window = reading("en")
    window.page.set_viewport_size({"width": 360, "height": 640})
    page = window.open(format_page_path(query))
    wait_for_expression(page, "document.fonts.status === 'loaded'")
    measured = page.evaluate(MEASURE_SCRIPT)

    assert measured["bottom"] <= MAX_ANSWER_OFFSET
    assert measured["text"]
    assert measured["size"] >= (FULL_SIZE if page.locator("h1.word:not(.long)").count() else 20)
    assert (measured["bar"], measured["mark"], measured["overflow"]) == (56, 32, 0)
    assert measured["controls"] <= MAX_CONTROLS


@pytest.mark.parametrize("query", ["পানী", "watter", "mother in law"])
def test_at_four_times_the_size_the_meaning_stands_on_the_second_screen(window: OpenWindow, query: str) -> None:
    page = window(320).open(format_page_path(query))
    page.set_viewport_size({"width": 320, "height": 256})

    assert page.evaluate(MEASURE_SCRIPT)["bottom"] <= 2 * 256
    assert page.evaluate(MEASURE_SCRIPT)["overflow"] == 0


@pytest.mark.parametrize("width", [360, 1280])
def test_few_presses_of_the_tab_key_lead_to_the_entry(window: OpenWindow, width: int) -> None:
    page = window(width).open("/dic/পানী")
    page.locator("[data-star] button, button.star").first.wait_for()

    for _ in range(MAX_STOPS + 1):
        page.keyboard.press("Tab")
        if page.evaluate(IS_IN_ENTRY):
            break

    assert page.evaluate(IS_IN_ENTRY)


def test_on_the_first_page_the_search_field_comes_first_and_is_large(window: OpenWindow) -> None:
    page = window(360).open("/")

    field = page.locator("main .search-box input")
    assert field.bounding_box()["height"] == 52  # type: ignore[index]
    assert field.bounding_box()["y"] < 160  # type: ignore[index]


@pytest.mark.parametrize("script", [True, False])
def test_the_menus_of_the_bar_and_of_a_sense_open_by_keyboard_with_and_without_a_script(
    window: OpenWindow,
    script: bool,  # noqa: FBT001  # a parameter of the test
) -> None:
    page = window(360, java_script_enabled=script).open("/dic/পানী")

    for menu, entry in ((".menu", "Settings"), (".sense details.more", "Add a photo")):
        page.locator(f"{menu} > summary").first.press("Enter")
        expect(page.locator(menu).first.get_by_role("link", name=entry)).to_be_visible()
    page.locator(".menu > summary").press("Enter")
    page.get_by_role("link", name="Settings").first.click()
    page.wait_for_url("**/settings")


def test_the_forms_of_a_verb_fit_a_phone(window: OpenWindow) -> None:
    page = window(360).open("/dic/কৰিছিলোঁ")
    page.get_by_text("Inflected forms", exact=True).click()

    assert page.locator(".forms mark").first.inner_text().strip() == "কৰিছিলোঁ"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("document.querySelector('.forms .scroll').scrollWidth") <= 330
