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


@pytest.mark.parametrize(("typed", "word"), FIRST)
def test_a_common_word_is_found_first_however_people_type_it(typed: str, word: str) -> None:
    assert default_transliterator().to_assamese(typed)[0] == word


@pytest.mark.parametrize(("typed", "word"), AMONG_FIVE)
def test_an_ambiguous_word_is_among_the_first_five(typed: str, word: str) -> None:
    assert word in default_transliterator().to_assamese(typed, 5)


@pytest.mark.parametrize(("word", "roman"), BACK)
def test_a_word_is_romanized_as_people_type_it(word: str, roman: str) -> None:
    assert roman in default_transliterator().to_roman(word, 5)


def test_case_accents_and_marks_make_no_difference() -> None:
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


@pytest.mark.parametrize("text", ["", "123", "মানুহ", "!?", "a" * 500])
def test_what_is_no_roman_word_has_no_candidates(text: str) -> None:
    assert default_transliterator().to_assamese(text) == ()


@pytest.mark.parametrize("text", ["", "manuh", "কত?", "ক" * 500])
def test_what_is_no_assamese_word_has_no_romanization(text: str) -> None:
    assert default_transliterator().to_roman(text) == ()


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
@settings(max_examples=60)
def test_every_candidate_is_well_formed_and_none_comes_twice(typed: str) -> None:
    found = default_transliterator().to_assamese(typed, 10)
    assert all(map(is_well_formed, found))
    assert len(set(found)) == len(found)


@given(st.text())
@settings(max_examples=100)
def test_any_text_is_answered(text: str) -> None:
    assert isinstance(default_transliterator().to_assamese(text), tuple)
    assert isinstance(default_transliterator().to_roman(text), tuple)


def test_a_file_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="not a transliteration model"):
        Transliterator(b"something else")


def test_letters_are_brought_into_the_form_that_the_model_knows() -> None:
    assert normalize_roman("Pānī 1") == "pani"
    assert normalize_assamese("ক’র") == "কৰ"


def test_words_that_are_named_are_found_however_unlikely() -> None:
    assert {one.target for one in default_transliterator().match_words("bhakha", ["ভাষা", "ভাত"])} == {"ভাষা"}


def test_of_named_words_the_likeliest_comes_first() -> None:
    assert next(one.target for one in default_transliterator().match_words("manuh", ["মান", "মানুহ"])) == "মানুহ"


@pytest.mark.parametrize("words", [[], ["ল’ৰা ছোৱালী"], ["manuh"], ["াা"]])
def test_what_is_no_assamese_word_is_never_found(words: list[str]) -> None:
    assert default_transliterator().match_words("lora suwali", words) == []


def test_named_words_come_beside_those_that_are_found_anyway() -> None:
    found = [one.target for one in default_transliterator().search("bhakha")]

    assert [one.target for one in default_transliterator().search_with_words("bhakha", [])] == found
    assert {one.target for one in default_transliterator().search_with_words("bhakha", ["ভাষা"])} == {*found, "ভাষা"}


@pytest.mark.parametrize(("word", "roman"), [("চকলেট", "chocolate"), ("কেমেৰা", "camera")])
def test_an_english_word_is_romanized_as_english_spells_it(word: str, roman: str) -> None:
    assert default_transliterator().to_roman(word) == (roman,)


@pytest.mark.parametrize(("word", "roman"), [("কৰে", "kore"), ("কাৰ", "kar"), ("দিয়া", "diya")])
def test_a_native_word_that_sounds_like_an_english_one_is_romanized_by_its_sound(word: str, roman: str) -> None:
    assert default_transliterator().to_roman(word) == (roman,)
