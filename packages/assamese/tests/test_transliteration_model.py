import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assamese.letters import is_well_formed
from assamese.transliteration_model import Transliterator, default_transliterator, normalize_assamese, normalize_roman

FIRST = [
    ("manuh", "মানুহ"),
    ("oxomiya", "অসমীয়া"),
    ("asomiya", "অসমীয়া"),
    ("axomiya", "অসমীয়া"),
    ("guwahati", "গুৱাহাটী"),
    ("kitap", "কিতাপ"),
    ("xongskriti", "সংস্কৃতি"),
    ("sanskriti", "সংস্কৃতি"),
    ("porikhya", "পৰীক্ষা"),
    ("bidyaloy", "বিদ্যালয়"),
]
AMONG_FIVE = [("ghor", "ঘৰ"), ("mur", "মোৰ"), ("paani", "পানী"), ("computer", "কম্পিউটাৰ"), ("brohmoputro", "ব্ৰহ্মপুত্ৰ")]
BACK = [("মানুহ", "manuh"), ("অসমীয়া", "oxomiya"), ("বিহু", "bihu"), ("গোৱালপাৰা", "guwalpara")]


def test_the_first_candidate_is_the_common_word_for_each_spelling(subtests: pytest.Subtests) -> None:
    for typed, word in FIRST:
        with subtests.test(typed):
            assert default_transliterator().to_assamese(typed)[0] == word


def test_an_ambiguous_word_is_among_the_first_five_candidates() -> None:
    for typed, word in AMONG_FIVE:
        assert word in default_transliterator().to_assamese(typed, 5)


def test_words_are_romanized_as_people_type() -> None:
    for word, roman in BACK:
        assert roman in default_transliterator().to_roman(word, 5)


def test_letter_case_accents_and_marks_make_no_difference() -> None:
    assert default_transliterator().to_assamese("Mā-NUH!") == default_transliterator().to_assamese("manuh")


def test_a_word_of_the_callers_dictionary_is_preferred() -> None:
    typed = ("mur", "jun", "pau", "burhi", "doctor", "krishna", "germany")
    seconds = {word: default_transliterator().to_assamese(word, 2)[1] for word in typed}
    moved = [w for w, second in seconds.items() if with_dictionary(w, second)[0] == second]
    assert len(moved) > len(typed) / 3


def with_dictionary(typed: str, *words: str) -> tuple[str, ...]:
    return default_transliterator().to_assamese(typed, 6, in_dictionary=words.__contains__)


def test_the_callers_dictionary_does_not_outweigh_everything() -> None:
    last = default_transliterator().to_assamese("xongskriti", 6)[-1]
    assert with_dictionary("xongskriti", last)[0] == "সংস্কৃতি"


def test_text_that_is_not_a_roman_word_has_no_candidates() -> None:
    for text in ["", "123", "মানুহ", "!?", "a" * 500]:
        assert default_transliterator().to_assamese(text) == ()


def test_text_that_is_not_an_assamese_word_has_no_romanization() -> None:
    for text in ["", "manuh", "কত?", "ক" * 500]:
        assert default_transliterator().to_roman(text) == ()


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
@settings(max_examples=60)
def test_candidates_are_well_formed_and_distinct(typed: str) -> None:
    candidates = default_transliterator().to_assamese(typed, 10)
    assert all(map(is_well_formed, candidates))
    assert len(set(candidates)) == len(candidates)


@given(st.text())
@settings(max_examples=100)
def test_any_text_is_accepted(text: str) -> None:
    assert isinstance(default_transliterator().to_assamese(text), tuple)
    assert isinstance(default_transliterator().to_roman(text), tuple)


def test_a_file_that_is_not_a_model_is_rejected() -> None:
    with pytest.raises(ValueError, match="not a transliteration model"):
        Transliterator(b"something else")


def test_letters_are_normalized_to_the_alphabet_of_the_model() -> None:
    assert normalize_roman("Pānī 1") == "pani"
    assert normalize_assamese("ক’র") == "কৰ"


def test_given_words_are_matched_although_unlikely() -> None:
    assert {one.target for one in default_transliterator().match_words("bhakha", ["ভাষা", "ভাত"])} == {"ভাষা"}


def test_the_likeliest_of_the_given_words_comes_first() -> None:
    assert next(one.target for one in default_transliterator().match_words("manuh", ["মান", "মানুহ"])) == "মানুহ"


def test_given_texts_that_are_not_assamese_words_are_never_matched() -> None:
    for words in [[], ["ল’ৰা ছোৱালী"], ["manuh"], ["াা"]]:
        assert default_transliterator().match_words("lora suwali", words) == []


def test_given_words_are_added_to_the_usual_candidates() -> None:
    candidates = [one.target for one in default_transliterator().search("bhakha")]

    assert [one.target for one in default_transliterator().search_with_words("bhakha", [])] == candidates
    assert {one.target for one in default_transliterator().search_with_words("bhakha", ["ভাষা"])} == {*candidates, "ভাষা"}


def test_an_english_word_is_romanized_in_english_spelling_and_an_assamese_word_by_sound() -> None:
    for word, roman in [
        ("চকলেট", "chocolate"),
        ("কেমেৰা", "camera"),
        # These sound like English words.
        ("কৰে", "kore"),
        ("কাৰ", "kar"),
        ("দিয়া", "diya"),
    ]:
        assert default_transliterator().to_roman(word) == (roman,)
