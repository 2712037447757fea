import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWindow, take_screenshot

pytestmark = pytest.mark.thorough


def test_typing_roman_letters_offers_assamese_words_by_keyboard(window: OpenWindow) -> None:
    page = window().open("/")
    box = page.get_by_role("combobox", name="Search the dictionary")

    box.press_sequentially("pani")
    page.get_by_role("option", name="পানী pa.ni water Assamese").wait_for()
    take_screenshot(page, "suggestions-en-1280")
    while box.get_attribute("aria-activedescendant") is None or chosen(page) != "পানী":
        box.press("ArrowDown")
    box.press("Enter")

    page.wait_for_url("**/dic/*")
    expect(page.locator("h1")).to_have_text("পানী")


def chosen(page: object) -> str:
    return str(page.locator('[role="option"][aria-selected="true"] .suggested').inner_text())  # type: ignore[attr-defined]


def test_the_api_page_keeps_the_chosen_theme_and_shows_an_answer(window: OpenWindow) -> None:
    opened = window(360, color_scheme="light")
    missing: list[str] = []
    opened.page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
    opened.open("/settings").get_by_role("radio", name="Dark").check()
    opened.page.get_by_role("button", name="Save").click()
    opened.page.get_by_text("Saved.").wait_for()
    page = opened.open("/api/docs#get-api-dic-php")

    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.locator("#get-api-dic-php").get_by_role("button", name="Try it").click()
    page.locator("#get-api-dic-php output pre").wait_for()
    expect(page.locator("#get-api-dic-php output pre")).to_contain_text("পানী")
    take_screenshot(page, "api-tried-en-360")
    assert missing == []


def test_escape_closes_the_suggestions(window: OpenWindow) -> None:
    page = window().open("/")
    box = page.get_by_role("combobox", name="Search the dictionary")
    box.press_sequentially("pani")
    page.get_by_role("option").first.wait_for()

    box.press("Escape")

    expect(box).to_have_attribute("aria-expanded", "false")
    expect(box).to_have_value("pani")


def test_the_slash_key_leads_to_the_search_box(window: OpenWindow) -> None:
    page = window().open("/about")

    page.keyboard.press("/")

    assert page.evaluate("document.activeElement.id") == "q"


def test_the_assamese_keyboard_writes_into_the_field(window: OpenWindow) -> None:
    page = window(360).open("/")
    page.get_by_role("button", name="Assamese keyboard").click()

    keys = page.get_by_role("group", name="Assamese keyboard")
    keys.get_by_role("button", name="প", exact=True).click()
    page.get_by_role("option").first.wait_for()
    for letter in ("া", "ন", "ী"):
        keys.get_by_role("button", name=letter, exact=True).click()
    page.get_by_role("button", name="erase").click()
    keys.get_by_role("button", name="ী", exact=True).click()
    take_screenshot(page, "keyboard-en-360")
    page.get_by_role("button", name="Search", exact=True).click()

    page.wait_for_url("**/dic/*")
    expect(page.locator("h1")).to_have_text("পানী")


def test_the_article_is_loaded_after_the_page_with_its_source(window: OpenWindow) -> None:
    page = window().open("/dic/পানী")

    page.get_by_text("পানী এবিধ তৰল পদাৰ্থ।").wait_for()
    expect(page.get_by_text("Assamese Wikipedia · CC BY-SA 4.0")).to_be_visible()


def test_the_alphabet_leads_to_a_word(window: OpenWindow) -> None:
    page = window().open("/browse")

    page.get_by_role("link", name="ক্ষ", exact=True).click()
    page.get_by_role("heading", level=1, name="Assamese words").wait_for()
    page.locator("ol.list a").first.click()

    page.wait_for_url("**/dic/*")
    assert page.locator("h1").inner_text().startswith("ক্ষ")


def test_a_reader_chooses_language_and_theme(window: OpenWindow) -> None:
    page = window().open("/settings")

    page.get_by_text("অসমীয়া", exact=True).first.click()
    page.get_by_text("Dark", exact=True).click()
    page.get_by_role("button", name="Save").click()

    page.locator("main [role=status]").wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "as")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize("width", [320, 2000])
def test_long_words_do_not_burst_the_page(window: OpenWindow, width: int) -> None:
    page = window(width).open("/dic/" + "ক" * 200)

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_everything_works_without_a_script(window: OpenWindow) -> None:
    page = window(java_script_enabled=False).open("/")

    page.get_by_role("searchbox", name="Search the dictionary").fill("xobdo")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("heading", name="শব্দ", exact=True).first).to_be_visible()
    page.goto(page.url.partition("/dic/")[0])
    page.locator(".tiles").get_by_role("link", name="Flashcards").click()
    page.locator(".sets a").first.click()
    page.locator("summary").first.click()
    expect(page.locator(".cards .answer").first).to_be_visible()
    page.goto(page.url.partition("/flashcards")[0])
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Transliterate").click()
    page.get_by_label("Your text").fill("xobdo")
    page.get_by_role("button", name="Transliterate").click()
    expect(page.locator("output")).to_have_text("শব্দ")
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Proverbs").click()
    page.get_by_label("Find a proverb").fill("nogoi gorgaor botora")
    page.get_by_role("button", name="Find").click()
    assert re.search("নগৈ", page.locator("main").inner_text())


@pytest.mark.parametrize("path", ["/", "/dic/পানী"])
def test_the_search_field_has_room_for_a_word_in_large_text(window: OpenWindow, path: str) -> None:
    page = window(320).open(path)
    page.evaluate("document.documentElement.style.fontSize = '200%'")

    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate("document.querySelector('input[type=search]').clientWidth") >= 120


def test_lists_that_a_script_draws_do_not_push_the_footer_about(window: OpenWindow) -> None:
    page = window(360).open("/my-lists")
    page.locator("[data-my-lists]").wait_for()
    shifts = page.evaluate("""() => new Promise((resolve) => new PerformanceObserver((list) =>
        resolve(list.getEntries().map(({ value }) => value))).observe({ type: "layout-shift", buffered: true })
        || setTimeout(() => resolve([]), 500))""")
    assert sum(shifts) <= 0.02
