from typing import Final

import pytest

from abhidhan.records.people import Role
from tests.people.pages.test_account import shown, site
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.page import Page
from tests.support.pages import send_form

__all__ = ["site"]

LONG = "অ" * 200
HOSTILE = "<script>alert('x')</script>"


def look(site: Site, path: str) -> Page:
    return shown(site.ask("GET", path, by="editor"))


def undos(page: Page) -> list[str]:
    """List the addresses by which what was done can be undone, the newest first."""
    return [form.attributes["action"] for form in page.all("form") if "/undo?" in form.attributes["action"]]


def fields_of_form(page: Page) -> dict[str, str]:
    """Read what the first form of the main part would send."""
    inputs = {each.attributes["name"]: each.attributes.get("value", "") for each in page.all("input", type="hidden")}
    texts = {
        each.attributes["name"]: each.attributes.get("value", "")
        for each in page.all("input")
        if each.attributes.get("type") == "text" and "name" in each.attributes
    }
    areas = {each.attributes["name"]: each.text for each in page.all("textarea")}
    return inputs | texts | areas


def test_a_proverb_is_found_changed_and_the_change_undone(site: Site) -> None:
    found = look(site, "/edit/proverbs?q=নগৈ+গড়গাঁৱৰ+বতৰা")
    address = next(a.attributes["href"] for a in found.all("a") if a.attributes["href"].startswith("/edit/proverb/"))
    fields = fields_of_form(look(site, address)) | {"category": "2"}

    saved = send_form(site, address, fields | {"meaning": "News from nowhere."}, by="editor")

    assert saved.headers["location"] == f"{address}?done=saved"
    page = look(site, address)
    assert "News from nowhere." in page.one("textarea", name="meaning").text
    assert any("News from nowhere." in each.text for each in page.all("ins"))
    undo = next(form.attributes["action"] for form in page.all("form") if "/undo?" in form.attributes["action"])
    assert send_form(site, undo, {}, by="editor").headers["location"] == f"{address}?done=undone"
    assert look(site, address).one("textarea", name="meaning").text == fields["meaning"]


def test_a_proverb_is_added_once(site: Site) -> None:
    fields = {"text": "নতুন ফকৰা এটা", "language": "as", "category": "2", "meaning": "A new saying.", "roman": ""}

    added = send_form(site, "/edit/proverbs", fields, by="editor")
    again = send_form(site, "/edit/proverbs", fields, by="editor")

    assert added.headers["location"].startswith("/edit/proverb/")
    assert again.status == 409
    assert shown(again).one("textarea", name="meaning").text == "A new saying."
    wrong = send_form(site, "/edit/proverbs", fields | {"text": "", "category": ""}, by="editor")
    assert wrong.status == 400


def test_a_second_tab_keeps_its_text_and_overwrites_only_after_a_warning(site: Site) -> None:
    fields = fields_of_form(look(site, "/edit/word/1"))
    send_form(site, "/edit/word/1", fields | {"origin": "প্ৰথম"}, by="editor")

    second = send_form(site, "/edit/word/1", fields | {"origin": "দ্বিতীয়"}, by="editor")
    page = shown(second)

    assert second.status == 409
    assert page.one("textarea", name="origin").text == "দ্বিতীয়"
    alert = page.one("div", role="alert").text
    assert "প্ৰথম" in alert
    assert "দ্বিতীয়" in alert
    knowingly = send_form(site, "/edit/word/1", fields_of_form(page), by="editor")
    assert knowingly.headers["location"] == "/edit/word/1?done=saved"
    assert look(site, "/edit/word/1").one("textarea", name="origin").text == "দ্বিতীয়"


def test_the_form_is_kept_when_the_session_ends_while_editing(site: Site) -> None:
    fields = fields_of_form(look(site, "/edit/word/1")) | {"origin": "দীঘল লিখনি"}

    page = shown(send_form(site, "/edit/word/1", fields))
    kept = {each.attributes["name"]: each.attributes["value"] for each in page.all("input", type="hidden")}

    assert kept == fields
    done = send_form(site, "/edit/word/1", kept | {"username": "editor", "password": PASSWORD})
    assert done.headers["location"] == "/edit/word/1?done=saved"


