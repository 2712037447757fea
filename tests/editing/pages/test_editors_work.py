"""Editors review by kind, undo decisions, merge and delete entries, and read the history on the pages."""

import re
from typing import Final
from urllib.parse import quote, unquote

import pytest

from abhidhan.editing.service import redaction
from abhidhan.records.people import Role
from tests.editing.pages.test_editing import fields_of_form, look, undos
from tests.people.pages.test_account import shown, site
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.pages import send_form

__all__ = ["site"]

QUEUE = "/review/submissions"
WORD = {"word": "নতুনশব্দ", "language": "as", "pos": "1", "definition_as": "নতুন শব্দ এটা", "definition_en": "a new one"}
PROVERB = {"text": "নতুন ফকৰা এটা", "language": "as", "category": "2", "meaning": ""}
CORRECTION = {"word_id": "1", "text": "The spelling is wrong"}


@pytest.fixture
def desk(site: Site) -> Site:
    """Let a word, a proverb and a report wait."""
    site.add("anil", Role.CONTRIBUTOR, signed_in=False)
    site.cookies["anil"] = read_session_token(
        send_form(site, "/account/sign-in", {"username": "anil", "password": PASSWORD})
    )
    send_form(site, "/account/submit/word", WORD, by="anil")
    send_form(site, "/account/submit/proverb", PROVERB, by="anil")
    send_form(site, "/account/submit/correction", CORRECTION, by="anil")
    return site


def test_words_proverbs_and_corrections_are_listed_separately_and_counted(desk: Site) -> None:
    whole = look(desk, QUEUE)
    words, proverbs, corrections = (look(desk, f"{QUEUE}?kind={kind}") for kind in ("words", "proverbs", "corrections"))

    tabs = [each.text for each in whole.all("a", **{"class": "tag"}) if "/review/" in each.attributes["href"]]
    assert tabs == ["All 3", "Words 1", "Proverbs 1", "Corrections 1", "Imports and flashcards 0"]
    shown_in = [
        [text in page.main for text in (WORD["word"], PROVERB["text"], CORRECTION["text"])]
        for page in (words, proverbs, corrections)
    ]
    assert shown_in == [[True, False, False], [False, True, False], [False, False, True]]
    assert look(desk, "/review/photos").one("span", **{"class": "count"}).text == "3"
    assert look(desk, f"{QUEUE}?kind=nonsense").all("li", tabindex="-1")
    assert not desk.ask("GET", "/account", by="anil").body.count(b'class="count"')


def test_the_language_of_a_definition_is_shown(desk: Site) -> None:
    main = look(desk, QUEUE).main

    assert "Definition, Assameseনতুন শব্দ এটা" in main
    assert "Definition, Englisha new one" in main


def test_an_approved_submission_is_linked_and_can_be_undone(desk: Site) -> None:
    decided = send_form(desk, f"{QUEUE}/1", {"decision": "approve", "kind": "words"}, by="editor").headers["location"]
    after = look(desk, decided)
    undo = next(each.attributes["action"] for each in after.all("form") if each.attributes["action"].endswith("/undo"))
    was_there = desk.ask("GET", f"/dic/{WORD['word']}").status

    undone = send_form(desk, undo, {"kind": "words"}, by="editor")

    assert after.links_to(f"/dic/{WORD['word']}")
    assert (was_there, desk.ask("GET", f"/dic/{WORD['word']}").status) == (200, 404)
    assert undone.headers["location"] == f"{QUEUE}?kind=words&done=undone&id=1"
    assert WORD["word"] in look(desk, undone.headers["location"]).main
    assert send_form(desk, undo, {}, by="editor").status == 409


def test_a_rejection_can_be_undone(desk: Site) -> None:
    decided = send_form(desk, f"{QUEUE}/2", {"decision": "reject", "reason": "a mistake"}, by="editor").headers[
        "location"
    ]
    gone = PROVERB["text"] in look(desk, decided).main

    send_form(desk, f"{QUEUE}/2/undo", {}, by="editor")

    assert not gone
    assert PROVERB["text"] in look(desk, QUEUE).main
    assert send_form(desk, f"{QUEUE}/2/undo", {}, by="reader").status == 403
    assert look(desk, f"{QUEUE}?done=approved&id=999").main


