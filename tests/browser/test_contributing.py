from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import (
    OpenWindow,
    approve_by_keys,
    choose_photo,
    delay_request,
    find_pending_file,
    take_screenshot,
)
from tests.support.contributions import photo_bytes
from tests.support.server import START_TIMEOUT_SECONDS

pytestmark = pytest.mark.thorough


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """Write a photo into a file."""
    file = tmp_path / "photo.jpg"
    file.write_bytes(photo_bytes(seed=7))
    return file


@pytest.mark.parametrize("scripted", [True, False])
def test_a_photo_goes_from_the_form_to_the_page_of_its_word(
    window: OpenWindow, tmp_path: Path, *, scripted: bool
) -> None:
    word = "চৰাই" if scripted else "হাতী"
    file = tmp_path / "photo.jpg"
    file.write_bytes(photo_bytes(seed=3 if scripted else 4))
    reader = window(360, java_script_enabled=scripted)
    reader.sign_in("reader")
    page = reader.open(f"/dic/{word}")

    page.locator(".sense details.more > summary").first.click()
    page.get_by_role("link", name="Add a photo").first.click()
    page.get_by_label("Who took the photo?").fill("A. Photographer")
    page.locator("#photo").set_input_files(file)
    if scripted:
        page.locator(".preview").wait_for()
        take_screenshot(page, "photo-preview-en-360")
    page.get_by_role("button", name="Send photo").click()
    page.get_by_text("Thank you. An editor will review the photo.").wait_for()

    editor = window(java_script_enabled=scripted)
    editor.sign_in("editor")
    page = editor.open("/review/photos")
    take_screenshot(page, "queue-en-1280")
    keys = page.get_by_text("Keyboard: J and K")
    if scripted:
        keys.wait_for()
        approve_by_keys(page, word)
    else:
        assert not keys.is_visible(), "keys are named that do nothing without the script"
        find_pending_file(page, word).get_by_role("button", name="Approve").click()
    page.get_by_text("Approved.").wait_for()

    page = window().open(f"/dic/{word}")
    expect(page.get_by_text("Photo: A. Photographer")).to_be_visible()
    photo = page.locator(".picture img").first
    photo.scroll_into_view_if_needed()
    assert photo.evaluate("image => image.decode().then(() => image.naturalWidth)") == 64
    take_screenshot(page, f"word-with-photo-{word}-en-1280")


def test_what_is_wrong_with_a_file_is_told_before_it_is_sent(window: OpenWindow, tmp_path: Path) -> None:
    big, text = tmp_path / "big.jpg", tmp_path / "text.txt"
    big.write_bytes(b"x" * 3_200_000)
    text.write_bytes(b"text")
    opened = window()
    opened.sign_in("reader")
    page = opened.open("/account/submit/photo?idea=1")

    page.locator("#photo").set_input_files(big)
    page.get_by_text("This file is larger than 3 MB.").wait_for()
    page.locator("#photo").set_input_files(text)
    page.get_by_text("Only JPEG, PNG, GIF and WebP can be sent.").wait_for()
    take_screenshot(page, "photo-refused-en-1280")


def test_a_lost_connection_loses_nothing(window: OpenWindow, photo: Path) -> None:
    opened = window()
    opened.sign_in("reader")
    page = opened.open("/account/submit/photo?idea=1")
    page.get_by_label("Who took the photo?").fill("A. Photographer")
    choose_photo(page, photo)

    page.context.set_offline(True)
    page.get_by_role("button", name="Send photo").click()
    page.get_by_text("You are offline.").wait_for()
    page.context.set_offline(False)
    page.route("**/account/submit/photo", lambda route: route.abort())
    page.get_by_role("button", name="Send again").click()
    page.get_by_text("Connection lost.").wait_for()
    page.unroute("**/account/submit/photo")
    page.get_by_role("button", name="Send again").click()

    page.wait_for_url("**/account?done=photo")


