"""Test the classes of letters; `test_spelling_distance.py` tests that they never hide a near word."""

import pytest

from assamese.weighted_distance import may_be_near


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("নদি", "নদী"),
        ("পাণী", "পানী"),
        ("সবদ", "শব্দ"),
        ("ঘড়", "ঘৰ"),
        ("ককলা", "কলা"),
        ("বাৰ", "ৱাৰ"),
        ("ড়ড়া", "ড়া"),
        ("aapple", "apple"),
    ],
)
def test_letters_that_people_mix_up_are_of_one_kind(typed: str, word: str) -> None:
    assert may_be_near(typed, word, 0.75)
    assert may_be_near(word, typed, 0.75)


@pytest.mark.parametrize(
    ("typed", "word"), [("পামী", "পানী"), ("কল", "কলম"), ("মৰা", "গৰা"), ("কলম", "কমল"), ("apple", "ample")]
)
def test_words_of_other_kinds_are_told_apart(typed: str, word: str) -> None:
    assert not may_be_near(typed, word, 0.75)


def test_where_any_letter_may_be_another_and_in_long_words_nothing_is_told() -> None:
    assert may_be_near("পামী", "পানী", 1.0)
    assert may_be_near("ক" * 30, "ম" * 30, 0.75)
