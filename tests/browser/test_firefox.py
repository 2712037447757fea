"""What readers, contributors and editors do most, in Debian's Firefox.

Without Firefox these tests are left out, and one line says how to get it; where ABHIDHAN_CI is set, that is a failure.
"""

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from abhidhan.app.database import open_dictionary
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.packs import generate_packs
from abhidhan.records.settings import Settings
from tests.browser.conftest import PASSWORD, PHONE_WIDTH, SCREENSHOTS, add_users
from tests.support.contributions import photo_bytes
from tests.support.first_screen import MAX_ANSWER_OFFSET, MEASURE_SCRIPT, QUERIES, format_page_path
from tests.support.programs import find_program, run
from tests.support.server import START_TIMEOUT_SECONDS, RunningServer, copy_starter, running_server

if TYPE_CHECKING:
    from tests.browser.firefox import Firefox, Page

HOW = "Firefox tests left out: `apt-get install firefox-esr pulseaudio` and `pip install websockets` bring them"
WORKER_IS_READY = "Boolean(navigator.serviceWorker.controller)"
SELECTED = "document.querySelector('[role=option][aria-selected=true] .suggested')?.innerText"
FONT_IS_STORED = """caches.keys()
  .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
  .then((stored) => stored.flat().some(({ url }) => url.endsWith("assamese-serif.woff2")))"""

pytestmark = pytest.mark.thorough

