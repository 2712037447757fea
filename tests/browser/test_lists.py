"""The lists of the dictionary on a phone and on a wide screen, and the way to them from the menu of each page."""

import pytest

from tests.browser.conftest import HEIGHT, PHONE_WIDTH, OpenUserWindow

pytestmark = pytest.mark.thorough

BOTH = ("en", "as")
SIZES = (PHONE_WIDTH, 1280)
IN_THE_MENU = ("/account", "/recent", "/context")
TWICE = """
() => {
  const named = "nav, [role=search], form[aria-label], main section[aria-labelledby]";
  const landmarks = [...document.querySelectorAll(named)];
  const names = landmarks.map((each) => {
    const title = document.getElementById(each.getAttribute("aria-labelledby") ?? "")?.textContent.trim();
    return `${each.getAttribute("role") ?? each.localName}: ${each.getAttribute("aria-label") ?? title}`;
  });
  return names.filter((name, place) => names.indexOf(name) !== place);
}
"""
"""The landmarks of which a page has two with the same name."""


@pytest.mark.parametrize("language", BOTH)
def test_account_new_words_and_topics_are_in_the_menu_of_every_page(reading: OpenUserWindow, language: str) -> None:
    window = reading(language)
    for width in SIZES:
        window.page.set_viewport_size({"width": width, "height": HEIGHT})
        for path in ("/", "/dic/পানী", "/api/docs", "/account/sign-in"):
            page = window.open(path)
            page.locator(".menu > summary").click()
            for address in IN_THE_MENU:
                box = page.locator(f".menu a[href='{address}']").bounding_box()
                assert box, (path, address)
                assert box["y"] + box["height"] < HEIGHT, (path, address)
                assert 0 <= box["x"] <= width - box["width"], (path, address)


@pytest.mark.parametrize("language", BOTH)
def test_landmarks_of_one_page_have_names_of_their_own(reading: OpenUserWindow, language: str) -> None:
    window = reading(language, "head")
    for path in ("/account/people", "/edit/idea/1/relations?q=মাছ", "/proverbs?q=nogoi", "/edit/proverbs", "/dic/man"):
        assert window.open(path).evaluate(TWICE) == [], path


@pytest.mark.parametrize("language", BOTH)
def test_new_words_are_one_a_row(reading: OpenUserWindow, language: str) -> None:
    window = reading(language)
    for width in SIZES:
        window.page.set_viewport_size({"width": width, "height": HEIGHT})
        page = window.open("/recent")

        rows = page.locator("ol.word-list > li")
        tops = rows.evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().top)")
        words = rows.evaluate_all("rows => rows.map((row) => row.querySelectorAll('.headword').length)")
        assert len(tops) > 10
        assert len(set(tops)) == len(tops)
        assert set(words) == {1}


@pytest.mark.parametrize("language", BOTH)
def test_a_context_leads_with_headwords(reading: OpenUserWindow, language: str) -> None:
    window = reading(language)
    for width in SIZES:
        window.page.set_viewport_size({"width": width, "height": HEIGHT})
        page = window.open("/context/bird")

        ideas = page.locator("ol.ideas > li.idea")
        assert ideas.count() > 5
        first = ideas.evaluate_all(
            "ideas => ideas.map((idea) => idea.firstElementChild.querySelector('.headword') !== null)"
        )
        assert all(first)


@pytest.mark.parametrize("language", BOTH)
def test_nothing_that_asks_is_printed(reading: OpenUserWindow, language: str) -> None:
    page = reading(language).open("/dic/man")
    page.emulate_media(media="print")

    printed = page.locator("main a[href^='/account/']").evaluate_all("links => links.filter((a) => a.offsetHeight)")
    assert page.locator("main a[href^='/account/']").count() > 0
    assert printed == []
    page.emulate_media(media="screen")
