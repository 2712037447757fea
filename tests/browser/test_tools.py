from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenUserWindow, OpenWindow, delay_request, take_screenshot

pytestmark = pytest.mark.thorough


def test_transliteration_is_written_while_one_types_and_readings_can_be_chosen(window: OpenWindow) -> None:
    page = window().open("/transliterate")

    page.get_by_label("Your text").press_sequentially("moi xobdo")
    page.get_by_text("Other possible spellings").wait_for()
    written = page.locator("output")
    assert written.inner_text().endswith("শব্দ")
    other = page.locator("[data-readings] button").first
    other.click()

    assert written.inner_text().startswith(other.inner_text())
    take_screenshot(page, "readings-en-1280")


def test_a_result_is_copied_and_the_button_shown_only_with_one(window: OpenWindow) -> None:
    page = window(permissions=["clipboard-read", "clipboard-write"]).open("/transliterate")
    copy = page.get_by_role("button", name="Copy")
    assert copy.is_hidden()

    page.get_by_label("Your text").fill("শব্দ")
    copy.click()
    page.get_by_text("Copied").wait_for()

    assert page.evaluate("navigator.clipboard.readText()") == "xob.do"


def test_the_other_direction_and_a_scheme(window: OpenWindow) -> None:
    page = window().open("/transliterate")

    page.get_by_label("Your text").fill("শব্দ")
    page.get_by_label("Romanization").select_option("iso15919")
    page.locator("output").filter(has_text="śa").wait_for()


def test_what_was_typed_before_the_script_came_is_written_too(window: OpenWindow) -> None:
    opened = window()
    page = opened.page
    with delay_request(page, "**/transliterate*.js*"):
        opened.open("/transliterate")
        page.get_by_label("Your text").fill("শব্দ")

    page.locator("output").filter(has_text="xob.do").wait_for()


def test_words_are_offered_for_what_was_typed_before_the_script_came(window: OpenWindow) -> None:
    opened = window()
    page = opened.page
    with delay_request(page, "**/suggest*.js*"):
        opened.open("/")
        page.locator("#q").press_sequentially("wat")

    page.get_by_role("option").first.wait_for()


def test_typing_roman_letters_into_an_assamese_field_offers_the_word(window: OpenWindow) -> None:
    page = window().open("/proverbs")
    field = page.get_by_role("combobox", name="Find a proverb")

    field.press_sequentially("pani")
    page.get_by_role("option").first.click()

    expect(field).to_have_value("পানী")


def test_flashcards_are_flipped_and_remembered(window: OpenWindow) -> None:
    page = window(360, has_touch=True).open("/flashcards?set=1")
    done = page.locator("[data-position]")
    page.locator(".flashcard").wait_for()
    expect(done).to_have_text("0 of 24")

    page.locator(".flashcard").tap()
    take_screenshot(page, "card-en-360")
    page.get_by_role("button", name="I knew it").tap()
    expect(done).to_have_text("1 of 24")
    page.keyboard.press("Enter")
    page.keyboard.press("j")
    expect(done).to_have_text("1 of 24")

    page.reload()
    page.locator(".flashcard").wait_for()
    expect(done).to_have_text("0 of 23")


def test_a_card_is_asked_and_answered_within_a_phone_window(window: OpenWindow) -> None:
    page = window(360).open("/flashcards?set=1")
    page.set_viewport_size({"width": 360, "height": 640})
    expect(page.locator("header")).to_have_count(0)

    def bottom(name: str) -> float:
        box = page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        return box["y"] + box["height"]

    assert bottom("Show answer") <= 640
    page.locator(".flashcard").click()
    answer = page.locator(".card-controls [data-answer] a").first.bounding_box()
    assert answer is not None
    assert answer["y"] + answer["height"] <= min(bottom("Not yet"), bottom("I knew it")) <= 640
    assert page.evaluate("scrollY") == 0


def test_flashcards_are_played_to_their_end_by_keyboard(window: OpenWindow) -> None:
    page = window().open("/flashcards?set=1")
    page.locator(".flashcard").wait_for()
    page.locator("h1").click()

    for _ in range(200):
        if page.get_by_text("Well done!").first.is_visible():
            break
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")

    expect(page.get_by_role("button", name="Practise all again")).to_be_visible()
    take_screenshot(page, "cards-done-en-1280")
    page.get_by_role("button", name="Reset progress").click()
    expect(page.locator(".flashcard")).to_be_visible()


def test_the_list_of_sets_tells_what_is_known_of_each(reading: OpenUserWindow) -> None:
    page = reading("en").open("/flashcards?set=1")
    page.locator(".flashcard").click()
    page.get_by_role("button", name="I knew it").click()
    page.locator(".flashcard").click()
    page.get_by_role("button", name="Not yet").click()

    page.get_by_role("link", name="Close").click()

    page.locator("[data-set='1'] progress").wait_for()
    expect(page.locator("[data-set='1'] [data-progress]")).to_have_text("1 of 24 1 due")
    page.get_by_role("link", name="Practise the card due today").click()
    page.locator(".flashcard").click()
    page.get_by_role("button", name="I knew it").click()
    page.get_by_text("Next cards due tomorrow.").wait_for()
    page.get_by_role("link", name="Close").click()
    page.locator("[data-set='1'] progress").wait_for()
    expect(page.locator("[data-set='1'] [data-progress]")).to_have_text("2 of 24")
    page.evaluate("localStorage.clear()")


def test_progress_is_saved_to_a_file_and_loaded_from_one(reading: OpenUserWindow, tmp_path: Path) -> None:
    page = reading("en").open("/flashcards")
    # As earlier versions stored it, without the time of the answer.
    page.evaluate("localStorage.setItem('abhidhan.cards.1', JSON.stringify({ 1: { box: 2, due: 99999 } }))")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save to a file").click()
    saved = tmp_path / "progress.json"
    saved.write_bytes(Path(download.value.path()).read_bytes())

    page.evaluate("localStorage.setItem('abhidhan.cards.1', JSON.stringify({ 2: { box: 1, due: 99999, at: 5 } }))")
    page.locator("input[type=file]").set_input_files(saved)
    page.get_by_text("Progress with 1 cards loaded.").wait_for()
    expect(page.locator("[data-set='1'] [data-progress]")).to_have_text("2 of 24")

    saved.write_text('{"sets": {"1": {"1": {"box": 99, "due": -1}}, "__proto__": {}}, "more": 1}')
    page.locator("input[type=file]").set_input_files(saved)
    page.get_by_text("Progress with 0 cards loaded.").wait_for()
    saved.write_text("[]")
    page.locator("input[type=file]").set_input_files(saved)
    page.get_by_text("This file contains no flashcard progress.").wait_for()
    page.evaluate("localStorage.clear()")


def test_a_picture_is_shown_with_the_answer(reading: OpenUserWindow) -> None:
    page = reading("en").open("/flashcards?set=1")

    page.locator(".flashcard").wait_for()
    expect(page.locator(".flashcard .emoji")).to_have_count(0)
    page.locator(".flashcard").click()
    expect(page.locator(".flashcard .emoji")).to_have_text("🐘")


def test_what_is_printed_of_a_word_asks_for_nothing(reading: OpenUserWindow) -> None:
    page = reading("en").open("/dic/পানী")
    expect(page.get_by_text("Suggest a correction").first).to_be_visible()

    page.emulate_media(media="print")

    for asked in page.locator(".action, .site-header, .site-footer, form, .entry-footer .tap-target").all():
        expect(asked).not_to_be_visible()
    expect(page.get_by_text("Abhidhan starter dictionary").first).to_be_visible()
    page.emulate_media(media="screen")
