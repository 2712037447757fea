"""The one search box: words, sayings, and meanings, the right answer first."""

import pytest

from tests.support.page_fixtures import OpenPage

SAYING = "নগৈ গড়গাঁৱৰ বতৰা কয়"


@pytest.mark.parametrize("asked", [SAYING, "নগৈ গড়গাঁৱৰ বাতৰি কয়", "nogoi gorgaor botora koy"])
def test_a_saying_stands_before_its_words(page: OpenPage, asked: str) -> None:
    shown = page(f"/dic/{asked}")

    assert SAYING in shown.main
    assert shown.title == f"{asked} · Abhidhan"
    assert shown.one("h1").text == SAYING
    assert shown.links_to("/dic/যোৱা")
    assert ("Similar proverb:" in shown.main) is (asked != SAYING)


@pytest.mark.parametrize(("words", "status"), [("tongue", 404), ("boneless tongue", 404), ("tongue water", 200)])
def test_a_proverb_is_found_by_words_of_its_meaning(page: OpenPage, words: str, status: int) -> None:
    shown = page(f"/dic/{words}", status=status)

    assert ("হাড় নাইকিয়া জিভা" in shown.main) is ("water" not in words)


def test_a_meaning_leads_to_its_word(page: OpenPage) -> None:
    shown = page("/dic/a clear liquid", status=404)

    meant, *_ = shown.all("ul", **{"class": "listed"})
    assert "পানী" in meant.text


@pytest.mark.parametrize(("word", "below"), [("hati", True), ("kola", True), ("pani", False), ("পানি", False)])
def test_what_may_be_meant_stands_below_an_answer_that_it_does_not_improve(
    page: OpenPage,
    word: str,
    below: bool,  # noqa: FBT001  # a parameter of the test
) -> None:
    shown = page(f"/dic/{word}")

    offered = shown.one("p", **{"class": "did-you-mean"})
    assert (shown.elements.index(shown.all("article")[0]) < shown.elements.index(offered)) is below


def test_a_question_in_assamese_letters_is_not_told_of_roman_ones(page: OpenPage) -> None:
    assert "Roman letters" not in page("/dic/পানি").one("p", **{"class": "did-you-mean"}).text