def test_every_field_accepts_long_words_and_html_as_text(site: Site, subtests: pytest.Subtests) -> None:
    for text in (LONG, HOSTILE):
        with subtests.test(text[:20]):
            fields = fields_of_form(look(site, "/edit/word/1"))
            typed = {name: text for name in fields if name != "version"} | {"variant": "", "frequency": ""}

            saved = send_form(site, "/edit/word/1", fields | typed, by="editor")

            assert saved.headers["location"] == "/edit/word/1?done=saved"
            page = look(site, "/edit/word/1")
            assert page.one("input", name="word").attributes["value"] == text
            assert not [each for each in page.all("script") if "alert" in each.text]


def test_a_text_that_is_too_long_is_reported_and_kept(site: Site) -> None:
    fields = fields_of_form(look(site, "/edit/word/1"))

    answer = send_form(site, "/edit/word/1", fields | {"word": LONG + "ক"}, by="editor")

    assert answer.status == 400
    assert shown(answer).one("input", name="word").attributes["value"] == LONG + "ক"


def test_a_frequency_is_typed_in_digits_and_shown_on_the_page_of_the_word(site: Site) -> None:
    fields = fields_of_form(look(site, "/edit/word/1"))

    refused = shown(send_form(site, "/edit/word/1", fields | {"frequency": "many"}, by="editor"))
    saved = send_form(site, "/edit/word/1", fields | {"frequency": "12.50"}, by="editor")

    assert refused.one("input", name="frequency").attributes["value"] == "many"
    assert "must be a number from 0 to 1,000,000." in refused.one("div", role="alert").text
    assert saved.headers["location"] == "/edit/word/1?done=saved"
    assert look(site, "/edit/word/1").one("input", name="frequency").attributes["value"] == "12.5"
    assert "12.5 per million words" in shown(site.ask("GET", "/dic/পানী")).main


def test_whether_a_word_is_countable_is_chosen_and_shown(site: Site) -> None:
    page = look(site, "/edit/word/1")

    saved = send_form(site, "/edit/word/1", fields_of_form(page) | {"countable": "false"}, by="editor")

    assert [
        each.attributes["value"] for each in page.all("option") if each.text == "default for its part of speech"
    ] == [""]
    assert not [each for each in page.all("option") if "selected" in each.attributes]
    assert saved.headers["location"] == "/edit/word/1?done=saved"
    again = look(site, "/edit/word/1")
    assert [each.attributes["value"] for each in again.all("option") if "selected" in each.attributes] == ["false"]
    assert [each.text for each in again.all("ins")] == ["no"]
    assert "Countable" in shown(site.ask("GET", "/dic/পানী")).main
    assert send_form(site, "/edit/word/1", fields_of_form(again) | {"countable": "perhaps"}, by="editor").status == 400


def test_an_idea_keeps_two_definitions_of_one_language(site: Site) -> None:
    first = fields_of_form(look(site, "/edit/idea/1"))
    send_form(site, "/edit/idea/1", first | {"definition_9_en": "A second one."}, by="editor")

    page = look(site, "/edit/idea/1")
    fields = fields_of_form(page) | {"pos": "3"}
    send_form(site, "/edit/idea/1", fields | {"glyph": "🌊", "context_5": "yes"}, by="editor")

    word = shown(site.ask("GET", "/dic/পানী")).main
    assert "A second one." in word
    assert "A clear liquid" in word
    assert "🌊" in look(site, "/edit/idea/1").one("input", name="glyph").attributes["value"]


