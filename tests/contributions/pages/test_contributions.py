import pytest

from abhidhan.contributions.service.submission_texts import flatten_fields
from abhidhan.records.people import Role
from tests.people.pages.test_account import shown, site
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.pages import send_form

__all__ = ["site"]

WORD = {"word": "নতুনশব্দ", "language": "as", "pos": "1", "definition_as": "নতুন শব্দ এটা", "reference": "হেমকোষ"}


@pytest.fixture
def contributor(site: Site) -> Site:
    """Add somebody who may send words."""
    site.add("anil", Role.CONTRIBUTOR, signed_in=False)
    site.cookies["anil"] = read_session_token(
        send_form(site, "/account/sign-in", {"username": "anil", "password": PASSWORD})
    )
    return site


def test_a_word_goes_from_the_form_into_the_dictionary(contributor: Site) -> None:
    site_ = contributor
    assert site_.ask("GET", "/dic/নতুনশব্দ").status == 404

    sent = send_form(site_, "/account/submit/word", WORD, by="anil")
    assert sent.headers["location"] == "/account?done=sent"
    assert "নতুনশব্দ" in shown(site_.ask("GET", "/account", by="anil")).main
    assert "নতুন শব্দ এটা" in shown(site_.ask("GET", "/review/submissions", by="editor")).main
    decided = send_form(site_, "/review/submissions/1", {"decision": "approve"}, by="editor")

    assert decided.headers["location"] == "/review/submissions?done=approved&id=1"
    assert "নতুন শব্দ এটা" in shown(site_.ask("GET", "/dic/নতুনশব্দ")).main


def test_an_invalid_word_is_reported_and_the_form_is_kept(contributor: Site) -> None:
    answer = send_form(contributor, "/account/submit/word", WORD | {"language": "xx", "pos": "9999"}, by="anil")

    page = shown(answer)
    assert answer.status == 400
    assert page.one("input", name="word").attributes["value"] == "নতুনশব্দ"
    assert page.one("textarea", name="definition_as").text == "নতুন শব্দ এটা"
    assert page.one("div", role="alert").text


def test_after_the_session_has_ended_the_same_form_signs_in(contributor: Site) -> None:
    refused = send_form(contributor, "/account/submit/word", WORD)
    page = shown(refused)
    assert refused.status == 401
    assert page.one("input", name="word").attributes["value"] == "নতুনশব্দ"
    assert page.all("input", name="password")

    sent = send_form(contributor, "/account/submit/word", WORD | {"username": "anil", "password": PASSWORD})

    assert sent.headers["location"] == "/account?done=sent"
    assert "abhidhan=" in sent.headers["set-cookie"]


def test_a_proverb_is_sent_and_rejected_with_a_reason(contributor: Site) -> None:
    proverb = {"text": "নতুন যোজনা এটা", "language": "as", "category": "2", "meaning": "A new proverb."}
    send_form(contributor, "/account/submit/proverb", proverb, by="anil")

    send_form(contributor, "/review/submissions/1", {"decision": "reject", "reason": "Not a proverb"}, by="editor")

    assert "Reason: Not a proverb" in shown(contributor.ask("GET", "/account", by="anil")).main


def test_an_example_is_sent_from_the_page_of_a_word_and_approved(contributor: Site) -> None:
    word = shown(contributor.ask("GET", "/dic/water"))
    address = next(link.attributes["href"] for link in word.all("a") if "submit/example" in link.attributes["href"])
    form = shown(contributor.ask("GET", address, by="anil"))
    fields = {each.attributes["name"]: each.attributes["value"] for each in form.all("input", type="hidden")}
    assert "water" in form.main
    assert "licence" in fields

    sent = send_form(
        contributor, "/account/submit/example", fields | {"text": "Give me water.", "language": "en"}, by="anil"
    )
    assert sent.headers["location"] == "/account?done=sent"
    send_form(contributor, "/review/submissions/1", {"decision": "approve"}, by="editor")

    assert "Give me water." in shown(contributor.ask("GET", "/dic/water")).main


def test_an_invalid_example_is_refused_and_the_form_is_kept(contributor: Site) -> None:
    empty = {"idea_id": "1", "language": "as", "text": "", "translation": "Kept."}
    refused = send_form(contributor, "/account/submit/example", empty, by="anil")
    assert refused.status == 400
    assert shown(refused).one("textarea", id="translation").text == "Kept."

    unknown = send_form(contributor, "/account/submit/example", empty | {"idea_id": "999999", "text": "x"}, by="anil")
    assert unknown.status in {400, 404}
    assert "Choose a word first" in shown(unknown).main


