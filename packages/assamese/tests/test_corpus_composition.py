from assamese.transliteration_model import find_parts_band
from assamese.word_frequency import COUNTED_LANGUAGE, UNKNOWN_BAND, look_up_band


def test_a_form_is_at_least_as_common_as_its_stem() -> None:
    for form, stem in [("হাতীবোৰৰ", "হাতী"), ("নদীখনলৈ", "নদী"), ("কিতাপকেইখনৰ", "কিতাপ"), ("ঘৰতহে", "ঘৰ")]:
        assert find_parts_band(form) >= look_up_band(stem, COUNTED_LANGUAGE) > UNKNOWN_BAND


def test_a_joined_word_is_as_common_as_the_rarer_of_its_parts() -> None:
    assert find_parts_band("নদীকিতাপ") == min(
        look_up_band("নদী", COUNTED_LANGUAGE), look_up_band("কিতাপ", COUNTED_LANGUAGE)
    )


def test_words_with_unknown_parts_have_no_band() -> None:
    for word in ["", "ক", "ঝঞঢঠ", "হাতীঝঞঢঠ", "manuh"]:
        assert find_parts_band(word) == UNKNOWN_BAND
