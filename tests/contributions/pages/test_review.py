from typing import Final

import pytest

from abhidhan.exchange.service.import_for_review import submit_for_review
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    ExampleRecord,
    FormsRecord,
    IdeaRecord,
    PhraseRecord,
    WordRecord,
)
from abhidhan.records.people import Role
from tests.editing.pages.test_editing import fields_of_form
from tests.people.pages.test_account import shown, site
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.page import Page
from tests.support.pages import send_form
from tests.support.sample import NOW, SOURCE

__all__ = ["site"]

QUEUE = "/review/submissions"
CORRECTION = "/account/submit/correction"
ALL_SEEN = ",".join(map(str, range(1, 1000)))
WORD = {
    "word": "পানি",
    "language": "as",
    "pos": "1",
    "definition_as": "নতুন অৰ্থ এটা",
    "reference": "হেমকোষ",
    "seen": ALL_SEEN,
}
HOSTILE = "<script>alert('x')</script>"


@pytest.fixture
def desk(site: Site) -> Site:
    """Add somebody who may send words."""
    site.add("anil", Role.CONTRIBUTOR, signed_in=False)
    site.cookies["anil"] = read_session_token(
        send_form(site, "/account/sign-in", {"username": "anil", "password": PASSWORD})
    )
    return site


def look(site: Site, path: str, by: str = "editor") -> Page:
    return shown(site.ask("GET", path, by=by))


def test_words_similar_to_a_new_one_are_shown_beside_it(desk: Site) -> None:
    send_form(desk, "/account/submit/word", WORD, by="anil")
    send_form(desk, "/account/submit/word", WORD | {"word": "হাতীী"}, by="anil")

    page = look(desk, QUEUE)

    assert page.links_to("/dic/পানী")
    assert page.links_to("/dic/হাতী")
    assert "similar spelling" in page.main or "sounds the same" in page.main


def test_proverbs_similar_to_a_new_one_are_shown_beside_it(desk: Site) -> None:
    proverb = {"text": "নগৈ গৰগাৱৰ বাতৰি কয়", "language": "as", "category": "2", "meaning": ""}
    send_form(desk, "/account/submit/proverb", proverb, by="anil")

    page = look(desk, QUEUE)

    assert "নগৈ গড়গাঁৱৰ বতৰা কয়" in page.main
    assert "nearly the same" in page.main


def test_a_word_can_be_corrected_linked_to_an_existing_meaning_and_approved(desk: Site) -> None:
    send_form(desk, "/account/submit/word", WORD, by="anil")
    page = look(desk, f"{QUEUE}/1")
    idea = next(each.attributes["value"] for each in page.all("input", name="idea_id") if each.attributes["value"])
    fields = fields_of_form(page) | {"decision": "mend", "language": "as", "pos": "1"}

    approved = send_form(desk, f"{QUEUE}/1", fields | {"word": "পানীী", "idea_id": idea, "roman": "pa.nii"}, by="editor")

    assert approved.headers["location"] == f"{QUEUE}?done=approved&id=1"
    word = shown(desk.ask("GET", "/dic/পানীী")).main
    assert "pa.nii" in word
    assert "A clear liquid" in word
    number = look(desk, "/dic/পানীী").all("a")
    address = next(each.attributes["href"] for each in number if each.attributes["href"].startswith("/edit/word/"))
    history = look(desk, address).main
    assert "Approved with changes" in history
    assert "sent by anil" in history


def test_a_new_meaning_can_be_corrected_at_review(desk: Site) -> None:
    send_form(desk, "/account/submit/word", WORD | {"word": "নতুনশব্দ"}, by="anil")
    fields = fields_of_form(look(desk, f"{QUEUE}/1")) | {"decision": "mend", "language": "as", "pos": "2"}

    wrong = send_form(desk, f"{QUEUE}/1", fields | {"word": "", "idea_id": ""}, by="editor")
    assert wrong.status == 400
    kept = fields_of_form(shown(wrong))
    assert kept["definition_0_as"] == "নতুন অৰ্থ এটা"
    changed = kept | {"decision": "mend", "word": "নতুনশব্দ", "idea_id": "", "language": "as", "pos": "2"}
    texts = {"definition_0_as": "ভাল অৰ্থ", "definition_new_en": "A good one."}
    send_form(desk, f"{QUEUE}/1", changed | texts, by="editor")

    word = shown(desk.ask("GET", "/dic/নতুনশব্দ")).main
    assert "ভাল অৰ্থ" in word
    assert "A good one." in word


