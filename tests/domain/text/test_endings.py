"""Forms in Roman letters: where their words may end, and how far they are from the forms of a word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.domain.text.closeness import distance
from abhidhan.domain.text.endings import distance_of_form, ends_of_noun, ends_of_verb


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("kitapor", "কিতাপ"),
        ("manuhbur", "মানুহ"),
        ("ghoroloi", "ঘৰ"),
        ("panit", "পানী"),
        ("korisil", "কৰা"),
        ("khaisu", "খোৱা"),
    ],
)
def test_a_form_is_near_to_its_word(typed: str, word: str) -> None:
    assert distance_of_form(typed, word) < 0.6 < distance(typed, word)


@pytest.mark.parametrize(("typed", "word"), [("kitapor", "কলম"), ("daktor", "ডাল"), ("korisil", "মাছ")])
def test_a_form_of_another_word_is_far(typed: str, word: str) -> None:
    assert distance_of_form(typed, word) >= 1


def test_a_word_may_end_before_each_of_its_endings() -> None:
    ends = ends_of_noun("kitapbororloi")

    assert {"kitapbororloi"[:end] for end in ends} >= {"kitapbororloi", "kitapboror"}
    assert "korisile"[: min(ends_of_verb("korisile"))] == "kor"


@given(st.text("abdeghiklmnoprstux", max_size=12))
def test_no_form_is_farther_than_the_word_itself(typed: str) -> None:
    assert distance_of_form(typed, "মানুহ") <= distance(typed, "মানুহ")


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_texts_can_be_compared(typed: str, word: str) -> None:
    assert distance_of_form(typed, word) >= 0
