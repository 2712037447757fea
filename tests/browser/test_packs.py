"""The dictionary taken along: loaded, found without a network, and renewed, over a server of its own with packs."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import httpx2
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect
from sqlalchemy import Integer, bindparam, select

from abhidhan.app.database import open_dictionary
from abhidhan.app.wiring import build_write_services
from abhidhan.people.service.administration import NewAccount
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.packs import generate_packs
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from abhidhan.schema import phrase, word
from assamese import keys
from assamese.key_rules_export import export_key_rules
from tests.browser.conftest import PASSWORD, take_screenshot, wait_for_expression
from tests.support.server import START_TIMEOUT_SECONDS, RunningServer, copy_starter, running_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.thorough

WAYS_TO_READ = 32
LANGUAGES = ("as", "bn", "hi", "en")
EVERY_ROMAN = 7
"""Of texts in Roman letters, one in so many is read as words that they may be typed for: that takes longest."""


@pytest.fixture(scope="module")
def site(tools: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Serve the starter dictionary with packs and an editor."""
    assert tools
    home = tmp_path_factory.mktemp("packs") / "site"
    copy_starter(home)
    settings = Settings(home=home)
    with open_dictionary(settings) as database:
        generate_packs(database, ArtifactStore(settings.pack_location), now=int(time.time()), pairs=("as-en",))
        write_side = build_write_services(settings, database)
        asyncio.run(write_side.accounts.administration.create_account(NewAccount("editor", PASSWORD), Role.EDITOR))
    with running_server(home) as server:
        yield server


@pytest.fixture
def page(site: RunningServer, browser: "Browser") -> Iterator["Page"]:
    """Open a phone's browser that holds nothing yet, on the page on which one takes the dictionary along."""
    context = browser.new_context(
        viewport={"width": 360, "height": 800},
        locale="en",
        base_url=str(site.client.base_url),
        service_workers="block",
    )
    context.set_default_timeout(START_TIMEOUT_SECONDS * 1000)
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.goto("/take-along")
    yield opened
    context.close()
    assert problems == []


def take(page: "Page") -> None:
    page.get_by_role("button", name="Download").click()
    page.get_by_text("Downloaded: 8,").wait_for()


def look_up(page: "Page", query: str, expected: str) -> str:
    """Look up a word on the device, wait for the expected result, and return the text of all results."""
    page.get_by_label("Word", exact=True).fill(query)
    page.locator(".pack-found .word, .pack-found .answer", has_text=expected).first.wait_for()
    return page.locator(".pack-found").inner_text()


def renew(page: "Page") -> None:
    page.get_by_role("button", name="Update").click()
    page.get_by_text("Updated.").wait_for()


def test_a_load_that_was_cut_off_goes_on_where_it_ended_and_words_are_found_without_a_network(page: "Page") -> None:
    asked: list[str] = []

    def cut_the_fourth(route: "Route") -> None:
        asked.append(route.request.url)
        if len(asked) == 4:
            route.abort()
        else:
            route.continue_()

    page.route("**/packs/as-en/*.json", cut_the_fourth)
    page.get_by_role("button", name="Download").click()
    page.get_by_text("Connection lost.").wait_for()
    first = asked[1:3]
    page.get_by_label("Word", exact=True).fill("পানী")
    page.get_by_text("You have not downloaded a dictionary yet.").wait_for()

    page.get_by_role("button", name="Continue downloading").click()
    page.get_by_text("Downloaded: 8,").wait_for()
    take_screenshot(page, "take-along-en-360")
    page.context.set_offline(True)

    assert not {*first} & {*asked[4:]}
    assert "No entry for oxomiya. Showing অসমীয়া." in look_up(page, "oxomiya", "অসমীয়া")
    assert "o.xo.mi.ya" in look_up(page, "অসমীয়া", "অসমীয়া")
    assert "No entry for সূৰ্য্য" in look_up(page, "সূৰ্য্য", "সূৰ্য")
    assert "No entry for অসমীয" in look_up(page, "অসমীয", "অসমীয়া")
    shown = look_up(page, "pani", "পানী")
    assert "water" in shown
    assert "জিভাৰ পানী পৰা" in shown, "proverbs with the word that was typed in Roman letters"