def test_two_ideas_are_related_and_unrelated(site: Site) -> None:
    found = look(site, "/edit/idea/1/relations?q=মাছ")
    other = next(
        each.attributes["value"] for each in found.all("input", name="other_id") if each.attributes["value"] != "1"
    )
    relation = {"type_id": "1", "other_id": other, "q": "মাছ"}

    related = send_form(site, "/edit/idea/1/relations", relation, by="editor")

    assert related.headers["location"] == "/edit/idea/1?done=related#relations"
    page = look(site, "/edit/idea/1")
    assert page.links_to(f"/edit/idea/{other}")
    assert send_form(site, "/edit/idea/1/relations", relation, by="editor").status == 409
    send_form(site, "/edit/idea/1/relations", relation | {"step": "remove"}, by="editor")
    assert not look(site, "/edit/idea/1").links_to(f"/edit/idea/{other}")
    undo = look(site, "/edit/idea/1").all("form")[2:]
    assert any("/undo?of=idea:1" in form.attributes["action"] for form in undo)


def test_a_relation_is_changed_unless_a_newer_change_exists(site: Site) -> None:
    send_form(site, "/edit/idea/1/relations", {"type_id": "4", "other_id": "2"}, by="editor")
    page = look(site, "/edit/idea/1")
    others = [each.attributes["value"] for each in page.all("input", name="other_id")]
    version = page.all("input", name="relation_version")[others.index("2")].attributes["value"]
    change = {"step": "change", "type_id": "4", "other_id": "2", "relation_version": version}

    changed = send_form(site, "/edit/idea/1/relations", change | {"new_type_id": "1"}, by="editor")
    late = send_form(site, "/edit/idea/1/relations", change | {"new_type_id": "2"}, by="editor")
    removed = send_form(site, "/edit/idea/1/relations", change | {"step": "remove"}, by="editor")

    assert changed.headers["location"] == "/edit/idea/1?done=saved#relations"
    assert (late.status, removed.status) == (409, 409)
    told = shown(late).one("div", role="alert").text
    assert "Someone else has changed this relation in the meantime." in told
    assert shown(late).all("del")
    assert shown(late).one("input", name="glyph").attributes["value"]
    assert look(site, "/edit/idea/1").links_to("/edit/idea/2")


def cards_of(page: Page) -> list[str]:
    return [each.attributes["id"].removeprefix("card-") for each in page.all("li") if "id" in each.attributes]


def test_moving_cards_can_be_undone(site: Site) -> None:
    before = cards_of(look(site, "/edit/set/1"))

    moved = send_form(site, f"/edit/card/{before[0]}/move", {"way": "down"}, by="editor")

    assert moved.headers["location"] == f"/edit/set/1#card-{before[0]}"
    page = look(site, "/edit/set/1")
    assert cards_of(page) == [before[1], before[0], *before[2:]]
    undo = next(form.attributes["action"] for form in page.all("form") if "/undo?" in form.attributes["action"])
    send_form(site, undo, {}, by="editor")
    assert cards_of(look(site, "/edit/set/1")) == before
    for way, card in (("up", before[0]), ("down", before[-1])):
        send_form(site, f"/edit/card/{card}/move", {"way": way}, by="editor")
    assert cards_of(look(site, "/edit/set/1")) == before


def test_texts_in_several_languages_are_typed_into_forms_and_shown_in_the_language_of_the_page(site: Site) -> None:
    new_set = {
        "name": "Trees",
        "language": "as",
        "answer_language": "en",
        "names_as": "গছ",
        "descriptions_as": "গছৰ নাম।",
    }
    number = (
        send_form(site, "/edit/cards", new_set, by="editor").headers["location"].partition("?")[0].rpartition("/")[2]
    )
    saying = "নতুন ফকৰা এষাৰ লিখিলোঁ"
    texts = {"meaning": "A fresh one.", "meanings_as": "সতেজ এষাৰ।"}
    new_proverb = {"text": saying, "language": "as", "category": "1", "roman": ""} | texts
    proverb = send_form(site, "/edit/proverbs", new_proverb, by="editor").headers["location"].partition("?")[0]

    for path, english, assamese in (
        (f"/flashcards?set={number}", "Trees", "গছ"),
        (f"/flashcards?set={number}", "গছৰ নাম।", "গছৰ নাম।"),
        (f"/proverbs?q={saying}", "A fresh one.", "সতেজ এষাৰ।"),
        ("/proverbs?", "A fresh one.", "সতেজ এষাৰ।"),
    ):
        assert english in shown(site.ask("GET", f"{path}&interface=en")).main
        assert assamese in shown(site.ask("GET", f"{path}&interface=as")).main
    fields = fields_of_form(look(site, proverb))
    assert {name: fields[name] for name in texts} == texts
    saved = send_form(site, proverb, fields | {"category": "1", "meanings_as": ""}, by="editor")
    assert saved.headers["location"] == f"{proverb}?done=saved"
    assert look(site, proverb).one("textarea", name="meanings_as").text == ""