def test_a_session_that_ended_is_told_and_nothing_is_lost(window: OpenWindow, photo: Path) -> None:
    opened = window()
    opened.sign_in("reader")
    page = opened.open("/account/submit/photo?idea=1")
    page.get_by_label("Who took the photo?").fill("A. Photographer")
    choose_photo(page, photo)
    page.context.clear_cookies()

    page.get_by_role("button", name="Send photo").click()

    page.get_by_text("Your session has ended.").wait_for()
    expect(page.get_by_label("Who took the photo?")).to_have_value("A. Photographer")


def test_the_back_button_after_a_post_shows_no_old_form(window: OpenWindow) -> None:
    opened = window()
    opened.sign_in("reader")

    opened.page.go_back()

    assert "/account" in opened.page.url


def until_kept(page: Page, text: str) -> None:
    """Wait until a text is kept."""
    assert _until_is_kept(page, text, wanted=True), f"{text} was not kept"


def until_forgotten(page: Page, text: str) -> None:
    """Wait until a text is kept no longer: the script of the page that says that it was taken forgets it."""
    assert _until_is_kept(page, text, wanted=False), f"{text} is still kept"


def _until_is_kept(page: Page, text: str, *, wanted: bool) -> bool:
    """Wait for it, a while. The page's own policy forbids Playwright to wait by a function of JavaScript."""
    for _ in range(START_TIMEOUT_SECONDS * 20):
        if (text in str(page.evaluate("Object.values(sessionStorage)"))) == wanted:
            return True
        page.wait_for_timeout(50)
    return False


def test_what_is_typed_is_kept_until_it_is_sent(window: OpenWindow) -> None:
    opened = window(360)
    page = opened.open("/account/submit/correction?word=1")

    page.get_by_role("link", name="Correct: water").first.click()
    page.get_by_label("Corrected text").fill("watter")
    page.get_by_label("Why, or where you found it").fill("A book")
    until_kept(page, "A book")
    page.go_back()
    page.go_forward()
    page.reload()
    expect(page.get_by_label("Why, or where you found it")).to_have_value("A book")
    page.get_by_label("Corrected text").fill("watter")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Thank you. An editor will review your contribution.").wait_for()
    until_forgotten(page, "A book")

    page = opened.open("/account/submit/correction?word=1&fact=word.word")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_label("Why, or where you found it")).to_have_value("")


def test_a_photo_that_was_chosen_before_the_script_came_is_shown_too(window: OpenWindow, tmp_path: Path) -> None:
    file = tmp_path / "photo.jpg"
    file.write_bytes(photo_bytes(seed=5))
    opened = window(360)
    opened.sign_in("reader")
    page = opened.page
    with delay_request(page, "**/photo-upload*.js"):
        opened.open("/account/submit/photo?idea=1")
        page.locator("#photo").set_input_files(file)

    page.locator(".preview").wait_for()


def test_what_is_typed_before_the_script_comes_is_kept_too(window: OpenWindow) -> None:
    page = window(360).open("/account/submit/correction?word=1")
    with delay_request(page, "**/form-draft*"):
        page.get_by_role("link", name="Correct: water").first.click()
        page.get_by_label("Why, or where you found it").fill("A letter")
        assert page.evaluate("sessionStorage.length") == 0

    until_kept(page, "A letter")


def test_an_administrator_gives_a_role_by_keyboard_without_javascript(window: OpenWindow) -> None:
    opened = window(360, java_script_enabled=False)
    opened.sign_in("head")
    opened.page.get_by_role("link", name="People").click()
    opened.page.get_by_role("link", name="reader").click()

    page = opened.page
    page.get_by_role("radio", name="Contributor can also send words").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("The new role takes effect immediately.").wait_for()

    page.get_by_role("radio", name="Reader can send photos and recordings").check()
    page.get_by_role("button", name="Change role").click()
    page.get_by_text("The new role takes effect immediately.").wait_for()
    page.get_by_role("button", name="Create a password reset link").click()
    assert "/account/reset?token=" in page.get_by_label("Link").input_value()
    take_screenshot(page, "person-with-link-en-360")
