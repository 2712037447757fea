import pytest

from assamese.transliteration_model import find_parts_band
from assamese.word_frequency import COUNTED_LANGUAGE, UNKNOWN_BAND, look_up_band


@pytest.mark.parametrize(
    ("form", "stem"), [("হাতীবোৰৰ", "হাতী"), ("নদীখনলৈ", "নদী"), ("কিতাপকেইখনৰ", "কিতাপ"), ("ঘৰতহে", "ঘৰ")]
)
def test_a_form_is_as_common_as_a_word_that_stands_before_endings(form: str, stem: str) -> None:
    assert find_parts_band(form) >= look_up_band(stem, COUNTED_LANGUAGE) > UNKNOWN_BAND


def test_a_joined_word_is_as_common_as_the_rarer_of_its_parts() -> None:
    assert find_parts_band("নদীকিতাপ") == min(
        look_up_band("নদী", COUNTED_LANGUAGE), look_up_band("কিতাপ", COUNTED_LANGUAGE)
    )


@pytest.mark.parametrize("word", ["", "ক", "ঝঞঢঠ", "হাতীঝঞঢঠ", "manuh"])
def test_what_is_made_of_nothing_known_has_no_band(word: str) -> None:
    assert find_parts_band(word) == UNKNOWN_BAND
