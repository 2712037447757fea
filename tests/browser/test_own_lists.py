"""One's own lists and what was looked up recent: kept in the browser, seen without an account, shared by an address."""

import random
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from playwright.sync_api import expect

from abhidhan.people.model.saved_lists import Lists, OwnList, OwnWord, merge_lists
from tests.browser.conftest import PHONE_WIDTH, BrowserWindow, OpenWindow, take_screenshot

if TYPE_CHECKING:
    from playwright.sync_api import Page
import pytest

pytestmark = pytest.mark.thorough

REFUSED = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("refused", "SecurityError"); } });
"""
FULL = """
Storage.prototype.setItem = function (name) {
    if (name !== "abhidhan.probe") throw new DOMException("full", "QuotaExceededError");
};
"""


def star(opened: BrowserWindow, address: str, name: str) -> None:
    """Open a page and press a star."""
    button = opened.open(address).get_by_role("button", name=f"Add “{name}” to my words", exact=True)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def words_of(page: "Page", name: str) -> list[str]:
    """List the words of a list as they stand on the page of one's own."""
    own = page.locator(".saved-list", has=page.locator("summary", has_text=name))
    return own.locator(".rows .headword").all_inner_texts()


def star_words(opened: BrowserWindow, *words: str) -> "Page":
    """Star English words, and open the page of lists."""
    for word in words:
        star(opened, f"/dic/{word}", word)
    page = opened.open("/my-lists")
    page.locator(".saved-list .gloss:not(:empty)").nth(len(words) - 1).wait_for()
    return page


def test_a_star_leads_to_a_list_that_is_ordered_shared_and_learnt_by_somebody_without_a_script(
    window: OpenWindow, tmp_path: Path
) -> None:
    page = star_words(window(PHONE_WIDTH), "water", "fish", "bird")
    assert words_of(page, "My words") == ["water", "fish", "bird"]

    page.get_by_text("Edit this list").click()
    page.get_by_role("button", name="Move up: bird").press("Enter")
    page.get_by_role("button", name="Move up: bird").and_(page.locator(":focus")).press("Enter")
    page.get_by_role("button", name="Move down: bird").and_(page.locator(":focus")).wait_for()
    page.get_by_role("button", name="Remove from list: fish").click()
    page.get_by_role("button", name="Undo").and_(page.locator(":focus")).press("Enter")
    assert words_of(page, "My words") == ["bird", "water", "fish"]
    take_screenshot(page, "my-lists-filled-en-360")
    shared = page.get_by_role("link", name="Share this list").get_attribute("href")
    page.reload()
    page.locator(".saved-list .headword").nth(2).wait_for()
    assert words_of(page, "My words") == ["bird", "water", "fish"]

    other = window(java_script_enabled=False)
    there = other.open(shared or "")
    assert there.locator(".word-list .headword").all_inner_texts() == ["bird", "water", "fish"]
    assert there.get_by_role("button", name="Save this list").is_hidden()
    with there.expect_download() as deck:
        there.get_by_role("link", name="Download Anki deck").click()
    assert "collection.anki2" in zipfile.ZipFile(deck.value.path()).namelist()
    with there.expect_download() as table:
        there.get_by_role("link", name="Download CSV").click()
    there.get_by_role("link", name="Practise as flashcards").click()
    assert there.locator(".cards .word").all_inner_texts() == ["bird", "water", "fish"]

    saved = tmp_path / "from the server.csv"
    saved.write_bytes(Path(table.value.path()).read_bytes())
    page.get_by_text("Import a list from a CSV file").click()
    page.locator("#import-file").set_input_files(saved)
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("3 words imported.").wait_for()
    assert words_of(page, "from the server") == ["bird", "water", "fish"]