def test_only_a_corrected_proverb_is_marked_as_approved_with_changes(desk: Site) -> None:
    proverb = {"text": "নতুন যোজনা এটা", "language": "as", "category": "2", "meaning": "A new one."}
    send_form(desk, "/account/submit/proverb", proverb, by="anil")
    fields = fields_of_form(look(desk, f"{QUEUE}/1")) | {"decision": "mend", "language": "as", "category": "3"}

    send_form(desk, f"{QUEUE}/1", fields | {"meaning": "A mended one."}, by="editor")

    found = look(desk, "/edit/proverbs?q=নতুন+যোজনা+এটা")
    address = next(a.attributes["href"] for a in found.all("a") if a.attributes["href"].startswith("/edit/proverb/"))
    assert look(desk, address).one("textarea", name="meaning").text == "A mended one."
    assert "Approved with changes" in look(desk, address).main
    send_form(desk, "/account/submit/proverb", proverb | {"text": "আন এটা যোজনা"}, by="anil")
    send_form(desk, f"{QUEUE}/2", {"decision": "approve"}, by="editor")
    found = look(desk, "/edit/proverbs?q=আন+এটা+যোজনা")
    address = next(a.attributes["href"] for a in found.all("a") if a.attributes["href"].startswith("/edit/proverb/"))
    assert "Approved with changes" not in look(desk, address).main


def correct(site: Site, fact: str, proposed: str, by: str | None = None, comment: str = "") -> str:
    """Send a correction of the word 1 by its form, and tell where it led."""
    page = shown(site.ask("GET", f"{CORRECTION}?word=1&fact={fact}", by=by))
    sent = send_form(site, CORRECTION, fields_of_form(page) | {"proposed": proposed, "comment": comment}, by=by)
    return sent.headers.get("location", str(sent.status))


def definition_fact(site: Site, text: str) -> str:
    page = shown(site.ask("GET", f"{CORRECTION}?word=1"))
    link = next(a for a in page.all("a") if text in a.attributes.get("aria-label", ""))
    return link.attributes["href"].partition("fact=")[2]


@pytest.mark.parametrize("by", [None, "reader", "anil"])
def test_every_visitor_can_propose_a_correction_and_an_editor_applies_it(desk: Site, by: str | None) -> None:
    choosing = shown(desk.ask("GET", f"{CORRECTION}?word=1", by=by))
    assert "সং. পানীয়" in choosing.main

    assert correct(desk, "word.origin", "সংস্কৃত পানীয়", by, "হেমকোষ চাওক") == f"{CORRECTION}?done=sent"

    page = look(desk, QUEUE)
    assert page.one("del").text == "সং. পানীয়"
    assert page.one("ins").text == "সংস্কৃত পানীয়"
    assert "হেমকোষ চাওক" in page.main
    send_form(desk, f"{QUEUE}/1", {"decision": "approve"}, by="editor")
    assert "সংস্কৃত পানীয়" in shown(desk.ask("GET", "/dic/পানী")).main


def test_a_definition_is_corrected_and_definitions_added_meanwhile_are_kept(desk: Site) -> None:
    correct(desk, definition_fact(desk, "A clear liquid"), "A clear liquid that everything drinks.")
    fields = fields_of_form(look(desk, "/edit/idea/1")) | {"pos": "3"}
    send_form(desk, "/edit/idea/1", fields | {"definition_9_en": "Added meanwhile."}, by="editor")

    send_form(desk, f"{QUEUE}/1", {"decision": "approve"}, by="editor")

    word = shown(desk.ask("GET", "/dic/পানী")).main
    assert "A clear liquid that everything drinks." in word
    assert "Added meanwhile." in word
    assert "all life needs" not in word


