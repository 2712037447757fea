"""Recording a voice in the browser: Chromium's microphone that beeps, one that is not allowed, and files."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import OpenWindow, Window, shoot

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PHONE = 360
ADDRESS = "/account/submit/recording?wordID=1"


@pytest.fixture(scope="module")
def browser(address: str, tools: str) -> Iterator["Browser"]:
    """Start the browser with a microphone that is no device: it beeps."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # an optional tool

    assert address
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=tools, args=["--no-sandbox", "--use-fake-device-for-media-stream"]
        )
        yield started
        started.close()


def recording(opened: Window) -> None:
    """Record what the microphone hears for a moment."""
    page = opened.open(ADDRESS)
    page.get_by_role("button", name="Record", exact=True).click()
    page.get_by_text("Recording. Speak now.").wait_for()
    page.get_by_text("1 of 15 seconds").wait_for()
    page.get_by_role("button", name="Stop").click()


def test_a_voice_is_recorded_and_heard_again_before_it_is_sent(window: OpenWindow) -> None:
    opened = window(PHONE, permissions=["microphone"])
    opened.sign_in("reader")
    page = opened.page
    recording(opened)

    page.get_by_text("Recorded").wait_for()
    assert page.locator("audio").evaluate("sound => sound.play().then(() => sound.duration > 0.5)")
    assert page.locator("#recording").evaluate("field => field.files[0].name") == "recording.wav"
    assert page.evaluate("document.activeElement.textContent") == "Record again"
    shoot(page, "recorded-360")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_a_microphone_that_is_not_allowed_is_told_with_what_to_do(window: OpenWindow) -> None:
    opened = window(PHONE)
    opened.sign_in("reader")
    page = opened.open(ADDRESS)

    page.get_by_role("button", name="Record", exact=True).click()

    page.get_by_text("The microphone is not allowed here.").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Record"