def test_a_row_that_was_undone_offers_no_undo(site: Site) -> None:
    fields = fields_of_form(look(site, "/edit/word/1"))
    send_form(site, "/edit/word/1", fields | {"origin": "a test"}, by="editor")
    (first,) = undos(look(site, "/edit/word/1"))[:1]

    send_form(site, first, {}, by="editor")

    page = look(site, "/edit/word/1")
    assert "a test" in page.main
    assert first not in undos(page)
    assert len(undos(page)) == 1


def test_two_meanings_are_merged_and_separated_again(site: Site) -> None:
    page = look(site, "/edit/idea/1/merge?q=মাছ")
    other = next(each.attributes["value"] for each in page.all("input", name="other_id"))

    merged = send_form(site, "/edit/idea/1/merge", {"other_id": other, "q": "মাছ"}, by="editor")
    after = look(site, merged.headers["location"])
    gone = site.ask("GET", f"/edit/idea/{other}", by="editor").status
    send_form(site, undos(after)[0], {}, by="editor")

    assert look(site, "/edit/idea/1").links_to("/edit/idea/1/merge")
    assert merged.headers["location"] == "/edit/idea/1?done=merged"
    assert (gone, site.ask("GET", f"/edit/idea/{other}", by="editor").status) == (404, 200)


def test_impossible_merges_are_reported(unchanged_site: Site) -> None:
    for other in ("1", "0", "", "99999", "x"):
        refused = send_form(unchanged_site, "/edit/idea/1/merge", {"other_id": other}, by="editor")

        assert refused.status in {400, 404}, other
        assert shown(refused).all("div", role="alert")


def test_a_meaning_is_deleted_and_brought_back(site: Site) -> None:
    number = next(
        found[1]
        for each in look(site, "/edit/idea/1/merge?q=মাছ").all("input", name="other_id")
        if (found := re.fullmatch(r"(\d+)", each.attributes["value"]))
    )
    address = f"/edit/idea/{number}/delete"
    unsure = send_form(site, address, {}, by="editor")

    gone = send_form(site, address, {"sure": "yes"}, by="editor")
    status = site.ask("GET", f"/edit/idea/{number}", by="editor").status
    (undo,) = undos(look(site, gone.headers["location"]))
    back = send_form(site, undo, {}, by="editor")

    assert (unsure.status, gone.status, status) == (400, 303, 404)
    assert back.headers["location"] == f"/edit/idea/{number}?done=undone"
    assert site.ask("GET", address, by="reader").status == 403


def test_contexts_are_chosen(site: Site) -> None:
    page = look(site, "/edit/idea/1")
    boxes = {each.attributes["name"]: each for each in page.all("input", type="checkbox")}
    contexts = [name for name in boxes if name.startswith("context_")]
    chosen = contexts[3]

    send_form(site, "/edit/idea/1", fields_of_form(page) | {"pos": "3", chosen: "yes"}, by="editor")

    after = look(site, "/edit/idea/1")
    checked = [each.attributes["name"] for each in after.all("input", type="checkbox") if "checked" in each.attributes]
    assert len(contexts) > 20
    assert checked == [chosen]
    assert not page.all("input", name="contexts")


def test_every_visitor_reads_the_history_of_a_word_and_only_editors_undo_changes(site: Site) -> None:
    fields = fields_of_form(look(site, "/edit/word/1"))
    send_form(site, "/edit/word/1", fields | {"origin": "from a test"}, by="editor")
    word = shown(site.ask("GET", "/dic/পানী"))

    page = shown(site.ask("GET", "/history/word/1"))

    assert word.links_to("/history/word/1")
    assert "from a test" in page.main
    assert "editor" in page.main
    assert undos(page) == []
    assert page.all("meta", name="robots")
    meaning = next(each.attributes["href"] for each in page.all("a") if "/history/idea/" in each.attributes["href"])
    assert site.ask("GET", meaning).status == 200