def test_signing_in_leads_back_to_the_example_form(unchanged_site: Site) -> None:
    led = unchanged_site.ask("GET", "/account/submit/example?idea=1&language=en")

    assert led.headers["location"] == "/account/sign-in?next=%2Faccount%2Fsubmit%2Fexample%3Fidea%3D1%26language%3Den"


def test_contributors_withdraw_their_own_submissions(contributor: Site) -> None:
    send_form(contributor, "/account/submit/word", WORD, by="anil")

    assert send_form(contributor, "/account/submissions/1/withdraw", {}, by="anil").status == 303
    assert send_form(contributor, "/review/submissions/1", {"decision": "approve"}, by="editor").status == 409


def test_visitors_report_an_error(contributor: Site) -> None:
    form = shown(contributor.ask("GET", "/account/submit/correction?word=1&name=পানী"))
    assert "পানী" in form.one("h1").text

    sent = send_form(contributor, "/account/submit/correction", {"word_id": "1", "text": "This is wrong."})

    assert sent.headers["location"] == "/account/submit/correction?done=sent"
    assert "This is wrong." in shown(contributor.ask("GET", "/review/submissions", by="editor")).main
    assert send_form(contributor, "/account/submit/correction", {"word_id": "x", "text": "y"}).status == 400


def test_the_forms_begin_with_the_searched_text(unchanged_site: Site) -> None:
    for path in ("/account/submit/word?word=ক", "/account/submit/proverb?text=ক"):
        assert "ক" in shown(unchanged_site.ask("GET", path, by="anil")).source, path


def test_an_editor_changes_a_word_and_undoes_the_change(contributor: Site) -> None:
    page = shown(contributor.ask("GET", "/edit/word/1", by="editor"))
    fields = {
        each.attributes["name"]: each.attributes["value"] for each in page.all("input") if "value" in each.attributes
    }

    saved = send_form(contributor, "/edit/word/1", fields | {"origin": "সংস্কৃত"}, by="editor")
    assert saved.headers["location"] == "/edit/word/1?done=saved"
    old = send_form(contributor, "/edit/word/1", fields | {"origin": "আন"}, by="editor")
    assert old.status == 409
    history = shown(contributor.ask("GET", "/edit/word/1", by="editor"))
    assert "সংস্কৃত" in history.one("ins").text
    undo = next(form.attributes["action"] for form in history.all("form") if "/undo?" in form.attributes["action"])
    send_form(contributor, undo, {}, by="editor")

    again = shown(contributor.ask("GET", "/edit/word/1", by="editor"))
    assert again.one("textarea", name="origin").text == page.one("textarea", name="origin").text


def test_an_editor_changes_a_definition(contributor: Site) -> None:
    page = shown(contributor.ask("GET", "/edit/idea/1", by="editor"))
    version = page.one("input", name="version").attributes["value"]

    fields = {"version": version, "definition_en": "Something to drink.", "glyph": "💧"}
    saved = send_form(contributor, "/edit/idea/1", fields, by="editor")

    assert saved.headers["location"] == "/edit/idea/1?done=saved"
    assert "Something to drink." in shown(contributor.ask("GET", "/dic/পানী")).main


def test_only_editors_see_the_queue_and_open_existing_entries(unchanged_site: Site) -> None:
    for path, by, status in (
        ("/review/submissions", "anil", 403),
        ("/edit/word/1", "anil", 403),
        ("/edit/word/1", None, 303),
        ("/edit/word/999999", "editor", 404),
        ("/edit/idea/999999", "editor", 404),
    ):
        assert unchanged_site.ask("GET", path, by=by).status == status, (path, by)
    assert shown(unchanged_site.ask("GET", "/dic/পানী", by="editor")).links_to("/edit/word/1")
    assert not shown(unchanged_site.ask("GET", "/dic/পানী", by="anil")).links_to("/edit/word/1")


def test_a_submission_is_listed_field_by_field() -> None:
    data = {"word": "ক", "note": None, "meaning": {"definitions": [{"language": "as", "text": "খ"}]}}

    assert flatten_fields(data) == [("word", "ক"), ("language", "as"), ("text", "খ")]
