"""Missing words on the pages: telling of one without an account, what editors see, and whom to ask for an account."""

from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from abhidhan.app.wiring import build_write_services
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.entry import load_entry_page
from abhidhan.dictionary.service.views.entry_parts import EntryRequest
from abhidhan.dictionary.store import missing_words as stored
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from abhidhan.schema import missing_word
from tests.editing.pages.test_editing import fields_of_form
from tests.people.pages.test_account import shown, site
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.databases import SqliteDatabases
from tests.support.pages import open_pages, send_form

__all__ = ["site"]

MISSING = "/account/submit/missing"
QUEUE = "/review/submissions"
WORD = {"word": "কখগঘঙচ", "language": "as"}


def test_a_missing_word_is_reported_without_an_account(site: Site) -> None:
    nowhere = shown(site.ask("GET", "/dic/কখগঘঙচ"))
    address = next(
        each.attributes["href"] for each in nowhere.all("a") if each.attributes.get("href", "").startswith(MISSING)
    )
    form = fields_of_form(shown(site.ask("GET", address)))

    sent = send_form(site, MISSING, form | {"language": "as"})
    thanks = shown(site.ask("GET", sent.headers["location"]))

    assert (form["word"], sent.status) == (WORD["word"], 303)
    assert "Thank you" in thanks.main
    assert WORD["word"] in shown(site.ask("GET", QUEUE, by="editor")).main


def test_reports_of_one_missing_word_are_counted_in_one_entry(site: Site) -> None:
    for number in range(3):
        sent = site.ask(
            "POST", "/api/reports/missing", json={"word": WORD["word"], "language": "as"}, address=f"192.0.2.{number}"
        )
        assert (sent.status, sent.json["submission_id"]) == (201, 1)
    other = site.ask("POST", "/api/reports/missing", json={"word": WORD["word"], "language": "en"})

    entry = site.ask("GET", "/api/submissions/1", by="editor").json
    page = shown(site.ask("GET", QUEUE, by="editor")).main

    assert other.json["submission_id"] == 2
    assert (entry["kind"], entry["submitter"], entry["times"]) == ("missing", None, 3)
    assert "3 people" in page


def test_invalid_and_existing_words_cannot_be_reported_as_missing(site: Site) -> None:
    for word in ("", " ", "পানী", "x" * 300):
        sent = send_form(site, MISSING, {"word": word, "language": "as"})

        assert sent.status == 400, word
        assert shown(sent).all("div", role="alert")


def test_reports_of_missing_words_are_limited_by_address(site: Site) -> None:
    statuses = [send_form(site, MISSING, WORD | {"word": "কখগ" + "ঙ" * number}).status for number in range(14)]

    assert statuses[:9] == [303] * 9
    assert statuses[-1] == 429


def test_an_editor_turns_a_missing_word_into_an_entry(site: Site) -> None:
    send_form(site, MISSING, WORD)
    too_early = send_form(site, f"{QUEUE}/1", {"decision": "approve"}, by="editor")
    fields = fields_of_form(shown(site.ask("GET", f"{QUEUE}/1", by="editor")))
    idea = {"idea_id": "", "pos": "1", "definition_new_en": "a test", "language": "as"}

    made = send_form(site, f"{QUEUE}/1", fields | idea | {"decision": "mend"}, by="editor")
    again = send_form(site, MISSING, WORD)

    assert too_early.status == 400
    assert "not in the dictionary yet" in shown(too_early).main
    assert made.status == 303, shown(made).main
    assert "a test" in shown(site.ask("GET", f"/dic/{WORD['word']}")).main
    assert again.status == 400


def test_a_missing_word_that_was_added_meanwhile_is_closed_by_approving(site: Site) -> None:
    send_form(site, MISSING, WORD)
    site.add("anil", Role.CONTRIBUTOR, signed_in=False)
    site.cookies["anil"] = read_session_token(
        send_form(site, "/account/sign-in", {"username": "anil", "password": PASSWORD})
    )
    send_form(site, "/account/submit/word", WORD | {"pos": "1", "definition_en": "a test"}, by="anil")
    send_form(site, f"{QUEUE}/2", {"decision": "approve"}, by="editor")

    closed = send_form(site, f"{QUEUE}/1", {"decision": "approve"}, by="editor")

    assert closed.status == 303
    assert site.ask("GET", "/api/submissions/1", by="editor").json["result"].startswith("word:")


def test_editors_see_unsuccessful_searches_and_remove_words_from_the_list(site: Site) -> None:
    for day in range(5):
        counts = {"কখগঘঙচ": 2, "xyzzyx": 1}
        site.database.write_now(partial(stored.add_counts, counts=counts, day=day))

    page = shown(site.ask("GET", "/review/missing", by="editor"))
    send_form(site, "/review/missing", {"word": "xyzzyx"}, by="editor")
    after = shown(site.ask("GET", "/review/missing", by="editor"))

    assert page.main.index("কখগঘঙচ") < page.main.index("xyzzyx")
    assert "searched for 10 times" in page.main
    assert "xyzzyx" not in after.main
    assert "ABHIDHAN_MISSING_WORDS" in page.main
    assert site.ask("GET", "/review/missing", by="reader").status == 403
    assert site.ask("GET", "/review/missing").status == 303


def test_a_server_that_counts_what_is_not_found_says_so_and_whom_to_ask_for_an_invitation(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    with open_pages(sqlite_databases, tmp_path, missing_words=True, contact="desk@dictionary.example") as site:
        assert site.ask("GET", "/dic/কখগঘঙচ").status == 404
        assert "ABHIDHAN_MISSING_WORDS" not in shown(site.ask("GET", "/review/missing", by="editor")).main
        invited = shown(site.ask("GET", "/account/sign-up"))

        assert "invitation" in invited.main
        assert invited.links_to("mailto:desk@dictionary.example")


def test_unsuccessful_searches_are_stored_when_a_server_stops(site: Site) -> None:
    write_side = build_write_services(Settings(home=site.home, missing_words=True), site.database)

    async def serve() -> None:
        async with write_side.running():
            reading = Dictionary(site.database, missing_words=write_side.missing_words)
            await load_entry_page(reading, EntryRequest(WORD["word"]))

    site.run(serve())

    with site.database.engine.connect() as connection:
        assert connection.execute(select(missing_word.c.text)).scalars().all() == [WORD["word"]]


@pytest.mark.parametrize("contact", ["https://dictionary.example/join", "Ask at the library"])
def test_the_sign_up_page_says_whom_to_ask(sqlite_databases: SqliteDatabases, tmp_path: Path, contact: str) -> None:
    with open_pages(sqlite_databases, tmp_path, contact=contact) as site:
        page = shown(site.ask("GET", "/account/sign-up"))

        assert contact in page.main
        assert bool(page.links_to(contact)) is contact.startswith("https://")
