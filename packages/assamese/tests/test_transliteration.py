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


def test_text_is_transliterated_out_of_the_script_of_most_letters() -> None:
    for text, direction in [
        ("xobdo", Direction.TO_ASSAMESE),
        ("শব্দ", Direction.TO_ROMAN),
        ("শব্দ is xobdo", Direction.TO_ASSAMESE),
        ("শব্দ a", Direction.TO_ROMAN),
        ("123", Direction.TO_ROMAN),
    ]:
        assert detect_direction(text) is direction


def test_roman_words_are_found_with_their_marks() -> None:
    for text, words in [
        ("moi bhat khau.", ("moi", "bhat", "khau")),
        ("xob.do", ("xob.do",)),
        ("ho’’l, lo``.ra", ("ho’’l", "lo``.ra")),
        ("bi.bah-bis.sed", ("bi.bah", "bis.sed")),
        ("মোৰ mon mon", ("mon",)),
        ("শব্দ 12 !?", ()),
    ]:
        assert find_roman_words(text, Scheme.XOBDO) == words


def test_only_roman_words_are_transliterated() -> None:
    result = to_assamese("মোৰ mon, 12.", Scheme.XOBDO, {"mon": equally_likely("মন", "মোন", "মণ")})

    assert result.output == "মোৰ মন, 12."
    assert result.alternatives[0].candidates == ("মোন", "মণ")


def test_a_word_without_a_reading_is_unchanged() -> None:
    assert to_assamese("zzz", Scheme.XOBDO, {"zzz": ()}).output == "zzz"


def test_a_reading_is_spelled_as_the_dictionary_spells_it() -> None:
    spellings = {loose_key("ল’ৰা", "as"): ["ল’ৰা"]}

    assert texts(WordCandidates("lora").rank_readings(spellings))[0] == "ল’ৰা"


def test_a_word_of_the_dictionary_is_preferred_to_an_unknown_word() -> None:
    without = texts(WordCandidates("mas").rank_readings({}))
    spellings = {loose_key("মাছ", "as"): ["মাছ"]}

    assert "মাছ" in without
    assert texts(WordCandidates("mas").rank_readings(spellings))[0] == "মাছ"


def test_a_form_of_a_word_of_the_dictionary_is_preferred_to_its_usual_misspelling() -> None:
    assert texts(WordCandidates("koru").rank_readings({}))[0] == "কৰো"
    assert texts(WordCandidates("koru").rank_readings({}, forms=["কৰোঁ"]))[0] == "কৰোঁ"


def test_a_known_form_is_spelled_with_its_apostrophe() -> None:
    for typed, form in [("hobo", "হ’ব"), ("nolom", "নল’ম"), ("loratu", "ল’ৰাটো")]:
        reading = WordCandidates(typed)

        assert form in reading.possible_forms
        assert form in texts(reading.rank_readings({}, forms=[form]))


def test_a_dictionary_word_that_sounds_alike_is_added_to_the_candidates_of_the_model() -> None:
    assert "বৰষুণ" not in texts(WordCandidates("boroxun").rank_readings({}))
    assert "বৰষুণ" in texts(WordCandidates("boroxun").rank_readings({}, ["বৰষুণ"]))


def test_readings_are_distinct_and_sorted_by_likelihood() -> None:
    choices = WordCandidates("mon").rank_readings({}, ["মন", "মোন্‌"])
    readings, scores = texts(choices), [choice.score for choice in choices]

    assert scores == sorted(scores, reverse=True)
    assert len(readings) == len(set(readings)) <= MAX_ALTERNATIVES + 1


def test_text_that_the_model_cannot_read_is_read_with_the_letter_table() -> None:
    assert WordCandidates("o" * 60).rank_readings({}) != ()


def test_the_plain_scheme_is_written_as_people_type() -> None:
    assert to_roman("অসমীয়া ভাষা, ২ টা!", Scheme.PLAIN).output == "oxomiya bhaxa, 2 ta!"


def test_the_vowel_r_is_written_as_pronounced() -> None:
    for word, typed in [("ঋতু", "ritu"), ("ঋণ", "rin"), ("কৃষক", "krixok")]:
        assert to_roman(word, Scheme.PLAIN).output == typed


def test_a_long_passage_is_romanized_by_rule() -> None:
    words = [first + second for first in "কখগঘচজতদনপবমৰল" for second in "কখগঘচজত"]

    assert to_roman(" ".join(words), Scheme.PLAIN).output.split()[0] == romanize(words[0], Scheme.PLAIN)


@given(st.text())
def test_any_text_is_romanized(text: str) -> None:
    assert to_roman(text, Scheme.XOBDO).input == text


@given(st.text(alphabet="abcxo.’ ~-`ক’লা1\n"))
def test_text_between_words_is_kept(text: str) -> None:
    readings = {word: equally_likely(word.upper()) for word in find_roman_words(text, Scheme.XOBDO)}

    assert to_assamese(text, Scheme.XOBDO, readings).output.casefold() == text.casefold()