def test_a_word_is_put_into_other_lists_by_keyboard(window: OpenWindow) -> None:
    page = window().open("/dic/water")
    page.locator(".entry .more > summary").first.press("Enter")
    page.get_by_role("button", name="Add “water” to lists").press("Enter")
    dialog = page.get_by_role("dialog", name="Add “water” to lists")

    dialog.get_by_label("New list").fill("Rivers")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("checkbox", name="Rivers")).to_be_checked()
    dialog.get_by_role("checkbox", name="My words").press("Space")
    page.keyboard.press("Escape")

    expect(page.get_by_role("button", name="Add “water” to my words")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Add “water” to lists").and_(page.locator(":focus"))).to_be_visible()
    page.goto(page.url.partition("/dic")[0] + "/my-lists")
    expect(page.locator(".saved-list [data-name]")).to_have_text(["My words", "Rivers"])


def test_a_list_is_renamed_removed_brought_back_and_put_together_with_its_namesake(window: OpenWindow) -> None:
    page = star_words(window(), "water")
    for word in ("Fish", "fish "):
        page.get_by_label("Name", exact=True).last.fill(word)
        page.get_by_role("button", name="Create list").click()
    lists = page.locator(".saved-list")
    lists.nth(2).get_by_text("Edit this list").click()
    lists.nth(2).get_by_label("Name").fill("Fish")
    lists.nth(2).get_by_label("Name").press("Enter")

    lists.nth(2).get_by_role("button", name="Merge with").click()
    expect(page.locator(".saved-list [data-name]")).to_have_text(["My words", "Fish"])
    lists.nth(0).get_by_text("Edit this list").click()
    lists.nth(0).get_by_role("button", name="Delete this list").click()
    assert words_of(page, "My words") == []
    page.get_by_role("button", name="Undo").click()
    assert words_of(page, "My words") == ["water"]
    lists.nth(0).get_by_role("button", name="Move this list down").click()
    expect(page.locator(".saved-list [data-name]")).to_have_text(["Fish", "My words"])


def test_what_another_tab_does_is_seen_and_nothing_is_overwritten(window: OpenWindow) -> None:
    opened = window()
    page = star_words(opened, "water")
    other = page.context.new_page()
    other.goto(opened.base + "/dic/fish")

    other.get_by_role("button", name="Add “fish” to my words").click()
    page.locator(".saved-list .headword", has_text="fish").wait_for()
    page.get_by_text("Edit this list").click()
    page.get_by_role("button", name="Remove from list: water").click()

    other.goto(opened.base + "/dic/water")
    expect(other.get_by_role("button", name="Add “water” to my words")).to_have_attribute("aria-pressed", "false")
    assert words_of(page, "My words") == ["fish"]


def test_lists_are_seen_without_a_network(window: OpenWindow) -> None:
    page = star_words(window(), "water")
    page.route("**/api/**", lambda route: route.abort())

    page.reload()

    page.locator(".saved-list .gloss", has_text=re.compile(".")).wait_for()
    assert words_of(page, "My words") == ["water"]


def test_the_words_of_a_list_are_practised_and_known_in_every_list(window: OpenWindow) -> None:
    page = star_words(window(), "water", "fish")
    page.get_by_role("link", name="Practise as flashcards").click()

    page.locator(".flashcard").click()
    page.get_by_role("button", name="I knew it").click()

    expect(page.locator("[data-position]")).to_have_text("1 of 2")
    both = page.url.replace("name=My%20words", "name=another")
    page.goto(both)
    expect(page.locator("[data-position]")).to_have_text("0 of 1")
    page.locator(".flashcard").click()
    page.get_by_role("button", name="I knew it").click()
    page.goto(re.sub(r",\d+", "", both))
    page.get_by_role("button", name="Reset progress").click()
    page.goto(both)
    expect(page.locator("[data-position]")).to_have_text("0 of 1")


def test_what_was_looked_up_is_remembered_until_it_is_forgotten(window: OpenWindow) -> None:
    opened = window()
    for word in ("water", "fish", "bird", "water", "nowhere-to-be-found"):
        opened.open(f"/dic/{word}")
        page = opened.page
        if not word.startswith("nowhere"):
            page.get_by_role("button", name=f"Add “{word}” to my words", exact=True).first.wait_for()
    page = opened.open("/my-lists")
    recent = page.locator(".recent-words .headword")
    recent.first.wait_for()
    assert recent.all_inner_texts() == ["water", "bird", "fish"]

    page.get_by_role("button", name="Remove from history: bird").click()
    assert recent.all_inner_texts() == ["water", "fish"]
    page.get_by_label("Remember the words I look up").uncheck()
    expect(recent).to_have_count(0)
    opened.open("/dic/fish").get_by_role("button", name="Add “fish” to my words").wait_for()
    page = opened.open("/my-lists")
    assert page.get_by_label("Remember the words I look up").is_checked() is False
    expect(recent).to_have_count(0)


def test_a_browser_that_keeps_nothing_shows_pages_as_they_are(window: OpenWindow) -> None:
    opened = window()
    opened.page.add_init_script(REFUSED)

    page = opened.open("/my-lists")
    page.get_by_text("Your browser does not store data for this page").wait_for()
    assert page.get_by_role("button", name="Create list").is_hidden()
    with page.expect_response("**/star.js"):
        opened.open("/dic/water")
    expect(page.get_by_role("button", name="Add “water” to my words")).to_have_count(0)
    opened.open("/list?words=1,2")
    expect(page.locator(".word-list .headword")).to_have_count(2)


def test_where_there_is_no_room_the_star_says_so(window: OpenWindow) -> None:
    opened = window()
    opened.page.add_init_script(FULL)
    page = opened.open("/dic/water")

    page.get_by_role("button", name="Add “water” to my words").click()

    page.get_by_text("Your browser’s storage is full.").wait_for()
    expect(page.get_by_role("button", name="Add “water” to my words")).to_have_attribute("aria-pressed", "false")


# --- with an account --------------------------------------------------------------------------------------------------


def signed_in_lists(window: OpenWindow, *words: str) -> BrowserWindow:
    """Sign in on a device, star words, and choose that the lists are kept with the account."""
    opened = window()
    opened.sign_in("reader")
    for word in words:
        star(opened, f"/dic/{word}", word)
    page = opened.open("/my-lists")
    page.get_by_role("button", name="Save my lists to my account").click()
    page.get_by_text("Synced with the account reader").wait_for()
    return opened


def test_two_devices_have_the_same_lists_once_somebody_wants_that(window: OpenWindow) -> None:
    one = signed_in_lists(window, "water")
    two = signed_in_lists(window, "fish")
    # A word of the other device is a number until it has been read.
    two.page.locator(".saved-list .headword", has_text="water").wait_for()
    assert sorted(words_of(two.page, "My words")) == ["fish", "water"]

    two.page.get_by_text("Edit this list").click()
    with two.page.expect_response("**/api/account/lists"):
        two.page.get_by_role("button", name="Remove from list: water").click()
    star(one, "/dic/bird", "bird")
    with one.page.expect_response("**/api/account/lists"):
        one.open("/my-lists")
    one.page.locator(".saved-list .headword", has_text="fish").wait_for()
    assert sorted(words_of(one.page, "My words")) == ["bird", "fish"]

    with one.page.expect_response("**/api/account/lists"):
        one.open("/flashcards?set=1").locator(".flashcard").click()
        one.page.get_by_role("button", name="I knew it").click()
    two.open("/flashcards").locator("[data-set='1'] progress").wait_for()
    expect(two.page.locator("[data-set='1']")).to_contain_text("1 of 24")
    expect(two.page.get_by_text("with your account")).to_be_visible()

    one.open("/my-lists")
    one.page.get_by_role("button", name="Stop syncing and delete the lists from my account").click()
    one.page.get_by_text("Your lists are no longer stored with your account").wait_for()
    two.open("/my-lists").get_by_text("Your lists are no longer stored with your account").wait_for()
    two.page.locator(".saved-list .headword", has_text="fish").wait_for()
    expect(two.page.get_by_role("button", name="Save my lists to my account")).to_be_visible()


def test_the_browser_puts_lists_together_as_the_server_does(window: OpenWindow) -> None:
    page = window().open("/my-lists")
    rules = random.Random(7)  # noqa: S311  # examples, no secrets
    module = page.locator("link[rel=modulepreload][href$='saved-lists.js']").get_attribute("href") or ""

    pairs = [(example(rules), example(rules)) for _ in range(200)]
    here = page.evaluate(TOGETHER, [module, msgspec.to_builtins(pairs)])

    assert [merge_lists(msgspec.convert(each, Lists)) for each in here] == [merge_lists(*pair) for pair in pairs]


TOGETHER = """
async ([module, pairs]) => {
    const { mergeLists } = await import(module);
    const { fromServerFormat, toServerFormat } = await import(module.replace("saved-lists", "list-sync"));
    return pairs.map((pair) => toServerFormat(mergeLists(...pair.map(fromServerFormat))));
}
"""


def example(rules: random.Random) -> Lists:
    """Make lists of a device, with names and moments that meet those of another."""
    lists = [
        OwnList(
            list_id,
            rules.choice(["", "a", "ab", "মাছ", "\U0001f600", "\uffff"]),
            rules.randrange(4),
            rules.choice([-1.5, 0.0, 2.0]),
            rules.randrange(4),
            rules.random() < 0.5,
            rules.randrange(4),
            tuple(
                OwnWord(word, rules.randrange(4), rules.choice([None, 1.0, 2.5]))
                for word in (1, 2, 3)
                if rules.random() < 0.7
            ),
        )
        for list_id in ("mine", "b")
        if rules.random() < 0.8
    ]
    return merge_lists(lists)
