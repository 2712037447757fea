from hypothesis import given
from hypothesis import strategies as st

from assamese.keys import exact_key
from assamese.word_frequency import (
    BAND_FREQUENCIES,
    MAX_BAND,
    MIN_FREQUENCY,
    UNKNOWN_BAND,
    counted_frequency,
    frequency_to_band,
    get_counted_spelling,
    look_up_band,
)


def test_a_common_word_has_a_higher_band_than_a_rare_word() -> None:
    for common, rare in [("পানী", "নীৰ"), ("মানুহ", "মেকুৰী"), ("কৰা", "শিকা"), ("ঘৰ", "দৰ্জা")]:
        assert look_up_band(common, "as") > look_up_band(rare, "as") > UNKNOWN_BAND


def test_an_uncounted_word_has_no_frequency() -> None:
    assert look_up_band("ধনুধনুধনু", "as") == UNKNOWN_BAND
    assert counted_frequency("ধনুধনুধনু", "as") is None
    assert counted_frequency("", "as") is None


def test_words_of_other_languages_have_no_band() -> None:
    for language in ["bn", "en", "hi", "brx"]:
        assert look_up_band("পানী", language) == UNKNOWN_BAND


def test_kinds_of_apostrophe_and_the_bengali_r_make_no_difference() -> None:
    assert look_up_band(exact_key("ল'ৰা"), "as") == look_up_band(exact_key("ল’ৰা"), "as") > UNKNOWN_BAND
    assert look_up_band(exact_key("ঘর"), "as") == look_up_band(exact_key("ঘৰ"), "as")


def test_a_variant_spelling_is_rarer_than_the_usual_spelling() -> None:
    assert look_up_band("পানি", "as") < look_up_band("পানী", "as") - 20


def test_bands_are_equal_steps_with_figures_of_two_digits() -> None:
    assert [frequency_to_band(MIN_FREQUENCY * factor) for factor in (1, 2, 4, 1024)] == [1, 5, 9, 41]
    assert BAND_FREQUENCIES[UNKNOWN_BAND] is None
    assert BAND_FREQUENCIES[41] == 260


@given(st.floats(MIN_FREQUENCY, 1_000_000))
def test_the_figure_of_a_band_is_near_the_frequency(frequency: float) -> None:
    figure = BAND_FREQUENCIES[frequency_to_band(frequency)]
    assert figure is not None
    assert abs(figure / frequency - 1) < 0.15


@given(st.none() | st.floats(0, 1_000_000))
def test_every_frequency_has_a_band(frequency: float | None) -> None:
    assert bool(frequency) == (frequency_to_band(frequency) != UNKNOWN_BAND)
    assert 0 <= frequency_to_band(frequency) <= MAX_BAND


@given(st.text())
def test_arbitrary_text_is_not_mistaken_for_a_word(text: str) -> None:
    assert look_up_band(text + "☃", "as") == UNKNOWN_BAND


def test_the_counted_spelling_of_a_counted_spelling_is_the_same() -> None:
    assert get_counted_spelling(get_counted_spelling("ঘর")) == "ঘৰ"
