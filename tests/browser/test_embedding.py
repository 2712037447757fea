"""Look-up by click on a page of another site: another origin, with a strict policy and styles that spare nothing."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import expect

from tests.browser.conftest import DEFAULT_OPTIONS, take_screenshot
from tests.browser.test_every_page import VIOLATIONS
from tests.support.server import START_TIMEOUT_SECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Request

pytestmark = pytest.mark.thorough

SERVER = "SERVER"
STRICT = (
    "default-src 'none'; script-src SERVER; connect-src SERVER; style-src 'self'; frame-src 'self'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
DEAF = "default-src 'none'; script-src SERVER"
LOOSE = "default-src 'none'; script-src SERVER; connect-src SERVER; style-src 'unsafe-inline'; frame-src 'self'"
LINE = '<script src="SERVER/embed.js" async crossorigin="anonymous" referrerpolicy="no-referrer"></script>'
TEXT = (
    "<p id=text>চৰাইবোৰে ক’লা গছত বহিছে, ‘পানী’ খায়। ক’ আছে? মই ক্ষমা বিচাৰোঁ। Water waterr.</p>"
    "<p><code id=code>পানী</code> <input id=field value=water aria-label=Field> <b id=free contenteditable>water</b></p>"
)
HOSTILE = (
    "<style>* { all: unset !important; font-size: 40px !important; color: red !important; visibility: hidden; }"
    "#cover { position: fixed !important; inset: 0 !important; z-index: 2147483647 !important; }</style>"
)

HOSTS = {
    "/": (STRICT, LINE + LINE + TEXT),
    "/deaf": (DEAF, LINE + TEXT),
    "/hostile": (LOOSE, HOSTILE + LINE + TEXT + "<div id=cover></div>"),
    "/odd": (STRICT, LINE.replace("async", "async data-languages='as,klingon'") + TEXT),
    "/dark": (LOOSE, "<style>:root { color-scheme: dark }</style>" + LINE + TEXT),
    "/frame": (STRICT, "<iframe src='/' width=340 height=600 title=frame></iframe>"),
    "/box": (STRICT, LINE + "<abhidhan-search><form action=SERVER/search><label>Word <input name=q></label></form>"),
}
"""Pages of the other site: their policies, and what stands in them."""

OPEN_SHADOWS = """
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) { return attach.call(this, {...options, mode: 'open'}); };
"""
"""Lets tests look into what is closed to pages."""

POINT = """(word) => {
  const text = document.querySelector("#text").firstChild, at = text.data.indexOf(word), range = document.createRange();
  range.setStart(text, at);
  range.setEnd(text, at + word.length);
  const box = range.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""

SELECT = """([from, length]) => {
  const text = document.querySelector("#text").firstChild;
  getSelection().setBaseAndExtent(text, from, text, from + length);
}"""

NEW_GLOBALS = """() => {
  const frame = document.createElement("iframe");
  document.body.append(frame);
  const known = Object.getOwnPropertyNames(frame.contentWindow);
  return Object.getOwnPropertyNames(window).filter((name) => !known.includes(name));
}"""

OpenHost = Callable[..., "Page"]


@pytest.fixture(scope="module")
def host(address: str) -> Iterator[str]:
    """Serve the pages of the other site."""

    class Host(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, attributes = self.path.partition("?")
            policy, inside = HOSTS.get(path, (DEAF, ""))
            page = f"<!doctype html><html {attributes.replace('&', ' ')}><meta charset=utf-8>"
            page += "<meta name=viewport content='width=device-width'><title>Host</title>" + inside
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Security-Policy", policy.replace(SERVER, address))
            self.end_headers()
            self.wfile.write(page.replace(SERVER, address).encode())

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


@pytest.fixture
def visit(browser: "Browser", host: str) -> Iterator[OpenHost]:
    """Open pages of the other site. Errors, and what their policies forbid, fail the test unless it is expected."""
    opened: list[Page] = []
    problems: list[str] = []

    def open_page(
        path: str,
        width: int = 1280,
        expected: str = "",
        script: str = OPEN_SHADOWS,
        **options: Any,  # noqa: ANN401  # passed on
    ) -> "Page":
        context = browser.new_context(viewport={"width": width, "height": 700}, **(DEFAULT_OPTIONS | options))
        context.set_default_timeout(START_TIMEOUT_SECONDS * 1000)
        page = context.new_page()
        page.add_init_script(script)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: None if expected and expected in said.text else problems.append(said.text))
        page.goto(host + path)
        opened.append(page)
        return page

    yield open_page
    for each in opened:
        each.context.close()
    assert problems == []


def panel_of(page: "Page") -> "Locator":
    return page.locator("abhidhan-panel [role=dialog]")


def wait_until_there(page: "Page") -> None:
    page.wait_for_function("Boolean(window.abhidhan?.lookUp)")


def look_up_by_key(page: "Page", start: int, length: int) -> str:
    """Select a part of the text, press the key, and return what was asked for."""
    page.keyboard.press("Escape")
    page.evaluate(SELECT, [start, length])
    with page.expect_request("**/api/dic.php*") as asked:
        page.keyboard.press("Alt+l")
    panel_of(page).locator("section, p").first.wait_for()
    return parse_qs(urlsplit(asked.value.url).query)["w"][0]


def test_a_double_click_answers_without_cookie_or_referrer(visit: OpenHost, address: str) -> None:
    page = visit("/")
    page.context.add_cookies([{"name": "session", "value": "secret", "url": address}])
    sent: list[Request] = []
    page.on("request", lambda each: sent.append(each))  # noqa: PLW0108  # Playwright marks what it is given
    page.reload()
    wait_until_there(page)

    page.mouse.dblclick(*page.evaluate(POINT, "চৰাইবোৰে"))
    panel = panel_of(page)
    panel.get_by_role("heading", name="চৰাই", exact=True).wait_for()

    expect(panel).to_contain_text("is a form of")
    expect(panel).to_contain_text("bird")
    expect(panel.get_by_role("link")).to_have_attribute(
        "href", f"{address}/dic/%E0%A6%9A%E0%A7%B0%E0%A6%BE%E0%A6%87%E0%A6%AC%E0%A7%8B%E0%A7%B0%E0%A7%87"
    )
    to_dictionary = [each.all_headers() for each in sent if each.url.startswith(address)]
    assert len(to_dictionary) == 2
    assert not [each for each in to_dictionary if each.get("cookie") or each.get("referer")]
    page.keyboard.press("Escape")
    panel.wait_for(state="detached")
    assert page.evaluate("String(getSelection())") == "চৰাইবোৰে"


def test_a_language_that_the_dictionary_does_not_have_hides_no_answer(visit: OpenHost) -> None:
    page = visit("/odd", expected="400")
    wait_until_there(page)

    page.mouse.dblclick(*page.evaluate(POINT, "চৰাইবোৰে"))

    panel_of(page).get_by_role("heading", name="চৰাই", exact=True).wait_for()


def test_whole_words_are_meant_also_with_conjuncts_and_apostrophes(visit: OpenHost) -> None:
    page = visit("/")
    wait_until_there(page)
    text = page.locator("#text").inner_text()

    for part, word in (("’ল", "ক’লা"), ("ষ", "ক্ষমা"), ("ন", "পানী"), ("ক’ আ"[:2], "ক’"), ("ate", "Water")):
        start = text.index(part) if part != "ক’" else text.index("ক’ আ")
        assert look_up_by_key(page, start, len(part)) == word, part
    # A caret in a word means the word.
    assert look_up_by_key(page, text.index("ক্ষমা") + 1, 0) == "ক্ষমা"


def test_the_keyboard_goes_in_stays_within_and_comes_back(visit: OpenHost) -> None:
    page = visit("/")
    wait_until_there(page)
    page.locator("#field").focus()
    page.evaluate(SELECT, [0, 1])
    page.locator("#free").focus()
    page.evaluate("document.activeElement.blur()")

    text = page.locator("#text").inner_text()
    look_up_by_key(page, text.index("waterr"), 6)
    panel = panel_of(page)
    inside = "document.activeElement.shadowRoot.activeElement"
    assert page.evaluate(f"{inside}.getAttribute('role')") == "dialog"
    controls = panel.locator("button, a").count()
    for _ in range(controls + 1):
        page.keyboard.press("Tab")
    assert page.evaluate(f"{inside}.getAttribute('aria-label')") == "Close"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(f"{inside}.localName") == "a"
    page.keyboard.press("Escape")
    panel.wait_for(state="detached")
    assert page.evaluate("document.activeElement.localName") == "body"


def test_it_is_accessible_and_says_its_answer_politely(visit: OpenHost) -> None:
    for path, language in (("/", "lang=en"), ("/dark", "lang=as")):
        page = visit(f"{path}?{language}&dir=rtl", width=360)
        page.evaluate(AXE_SCRIPT)
        wait_until_there(page)
        look_up_by_key(page, 0, 4)
        panel = panel_of(page)
        panel.get_by_role("heading").first.wait_for()

        assert panel.get_by_role("status").inner_text().startswith("চৰাই: ")
        assert page.evaluate(VIOLATIONS, {"resultTypes": ["violations"], "rules": {"region": {"enabled": False}}}) == []
        box = panel.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert ("অসমীয়া" in panel.inner_text()) == (language == "lang=as")
        take_screenshot(page, f"embedded-{language[-2:]}-360")
    dark = panel.evaluate("(each) => getComputedStyle(each).backgroundColor")
    assert dark == "rgb(29, 32, 35)"


def test_styles_of_the_page_do_not_reach_the_panel(visit: OpenHost) -> None:
    page = visit("/hostile")
    wait_until_there(page)

    page.evaluate("abhidhan.lookUp('water', document.querySelector('#text'))")
    panel = panel_of(page)
    panel.get_by_role("heading", name="water", exact=True).wait_for()

    box = panel.bounding_box()
    assert box is not None
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert page.evaluate("(at) => document.elementFromPoint(...at).localName", middle) == "abhidhan-panel"
    style = panel.evaluate(
        "(each) => { const s = getComputedStyle(each); return [s.fontSize, s.color, s.visibility]; }"
    )
    assert style == ["16px", "rgb(28, 30, 34)", "visible"]


def test_where_the_page_may_not_ask_the_panel_says_so_kindly(visit: OpenHost, address: str) -> None:
    page = visit("/deaf", expected="Content Security Policy")
    wait_until_there(page)

    page.mouse.dblclick(*page.evaluate(POINT, "Water"))
    panel = panel_of(page)
    panel.get_by_text("This site blocks requests to the dictionary.").first.wait_for()

    expect(panel.get_by_role("link")).to_have_attribute("href", f"{address}/dic/Water")


def test_what_is_meant_for_the_page_is_left_alone(visit: OpenHost) -> None:
    page = visit("/", script="")
    wait_until_there(page)
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))

    for place in ("#code", "#field", "#free"):
        page.locator(place).dblclick()
    expect(page.locator("abhidhan-panel")).to_have_count(0)
    assert asked == []
    names = page.evaluate(NEW_GLOBALS)
    assert [name for name in names if not name.isdigit() and name not in {"text", "code", "field", "free"}] == [
        "abhidhan"
    ]

    page.mouse.dblclick(*page.evaluate(POINT, "চৰাইবোৰে"))
    panel = page.locator("abhidhan-panel")
    panel.wait_for(state="attached")
    assert page.evaluate("document.querySelector('abhidhan-panel').shadowRoot") is None
    page.mouse.click(1200, 600)
    panel.wait_for(state="detached")


