"""What a first visit of a page loads, and what moves while it comes.

What counts is what comes over the wire, compressed, without photos and without the service worker, which begins after
the page. The limits are for devices that have no Bengali or Devanagari font; the pages' own fonts come first anywhere.
"""

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import PHONE_WIDTH, OpenWindow, wait_for_expression

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.thorough

MAX_HEIGHT = 15_000  # pixels of the API page on a phone

SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  if (!entry.hadRecentInput) window.shifts += entry.value;
})).observe({ type: "layout-shift", buffered: true });
"""

FONTS = "[...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family)"
"""The families that a page has loaded."""

# The first page has a proverb of the day, whose lines may be one more or fewer in another font.
SHIFTED = ("/dic/পানী", "/dic/water", "/browse?start=ক", "/proverbs", "/api/docs", "/account/sign-in")


@pytest.mark.parametrize(
    ("path", "language", "kilobytes"),
    [
        ("/dic/পানী", "en", 110),
        ("/account/sign-in", "en", 60),
        ("/api/docs", "en", 60),
        ("/api/docs/build-an-app", "en", 60),
        ("/account/sign-in", "as", 90),
        ("/api/docs", "as", 90),
    ],
)
def test_a_first_visit_is_light(window: OpenWindow, path: str, language: str, kilobytes: int) -> None:
    opened = window(PHONE_WIDTH, locale=language)
    sizes: dict[str, float] = {}
    photos: set[str] = set()

    def begun(event: dict[str, Any]) -> None:
        if "/photos/" in event["response"]["url"]:
            photos.add(event["requestId"])

    devtools = opened.page.context.new_cdp_session(opened.page)
    devtools.on("Network.responseReceived", begun)
    devtools.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    devtools.send("Network.enable")
    opened.page.goto(opened.base + path, wait_until="networkidle")
    opened.page.evaluate("document.fonts.ready")

    loaded = opened.page.evaluate(FONTS)
    assert "Abhidhan Devanagari" not in loaded
    assert ("Abhidhan Assamese" in loaded) == (language == "as" or path.startswith("/dic/"))
    assert len(sizes) > len(loaded)
    assert sum(size for request, size in sizes.items() if request not in photos) <= kilobytes * 1000


@pytest.mark.parametrize("path", SHIFTED)
def test_nothing_moves_when_the_fonts_come(window: OpenWindow, path: str) -> None:
    opened = window(PHONE_WIDTH)
    page = opened.page
    waiting: list[Route] = []
    page.context.add_init_script(SHIFTS)

    def hold(route: "Route") -> None:
        waiting.append(route)

    page.route("**/*.woff2", hold)
    page.goto(opened.base + path, wait_until="domcontentloaded")  # its load event would wait for the fonts
    wait_for_expression(page, "performance.getEntriesByName('first-contentful-paint').length > 0")

    page.route("**/*.woff2", lambda route: route.continue_())
    for route in waiting:
        route.continue_()
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    wait_for_expression(
        page, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    )

    assert waiting
    assert page.evaluate("window.shifts") <= 0.02


def test_the_api_page_is_short_on_a_phone(window: OpenWindow) -> None:
    page = window(PHONE_WIDTH).open("/api/docs")

    assert page.evaluate("document.documentElement.scrollHeight") < MAX_HEIGHT
