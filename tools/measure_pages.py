"""Measure the loading of pages in Chromium, as on a low-end phone with a slow connection.

    python tools/measure_pages.py http://127.0.0.1:8080
    python tools/measure_pages.py http://127.0.0.1:8080 /dic/water /dic/set
    VISITS=1 python tools/measure_pages.py http://127.0.0.1:8080 /dic/water

The processor is throttled four times and the network to Lighthouse's "slow 4G" (562 ms latency, 1.44 Mbit/s); the
window is 360 by 800 pixels, and the cache is empty. Reports the median of three visits (VISITS) as a Markdown table:
"blocking" is the time of tasks beyond 50 ms each, "packed" the transferred size of HTML, styles and scripts together,
"screens" the height of the page in windows. Needs Playwright and Chromium.
"""

import os
import shutil
import statistics
import sys
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, sync_playwright

PAGES: Final = {
    "first page": "/",
    "word": "/dic/পানী",
    "word with many relations": "/dic/চৰাই",
    "browse": "/browse?start=ক",
    "proverbs": "/proverbs",
    "flashcards": "/flashcards?set=1",
    "API": "/api/docs",
}
NETWORK: Final = {
    "offline": False,
    "latency": 562.5,
    "downloadThroughput": 1.6 * 1024 * 1024 * 0.9 / 8,
    "uploadThroughput": 750 * 1024 * 0.9 / 8,
}
PROCESSOR_SLOWDOWN: Final = 4
WIDTH: Final = 360
HEIGHT: Final = 800
VISIT_COUNT: Final = int(os.environ.get("VISITS", "3"))
KILO: Final = 1000
SETTLE_MILLISECONDS: Final = 1500
"""Waiting time after loading, in which a font or an article may still shift the layout."""

OBSERVER_SCRIPT: Final = """
window.seen = { paint: 0, largest: 0, shift: 0, blocking: 0 };
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  window.seen.blocking += entry.duration - 50;
})).observe({ type: "longtask", buffered: true });
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  if (entry.name === "first-contentful-paint") window.seen.paint = entry.startTime;
})).observe({ type: "paint", buffered: true });
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  window.seen.largest = entry.startTime;
})).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  if (!entry.hadRecentInput) window.seen.shift += entry.value;
})).observe({ type: "layout-shift", buffered: true });
"""


class PageVisit(NamedTuple):
    """Measurements of one visit: times in ms, the sum of layout shifts, transferred bytes, requests, and screens."""

    paint: float
    largest: float
    blocking: float
    shift: float
    html: int
    fonts: int
    other: int
    requests: int
    screens: float


def measure_visit(browser: Browser, address: str) -> PageVisit:
    """Visit a page with an empty cache, and return the measurements."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=2, is_mobile=True)
    context.add_init_script(OBSERVER_SCRIPT)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    kinds: dict[str, str] = {}
    sizes: dict[str, float] = {"Document": 0, "Font": 0, "rest": 0}

    def record_size(event: dict[str, Any]) -> None:
        kind = kinds.get(event["requestId"], "rest")
        sizes[kind if kind in sizes else "rest"] += event["encodedDataLength"]

    devtools.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
    devtools.on("Network.loadingFinished", record_size)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", NETWORK)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": PROCESSOR_SLOWDOWN})
    page.goto(address)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(SETTLE_MILLISECONDS)
    metrics = page.evaluate("window.seen")
    screens = page.evaluate("document.documentElement.scrollHeight") / HEIGHT
    context.close()
    bytes_of = {kind: int(size) for kind, size in sizes.items()}
    return PageVisit(
        metrics["paint"],
        metrics["largest"],
        metrics["blocking"],
        metrics["shift"],
        bytes_of["Document"],
        bytes_of["Font"],
        bytes_of["rest"],
        len(kinds),
        screens,
    )


def median_visit(visits: list[PageVisit]) -> PageVisit:
    """Return the median of each measurement."""
    return PageVisit(*(statistics.median_low(figures) for figures in zip(*visits, strict=True)))


def format_row(name: str, metrics: PageVisit) -> str:
    """Format a row of the table."""
    sizes = " | ".join(
        f"{size / KILO:.1f}" for size in (metrics.html + metrics.other, metrics.html, metrics.other, metrics.fonts)
    )
    paints = f"{metrics.paint / KILO:.2f} | {metrics.largest / KILO:.2f}"
    counts = f"{metrics.shift:.3f} | {sizes} | {metrics.requests} | {metrics.screens:.1f}"
    return f"| {name} | {paints} | {metrics.blocking:.0f} | {counts} |"


def main() -> None:
    """Measure the pages of a running server."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if len(sys.argv) < 2 or chromium is None:  # noqa: PLR2004 (the address, and perhaps pages)
        raise SystemExit(__doc__)
    _, base, *paths = sys.argv
    pages = {path: path for path in paths} or PAGES
    columns = (
        "page | first paint s | largest paint s | blocking ms | layout shift | packed kB | HTML kB | CSS, scripts kB"
    )
    print(f"| {columns} | fonts kB | requests | screens |")
    print("|" + "---|" * 11)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, address in pages.items():
            print(
                format_row(name, median_visit([measure_visit(browser, base + address) for _ in range(VISIT_COUNT)])),
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main()