OpenPage = Callable[..., "Page"]


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Firefox"]:
    """Start Firefox, or leave these tests out."""
    if not (find_spec("websockets") and shutil.which("firefox-esr") and shutil.which("pulseaudio")):
        if os.environ.get("ABHIDHAN_CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)
    from tests.browser.firefox import running_firefox  # noqa: PLC0415  # an optional tool

    with running_firefox(tmp_path_factory.mktemp("firefox")) as firefox:
        yield firefox


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the starter dictionary with a pack, people, and submissions that wait for an editor."""
    home = tmp_path_factory.mktemp("home") / "site"
    copy_starter(home)
    settings = Settings(home=home)
    with open_dictionary(settings) as database:
        generate_packs(database, ArtifactStore(settings.pack_location), now=int(time.time()), pairs=("as-en",))
        asyncio.run(add_users(settings, database))
    return home


@pytest.fixture(scope="module")
def site(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Serve a copy of that dictionary to all tests that do not stop their server."""
    with running_server(shutil.copytree(home, tmp_path_factory.mktemp("site") / "site")) as server:
        yield server


@pytest.fixture
def server(home: Path, tmp_path: Path) -> Iterator[RunningServer]:
    """Serve a copy of that dictionary to one test, which stops it."""
    with running_server(shutil.copytree(home, tmp_path / "site")) as server:
        yield server


@pytest.fixture
def open_page(firefox: "Firefox", site: RunningServer) -> Iterator[OpenPage]:
    """Open addresses of the site as different people, each with a name to sign in by."""
    with ExitStack() as pages:

        def open_page(address: str, person: str = "", width: int = 1280) -> "Page":
            page = pages.enter_context(firefox.page(f"http://127.0.0.1:{site.port}", width))
            if person:
                sign_in(page, person, PASSWORD)
                page.wait("location.pathname === '/account'")
            page.open(address)
            return page

        yield open_page


def sign_in(page: "Page", name: str, password: str) -> None:
    """Sign in by the form."""
    page.open("/account/sign-in")
    page.find("#username").type(name)
    page.find("#password").type(password)
    page.press("Enter")


def stop(server: RunningServer) -> None:
    """Stop a server: its address refuses connections."""
    server.process.terminate()
    server.process.wait(START_TIMEOUT_SECONDS)


def shoot(page: "Page", name: str) -> None:
    """Store a screenshot of the page if ABHIDHAN_SCREENSHOTS=1 is set."""
    if os.environ.get("ABHIDHAN_SCREENSHOTS"):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(SCREENSHOTS / f"firefox-{name}.png")


# --- without a network ------------------------------------------------------------------------------------------------


def test_a_page_that_was_seen_is_there_once_the_server_has_stopped(firefox: "Firefox", server: RunningServer) -> None:
    with firefox.page(f"http://127.0.0.1:{server.port}", PHONE_WIDTH) as page:
        page.open("/dic/পানী")
        page.wait(WORKER_IS_READY)
        page.wait("caches.match(location.href, { ignoreVary: true }).then(Boolean)")
        stop(server)

        page.open("/dic/পানী")
        page.wait_for_text("You are offline. Saved copy from")
        assert page.find("h1.word").text == "পানী"
        shoot(page, "offline-word")

        page.open("/dic/হাতী")
        page.wait_for_text("“হাতী” is not saved on this device")
        shoot(page, "offline-never-seen")


def test_the_dictionary_is_taken_along_and_read_once_the_server_has_stopped(
    firefox: "Firefox", server: RunningServer
) -> None:
    with firefox.page(f"http://127.0.0.1:{server.port}", PHONE_WIDTH) as page:
        page.open("/take-along")
        page.find("button", "Download").click()
        page.wait_for_text("Downloaded: 8,")
        shoot(page, "taken-along")
        page.wait(WORKER_IS_READY)
        page.wait("caches.match('/', { ignoreVary: true }).then(Boolean)")
        page.wait(FONT_IS_STORED)
        stop(server)

        page.open("/")
        page.find("#q").type("oxomiya")
        page.find("[role=option]")
        page.press("Enter")
        page.wait("location.pathname === '/dic/oxomiya'")
        page.find(".pack-found .word", "অসমীয়া")
        page.wait_for_text("o.xo.mi.ya")
        shoot(page, "offline-in-pack")


# --- readers ----------------------------------------------------------------------------------------------------------


def test_the_page_of_a_word_fits_a_phone_and_is_drawn_with_our_font(open_page: OpenPage) -> None:
    page = open_page("/dic/পানী", width=PHONE_WIDTH)

    assert page.find("h1.word").text == "পানী"
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH
    loaded = "[...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family).join()"
    page.wait(f"document.fonts.ready.then(() => {loaded}.includes('Abhidhan Assamese'))")
    shoot(page, "word")


def test_typing_roman_letters_offers_a_word(open_page: OpenPage) -> None:
    page = open_page("/")

    page.find("#q").type("pani")
    page.find("[role=option] .suggested", "পানী")
    shoot(page, "suggestions")
    page.press_until("ArrowDown", f"{SELECTED} === 'পানী'")
    page.press("Enter")

    page.wait("document.querySelector('h1.word')?.innerText === 'পানী'")


def test_a_misspelled_word_leads_to_the_right_one(open_page: OpenPage) -> None:
    page = open_page("/")

    page.find("#q").type("অসমীয")
    page.find("button", "Search").click()
    page.wait("location.pathname.startsWith('/dic/')")
    shoot(page, "misspelling")
    page.find("main a", "অসমীয়া").click()

    page.wait("document.querySelector('h1.word')?.innerText === 'অসমীয়া'")


def test_flashcards_are_flipped_and_remembered(open_page: OpenPage) -> None:
    page = open_page("/flashcards?set=1", width=PHONE_WIDTH)
    page.wait_for_text("0 of 24")

    page.find(".flashcard").click()
    page.wait_for_text("elephant")
    shoot(page, "card")
    page.find("button", "I knew it").click()

    page.wait_for_text("1 of 24")
    page.reload()
    page.wait_for_text("0 of 23")


def test_starred_words_are_a_list_that_is_put_in_order(open_page: OpenPage) -> None:
    words = "[...document.querySelectorAll('.saved-list .headword')].map((word) => word.innerText).join()"
    page = open_page("/dic/water")
    page.find("button", "Add “water” to my words").click()
    page.find("button[aria-pressed=true]", "Add “water” to my words")
    page.open("/dic/fish")
    page.find("button", "Add “fish” to my words").click()
    page.find("button[aria-pressed=true]", "Add “fish” to my words")
    page.open("/my-lists")

    page.wait(f"{words} === 'water,fish'")
    page.find("summary", "Edit this list").click()
    page.find("button", "Move up: fish").click()
    page.wait(f"{words} === 'fish,water'")
    page.reload()

    page.wait(f"{words} === 'fish,water'")
    shoot(page, "lists")


def test_a_theme_is_chosen(open_page: OpenPage) -> None:
    page = open_page("/settings")

    page.find("input[name=theme][value=dark]").click()
    page.find("button", "Save").click()
    page.wait("document.documentElement.dataset.theme === 'dark'")
    page.open("/dic/পানী")

    page.wait("getComputedStyle(document.body).backgroundColor === 'rgb(21, 23, 25)'")
    assert page.find("h1.word").text == "পানী"
    shoot(page, "dark")


def test_a_language_of_the_interface_is_chosen(open_page: OpenPage) -> None:
    page = open_page("/dic/পানী", width=PHONE_WIDTH)

    page.find("footer a", "অসমীয়া").click()

    page.wait("document.documentElement.lang === 'as'")
    page.wait_for_text("শুধৰণি পঠিয়াওক")
    shoot(page, "in-assamese")


def test_a_word_is_found_and_put_into_a_list_by_keyboard_only(open_page: OpenPage) -> None:
    page = open_page("/about")
    page.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.press("Enter")
    page.wait("document.activeElement.id === 'content'")
    page.press("/")
    page.wait("document.activeElement.id === 'q'")
    page.type("pani")
    page.find("[role=option] .suggested", "পানী")
    page.press_until("ArrowDown", f"{SELECTED} === 'পানী'")
    page.press("Enter")
    page.wait("document.querySelector('h1.word')?.innerText === 'পানী'")

    page.find("button", "Add “পানী” to my words")
    page.press_until("Tab", "document.activeElement.getAttribute('aria-label') === 'Add “পানী” to my words'")
    page.press("Space")
    page.wait("document.activeElement.getAttribute('aria-pressed') === 'true'")
    page.press_until("Tab", "document.activeElement.matches('.more > summary')")
    page.press("Enter")
    page.press_until("Tab", "document.activeElement.matches('[aria-haspopup=dialog]')")
    page.press("Enter")
    page.find("dialog[open]")
    shoot(page, "lists-of-word")
    page.press("Escape")
    page.wait("!document.querySelector('dialog[open]')")


@pytest.mark.parametrize("query", QUERIES)
def test_the_answer_stands_on_the_first_screen_of_a_phone(open_page: OpenPage, query: str) -> None:
    page = open_page(format_page_path(query), width=PHONE_WIDTH)
    page.wait("document.fonts.status === 'loaded'")

    measured = page.evaluate(MEASURE_SCRIPT)

    assert measured["bottom"] <= MAX_ANSWER_OFFSET
    assert (measured["bar"], measured["mark"], measured["overflow"]) == (56, 32, 0)


def test_what_is_printed_of_a_word_asks_for_nothing(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/dic/পানী")
    page.wait_for_text("Suggest a correction")
    file = tmp_path / "word.pdf"

    file.write_bytes(page.print())

    text = run(find_program("pdftotext", "poppler-utils"), str(file), "-")
    assert "The clear liquid that falls as rain" in text
    assert "Abhidhan starter dictionary" in text
    assert [asked for asked in ("Suggest a correction", "Settings", "Menu", "Help build it") if asked in text] == []


# --- contributors and editors -----------------------------------------------------------------------------------------


def test_signing_in_says_what_is_wrong_and_leads_to_the_account(open_page: OpenPage) -> None:
    page = open_page("/")
    sign_in(page, "reader", "not the password")
    page.wait_for_text("The name or the password is wrong.")

    sign_in(page, "reader", PASSWORD)

    page.wait("location.pathname === '/account'")
    page.find("button", "Sign out").click()
    page.wait("location.pathname === '/'")


def test_a_correction_survives_a_reload_and_is_sent(open_page: OpenPage) -> None:
    page = open_page("/account/submit/correction?word=1", width=PHONE_WIDTH)
    page.find("a", "Correct: water").click()
    page.find("textarea", "Why, or where you found it (optional)").type("A book")
    page.wait("JSON.stringify(Object.values(sessionStorage)).includes('A book')")

    page.reload()
    page.wait("[...document.querySelectorAll('textarea')].some((field) => field.value === 'A book')")
    page.find("textarea", "Corrected text").type("watter")
    shoot(page, "correction")
    page.find("button", "Send").click()

    page.wait_for_text("Thank you. An editor will review your contribution.")


def test_a_photo_is_shown_before_it_is_sent(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "photo.jpg"
    file.write_bytes(photo_bytes(seed=3))
    page = open_page("/dic/চৰাই", "reader", PHONE_WIDTH)
    page.find(".sense details.more > summary").click()
    page.find("a", "Add a photo").click()

    page.find("input", "Who took the photo?").type("A. Photographer")
    page.find("#photo").choose(file)
    page.find(".preview")
    shoot(page, "photo")
    page.find("button", "Send photo").click()

    page.wait_for_text("Thank you. An editor will review the photo.")


def test_a_voice_is_recorded_and_sent(open_page: OpenPage) -> None:
    page = open_page("/dic/চৰাই", "reader", PHONE_WIDTH)
    page.find(".sense details.more > summary").click()
    page.find("a", "Add a recording").click()

    page.find("button", "Record").click()
    page.wait_for_text("1 of 15 seconds")
    page.find("button", "Stop").click()
    page.wait("document.querySelector('audio').duration > 0.5")
    shoot(page, "recording")
    page.find("input", "Name of the speaker (optional)").type("A. Speaker")
    page.find("#consent").click()
    page.find("button", "Send recording").click()

    page.wait_for_text("Thank you. An editor will listen to the recording.")


def test_an_editor_approves_a_word_by_keys(open_page: OpenPage) -> None:
    page = open_page("/review/submissions?kind=words", "editor")
    page.wait_for_text("Keyboard: J and K")
    shoot(page, "review")

    page.press("j")
    page.press("a")

    page.wait_for_text("Approved. It is in the dictionary now.")
    page.open("/dic/পানি")
    page.wait_for_text("খোৱা বস্তু")
