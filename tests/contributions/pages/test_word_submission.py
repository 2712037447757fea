"""Sending a word: what the form asks, what it stops, and what it tells of words that are here already."""

from typing import Final
from urllib.parse import quote

import pytest

from tests.contributions.pages.test_contributions import WORD, contributor
from tests.people.pages.test_account import shown, site
from tests.support.contributions import Site
from tests.support.pages import send_form

__all__ = ["contributor", "site"]

FULL = {
    "word": "নতুনশব্দ",
    "language": "as",
    "pos": "1",
    "translation_en": "newword, novelty-word",
    "translation_brx": "गोदान",
    "definition_en": "Something new.",
    "context_1": "Nature",
    "example": "এইটো নতুনশব্দ।",
    "example_translation": "This is a new word.",
    "reference": "হেমকোষ",
}


def form_of(site: Site, path: str = "/account/submit/word", **headers: str) -> str:
    cookies = f"abhidhan={site.cookies['anil']}; {headers.pop('cookies', '')}"
    return site.ask("GET", path, headers={"Cookie": cookies, **headers}).body.decode()


MEANINGS: Final[tuple[tuple[dict[str, str], bool], ...]] = (
    ({}, False),
    ({"translation_en": " , "}, False),
    ({"roman": "notun", "reference": "হেমকোষ"}, False),
    ({"translation_en": "newword"}, True),
    ({"definition_as": "নতুন শব্দ এটা"}, True),
)


def test_a_word_needs_a_translation_or_a_definition(contributor: Site, subtests: pytest.Subtests) -> None:
    for fields, taken in MEANINGS:
        with subtests.test(str(fields)):
            answer = send_form(
                contributor,
                "/account/submit/word",
                {"word": "নতুনশব্দ", "language": "as", "pos": "1"} | fields,
                by="anil",
            )

            assert answer.status == (303 if taken else 400)
            assert taken or "Give a translation or a definition" in shown(answer).one("div", role="alert").text


def test_the_part_of_speech_must_be_chosen(contributor: Site) -> None:
    page = shown(contributor.ask("GET", "/account/submit/word", by="anil"))

    assert "required" in page.one("select", name="pos").attributes
    assert not page.all("option", value="1", selected="")
    assert send_form(contributor, "/account/submit/word", WORD | {"pos": ""}, by="anil").status == 400


def test_all_submitted_fields_appear_in_the_dictionary(contributor: Site) -> None:
    assert send_form(contributor, "/account/submit/word", FULL, by="anil").headers["location"] == "/account?done=sent"
    review = shown(contributor.ask("GET", "/review/submissions", by="editor")).main
    assert all(text in review for text in ("newword (en)", "गोदान (brx)", "Nature", "এইটো নতুনশব্দ।"))
    send_form(contributor, "/review/submissions/1", {"decision": "approve"}, by="editor")

    meaning = contributor.ask("GET", f"/api/dic.php?w={quote('নতুনশব্দ')}").json["querywords"][0]["entries"][0][
        "meanings"
    ]
    assert [each["word"] for each in meaning[0]["translations"]] == ["newword", "novelty-word", "गोदान"]
    assert [each["value"] for each in meaning[0]["contexts"]] == ["Nature"]
    assert meaning[0]["examples"] == [{"language_id": 2, "text": "এইটো নতুনশব্দ।", "translation": "This is a new word."}]
    assert meaning[0]["reference"] == "হেমকোষ"


def test_a_form_asks_for_words_in_the_readers_languages(contributor: Site) -> None:
    usual = form_of(contributor)
    chosen = form_of(contributor, cookies="languages=brx.hi.as.xx")

    assert [code for code in ("en", "as", "brx", "hi") if f'name="translation_{code}"' in usual] == ["en", "as"]
    assert all(f'name="translation_{code}"' in chosen for code in ("en", "as", "brx", "hi"))
    assert 'name="translation_xx"' not in chosen
    assert chosen.count('name="translation_as"') == 1


def test_contexts_are_chosen_by_their_names(contributor: Site, subtests: pytest.Subtests) -> None:
    for name, status in (("Nature", 303), ("nature", 303), ("Of no such name", 400)):
        with subtests.test(name):
            answer = send_form(contributor, "/account/submit/word", WORD | {"context_1": name}, by="anil")

            assert answer.status == status
            assert status == 303 or "no topic with the name" in shown(answer).one("div", role="alert").text


def test_contexts_are_completed_and_read_in_the_language_of_the_page(contributor: Site) -> None:
    page = form_of(contributor, cookies="interface=as")
    names = page.partition('<datalist id="contexts">')[2].partition("</datalist>")[0].split('value="')[1:]
    name = next(each.partition('"')[0] for each in names if not each.isascii())

    assert 'list="contexts"' in page
    assert send_form(contributor, "/account/submit/word", WORD | {"context_2": name}, by="anil").status == 303


def test_an_existing_word_is_shown_with_a_link_before_the_form_is_sent(contributor: Site) -> None:
    here = WORD | {"word": "পানী"}
    warned = send_form(contributor, "/account/submit/word", here, by="anil")

    page = shown(warned)
    assert warned.status == 200
    assert page.one("fieldset", **{"class": "similar"}).text
    assert page.all("a", href="/dic/পানী")
    assert page.one("textarea", name="definition_as").text == WORD["definition_as"]
    assert "No contributions yet." in shown(contributor.ask("GET", "/account", by="anil")).main

    seen = page.one("input", name="seen").attributes["value"]
    again = send_form(contributor, "/account/submit/word", here | {"seen": seen}, by="anil")
    assert again.headers["location"] == "/account?done=sent"


def test_a_meaning_can_be_added_to_another_spelling_of_the_word(contributor: Site) -> None:
    other = WORD | {"word": "পানি"}
    page = shown(send_form(contributor, "/account/submit/word", other, by="anil"))
    chosen = next(each.attributes["value"] for each in page.all("input", name="sense_of") if each.attributes["value"])
    seen = page.one("input", name="seen").attributes["value"]

    send_form(contributor, "/account/submit/word", other | {"seen": seen, "sense_of": chosen}, by="anil")
    send_form(contributor, "/review/submissions/1", {"decision": "approve"}, by="editor")

    assert contributor.ask("GET", f"/api/words/{chosen}").json["word"] == "পানী"
    meanings = contributor.ask("GET", f"/api/words/{chosen}").json["meanings"]
    assert WORD["definition_as"] in [each["text"] for each in meanings[-1]["definitions"]]


def test_similar_words_are_shown_as_soon_as_the_word_is_entered(contributor: Site) -> None:
    path = "/account/submit/word/similar?language=as&word="

    assert 'name="seen"' in contributor.ask("GET", path + quote("পানি"), by="anil").body.decode()
    assert contributor.ask("GET", path + quote("নতুনশব্দ"), by="anil").body.strip() == b""
    assert contributor.ask("GET", path + quote("পানি")).status == 401
    assert 'name="seen"' in form_of(contributor, f"/account/submit/word?word={quote('পানী')}")


def test_the_form_asks_six_things_and_folds_the_others(contributor: Site) -> None:
    source = contributor.ask("GET", "/account/submit/word", by="anil").body.decode()
    asked, folded = source[source.index('<form class="form"') :].split('<details class="disclosure"', 1)

    assert 'aria-labelledby="form-name"' in asked
    assert asked.count("<label for=") == 6
    assert folded.count("<label for=") > 6
