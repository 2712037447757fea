"""Adding a word with its photo on a phone, words like it told before it is sent, and the button that copies a link."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import BrowserWindow, OpenWindow, choose_photo, take_screenshot
from tests.support.contributions import photo_bytes

pytestmark = pytest.mark.thorough

PHONE = 360


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """Write a photo into a file."""
    file = tmp_path / "photo.jpg"
    file.write_bytes(photo_bytes(seed=11))
    return file


def fill(window: BrowserWindow, word: str) -> None:
    """Write a word and what it means."""
    page = window.open("/account/submit/word")
    page.locator("#word").fill(word)
    page.get_by_text("More about the word").click()
    page.get_by_label("Definition, English").fill("something that only this test knows")
    page.locator("#pos").select_option(index=1)


@pytest.mark.parametrize("scripted", [True, False])
def test_a_word_is_added_with_its_photo_on_a_phone(window: OpenWindow, photo: Path, *, scripted: bool) -> None:
    word = "ফটোশব্দ" if scripted else "ছবিশব্দ"
    sender = window(PHONE, java_script_enabled=scripted)
    sender.sign_in("editor")
    fill(sender, word)
    page = sender.page
    page.locator("#photo").set_input_files(photo)
    page.get_by_label("Who took the photo?").fill("A. Photographer")
    if scripted:
        page.locator(".preview").wait_for()
        page.get_by_text("photo.jpg · 1 kB").or_(page.get_by_text("photo.jpg · 2 kB")).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
        take_screenshot(page, "word-with-photo-360")
    page.locator("main form[enctype] button:not([type=button])").click()
    if not page.url.endswith("done=sent"):
        page.get_by_text("Thank you. An editor will review your contribution.").wait_for()

    page = sender.open("/review/submissions?kind=words")
    case = page.locator("ol.queue > li").filter(has_text=word)
    case.locator("img.preview").wait_for()
    take_screenshot(page, "review-word-with-photo-360")
    case.get_by_role("button", name="Approve", exact=True).click()
    page.get_by_text("Approved.").wait_for()

    expect(window().open(f"/dic/{word}").get_by_text("Photo: A. Photographer")).to_be_visible()


def test_a_form_that_comes_back_keeps_the_photo_that_was_chosen(window: OpenWindow, photo: Path) -> None:
    sender = window(PHONE)
    sender.sign_in("editor")
    fill(sender, "চিত্ৰশব্দ")
    page = sender.page
    choose_photo(page, photo)
    button = page.locator("main form[enctype] button:not([type=button])")

    button.click()
    page.get_by_text("must have from 2 to 200 characters").wait_for()
    assert page.locator("#photo").evaluate("field => field.files.length") == 1
    expect(page.locator("#word")).to_have_value("চিত্ৰশব্দ")
    page.locator(".preview").wait_for()
    page.get_by_label("Who took the photo?").fill("A. Photographer")
    button.click()

    page.wait_for_url("**/account?done=sent")


def test_an_answer_that_is_no_form_is_told_as_it_is(window: OpenWindow, photo: Path) -> None:
    sender = window(PHONE)
    sender.sign_in("editor")
    fill(sender, "আনচিত্ৰ")
    page = sender.page
    choose_photo(page, photo)
    page.get_by_label("Who took the photo?").fill("A. Photographer")
    busy = "<title>503</title><main><h1>Too many photos come in at once</h1></main>"
    page.route("**/account/submit/word", lambda route: route.fulfill(status=503, content_type="text/html", body=busy))

    page.locator("main form[enctype] button:not([type=button])").click()

    expect(page.locator("[data-message]")).to_have_text("Too many photos come in at once")
    expect(page.locator("#word")).to_have_value("আনচিত্ৰ")


def test_words_like_it_are_shown_before_a_word_is_sent(window: OpenWindow) -> None:
    sender = window(PHONE)
    sender.sign_in("editor")
    page = sender.open("/account/submit/word")

    page.locator("#word").fill("পানী")
    page.locator("#word").blur()

    page.get_by_text("Similar words in the dictionary").wait_for()
    page.get_by_role("radio", name="Add a meaning to “পানী”").first.check()
    assert page.url.endswith("/account/submit/word")


def test_the_link_of_an_invitation_is_copied(window: OpenWindow) -> None:
    opened = window(permissions=["clipboard-read", "clipboard-write"])
    opened.sign_in("head")
    page = opened.open("/account/people")

    page.get_by_role("button", name="Create an invitation").click()
    link = page.get_by_label("Link").input_value()
    page.get_by_role("button", name="Copy link").click()

    page.get_by_text("Copied").wait_for()
    assert "/account/sign-up?invitation=" in link
    assert page.evaluate("navigator.clipboard.readText()") == link


def test_a_link_that_cannot_be_copied_is_chosen(window: OpenWindow) -> None:
    opened = window()
    opened.sign_in("head")
    page = opened.open("/account/people")
    page.context.clear_permissions()

    page.get_by_role("button", name="Create an invitation").click()
    page.evaluate("Object.defineProperty(navigator.clipboard, 'writeText', {value: () => Promise.reject()})")
    page.get_by_role("button", name="Copy link").click()

    page.wait_for_timeout(0)
    chosen = page.locator("#link").evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert chosen == page.get_by_label("Link").input_value()
