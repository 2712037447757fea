"""The one search box: words, proverbs and meanings, with the best answer first."""

import pytest

from tests.support.page_fixtures import OpenPage

PROVERB = "নগৈ গড়গাঁৱৰ বতৰা কয়"


def test_a_proverb_comes_before_its_words(page: OpenPage, subtests: pytest.Subtests) -> None:
    for query in (PROVERB, "নগৈ গড়গাঁৱৰ বাতৰি কয়", "nogoi gorgaor botora koy"):
        with subtests.test(query):
            shown = page(f"/dic/{query}")

            assert PROVERB in shown.main
            assert shown.title == f"{query} · Abhidhan"
            assert shown.one("h1").text == PROVERB
            assert shown.links_to("/dic/যোৱা")
            assert ("Similar proverb:" in shown.main) is (query != PROVERB)


def test_a_proverb_is_found_by_words_of_its_meaning_alone(page: OpenPage) -> None:
    for words, status in (("tongue", 404), ("boneless tongue", 404), ("tongue water", 200)):
        shown = page(f"/dic/{words}", status=status)

        assert ("হাড় নাইকিয়া জিভা" in shown.main) is ("water" not in words), words


def test_a_word_is_found_by_its_definition(page: OpenPage) -> None:
    shown = page("/dic/a clear liquid", status=404)

    meant, *_ = shown.all("ul", **{"class": "word-list"})
    assert "পানী" in meant.text


def test_other_possible_words_come_below_an_answer_that_they_do_not_improve(page: OpenPage) -> None:
    for word, is_below in (("hati", True), ("kola", True), ("pani", False), ("পানি", False)):
        shown = page(f"/dic/{word}")

        suggestion = shown.one("p", **{"class": "did-you-mean"})
        place = shown.elements.index(suggestion)
        assert (shown.elements.index(shown.all("article")[0]) < place) is is_below, word


def test_a_query_in_assamese_letters_has_no_note_about_roman_letters(page: OpenPage) -> None:
    assert "Roman letters" not in page("/dic/পানি").one("p", **{"class": "did-you-mean"}).text
