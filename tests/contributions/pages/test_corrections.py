"""Correct this: translations, examples, parts of speech and contexts, beside the texts of a word."""

from typing import Any, Final
from urllib.parse import quote, urlencode

import pytest

from tests.people.pages.test_account import shown, site
from tests.support.contributions import Site
from tests.support.pages import send_form

__all__ = ["site"]

CORRECTION = "/account/submit/correction"
QUEUE = "/review/submissions"


def meaning_of(site: Site) -> Any:  # noqa: ANN401  # of an answer
    return site.ask("GET", "/api/words/1").json["meanings"][0]


def approve_correction(site: Site, key: str, typed: dict[str, str], language: str = "en", chosen: str = "") -> Any:  # noqa: ANN401
    """Send a correction of a fact as its form has it, without an account; approve it, and read the meaning."""
    send_correction(site, key, typed, language, chosen)
    assert send_form(site, f"{QUEUE}/1", {"decision": "approve"}, by="editor").status == 303
    return meaning_of(site)


def send_correction(site: Site, key: str, typed: dict[str, str], language: str = "en", chosen: str = "") -> None:
    cookie = {"Cookie": f"interface={language}; languages={chosen}"}
    form = shown(site.ask("GET", f"{CORRECTION}?word=1&fact={quote(key)}", headers=cookie))
    hidden = {each.attributes["name"]: each.attributes["value"] for each in form.all("input", type="hidden")}
    body = urlencode(hidden | typed).encode()
    headers = cookie | {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    sent = site.ask("POST", CORRECTION, body=body, headers=headers)
    assert sent.headers.get("location") == f"{CORRECTION}?done=sent", shown(sent).main


def test_everything_that_a_meaning_says_can_be_chosen(site: Site) -> None:
    page = shown(site.ask("GET", f"{CORRECTION}?word=1"))
    links = [each.attributes["href"] for each in page.all("a") if "fact=" in each.attributes["href"]]

    for kind in ("word.word", "idea.1.0", "translation.1.", "example.1.new", "pos.1", "contexts.1", "reference.1"):
        assert any(f"fact={kind}" in link for link in links), kind


def test_another_part_of_speech_is_proposed(site: Site) -> None:
    assert meaning_of(site)["pos"]["value"] != "Proper Noun"

    assert approve_correction(site, "pos.1", {"proposed": "Proper Noun"})["pos"]["value"] == "Proper Noun"


@pytest.mark.parametrize("language", ["en", "as"])
def test_contexts_are_proposed_by_their_names(site: Site, language: str) -> None:
    meaning = approve_correction(site, "contexts.1", {"context_1": "Nature", "context_2": "physics"}, language)

    assert [each["value"] for each in meaning["contexts"]] == ["Nature", "Physics"]


def test_an_example_that_is_missing_is_proposed_and_its_translation_after_it(site: Site) -> None:
    before = meaning_of(site)["examples"]
    after = approve_correction(site, "example.1.new", {"proposed": "পানী খাওঁ।"})["examples"]

    assert after == [*before, {"language_id": 2, "text": "পানী খাওঁ।", "translation": None}]
    key = f"example.1.{len(before)}.translation"
    assert "fact=" + key in site.ask("GET", f"{CORRECTION}?word=1").body.decode()


def test_a_translation_that_is_misspelt_is_corrected_in_its_own_word(site: Site) -> None:
    other = next(each for each in meaning_of(site)["translations"] if each["language"] == "English")
    after = approve_correction(site, f"translation.1.{other['id']}", {"proposed": "waterr"})["translations"]

    assert site.ask("GET", f"/api/words/{other['id']}").json["word"] == "waterr"
    assert "waterr" in [each["word"] for each in after]


def test_a_translation_that_is_missing_is_another_word_of_the_idea(site: Site) -> None:
    there = {each["language_id"] for each in meaning_of(site)["translations"]} | {2}
    languages = site.ask("GET", "/api/languages").json["data"]
    missing = next(each["code"] for each in languages if each["id"] not in there)
    typed = {"proposed": "notun", "comment": "said in Goalpara"}
    after = approve_correction(site, f"translation.1.{missing}", typed, chosen=missing)["translations"]

    assert "notun" in [each["word"] for each in after]


INVALID_PROPOSALS: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("contexts.1", {"context_1": "Of no such name"}),
    ("pos.1", {"proposed": "No such part of speech"}),
    ("example.1.new", {"proposed": ""}),
    ("translation.1.as", {"proposed": "নীৰ"}),
)


def test_an_invalid_proposal_is_reported_and_not_stored(site: Site, subtests: pytest.Subtests) -> None:
    for key, typed in INVALID_PROPOSALS:
        with subtests.test(key):
            answer = send_form(site, CORRECTION, {"word_id": "1", "fact": key, "was": ""} | typed, by=None)

            assert answer.status == 400
            assert shown(answer).one("div", role="alert").text
            assert site.ask("GET", "/api/submissions", by="editor").json["total"] == 0


def test_another_source_is_proposed_and_shown_as_a_difference(site: Site) -> None:
    send_correction(site, "reference.1", {"proposed": "চন্দ্ৰকান্ত অভিধান"})

    assert "চন্দ্ৰকান্ত অভিধান" in shown(site.ask("GET", QUEUE, by="editor")).one("ins").text
    assert send_form(site, f"{QUEUE}/1", {"decision": "approve"}, by="editor").status == 303
    assert meaning_of(site)["reference"] == "চন্দ্ৰকান্ত অভিধান"


def test_an_editor_corrects_a_proposed_source(site: Site) -> None:
    send_correction(site, "reference.1", {"proposed": "চন্দ্ৰকান্ত"})

    fields = {"decision": "mend", "reference": "চন্দ্ৰকান্ত অভিধান"}
    assert send_form(site, f"{QUEUE}/1", fields, by="editor").status == 303
    assert meaning_of(site)["reference"] == "চন্দ্ৰকান্ত অভিধান"


def test_a_translation_that_is_none_is_removed(site: Site) -> None:
    other = next(each for each in meaning_of(site)["translations"] if each["language"] == "English")
    send_correction(site, f"translation.1.{other['id']}", {"proposed": other["word"], "removed": "1"})

    page = shown(site.ask("GET", QUEUE, by="editor"))
    assert page.one("del").text == other["word"]
    assert not page.all("ins")
    assert send_form(site, f"{QUEUE}/1", {"decision": "approve"}, by="editor").status == 303
    assert other["id"] not in [each["id"] for each in meaning_of(site)["translations"]]

    assert send_form(site, f"{QUEUE}/1/undo", {}, by="editor").status == 303
    assert other["id"] in [each["id"] for each in meaning_of(site)["translations"]]


INVALID_LINKS: Final[tuple[dict[str, Any], ...]] = (
    {"word_id": 1, "unlink": True},
    {"word_id": 1, "idea_id": 1, "unlink": True, "sense": {"reference": "x"}},
    {"word_id": 1, "idea_id": 1, "idea": {"glyph": "x"}, "sense": {"reference": "x"}},
    {"word_id": 1, "idea_id": 2, "unlink": True},
)


def test_unlinking_needs_one_word_and_its_idea_and_nothing_else(site: Site) -> None:
    for data in INVALID_LINKS:
        answer = site.ask("POST", "/api/submissions", by="editor", json={"kind": "correction", "data": data})

        assert answer.status == 400, data