def test_a_long_press_opens_it_and_leaves_the_focus(visit: OpenHost) -> None:
    page = visit("/", width=360, has_touch=True, is_mobile=True)
    wait_until_there(page)

    page.locator("#text").tap()
    page.evaluate(SELECT, [0, 2])
    panel = panel_of(page)
    panel.get_by_role("heading", name="চৰাই", exact=True).wait_for()

    assert page.evaluate("document.activeElement.localName") == "body"
    box = panel.bounding_box()
    assert box is not None
    assert box["y"] > page.evaluate(POINT, "চৰাইবোৰে")[1]


def test_it_works_in_a_frame(visit: OpenHost) -> None:
    page = visit("/frame")
    frame = page.frames[1]
    frame.wait_for_function("Boolean(window.abhidhan?.lookUp)")

    left, top = frame.evaluate(POINT, "চৰাইবোৰে")
    box = page.locator("iframe").bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + left + 2, box["y"] + top + 2)

    frame.locator("abhidhan-panel section").first.wait_for()


def test_the_search_box_answers_in_the_page_and_is_a_form_without_a_script(visit: OpenHost, address: str) -> None:
    page = visit("/box")
    field = page.locator("abhidhan-search").get_by_label("Look up a word")
    field.fill("pani")
    page.keyboard.press("Enter")
    panel = panel_of(page)
    panel.get_by_role("heading", name="পানী", exact=True).wait_for()
    page.keyboard.press("Escape")
    panel.wait_for(state="detached")
    page.keyboard.type("hati")
    expect(field).to_have_value("hati")

    plain = visit("/box", java_script_enabled=False)
    expect(plain.get_by_label("Word")).to_be_visible()
    expect(plain.locator("form")).to_have_attribute("action", f"{address}/search")