def test_a_card_set_is_created_filled_renamed_deleted_and_restored(site: Site) -> None:
    made = send_form(
        site,
        "/edit/cards",
        {"name": "Trees", "language": "as", "answer_language": "en", "description": ""},
        by="editor",
    )
    address = made.headers["location"].partition("?")[0]
    added = send_form(
        site, f"{address}/cards", {"clue": "গছ", "answer": "tree", "roman": "", "picture": "🌳"}, by="editor"
    )
    assert added.headers["location"] == f"{address}?done=added#cards"
    version = look(site, address).one("input", name="version").attributes["value"]
    send_form(site, address, {"name": "Trees of Assam", "description": "", "version": version}, by="editor")

    number = address.rpartition("/")[2]
    assert "Trees of Assam" in shown(site.ask("GET", f"/flashcards?set={number}")).main
    assert send_form(site, f"{address}/delete", {}, by="editor").status == 400
    gone = send_form(site, f"{address}/delete", {"sure": "yes"}, by="editor").headers["location"]
    assert site.ask("GET", f"/flashcards?set={number}").status == 404
    undo = look(site, gone).all("form", method="post")[-1].attributes["action"]
    assert send_form(site, undo, {}, by="editor").headers["location"] == f"{address}?done=undone"
    assert "গছ" in shown(site.ask("GET", f"/flashcards?set={number}")).main


def test_a_card_is_changed_and_deleted(site: Site) -> None:
    card = cards_of(look(site, "/edit/set/1"))[0]
    fields = fields_of_form(look(site, f"/edit/card/{card}"))

    send_form(site, f"/edit/card/{card}", fields | {"answer": "big elephant"}, by="editor")
    assert "big elephant" in shown(site.ask("GET", "/flashcards?set=1")).main
    gone = send_form(site, f"/edit/card/{card}/delete", {"sure": "yes"}, by="editor").headers["location"]

    assert card not in cards_of(look(site, "/edit/set/1"))
    assert "Deleted" in look(site, gone).main


def test_a_list_value_is_added_renamed_and_undone_unless_it_is_used(site: Site) -> None:
    added = send_form(site, "/edit/lists/FJCAT", {"value": "Lullaby"}, by="editor").headers["location"]
    address = added.partition("?")[0]
    fields = fields_of_form(look(site, address))
    send_form(site, address, fields | {"value": "Lullabies"}, by="editor")
    assert "Lullabies" in look(site, "/edit/lists/FJCAT").main
    (renamed,) = undos(look(site, address))
    number = address.rpartition("-")[2]
    proverb = {"text": "শুই থাক", "language": "as", "category": number, "meaning": "", "roman": ""}
    used = send_form(site, "/edit/proverbs", proverb, by="editor").headers["location"].partition("?")[0]
    assert send_form(site, renamed, {}, by="editor").status == 303
    made = undos(look(site, address))[-1]

    refused = send_form(site, made, {}, by="editor")

    assert refused.status == 409
    assert "is in use" in shown(refused).main
    send_form(site, f"{used}/delete", {"sure": "yes"}, by="editor")
    assert send_form(site, made, {}, by="editor").status == 303
    assert "Lullab" not in look(site, "/edit/lists/FJCAT").main