def test_changes_since_the_proposal_are_shown_and_need_another_decision(desk: Site) -> None:
    correct(desk, "word.origin", "সংস্কৃত")
    fields = fields_of_form(look(desk, "/edit/word/1"))
    send_form(desk, "/edit/word/1", fields | {"origin": "আন কোনোবাই লিখা"}, by="editor")

    assert "This has changed since the correction was sent." in look(desk, QUEUE).main
    refused = send_form(desk, f"{QUEUE}/1", {"decision": "approve"}, by="editor")
    page = shown(refused)
    assert refused.status == 409
    assert page.one("del").text == "আন কোনোবাই লিখা"
    assert page.one("textarea", name="origin").text == "সংস্কৃত"
    mended = send_form(desk, f"{QUEUE}/1", {"decision": "mend", "origin": "সংস্কৃত; দুয়োটা"}, by="editor")

    assert mended.headers["location"] == f"{QUEUE}?done=approved&id=1"
    assert "সংস্কৃত; দুয়োটা" in shown(desk.ask("GET", "/dic/পানী")).main


def test_a_correction_without_changes_or_of_a_changed_entry_is_reported_and_the_form_is_kept(desk: Site) -> None:
    assert correct(desk, "word.origin", "সং. পানীয়") == "400"
    page = shown(desk.ask("GET", f"{CORRECTION}?word=1&fact=word.origin"))
    fields = fields_of_form(look(desk, "/edit/word/1"))
    send_form(desk, "/edit/word/1", fields | {"origin": "আন"}, by="editor")

    late = send_form(desk, CORRECTION, fields_of_form(page) | {"proposed": "সংস্কৃত"})

    assert late.status == 400
    assert shown(late).one("textarea", name="proposed").text == "সংস্কৃত"


def test_a_missing_definition_is_proposed(desk: Site) -> None:
    page = shown(desk.ask("GET", f"{CORRECTION}?word=1"))
    assert "Something is missing" in page.main

    assert correct(desk, "word.ipa", "panee") == f"{CORRECTION}?done=sent"
    send_form(desk, f"{QUEUE}/1", {"decision": "approve"}, by="editor")

    assert "panee" in shown(desk.ask("GET", "/dic/পানী")).main


CORRECTION_QUERIES: Final[tuple[str, ...]] = (
    "word=x",
    "word=999999",
    "word=1&fact=word.created",
    "word=1&fact=idea.1.99",
    "",
)


def test_the_correction_form_opens_for_invalid_addresses_too(unchanged_site: Site) -> None:
    for query in CORRECTION_QUERIES:
        assert unchanged_site.ask("GET", f"{CORRECTION}?{query}").status == 200, query


def test_html_stays_text_everywhere(desk: Site) -> None:
    send_form(
        desk,
        "/account/submit/word",
        WORD | {"word": HOSTILE, "definition_as": HOSTILE, "reference": HOSTILE},
        by="anil",
    )
    correct(desk, "word.origin", HOSTILE, comment=HOSTILE)

    for path in (QUEUE, f"{QUEUE}/1", f"{QUEUE}/2", "/account"):
        page = look(desk, path, by="editor" if path != "/account" else "anil")
        assert not [each for each in page.all("script") if "alert" in each.text]
        assert HOSTILE in page.main or path == f"{QUEUE}/2"


def test_a_correction_is_kept_when_the_session_of_the_editor_ends(desk: Site) -> None:
    send_form(desk, "/account/submit/word", WORD | {"word": "নতুনশব্দ"}, by="anil")
    fields = fields_of_form(look(desk, f"{QUEUE}/1")) | {
        "decision": "mend",
        "language": "as",
        "pos": "1",
        "idea_id": "",
    }

    page = shown(send_form(desk, f"{QUEUE}/1", fields))
    kept = {each.attributes["name"]: each.attributes["value"] for each in page.all("input", type="hidden")}
    done = send_form(desk, f"{QUEUE}/1", kept | {"username": "editor", "password": PASSWORD})

    assert kept == fields
    assert done.headers["location"] == f"{QUEUE}?done=approved&id=1"


