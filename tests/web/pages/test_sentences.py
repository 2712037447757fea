"""What services say to people, in the language of the page."""

import re

import pytest

from abhidhan.domain.people import check_new_password, clean_username
from abhidhan.errors import InputError, NotFoundError, Problem, sentence
from abhidhan.web.edge.errors import ErrorContext, answer_error
from abhidhan.web.pages.forms import Form
from abhidhan.web.pages.interface import Interface
from abhidhan.web.pages.rendering import environment_of

CATALOGUE = Interface("as").translations


def said(text: str, language: str) -> str:
    return str(environment_of(language).filters["said"](text))


def test_a_sentence_is_english_text_that_knows_its_pattern() -> None:
    made = sentence("There is no idea with the ID %(idea_id)s.", idea_id=7)

    assert made == "There is no idea with the ID 7."
    assert str(NotFoundError(made)) == made
    assert NotFoundError(made).said is made
    assert type(str(made)) is str


def test_a_field_is_not_named_to_people_as_to_programs() -> None:
    with pytest.raises(InputError) as caught:
        clean_username("x")

    detail = caught.value.problems[0].detail
    assert detail.startswith("`username` must have from")
    assert "This field must have from" in said(detail, "en")
    assert "username" not in said(detail, "as")
    assert 'lang="as"' in said(detail, "as")


@pytest.mark.parametrize("language", ["en", "as"])
def test_what_a_sentence_names_cannot_be_markup_nor_a_pattern(language: str) -> None:
    for hostile in ("<b>", "%(x)s", "100 %", "%s"):
        made = sentence("There is no context with the name %(name)s.", name=hostile)
        assert hostile.replace("<", "&lt;").replace(">", "&gt;") in said(made, language)
        assert "<b>" not in said(hostile, language)


def test_what_has_no_translation_is_marked_as_english() -> None:
    assert said("Nobody translates this.", "as") == '<span lang="en" dir="ltr">Nobody translates this.</span>'


def test_a_form_keeps_the_sentence_of_an_error() -> None:
    refused = Form().refused(NotFoundError(sentence("There is no such photo.")))

    assert refused.problems == (Problem("", "There is no such photo."),)
    assert said(refused.problems[0].detail, "as") != said("There is no such photo!", "as")


def test_an_error_page_gets_the_sentence_and_the_api_plain_text() -> None:
    shown: list[str] = []

    def page(document: object) -> str:
        shown.append(document.detail)  # type: ignore[attr-defined]
        return ""

    error = NotFoundError(sentence("There is no idea with the ID %(idea_id)s.", idea_id=7))
    answer_error(error, ErrorContext("GET", "/edit/idea/7", "x"), page=page)
    body = answer_error(error, ErrorContext("GET", "/api/ideas/7", "x")).body

    assert getattr(shown[0], "pattern", "") == "There is no idea with the ID %(idea_id)s."
    assert b"There is no idea with the ID 7." in body


def test_translations_name_the_same_values() -> None:
    catalogue = getattr(CATALOGUE, "_catalog", {})
    checked = 0
    for pattern, translated in catalogue.items():
        if isinstance(pattern, str) and "%(" in pattern:
            checked += 1
            assert set(re.findall(r"%\((\w+)\)s", translated)) <= set(re.findall(r"%\((\w+)\)s", pattern)), pattern
    assert checked > 20


def test_a_password_is_refused_in_words_that_can_be_translated() -> None:
    with pytest.raises(InputError) as caught:
        check_new_password("short", "somebody")

    assert getattr(caught.value.problems[0].detail, "pattern", "").startswith("`%(parameter)s`")
