"""Every page in both languages, at three widths and in both themes: axe finds nothing, nothing is cut off."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]

from tests.browser.conftest import THEMES, WIDTHS, BrowserWindow, OpenUserWindow, take_screenshot

pytestmark = pytest.mark.thorough

PAGES = {
    "first": "/",
    "word": "/dic/পানী",
    "relations": "/dic/চৰাই",
    "roman": "/dic/pani",
    "wide": "/dic/vast",
    "wide-entry": "/dic/vast?language=qaa-x-qaa",
    "wide-sense": "/dic/wide1",
    "settings": "/settings?saved=1",
    "languages": "/languages?back=/dic/vast",
    "languages-found": "/languages?letter=B",
    "missing": "/dic/পানঈঈ",
    "search": "/search?q=pos:noun+lang:as",
    "search-none": "/search?q=zz*qq",
    "browse": "/browse?start=ক",
    "browse-english": "/browse?language=en",
    "contexts": "/context",
    "context": "/context/bird",
    "pictures": "/pictures",
    "proverbs": "/proverbs",
    "proverbs-like": "/proverbs?q=nogoi+gorgaor+botora",
    "transliterate": "/transliterate?pa=moi+oxomiya",
    "sets": "/flashcards",
    "cards": "/flashcards?set=1",
    "cards-of-list": "/flashcards?words=1,2,3&name=x",
    "list": "/list?words=1,2,3,4,2000000000&name=x",
    "my-lists": "/my-lists",
    "recent": "/recent",
    "about": "/about",
    "downloads": "/downloads",
    "take-along": "/take-along",
    "offline": "/offline",
    "embed": "/embed",
    "error": "/nothing",
    "sign-in": "/account/sign-in",
    "sign-up": "/account/sign-up",
    "forgotten": "/account/forgotten",
    "reset": "/account/reset",
    "account-removed": "/account/removed",
    "report-missing": "/account/submit/missing?word=নতুনটো",
    "history-word": "/history/word/1",
    "history-idea": "/history/idea/1",
    "cite": "/cite/1?version=0",
    "api": "/api/docs",
    "guide": "/api/docs/build-an-app",
}

PAGES_OF_PEOPLE = {
    "account": "/account",
    "password": "/account/password",
    "remove-account": "/account/remove",
    "two-factor": "/account/two-factor",
    "tokens": "/account/tokens",
    "photo": "/account/submit/photo?idea=1",
    "review-photos": "/review/photos",
    "record": "/account/submit/recording?wordID=1",
    "review-recordings": "/review/recordings",
    "review-voices": "/review/voices",
    "submit-word": "/account/submit/word?word=নতুন",
    "submit-proverb": "/account/submit/proverb",
    "submit-example": "/account/submit/example?idea=1&language=as",
    "report": "/account/submit/correction?word=1&name=x",
    "review-submissions": "/review/submissions",
    "review-words": "/review/submissions?kind=words",
    "review-missing": "/review/missing",
    "review-unchecked": "/review/unchecked",
    "edit-word": "/edit/word/1",
    "edit-idea": "/edit/idea/1",
    "correct": "/account/submit/correction?word=1&fact=word.word",
    "correct-choose": "/account/submit/correction?word=1",
    "review-submission": "/review/submissions/1",
    "review-correction": "/review/submissions/3",
    "edit-relations": "/edit/idea/1/relations?q=মাছ",
    "edit-merge": "/edit/idea/1/merge",
    "edit-idea-delete": "/edit/idea/1/delete",
    "edit-proverbs": "/edit/proverbs",
    "edit-proverb": "/edit/proverb/1",
    "edit-cards": "/edit/cards",
    "edit-set": "/edit/set/1",
    "edit-card": "/edit/card/1",
    "edit-lists": "/edit/lists/POS",
    "edit-value": "/edit/value/POS-1",
    "edit-deleted": "/edit/history/1?of=phrase:1",
    "people": "/account/people",
    "person": "/account/people/1",
}

LANGUAGES = [pytest.param("en", marks=pytest.mark.nightly), "as"]
"""Assamese and dark alone in a quick run: its words are the longer ones."""

SEEN_IN_BOTH_THEMES = {
    "word",
    "wide",
    "languages",
    "missing",
    "search",
    "contexts",
    "proverbs-like",
    "sets",
    "recent",
    "review-submissions",
    "submit-word",
    "edit-word",
}
"""Pages that have, together, all that has a colour; both themes have the same names for colours everywhere."""

LONG = {"api"}
"""Pages so long that axe takes seconds: it looks at them at one width."""

NARROW = 360
"""Of the narrow widths, the one at which axe looks: what it finds at one it finds at the other."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_nothing_is_cut_off(reading: OpenUserWindow, name: str, language: str) -> None:
    look_at(reading(language), name, PAGES[name], language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES_OF_PEOPLE)
def test_a_page_of_people_is_accessible_too(reading: OpenUserWindow, name: str, language: str) -> None:
    look_at(reading(language, "head"), name, PAGES_OF_PEOPLE[name], language)


def look_at(window: BrowserWindow, name: str, address: str, language: str) -> None:
    """Open a page once, and look at it at every width."""
    page = window.open(address)
    page.evaluate(AXE_SCRIPT)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("document.fonts.ready")
        take_screenshot(page, f"{name}-{language}-{width}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        # What the width changes is the same in both languages.
        if width == NARROW or (width == WIDTHS[-1] and name not in LONG and language == "as"):
            assert page.evaluate(VIOLATIONS, {"resultTypes": ["violations"]}) == [], width
    if name in SEEN_IN_BOTH_THEMES:
        page.emulate_media(color_scheme="light" if THEMES[language] == "dark" else "dark")
        assert page.evaluate(VIOLATIONS, COLOURS) == []
        page.emulate_media(color_scheme=THEMES[language])


VIOLATIONS = """
async (options) => (await axe.run(options)).violations.map(
    ({id, nodes}) => [id, nodes.map(({html}) => html.slice(0, 200))])
"""
"""What axe finds: rule, and the elements that break it."""

COLOURS = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}
"""All that the other theme can change."""