def test_hidden_changes_show_the_reason_and_older_changes_offer_no_undo(site: Site) -> None:
    for origin in ("first", "never again", "last"):
        fields = fields_of_form(look(site, "/edit/word/1"))
        send_form(site, "/edit/word/1", fields | {"origin": origin}, by="editor")
    assert len(undos(look(site, "/edit/word/1"))) == 1
    site.database.write_now(lambda writer: redaction.hide_text(writer, "never again", "<By order> of a court.", 1))

    page = shown(site.ask("GET", "/history/word/1"))

    assert page.main.count("This change is hidden: <By order> of a court.") == 2
    assert "first" in page.main
    assert "never again" not in page.main
    assert undos(look(site, "/edit/word/1")) == []
    assamese = shown(site.ask("GET", "/history/word/1?interface=as")).main
    assert "ইয়াত কি সলনি কৰা হৈছিল, দেখুওৱা নহয়: <By order> of a court." in assamese


UNKNOWN_HISTORIES: Final[tuple[str, ...]] = (
    "/history/word/99999",
    "/history/idea/99999",
    "/history/word/0",
    "/history/word/x",
)


def test_the_history_of_an_unknown_record_is_not_found(unchanged_site: Site) -> None:
    for address in UNKNOWN_HISTORIES:
        assert unchanged_site.ask("GET", address).status in {400, 404}, address


def test_the_address_of_a_sense_stays_when_its_word_is_respelled_and_its_idea_merged(site: Site) -> None:
    def sense_of(address: str) -> str:
        found = next(link for link in look(site, address).all("a") if link.attributes["href"].startswith("/sense/"))
        return found.attributes["href"]

    def leads_to(address: str) -> str:
        return unquote(site.ask("GET", address).headers["location"])

    fish = sense_of("/dic/মাছ?language=as")
    word = site.ask("GET", "/api/dic.php?w=" + quote("মাছ")).json["querywords"][0]["entries"][0]["id"]
    read = site.ask("GET", f"/api/editing/words/{word}", by="editor").json
    changes = {"version": read["version"], "changes": {"word": "মাছটি", "roman": None}}
    assert site.ask("PATCH", f"/api/editing/words/{word}", by="editor", json=changes).status == 200
    assert leads_to(fish) == "/dic/মাছটি?language=as&idea=2"
    assert leads_to(f"/word/{word}") == "/dic/মাছটি"

    assert site.ask("POST", "/api/editing/ideas/2/merge", by="editor", json={"into": 1}).status == 200
    assert leads_to(fish) == "/dic/মাছটি?language=as&idea=1"


def test_the_address_of_an_unlinked_sense_redirects_to_the_word(site: Site) -> None:
    senses = [link.attributes["href"] for link in look(site, "/dic/water").all("a", rel="bookmark nofollow")]
    word, first = (next(each for each in senses if each.startswith(kind)) for kind in ("/word/", "/sense/"))
    linked = {"language": "en", "word": "water", "idea_id": 2}
    assert site.ask("POST", "/api/editing/words", by="editor", json=linked).status == 201

    assert site.ask("DELETE", f"/api/editing/senses{first.removeprefix('/sense')}", by="editor").status == 200

    assert site.ask("GET", first).headers["location"] == "/dic/water"
    assert site.ask("DELETE", f"/api/editing/words{word.removeprefix('/word')}", by="editor").status == 200
    assert site.ask("GET", first).status == 404


def test_a_citation_names_the_editors_and_reports_later_changes(site: Site) -> None:
    senses = [link.attributes["href"] for link in look(site, "/dic/পানী").all("a", rel="bookmark nofollow")]
    number = next(each for each in senses if each.startswith("/sense/")).rpartition("/")[2]
    before = site.ask("GET", f"/sense/{number}?version=0").headers["location"]
    fields = fields_of_form(look(site, "/edit/word/1"))
    send_form(site, "/edit/word/1", fields | {"origin": "from a test"}, by="editor")

    older = site.ask("GET", f"/sense/{number}?version=0").headers["location"]
    page = look(site, older)
    now = look(site, f"/cite/{number}").main

    assert unquote(before).startswith("/dic/পানী?")
    assert older == f"/cite/{number}?version=0"
    assert "This entry has changed since the cited version (0)." in page.main
    assert page.links_to(f"/sense/{number}")
    assert page.links_to("/history/word/1")
    assert "has changed since" not in now
    assert "Abhidhan. editor. Version " in now
    version = re.findall(r"Version (\d+),", now)[0]
    assert unquote(site.ask("GET", f"/sense/{number}?version={version}").headers["location"]).startswith("/dic/পানী?")