EDITOR_PAGES: Final[tuple[str, ...]] = (
    "/edit/proverbs",
    "/edit/proverb/1",
    "/edit/cards",
    "/edit/set/1",
    "/edit/card/1",
    "/edit/lists",
    "/edit/lists/RIC",
    "/edit/value/RIC-1",
    "/edit/idea/1/relations",
)


def test_only_editors_open_the_pages_for_editors(unchanged_site: Site, subtests: pytest.Subtests) -> None:
    for path in EDITOR_PAGES:
        with subtests.test(path):
            assert unchanged_site.ask("GET", path, by="editor").status == 200
            assert unchanged_site.ask("GET", path, by="reader").status == 403
            assert unchanged_site.ask("GET", path).headers["location"].startswith("/account/sign-in?next=")
            sent = send_form(unchanged_site, path, {"value": "x", "text": "x", "name": "x"}, by="reader")
            assert sent.status in {403, 404, 405}


UNKNOWN_PAGES: Final[tuple[str, ...]] = (
    "/edit/proverb/x",
    "/edit/proverb/0",
    "/edit/proverb/999999",
    "/edit/value/RIC",
    "/edit/lists/LANG",
    "/edit/value/LANG-1x",
    "/edit/set/99999",
    "/edit/proverb/POS-1",
)


def test_unknown_records_are_not_found(unchanged_site: Site) -> None:
    for path in UNKNOWN_PAGES:
        assert unchanged_site.ask("GET", path, by="editor").status == 404, path


def test_an_administrator_edits_too(site: Site) -> None:
    site.add("head", Role.ADMINISTRATOR, signed_in=False)
    site.cookies["head"] = read_session_token(
        send_form(site, "/account/sign-in", {"username": "head", "password": PASSWORD})
    )

    assert site.ask("GET", "/edit/lists", by="head").status == 200


def places_of(page: Page) -> list[str]:
    return [
        each.attributes["id"].removeprefix("sense-")
        for each in page.all("li")
        if each.attributes.get("id", "").startswith("sense-")
    ]


def test_moving_words_of_an_idea_can_be_undone(site: Site) -> None:
    before = places_of(look(site, "/edit/idea/1"))

    moved = send_form(site, f"/edit/sense/{before[1]}/move", {"order": "words", "way": "up"}, by="editor")

    assert moved.headers["location"] == f"/edit/idea/1#sense-{before[1]}"
    page = look(site, "/edit/idea/1")
    assert places_of(page) == [before[1], before[0], *before[2:]]
    assert {each.text for each in page.all("ins")} == {"1. জল", "2. পানী"}
    words = [each["word"] for each in site.ask("GET", "/api/ideas/1").json["words"]]
    assert words.index("জল") + 1 == words.index("পানী")
    send_form(site, undos(page)[0], {}, by="editor")
    assert places_of(look(site, "/edit/idea/1")) == before


def test_moving_meanings_of_a_word_can_be_undone(site: Site) -> None:
    given = {"language": "en", "word": "house"}
    for idea_id in (1, 2):
        made = site.ask("POST", "/api/editing/words", by="editor", json=given | {"idea_id": idea_id}).json
    word_id = made["record"].removeprefix("word:")
    before = places_of(look(site, f"/edit/word/{word_id}"))

    moved = send_form(site, f"/edit/sense/{before[0]}/move", {"order": "meanings", "way": "down"}, by="editor")

    assert moved.headers["location"] == f"/edit/word/{word_id}#sense-{before[0]}"
    page = look(site, f"/edit/word/{word_id}")
    assert places_of(page) == [before[1], before[0]]
    meanings = site.ask("GET", f"/api/words/{word_id}").json["meanings"]
    assert [each["idea_id"] for each in meanings] == [2, 1]
    send_form(site, undos(page)[0], {}, by="editor")
    assert places_of(look(site, f"/edit/word/{word_id}")) == before
