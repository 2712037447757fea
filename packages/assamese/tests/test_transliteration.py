import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.keys import loose_key
from assamese.reading_choice import ScoredReading
from assamese.romanize import Scheme, romanize
from assamese.transliteration import (
    MAX_ALTERNATIVES,
    Direction,
    WordCandidates,
    detect_direction,
    find_roman_words,
    to_assamese,
    to_roman,
)


def equally_likely(*readings: str) -> tuple[ScoredReading, ...]:
    return tuple(ScoredReading(reading, 0.0) for reading in readings)


def texts(choices: tuple[ScoredReading, ...]) -> list[str]:
    return [choice.text for choice in choices]


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("xobdo", Direction.TO_ASSAMESE),
        ("শব্দ", Direction.TO_ROMAN),
        ("শব্দ is xobdo", Direction.TO_ASSAMESE),
        ("শব্দ a", Direction.TO_ROMAN),
        ("123", Direction.TO_ROMAN),
    ],
)
def test_the_direction_is_the_other_script_than_that_of_most_letters(text: str, direction: Direction) -> None:
    assert detect_direction(text) is direction


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("moi bhat khau.", ("moi", "bhat", "khau")),
        ("xob.do", ("xob.do",)),
        ("ho’’l, lo``.ra", ("ho’’l", "lo``.ra")),
        ("bi.bah-bis.sed", ("bi.bah", "bis.sed")),
        ("মোৰ mon mon", ("mon",)),
        ("শব্দ 12 !?", ()),
    ],
)
def test_roman_words_are_found_with_their_marks(text: str, words: tuple[str, ...]) -> None:
    assert find_roman_words(text, Scheme.XOBDO) == words


def test_everything_but_roman_words_passes_through() -> None:
    made = to_assamese("মোৰ mon, 12.", Scheme.XOBDO, {"mon": equally_likely("মন", "মোন", "মণ")})

    assert made.output == "মোৰ মন, 12."
    assert made.alternatives[0].candidates == ("মোন", "মণ")


def test_a_word_without_a_reading_stays() -> None:
    assert to_assamese("zzz", Scheme.XOBDO, {"zzz": ()}).output == "zzz"


def test_a_reading_is_spelled_as_the_dictionary_spells_it() -> None:
    spellings = {loose_key("ল’ৰা", "as"): ["ল’ৰা"]}

    assert texts(WordCandidates("lora").rank_readings(spellings))[0] == "ল’ৰা"


def test_a_word_of_the_dictionary_is_preferred_to_one_that_is_not() -> None:
    without = texts(WordCandidates("mas").rank_readings({}))
    spellings = {loose_key("মাছ", "as"): ["মাছ"]}

    assert "মাছ" in without
    assert texts(WordCandidates("mas").rank_readings(spellings))[0] == "মাছ"


def test_a_form_of_a_word_of_the_dictionary_is_preferred_to_its_usual_misspelling() -> None:
    assert texts(WordCandidates("koru").rank_readings({}))[0] == "কৰো"
    assert texts(WordCandidates("koru").rank_readings({}, forms=["কৰোঁ"]))[0] == "কৰোঁ"


@pytest.mark.parametrize(("typed", "form"), [("hobo", "হ’ব"), ("nolom", "নল’ম"), ("loratu", "ল’ৰাটো")])
def test_a_form_is_written_with_the_apostrophe_that_the_model_does_not_know(typed: str, form: str) -> None:
    reading = WordCandidates(typed)

    assert form in reading.possible_forms
    assert form in texts(reading.rank_readings({}, forms=[form]))


def test_a_word_of_the_dictionary_that_sounds_alike_is_found_though_the_model_does_not_think_of_it() -> None:
    assert "বৰষুণ" not in texts(WordCandidates("boroxun").rank_readings({}))
    assert "বৰষুণ" in texts(WordCandidates("boroxun").rank_readings({}, ["বৰষুণ"]))


def test_readings_stand_in_the_order_of_their_likelihood() -> None:
    scores = [choice.score for choice in WordCandidates("mon").rank_readings({}, ["মন", "মোন্‌"])]

    assert scores == sorted(scores, reverse=True)


def test_other_words_that_sound_alike_come_without_repeats() -> None:
    readings = texts(WordCandidates("mon").rank_readings({}, ["মন", "মোন্‌"]))

    assert len(readings) == len(set(readings)) <= MAX_ALTERNATIVES + 1


def test_what_the_model_cannot_read_is_read_by_the_letter_table() -> None:
    assert WordCandidates("o" * 60).rank_readings({}) != ()


def test_plain_is_what_a_person_would_type() -> None:
    assert to_roman("অসমীয়া ভাষা, ২ টা!", Scheme.PLAIN).output == "oxomiya bhaxa, 2 ta!"


@pytest.mark.parametrize(("word", "typed"), [("ঋতু", "ritu"), ("ঋণ", "rin"), ("কৃষক", "krixok")])
def test_the_vowel_r_is_written_as_it_is_heard(word: str, typed: str) -> None:
    assert to_roman(word, Scheme.PLAIN).output == typed


def test_a_long_passage_is_written_by_rule() -> None:
    words = [first + second for first in "কখগঘচজতদনপবমৰল" for second in "কখগঘচজত"]

    assert to_roman(" ".join(words), Scheme.PLAIN).output.split()[0] == romanize(words[0], Scheme.PLAIN)


@given(st.text())
def test_any_text_is_written_in_roman(text: str) -> None:
    assert to_roman(text, Scheme.XOBDO).input == text


@given(st.text(alphabet="abcxo.’ ~-`ক’লা1\n"))
def test_text_is_never_lost_between_words(text: str) -> None:
    readings = {word: equally_likely(word.upper()) for word in find_roman_words(text, Scheme.XOBDO)}

    assert to_assamese(text, Scheme.XOBDO, readings).output.casefold() == text.casefold()
