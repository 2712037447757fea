import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.keys import roman_sound_keys, sound_key
from assamese.romanize import Scheme, romanize
from assamese.signs import replace_marked_letters
from assamese.spelling_distance import distance
from text_strategies import texts


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("pānī", "paani"),
        ("śabda", "xabda"),
        ("Śabda", "xabda"),
        ("oxomīyā", "oxomiyaa"),
        ("kr̥ṣṇa", "krixna"),
        ("raṅga", "rangga"),
        ("ɔxɔm", "oxom"),
        ("bʱal", "bhal"),
        ("zibɔn", "jibon"),
        ("zibon", "zibon"),
        ("ɔxɔmija", "oxomiya"),
        ("ɔinnɔ", "onno"),
        ("ɹaidzɔ", "rajjo"),
        ("mɔina", "moina"),
        ("water", "water"),
    ],
)
def test_letters_with_marks_become_those_that_people_type(written: str, typed: str) -> None:
    assert replace_marked_letters(written) == typed


@pytest.mark.parametrize("scheme", [Scheme.ISO15919, Scheme.ALALC, Scheme.IPA, Scheme.XOBDO])
@pytest.mark.parametrize(
    "word", ["পানী", "শব্দ", "অসম", "মানুহ", "নদী", "ভাষা", "কিতাপ", "গছ", "আকাশ", "ৰজা", "ধান", "বিদ্যালয়", "চকু", "জীৱন"]
)
def test_a_word_in_a_scheme_sounds_like_itself_and_is_near_itself(scheme: Scheme, word: str) -> None:
    written = romanize(word, scheme)

    assert sound_key(word, "as") in roman_sound_keys(written, 32)
    assert distance(written, word) <= 0.8 + 0.05 * len(written)


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_letters_stay(text: str) -> None:
    assert replace_marked_letters(text) == text


@given(texts)
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(replace_marked_letters(text), str)
