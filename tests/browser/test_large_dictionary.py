"""A dictionary of a thousand languages, on a phone and on a wide screen: short pages, folds, a reader's own choice."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import (
    HEIGHT,
    LANGUAGES,
    PHONE_WIDTH,
    SENSES,
    BrowserWindow,
    OpenUserWindow,
    OpenWindow,
    delay_request,
    take_screenshot,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.thorough

MAX_BODY_BYTES = 60_000
MAX_WORD_SCREENS = 12
MAX_LIST_SCREENS = 6
BOTH = ("en", "as")
SIZES = (PHONE_WIDTH, 1280)

PAGES = {
    "/dic/vast": MAX_WORD_SCREENS,
    "/browse": MAX_LIST_SCREENS,
    "/about": MAX_LIST_SCREENS,
    "/languages": MAX_LIST_SCREENS,
}


def screens(page: "Page") -> float:
    """Return the height of a page in screens, with everything that is drawn only when scrolled into view."""
    page.evaluate("document.querySelectorAll('.sense').forEach((each) => (each.style.contentVisibility = 'visible'))")
    return float(page.evaluate("document.documentElement.scrollHeight / innerHeight"))


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_light_and_short_whatever_the_number_of_languages(
    reading: OpenUserWindow, path: str, language: str
) -> None:
    window = reading(language)
    window.page.set_viewport_size({"width": PHONE_WIDTH, "height": HEIGHT})
    # What the browser has seen before comes without a body.
    with window.page.expect_response(lambda answer: answer.request.is_navigation_request()) as answered:
        window.open(f"{path}?fresh={language}")

    assert answered.value.headers["content-encoding"]
    assert 1_000 < answered.value.request.sizes()["responseBodySize"] <= MAX_BODY_BYTES
    assert screens(window.page) <= PAGES[path]


@pytest.mark.parametrize(("language", "code"), [("en", "en"), ("as", "as")])
def test_the_definition_is_in_the_readers_language_and_the_answer_in_their_languages(
    reading: OpenUserWindow, language: str, code: str
) -> None:
    sense = reading(language).open("/dic/vast").locator(".sense").first

    expect(sense.locator(".meaning > [lang]")).to_have_attribute("lang", code)
    expect(sense.locator(".answer a").first).to_have_attribute("lang", "as")


@pytest.mark.parametrize("language", BOTH)
def test_senses_are_numbered_within_their_language(reading: OpenUserWindow, language: str) -> None:
    page = reading(language).open("/dic/vast")
    entry = page.locator("article.entry").filter(has=page.locator(".senses > li:nth-child(45)"))

    values = entry.locator(".senses > li").evaluate_all("senses => senses.map((each) => each.value)")

    assert len(values) >= SENSES
    assert values == list(range(1, len(values) + 1))


def test_a_folded_sense_and_its_languages_are_fetched_when_they_are_opened(window: OpenWindow) -> None:
    opened = window(PHONE_WIDTH)
    asked: list[str] = []
    opened.page.on("request", lambda sent: asked.append(sent.url) if "part=" in sent.url else None)
    page = opened.open("/dic/vast")
    fold = page.locator(".sense.collapsed > details").nth(1)
    assert asked == []

    fold.locator("summary").first.press("Enter")
    languages = fold.locator(".disclosure > summary").first
    languages.wait_for()
    assert len(asked) == 1
    expect(languages).to_contain_text("37")
    languages.click()
    letter = fold.locator(".disclosure .disclosure > summary").first
    letter.click()

    expect(fold.locator(".disclosure .disclosure a").first).to_be_visible()
    assert len(asked) == 2
    assert page.url.endswith("/dic/vast")
    fold.locator("summary").first.click()
    assert languages.is_hidden()


def test_a_sense_that_is_opened_before_the_script_has_loaded_is_filled_then(window: OpenWindow) -> None:
    opened = window(PHONE_WIDTH)
    fold = opened.page.locator(".sense.collapsed > details").nth(1)

    with delay_request(opened.page, "**/lazy-details*.js"):
        opened.open("/dic/vast")
        fold.locator("summary").first.press("Enter")

    fold.locator(".disclosure > summary").first.wait_for()


def test_an_address_with_the_number_of_a_sense_opens_it(window: OpenWindow) -> None:
    page = window(PHONE_WIDTH).open("/dic/vast")
    anchor = page.locator(".sense.collapsed").nth(3).get_attribute("id")

    page = window(PHONE_WIDTH).open(f"/dic/vast#{anchor}")

    page.locator(f"[id='{anchor}'] .meaning").wait_for()


def test_folds_lead_to_whole_pages_without_a_script(window: OpenWindow) -> None:
    opened = window(PHONE_WIDTH, java_script_enabled=False)
    page = opened.open("/dic/vast")
    fold = page.locator(".sense.collapsed > details").nth(2)

    # By the keyboard: where fonts come while somebody clicks, the page moves under the pointer.
    fold.locator("summary").press("Enter")
    fold.get_by_role("link", name="Show this meaning").press("Enter")

    page.wait_for_url("**idea=*")
    page.locator(".disclosure .disclosure > summary").first.click()
    expect(page.locator(".disclosure .disclosure a").first).to_be_visible()
    opened.open("/dic/vast")
    page.locator("a[href*='language=']:not([href*='idea=']):visible").first.press("Enter")
    page.wait_for_url("**language=*")
    expect(page.locator(".sense .answer").first).to_be_visible()


# --- a reader's languages ---------------------------------------------------------------------------------------------


def add(page: "Page", name: str, wanted: str) -> None:
    """Filter the list of languages by a name, and add the one that is found."""
    page.locator("#find").fill(name)
    page.locator("#find").press("Enter")
    page.get_by_role("link", name=f"Add to my languages: {wanted}").click()
    page.locator("#mine ~ ol").get_by_text(wanted).wait_for()


@pytest.fixture
def chosen(window: OpenWindow) -> BrowserWindow:
    """Choose Hindi and a language for private use from the page of a word, and put Hindi first."""
    opened = window(PHONE_WIDTH)
    page = opened.open("/languages?back=/dic/wide1")
    add(page, "हिन्दी", "Hindi")
    add(page, "qbc", "Cqbc language")
    for _ in range(2):
        page.get_by_role("link", name="Move up: Hindi").click()
    page.get_by_role("link", name="Remove: Assamese").click()
    expect(page.locator("#mine ~ ol > li")).to_have_count(3)
    return opened


def test_my_languages_are_chosen_from_any_page_and_kept_in_their_order(chosen: BrowserWindow) -> None:
    page = chosen.page
    assert [each.split("\n")[0].strip() for each in page.locator("#mine ~ ol > li > a").all_inner_texts()] == [
        "Hindi",
        "English",
        "Cqbc language",
    ]
    take_screenshot(page, "my-languages-en-360")
    kept = next(each for each in page.context.cookies() if each["name"] == "languages")
    assert (kept["value"], kept["expires"] > 0) == ("hi.en.qaa-x-qbc", True)

    page.get_by_role("link", name="Back").click()

    page.wait_for_url("**/dic/wide1")
    shown = page.locator("article.entry .sense").first.locator(".answer a")
    codes = shown.evaluate_all("links => links.map((link) => link.lang)")
    assert "qaa-x-qbc" in codes
    assert "as" not in codes


def test_my_languages_hold_for_lists_suggestions_and_contexts(chosen: BrowserWindow) -> None:
    page = chosen.open("/browse?language=as&start=পানী")
    expect(page.locator("ol.list li").first).to_contain_text("पानी")
    expect(page.locator("nav.jumps a").first).to_have_text("Hindi")

    page = chosen.open("/")
    page.locator("#q").press_sequentially("pani")
    page.get_by_role("option").first.wait_for()
    expect(page.get_by_role("option").first.locator("[lang=hi]")).to_have_count(1)
    assert page.get_by_role("option").first.inner_text().endswith("English")

    page = chosen.open("/context/Water")
    assert page.locator("ol.ideas h2").first.inner_text().endswith("Hindi")
    page = chosen.open("/recent")
    assert page.locator("nav.jumps a").all_inner_texts()[1:4] == ["Hindi", "English", "Cqbc language"]


@pytest.mark.parametrize(("language", "found"), [("en", "Assamese"), ("as", "অসমীয়া")])
def test_a_thousand_languages_have_a_filter_and_groups_with_their_counts(
    reading: OpenUserWindow, language: str, found: str
) -> None:
    window = reading(language)
    for width in SIZES:
        window.page.set_viewport_size({"width": width, "height": HEIGHT})
        page = window.open("/languages")
        groups = page.locator(".letters a")
        counts = [int(text) for text in groups.locator("small").all_inner_texts()]
        assert sum(counts) > LANGUAGES
        assert max(counts) < LANGUAGES / 10

        groups.nth(counts.index(max(counts))).click()
        expect(page.locator("#all ~ ul.rows > li")).to_have_count(max(counts))
        page.locator("#find").fill("অসম")
        page.locator("#find").press("Enter")
        expect(page.locator("#all ~ ul.rows > li > a").first).to_have_text(found)