def test_a_repeated_decision_is_reported(desk: Site) -> None:
    send_form(desk, "/account/submit/word", WORD | {"word": "নতুনশব্দ"}, by="anil")
    send_form(desk, f"{QUEUE}/1", {"decision": "approve"}, by="editor")

    again = send_form(desk, f"{QUEUE}/1", {"decision": "approve"}, by="editor")

    assert again.status == 409
    assert "has been approved" in shown(again).main
    assert "already been reviewed" in look(desk, f"{QUEUE}/1").main
    assert send_form(desk, f"{QUEUE}/1", {"decision": "dance"}, by="editor").status == 400


def test_only_editors_review_submissions(desk: Site) -> None:
    for path in (QUEUE, f"{QUEUE}/1", "/review/photos"):
        assert desk.ask("GET", path, by="anil").status == 403
    assert desk.ask("GET", f"{QUEUE}/77", by="editor").status == 404
    assert send_form(desk, f"{QUEUE}/1", {"decision": "approve"}, by="anil").status == 403


def test_submissions_from_a_file_are_shown_and_approved(desk: Site) -> None:
    record = IdeaRecord(
        "sample",
        "tree",
        "Common Noun",
        (WordRecord("as", "গছজোপা"), WordRecord("en", "tree")),
        definitions=(DefinitionRecord("en", "A plant with a trunk."),),
    )
    submit_for_review(desk.database, [LocatedRecord("file", 1, SOURCE), LocatedRecord("file", 2, record)], now=NOW)

    page = look(desk, QUEUE)
    assert "From a file" in page.main
    assert "গছজোপা" in page.main
    assert "A plant with a trunk." in page.main
    assert page.links_to(f"{QUEUE}/1")
    assert "From a file" in look(desk, f"{QUEUE}/1").main
    refused = send_form(desk, f"{QUEUE}/1", {"decision": "mend", "word": "x"}, by="editor")
    assert refused.status == 400
    send_form(desk, f"{QUEUE}/1", {"decision": "approve"}, by="editor")
    assert "A plant with a trunk." in shown(desk.ask("GET", "/dic/গছজোপা")).main


def test_an_idea_from_a_file_can_be_corrected_and_emptied_fields_are_left_out(desk: Site) -> None:
    record = IdeaRecord(
        "sample",
        "tree",
        "Common Noun",
        (WordRecord("as", "গছজোপাা", origin="gacha"), WordRecord("en", "tree"), WordRecord("en", "car")),
        definitions=(DefinitionRecord("en", "A plant with a tronk."), DefinitionRecord("en", "A vehicle.")),
        examples=(ExampleRecord("as", "গছজোপা ওখ।", "The tree is tall."),),
    )
    submit_for_review(desk.database, [LocatedRecord("file", 1, SOURCE), LocatedRecord("file", 2, record)], now=NOW)
    fields = fields_of_form(look(desk, f"{QUEUE}/1")) | {"decision": "mend", "pos_name": "Proper Noun"}
    assert fields["word:en:2"] == "car"

    changed = {"word:as:0": "গছজোপা", "word:en:2": "", "definition:en:0": "A plant with a trunk.", "definition:en:1": ""}
    sent = send_form(desk, f"{QUEUE}/1", fields | changed, by="editor")

    assert sent.status == 303, shown(sent).main
    number = desk.ask("GET", "/api/submissions/1", by="editor").json["result"].partition(":")[2]
    idea = desk.ask("GET", f"/api/ideas/{number}").json
    assert {each["word"] for each in idea["words"]} == {"গছজোপা", "tree"}
    assert [each["text"] for each in idea["definitions"]] == ["A plant with a trunk."]
    assert [each["translation"] for each in idea["examples"]] == ["The tree is tall."]
    assert idea["pos"]["value"] == "Proper Noun"


