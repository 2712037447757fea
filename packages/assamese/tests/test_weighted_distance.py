"""Test the classes of letters; `test_spelling_distance.py` tests that they never hide a near word."""

from assamese.weighted_distance import may_be_near


def test_words_that_differ_in_letters_that_people_confuse_may_be_near() -> None:
    for typed, word in [
        ("নদি", "নদী"),
        ("পাণী", "পানী"),
        ("সবদ", "শব্দ"),
        ("ঘড়", "ঘৰ"),
        ("ককলা", "কলা"),
        ("বাৰ", "ৱাৰ"),
        ("ড়ড়া", "ড়া"),
        ("aapple", "apple"),
    ]:
        assert may_be_near(typed, word, 0.75)
        assert may_be_near(word, typed, 0.75)


def test_words_that_differ_in_other_letters_are_not_near() -> None:
    for typed, word in [("পামী", "পানী"), ("কল", "কলম"), ("মৰা", "গৰা"), ("কলম", "কমল"), ("apple", "ample")]:
        assert not may_be_near(typed, word, 0.75)


def test_wide_limits_and_long_words_are_never_excluded() -> None:
    assert may_be_near("পামী", "পানী", 1.0)
    assert may_be_near("ক" * 30, "ম" * 30, 0.75)
