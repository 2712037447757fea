"""Forms in Roman letters: where their words may end, and how far they are from the forms of a word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.roman_endings import find_noun_ends, find_verb_ends, form_distance, irregular_form_distance
from assamese.spelling_distance import distance


def test_a_form_is_near_its_word(subtests: pytest.Subtests) -> None:
    for typed, word in [
        ("kitapor", "কিতাপ"),
        ("manuhbur", "মানুহ"),
        ("ghoroloi", "ঘৰ"),
        ("panit", "পানী"),
        ("korisil", "কৰা"),
        ("khaisu", "খোৱা"),
        ("goise", "যোৱা"),
        ("ase", "থকা"),
        ("hoisil", "হোৱা"),
        ("nakhai", "খোৱা"),
        ("naahe", "অহা"),
        ("janibo", "জনা"),
        ("khabole", "খোৱা"),
        ("hahilu", "হঁহা"),
        ("মানুহবুৰৰ", "মানুহ"),
        ("নদিলৈ", "নদী"),
        ("কৰিলু", "কৰা"),
        ("গৈছু", "যোৱা"),
        ("হইছিল", "হোৱা"),
        ("নকৰু", "কৰা"),
    ]:
        with subtests.test(typed):
            assert form_distance(typed, word) < 0.6 < distance(typed, word)


def test_a_form_of_another_word_is_far_away() -> None:
    for typed, word in [("kitapor", "কলম"), ("daktor", "ডাল"), ("korisil", "মাছ")]:
        assert form_distance(typed, word) >= 1


def test_text_that_only_sounds_like_a_form_is_far_away() -> None:
    for typed, word in [("xyzzyq", "সজা"), ("যোবৌবৈ", "যোৱা"), ("ঞূপূ", "পোৱা"), ("নকঠো", "কঁপা"), ("klu", "কোৱা")]:
        assert form_distance(typed, word) > 0.25


def test_a_form_is_nearer_to_its_own_word_than_to_a_word_that_sounds_alike() -> None:
    for typed, word, other in [("হাটবোৰৰ", "হাট", "হাত"), ("পাথৰৰ", "পাথৰ", "পাঠ")]:
        assert form_distance(typed, word) < form_distance(typed, other)


def test_the_past_stem_of_go_takes_only_endings_of_the_past() -> None:
    assert form_distance("gol", "যোৱা") < 0.3 < form_distance("gom", "যোৱা")


def test_an_irregular_form_is_near_its_pronoun() -> None:
    assert irregular_form_distance("tur", "তই") < 0.2 < irregular_form_distance("tur", "পানী")


def test_a_word_may_end_before_each_of_its_endings() -> None:
    ends = find_noun_ends("kitapbororloi")

    assert {"kitapbororloi"[:end] for end in ends} >= {"kitapbororloi", "kitapboror"}
    assert "korisile"[: min(find_verb_ends("korisile", ("িছে", "িছিলে")))] == "kor"


@given(st.text("abdeghiklmnoprstux", max_size=12))
def test_no_form_is_farther_than_the_word_itself(typed: str) -> None:
    assert form_distance(typed, "মানুহ") <= distance(typed, "মানুহ")


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_two_texts_have_a_form_distance(typed: str, word: str) -> None:
    assert form_distance(typed, word) >= 0