def test_an_idea_of_more_than_a_hundred_words_can_be_corrected(desk: Site) -> None:
    words = tuple(WordRecord("en", f"only here {number}", origin="b") for number in range(120))
    record = IdeaRecord("sample", "only here", "Common Noun", words)
    submit_for_review(desk.database, [LocatedRecord("file", 1, SOURCE), LocatedRecord("file", 2, record)], now=NOW)
    fields = fields_of_form(look(desk, f"{QUEUE}/1")) | {"decision": "mend", "word:en:119": ""}

    assert len(fields) > 240
    assert send_form(desk, f"{QUEUE}/1", fields, by="editor").status == 303
    number = desk.ask("GET", "/api/submissions/1", by="editor").json["result"].partition(":")[2]
    assert len(desk.ask("GET", f"/api/ideas/{number}").json["words"]) == 119


def test_flashcards_word_forms_and_proverbs_from_a_file_can_be_corrected_at_review(desk: Site) -> None:
    cards = CardSetRecord("sample", "birds", "Birds", "as", "en", cards=(CardRecord("ময়ণা", "myna"),))
    forms = FormsRecord("as", "পানী", (("পানীলৈকে", "N;TERM"), ("পানীলৈকেে", "N;X")))
    proverb = PhraseRecord("sample", "new", "as", "ফকৰা এটা আছেে", "Fokora (ফকৰা)", "A saying.")
    placed = [LocatedRecord("file", 1, cards), LocatedRecord("file", 2, forms), LocatedRecord("file", 3, proverb)]
    submit_for_review(desk.database, placed, now=NOW)
    pages = [look(desk, f"{QUEUE}/{number}") for number in (1, 2, 3)]
    fields = [fields_of_form(page) for page in pages]

    empty = send_form(desk, f"{QUEUE}/2", {"decision": "mend", "forms": " \n; N"}, by="editor")
    for number, changed in enumerate(({"clue": "ময়না"}, {"forms": "পানীলৈকে; N;TERM"}, {"text": "ফকৰা এটা আছে"}), 1):
        sent = send_form(desk, f"{QUEUE}/{number}", fields[number - 1] | changed | {"decision": "mend"}, by="editor")
        assert sent.status == 303, shown(sent).main

    assert fields[1]["forms"].splitlines() == ["পানীলৈকে; N;TERM", "পানীলৈকেে; N;X"]
    assert empty.status == 400
    assert "পানী" in shown(desk.ask("GET", "/dic/পানীলৈকে")).main
    assert desk.ask("GET", "/api/submissions/1", by="editor").json["status"] == "approved"
    assert "ফকৰা এটা আছে" in shown(desk.ask("GET", "/proverbs?q=ফকৰা+এটা+আছে")).main


def test_a_flashcard_and_the_forms_of_a_word_from_a_file_are_shown_and_approved(desk: Site) -> None:
    cards = CardSetRecord(
        "sample", "birds", "Birds", "as", "en", cards=(CardRecord("ময়না", "myna"), CardRecord("বগলী", "heron"))
    )
    forms = FormsRecord("as", "পানী", (("পানীলৈকে", "N;TERM"),))
    submit_for_review(desk.database, [LocatedRecord("file", 1, cards), LocatedRecord("file", 2, forms)], now=NOW)

    page = look(desk, QUEUE)
    for number in (1, 2, 3):
        approved = send_form(desk, f"{QUEUE}/{number}", {"decision": "approve"}, by="editor")
        assert approved.headers["location"] == f"{QUEUE}?done=approved&id={number}"

    assert page.main.count("Birds") == 2
    for shown_text in ("ময়না", "heron", "পানীলৈকে; N;TERM"):
        assert shown_text in page.main
    assert "Birds" in shown(desk.ask("GET", "/flashcards")).main
