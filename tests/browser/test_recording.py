"""Recording a voice in the browser: a microphone that hears a synthetic voice, one that is not allowed, and files."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.conftest import BrowserWindow, OpenWindow, approve_by_keys, find_pending_file, take_screenshot
from tests.support.generated_recordings import encode_recording

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.thorough

PHONE = 360
ADDRESS = "/account/submit/recording?wordID=1"
FORM = "**/account/submit/recording"


@pytest.fixture(scope="module")
def browser(address: str, tools: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator["Browser"]:
    """Start the browser with a microphone that is no device: it hears a file again and again."""
    assert address
    heard = tmp_path_factory.mktemp("microphone") / "voice.wav"
    heard.write_bytes(encode_recording(rate=48_000))
    fake = ("--use-fake-device-for-media-stream", f"--use-file-for-fake-audio-capture={heard}")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=tools, args=["--no-sandbox", *fake])
        yield started
        started.close()


@pytest.fixture
def voice(tmp_path: Path) -> Path:
    """Write a recording into a file."""
    file = tmp_path / "voice.flac"
    file.write_bytes(encode_recording("FLAC"))
    return file


def follow_link(opened: BrowserWindow, word: str) -> "Page":
    """Go from the page of a word to the one that records it."""
    page = opened.open(f"/dic/{word}")
    page.locator(".sense details.more > summary").first.click()
    page.get_by_role("link", name="Add a recording").first.click()
    page.get_by_role("heading", name="Record this word").wait_for()
    return page


def send(page: "Page") -> None:
    """Agree, and send the recording."""
    page.get_by_label("I agree to publish this recording of my voice").check()
    page.get_by_role("button", name="Send recording").click()
    page.get_by_text("Thank you. An editor will listen to the recording.").wait_for()


def test_a_voice_is_recorded_on_a_phone_approved_and_heard_on_the_page_of_the_word(window: OpenWindow) -> None:
    speaker = window(PHONE, permissions=["microphone"])
    speaker.sign_in("reader")
    page = follow_link(speaker, "চৰাই")
    page.get_by_role("button", name="Record", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_text("Recording. Speak now.").wait_for()
    page.get_by_text("2 of 15 seconds").wait_for()
    page.keyboard.press("Space")

    page.get_by_text("Recorded").first.wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Record again"
    assert page.locator("audio").evaluate("sound => sound.play().then(() => sound.duration > 0.5)")
    assert page.locator("#recording").evaluate("field => field.files[0].name") == "recording.wav"
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    take_screenshot(page, "recorded-360")
    page.get_by_label("Name of the speaker").fill("A. Speaker")
    page.get_by_label("Where is this spoken?").fill("Jorhat")
    with page.expect_event("dialog") as asked:
        page.evaluate("setTimeout(() => { location.href = '/'; })")
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    send(page)

    editor = window()
    editor.sign_in("editor")
    page = editor.open("/review/recordings")
    page.get_by_text("Keyboard: J and K").wait_for()
    take_screenshot(page, "review-recordings-1280")
    approve_by_keys(page, "চৰাই")
    page.get_by_text("Approved. Everyone can hear the recording now.").wait_for()

    page = window(PHONE).open("/dic/চৰাই")
    button = page.get_by_role("button", name="Listen: চৰাই, A. Speaker, Jorhat").first
    with page.expect_response("**/recordings/*.mp3") as answered:
        button.click()
    assert answered.value.status in {200, 206}
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_have_attribute("aria-pressed", "false")
    take_screenshot(page, "word-with-voice-360")


def test_a_file_is_sent_approved_and_heard_without_a_script(window: OpenWindow, voice: Path) -> None:
    speaker = window(PHONE, java_script_enabled=False)
    speaker.sign_in("reader")
    page = follow_link(speaker, "হাতী")
    expect(page.get_by_role("button", name="Record", exact=True)).not_to_be_visible()
    page.locator("#recording").set_input_files(voice)
    send(page)
    editor = window(java_script_enabled=False)
    editor.sign_in("editor")
    page = editor.open("/review/recordings")
    find_pending_file(page, "হাতী").get_by_role("button", name="Approve").click()
    page.get_by_text("Approved.").wait_for()

    page = window(java_script_enabled=False).open("/dic/হাতী")
    link = page.get_by_role("link", name="Listen: হাতী").first
    answer = page.request.get(page.url.partition("/dic")[0] + str(link.get_attribute("href")))

    assert (answer.status, answer.headers["content-type"]) == (200, "audio/mpeg")


def test_what_cannot_be_recorded_or_sent_is_told_with_what_to_do(
    window: OpenWindow, tmp_path: Path, voice: Path
) -> None:
    big, text = tmp_path / "big.wav", tmp_path / "text.txt"
    big.write_bytes(b"x" * 5_300_000)
    text.write_bytes(b"text")
    opened = window(PHONE)
    opened.sign_in("reader")
    page = opened.open(ADDRESS)

    page.get_by_role("button", name="Record", exact=True).click()
    page.get_by_text("Microphone access is blocked.").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Record"
    page.locator("#recording").set_input_files(big)
    page.get_by_text("This file is larger than 5 MB.").wait_for()
    page.locator("#recording").set_input_files(text)
    page.get_by_text("Only WAV, FLAC, Ogg and MP3 can be sent.").wait_for()
    page.locator("#recording").set_input_files(voice)
    page.get_by_label("Name of the speaker").fill("A. Speaker")
    page.get_by_label("I agree to publish this recording of my voice").check()
    page.context.set_offline(True)
    page.get_by_role("button", name="Send recording").click()
    page.get_by_text("You are offline.").wait_for()
    expect(page.get_by_label("Name of the speaker")).to_have_value("A. Speaker")
    page.context.set_offline(False)
    page.context.clear_cookies()
    page.get_by_role("button", name="Send again").click()

    page.get_by_text("Your session has ended.").wait_for()


def fill(opened: BrowserWindow, file: Path) -> "Page":
    """Choose a recording, and agree, once the script has come that sends it: a form without it is sent as ever."""
    opened.sign_in("reader")
    page = opened.open(ADDRESS)
    page.locator("[data-recorder]").wait_for()
    page.locator("#recording").set_input_files(file)
    page.locator("#consent").check()
    return page


def test_a_sending_that_stalls_is_told_and_sent_again(window: OpenWindow, voice: Path) -> None:
    held: list[Route] = []
    opened = window(PHONE)
    opened.page.clock.install()
    page = fill(opened, voice)
    page.route(FORM, lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks what it is given

    page.get_by_role("button", name="Send recording").click()
    page.locator("progress").wait_for()
    page.clock.fast_forward(29_000)
    assert page.locator("[data-message]").is_hidden()
    page.clock.fast_forward(2_000)

    page.get_by_text("Sending has stalled.").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Send again"
    assert page.locator("progress").is_hidden()
    page.unroute_all()
    page.get_by_role("button", name="Send again").click()
    page.wait_for_url("**/account?done=recording")


def test_a_connection_that_goes_while_something_is_sent_is_told_at_once(window: OpenWindow, voice: Path) -> None:
    held: list[Route] = []
    page = fill(window(PHONE), voice)
    page.route(FORM, lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks what it is given
    page.get_by_role("button", name="Send recording").click()
    page.locator("progress").wait_for()

    page.context.set_offline(True)

    page.get_by_text("You are offline.").wait_for()
    assert page.locator("#recording").evaluate("field => field.files.length") == 1


def test_a_refusal_is_told_in_the_language_of_the_page(window: OpenWindow, tmp_path: Path) -> None:
    damaged = tmp_path / "voice.wav"
    damaged.write_bytes(b"RIFF and nothing else")
    opened = window(PHONE, locale="as")
    page = fill(opened, damaged)

    page.locator("main form button:not([type=button])").click()

    message = page.locator("[data-message]")
    message.wait_for()
    said = message.inner_text()
    assert "WAV" in said
    assert not re.search("[a-z]{4}", said), said
    assert page.url.endswith(ADDRESS)


ANOTHER_BROWSER = """
AudioContext.prototype.resume = () => new Promise(() => {});
MediaStreamTrack.prototype.getSettings = () => ({ sampleRate: 12345 });
const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = async (wanted) => (window.given = await ask(wanted));
"""
"""As Safari: to go on never ends, and the device has another rate once it listens."""


def test_a_browser_with_habits_of_its_own_records_until_the_microphone_is_taken_away(window: OpenWindow) -> None:
    opened = window(PHONE, locale="as", permissions=["microphone"])
    opened.page.add_init_script(ANOTHER_BROWSER)
    opened.sign_in("reader")
    page = opened.open(ADDRESS)
    page.locator("[data-toggle]").click()
    page.get_by_text("১৫ ছেকেণ্ডৰ ১").wait_for()

    page.evaluate("window.given.getAudioTracks()[0].dispatchEvent(new Event('ended'))")

    page.locator("audio").wait_for()
    assert page.locator("audio").evaluate("sound => sound.play().then(() => sound.duration > 0.5)")
