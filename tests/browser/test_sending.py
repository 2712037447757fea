"""What people send, on a phone and on a wide screen: words like theirs, the licence, missing words, and the review."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import (
    HEIGHT,
    PHONE_WIDTH,
    OpenUserWindow,
    OpenWindow,
    delay_request,
    take_screenshot,
    wait_for_expression,
)

pytestmark = pytest.mark.thorough

BOTH = ("en", "as")
SIZES = (PHONE_WIDTH, 1280)
FORMS = (
    "/account/submit/word",
    "/account/submit/proverb",
    "/account/submit/photo?idea=1",
    "/account/submit/correction?word=1",
    "/account/submit/correction?word=1&fact=word.origin",
)
ABOVE = """
() => [...document.querySelectorAll("main form[method=post] button:not([type=button])")].map((button) => {
  const terms = button.closest("form").querySelector(".terms");
  return terms !== null && terms.offsetHeight > 0 && terms.querySelector("a[rel=license]") !== null
    && terms.getBoundingClientRect().bottom <= button.getBoundingClientRect().top;
})
"""
"""Of each button that sends something, whether the licence stands above it and can be read."""


@pytest.mark.parametrize("language", BOTH)
def test_the_licence_stands_above_each_button_that_sends_something(reading: OpenUserWindow, language: str) -> None:
    window = reading(language, "head")
    for path in FORMS:
        page = window.open(path)
        for width in SIZES:
            page.set_viewport_size({"width": width, "height": HEIGHT})
            above = page.evaluate(ABOVE)
            assert above, path
            assert all(above), path


@pytest.mark.parametrize("language", BOTH)
def test_similar_words_are_shown_before_a_word_is_sent(reading: OpenUserWindow, language: str) -> None:
    window = reading(language, "head")
    for width in SIZES:
        window.page.set_viewport_size({"width": width, "height": HEIGHT})
        page = window.open("/account/submit/word")

        page.locator("#word").fill("পানী")
        page.locator("#word").blur()

        similar = page.locator("fieldset.similar")
        similar.wait_for()
        expect(similar).to_contain_text("পানী")
        box, send = similar.bounding_box(), page.locator("form.form button").last.bounding_box()
        assert box
        assert send
        assert box["y"] < send["y"]
        page.evaluate("sessionStorage.clear()")


def test_similar_words_are_shown_though_the_word_was_written_before_the_script_came(window: OpenWindow) -> None:
    opened = window(PHONE_WIDTH)
    opened.sign_in("head")
    page = opened.page
    with delay_request(page, "**/similar.js*"):
        opened.open("/account/submit/word")
        page.locator("#word").fill("পানী")
        page.locator("#word").blur()

    expect(page.locator("fieldset.similar")).to_contain_text("পানী")


def test_similar_words_are_shown_for_a_word_that_the_browser_kept(window: OpenWindow) -> None:
    opened = window(PHONE_WIDTH)
    opened.sign_in("head")
    page = opened.open("/account/submit/word")
    page.locator("#word").fill("পানী")
    wait_for_expression(page, "sessionStorage.getItem('abhidhan.form.word') !== null")

    page.reload()

    expect(page.locator("fieldset.similar")).to_contain_text("পানী")


def test_a_word_that_is_here_is_not_sent_unseen_without_a_script(window: OpenWindow) -> None:
    opened = window(PHONE_WIDTH, java_script_enabled=False)
    opened.sign_in("head")
    page = opened.open("/account/submit/word")
    page.locator("#word").fill("পানী")
    page.locator("#translation_en").fill("water")
    page.locator("#pos").select_option(index=1)

    page.locator("form.form button").last.click()

    page.locator("fieldset.similar").wait_for()
    expect(page.locator("#translation_en")).to_have_value("water")


@pytest.mark.parametrize(("locale", "width"), [("en", 360), ("as", 1280)])
def test_a_missing_word_is_reported_without_an_account(window: OpenWindow, locale: str, width: int) -> None:
    page = window(width, locale=locale).open("/dic/নাথাকশব্দ")
    page.locator("main a[href^='/account/submit/missing']").first.click()

    expect(page.locator("#word")).to_have_value("নাথাকশব্দ")
    page.locator("main form.form button").last.click()

    page.locator(".notice[role=status]").wait_for()
    assert page.url.endswith("done=sent")


def test_an_editor_sees_what_waits_and_takes_an_approval_back(window: OpenWindow) -> None:
    sender = window(PHONE_WIDTH)
    sender.sign_in("head")
    page = sender.open("/account/submit/proverb")
    page.locator("#text").fill("নতুন যোজনা পৰীক্ষা")
    page.get_by_role("button", name="Send").click()
    page.wait_for_url("**/account?done=sent")

    editor = window(PHONE_WIDTH)
    editor.sign_in("editor")
    page = editor.open("/review/submissions?kind=proverbs")
    counts = [int(text.split()[-1]) for text in page.locator("nav .tags .tag").all_inner_texts()]
    assert counts[0] == sum(counts[1:]) > 0
    expect(page.locator("nav.staff-nav .count").first).to_have_text(str(counts[0]))
    take_screenshot(page, "queue-of-proverbs-en-360")
    page.locator(".queue > li", has_text="নতুন যোজনা পৰীক্ষা").get_by_role("button", name="Approve").click()
    page.get_by_text("Approved. It is in the dictionary now.").wait_for()
    assert page.locator("nav .tags .tag").first.inner_text().split()[-1] == str(counts[0] - 1)

    page.locator(".notice[role=status]").get_by_role("button", name="Undo").click()

    page.get_by_text("Undone. It is waiting for review again.").wait_for()
    assert page.locator("nav .tags .tag").first.inner_text().split()[-1] == str(counts[0])


def test_a_change_that_was_undone_is_not_offered_to_be_undone_again(window: OpenWindow) -> None:
    opened = window(PHONE_WIDTH)
    opened.sign_in("editor")
    page = opened.open("/edit/word/40")
    page.locator("#origin").fill("of a test")
    page.get_by_role("button", name="Save", exact=True).click()
    rows = page.locator("#history ~ ol > li")
    expect(rows).to_have_count(1)

    rows.first.get_by_role("button", name="Undo").click()

    expect(rows).to_have_count(2)
    expect(rows.last.get_by_role("button", name="Undo")).to_have_count(0)
