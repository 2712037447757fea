"""Capture screenshots of twenty pages at two widths and in both themes: `make screenshots`.

They are saved as `build/screenshots/NAME-WIDTH-THEME.png`.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, Literal

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, SCREENSHOTS, SKIP_REASON
from tests.support.server import copy_starter, running_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HEIGHT_BY_WIDTH: Final = {360: 640, 1280: 800}
THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
PAGES: Final = {
    "home": "/",
    "word-noun": "/dic/পানী",
    "word-verb": "/dic/কৰা",
    "word-english": "/dic/water",
    "query-form": "/dic/কৰিছিলোঁ",
    "query-misspelled": "/dic/watter",
    "query-roman": "/dic/khowa",
    "query-words": "/dic/mother in law",
    "not-found": "/dic/xekeraxak",
    "proverb": "/dic/আশাত চেঁচা পানী পৰা",
    "proverbs": "/proverbs",
    "browse": "/browse",
    "topics": "/context",
    "topic": "/context/Water",
    "flashcards-sets": "/flashcards",
    "flashcards": "/flashcards?set=1",
    "settings": "/settings",
    "offline": "/take-along",
    "sign-in": "/account/sign-in",
    "api": "/api/docs",
}


def take_screenshots(browser: "Browser", base: str, folder: Path) -> None:
    """Capture screenshots of each page at each width and in each theme."""
    for width, height in HEIGHT_BY_WIDTH.items():
        for theme in THEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=theme, locale="en", service_workers="block"
            )
            page = context.new_page()
            for name, address in PAGES.items():
                page.goto(base + address)
                page.evaluate("document.fonts.ready")
                page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
            context.close()


def main() -> None:
    """Serve the starter dictionary and take the screenshots."""
    if CHROMIUM is None:
        raise SystemExit(SKIP_REASON)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder) / "home"
        copy_starter(home)
        with running_server(home) as server:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            take_screenshots(browser, f"http://127.0.0.1:{server.port}", SCREENSHOTS)
            browser.close()
    print(f"{len(PAGES) * len(HEIGHT_BY_WIDTH) * len(THEMES)} pictures are in {SCREENSHOTS}")


if __name__ == "__main__":
    main()