def test_in_airplane_mode_a_word_is_found_in_the_place_of_its_page(site: RunningServer, browser: "Browser") -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 800}, locale="en", base_url=str(site.client.base_url)
    )
    context.set_default_timeout(START_TIMEOUT_SECONDS * 1000)
    page = context.new_page()
    page.goto("/take-along")
    take(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.reload()
    context.set_offline(True)

    page.goto("/")
    page.locator("#q").press_sequentially("oxomi")
    page.get_by_role("option", name="অসমীয়া").first.wait_for()
    take_screenshot(page, "offline-suggestions")
    page.locator("#q").fill("oxomiya")
    page.keyboard.press("Enter")
    page.wait_for_url("**/dic/oxomiya")
    expect(page.locator("h1:visible")).to_have_text("অসমীয়া")
    page.locator(".pack-found .answer a").first.click()
    page.wait_for_url(lambda address: "oxomiya" not in address)
    take_screenshot(page, "offline-in-pack")
    context.close()


def test_what_is_changed_on_the_server_changes_here_and_what_is_removed_goes(page: "Page", site: RunningServer) -> None:
    take(page)
    word_id = _id_of(site, "হাতী")
    with httpx2.Client(base_url=site.client.base_url, timeout=START_TIMEOUT_SECONDS) as editor:
        _sign_in(editor)
        version = editor.get(f"/api/editing/words/{word_id}").json()["version"]
        changed = {"version": version, "changes": {"roman": "ha.ti-new"}}
        assert editor.patch(f"/api/editing/words/{word_id}", json=changed).status_code == 200
        added = editor.post("/api/editing/words", json={"language": "as", "word": "নতুনহাতী", "idea_id": 1})
        assert added.status_code == 201, added.text
        renew(page)
        page.context.set_offline(True)
        assert "ha.ti-new" in look_up(page, "হাতী", "হাতী")
        look_up(page, "নতুনহাতী", "নতুনহাতী")
        page.context.set_offline(False)

        editor.delete(f"/api/editing/words/{word_id}").raise_for_status()
        editor.delete(f"/api/editing/words/{added.json()['record'].partition(':')[2]}").raise_for_status()
    # Whatever page is opened next is a contact, if the last one is some minutes ago.
    page.evaluate(_LONG_AGO)
    page.goto("/about")
    page.evaluate(_UNTIL_RENEWED)
    page.goto("/take-along")
    page.context.set_offline(True)
    page.get_by_label("Word", exact=True).fill("হাতী")
    page.locator(".pack-found").first.wait_for()
    wait_for_expression(page, "!document.querySelector('[data-shown]').textContent.includes('ha.ti-new')")
    answers = page.locator(".pack-found .word, .pack-found .answer")
    assert not answers.get_by_text("হাতী", exact=True).count()
    assert "হাতী" not in page.locator(".pack-found .word").all_inner_texts()


_STORE = (
    'const store = await import(document.querySelector("script[type=module]").src.replace("main.js", "pack-store.js"))'
)
_LONG_AGO = f"""async () => {{
    {_STORE};
    await store.writePack({{ ...(await store.readPack("as-en")), renewed: 1 }});
}}"""
_UNTIL_RENEWED = f"""async () => {{
    {_STORE};
    while ((await store.readPack("as-en")).renewed === 1) await new Promise((resolve) => setTimeout(resolve, 20));
}}"""


def _id_of(site: RunningServer, text: str) -> int:
    found = site.client.get("/api/search", params={"q": text, "lang": "as", "fields": "id,word"}).json()["data"]
    return int(next(each["id"] for each in found if each["word"] == text))


def _sign_in(client: httpx2.Client) -> None:
    origin = str(client.base_url)
    client.headers["Origin"] = origin
    answer = client.post("/account/sign-in", data={"username": "editor", "password": PASSWORD})
    assert answer.status_code == 303, answer.text


def test_a_pack_that_is_not_offered_any_more_can_still_be_removed(page: "Page") -> None:
    names = "source: { code: 'as', name: 'Assamese' }, target: { code: 'hi', name: 'Hindi' }"
    page.evaluate(
        f"async () => {{ {_STORE}; await store.writePack({{ pair: 'as-hi', chunks: [], loading: {{}}, {names} }}); }}"
    )
    page.goto("/take-along")
    left = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Assamese → Hindi"))
    expect(left.get_by_role("button")).to_have_text(["Delete from this device"])
    take_screenshot(page, "take-along-left-en-360")

    left.get_by_role("button").click()

    left.get_by_text("Deleted from this device.").wait_for()
    page.goto("/take-along")
    page.get_by_role("button", name="Download").wait_for()
    expect(page.get_by_role("heading", name="Hindi")).to_have_count(0)


def test_a_full_device_is_told_and_a_pack_can_be_removed(page: "Page") -> None:
    page.evaluate(
        """() => { IDBObjectStore.prototype.kept = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function () { throw new DOMException("full", "QuotaExceededError"); }; }"""
    )
    page.get_by_role("button", name="Download").click()
    page.get_by_text("Not enough space on this device.").wait_for()

    page.evaluate("() => { IDBObjectStore.prototype.put = IDBObjectStore.prototype.kept; }")
    take(page)
    page.get_by_role("button", name="Delete from this device").click()
    page.get_by_text("Deleted from this device.").wait_for()
    page.reload()
    page.get_by_role("button", name="Download").wait_for()


def test_a_damaged_chunk_is_not_taken(page: "Page") -> None:
    page.route("**/packs/as-en/*.json", _damage)
    page.get_by_role("button", name="Download").click()
    page.get_by_text("Download failed.").wait_for()


def _damage(route: "Route") -> None:
    if "manifest" in route.request.url:
        route.continue_()
    else:
        route.fulfill(json={"kind": "word", "id": []})


def test_a_browser_folds_as_the_server_does(page: "Page", site: RunningServer) -> None:
    with open_dictionary(Settings(home=site.home)) as database:
        texts = database.read_now(_texts)
    made: list[str] = []
    _collecting(made.append)()

    for language in LANGUAGES:
        rules = json.loads(msgspec.json.encode(export_key_rules(language)))
        some = [*texts[language], *made]
        folded, read = page.evaluate(_FOLD, [rules, some])
        assert _unlike(some, folded, [[*keys.all_keys(text, language)] for text in some]) == []
        roman = [text for text in some if text.isascii()][::EVERY_ROMAN]
        assert _unlike(roman, read, [[*keys.roman_sound_keys(text, WAYS_TO_READ)] for text in roman]) == []


def _texts(connection: ReadConnection) -> dict[str, list[str]]:
    """Read the headwords, romanizations and proverbs of languages, each text once."""
    found = {}
    for code in LANGUAGES:
        language = connection.catalogue.find_language(code)
        assert language is not None
        rows = [row for query in _TEXTS for row in connection.rows(query, language_id=language.id)]
        found[code] = sorted({text for row in rows for text in row if text is not None})
    return found


def _unlike(texts: Sequence[str], by_browser: Sequence[object], by_server: Sequence[object]) -> list[str]:
    """List the texts that are folded otherwise, as people can tell them apart."""
    each = zip(texts, by_browser, by_server, strict=True)
    return [f"{text!a}: {one!a}, not {other!a}" for text, one, other in each if one != other]


_LANGUAGE = bindparam("language_id", type_=Integer)
_TEXTS = (
    CompiledQuery(select(word.c.text, word.c.roman, word.c.rule_roman).where(word.c.language_id == _LANGUAGE)),
    CompiledQuery(select(phrase.c.text).where(phrase.c.language_id == _LANGUAGE)),
)
_FOLD = f"""async ([rules, texts]) => {{
    const main = document.querySelector("script[type=module]").src;
    const {{ Keys }} = await import(main.replace("main.js", "pack-keys.js"));
    const keys = new Keys(rules);
    const ascii = texts.filter((text) => /^[\\x00-\\x7f]*$/.test(text));
    const roman = ascii.filter((_, place) => place % {EVERY_ROMAN} === 0);
    return [
        texts.map((text) => [keys.exact(text), keys.loose(text), keys.sound(text)]),
        roman.map((text) => keys.romanSounds(text, {WAYS_TO_READ})),
    ];
}}"""


def _collecting(keep: Callable[[str], Any]) -> Callable[[], None]:
    """Make texts of all characters that this Python knows: what is newer, browsers fold and Python does not."""
    known = st.characters(exclude_categories=("Cs", "Cn"))
    indic = st.characters(min_codepoint=0x900, max_codepoint=0x9FF)
    latin = st.characters(min_codepoint=0x20, max_codepoint=0x24F)

    @settings(max_examples=500, deadline=None)
    @given(st.one_of(*(st.text(alphabet=some, max_size=14) for some in (known, indic, latin))))
    def collect(text: str) -> None:
        keep(text)

    return collect
