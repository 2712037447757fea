"""Every page in both languages, at two widths and in both themes: axe finds nothing, nothing is cut off."""

import pytest

from tests.browser.conftest import WIDTHS, OpenWindow, shoot

PAGES = {
    "first": "/",
    "word": "/dic/পানী",
    "relations": "/dic/চৰাই",
    "roman": "/dic/pani",
    "missing": "/dic/পানঈঈ",
    "browse": "/browse?start=ক",
    "browse-english": "/browse?language=en",
    "contexts": "/context",
    "context": "/context/bird",
    "proverbs": "/proverbs",
    "proverbs-like": "/proverbs?q=nogoi+gorgaor+botora",
    "transliterate": "/transliterate?pa=moi+oxomiya",
    "sets": "/flashcards",
    "cards": "/flashcards?set=1",
    "recent": "/recent",
    "about": "/about",
    "downloads": "/downloads",
    "error": "/nothing",
    "sign-in": "/account/sign-in",
    "sign-up": "/account/sign-up",
    "forgotten": "/account/forgotten",
    "reset": "/account/reset",
    "api": "/api/docs",
}

PAGES_OF_PEOPLE = {
    "account": "/account",
    "password": "/account/password",
    "photo": "/account/submit/photo?idea=1",
    "review-photos": "/review/photos",
    "submit-word": "/account/submit/word?word=নতুন",
    "submit-proverb": "/account/submit/proverb",
    "report": "/account/submit/correction?word=1&name=x",
    "review-submissions": "/review/submissions",
    "edit-word": "/edit/word/1",
    "edit-idea": "/edit/idea/1",
}

THEMES = {"en": "light", "as": "dark"}
"""One theme for each language, so that both are seen at every width."""


@pytest.mark.parametrize("language", ["en", "as"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_nothing_is_cut_off(window: OpenWindow, name: str, width: int, language: str) -> None:
    opened = window(width, locale=language, color_scheme=THEMES[language])
    page = opened.open(PAGES[name])
    page.wait_for_load_state("networkidle")

    shoot(page, f"{name}-{language}-{width}")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES_OF_PEOPLE)
def test_a_page_of_people_is_accessible_too(window: OpenWindow, name: str, width: int) -> None:
    opened = window(width)
    opened.sign_in("editor")
    page = opened.open(PAGES_OF_PEOPLE[name])

    shoot(page, f"{name}-en-{width}")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def violations(page: object) -> list[tuple[str, list[str]]]:
    """List what axe finds: rule, and the elements that break it."""
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # noqa: PLC0415  # an optional tool

    found = Axe().run(page).response["violations"]
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found]
