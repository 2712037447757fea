from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.keys import roman_sound_keys, sound_key
from assamese.romanize import Scheme, romanize
from assamese.signs import replace_marked_letters
from assamese.spelling_distance import distance
from text_strategies import texts


def test_letters_with_marks_are_replaced_by_the_letters_that_people_type(subtests: pytest.Subtests) -> None:
    for written, typed in [
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
    ]:
        with subtests.test(written):
            assert replace_marked_letters(written) == typed


def test_a_romanized_word_sounds_like_the_word_and_is_near_the_word(subtests: pytest.Subtests) -> None:
    words = ("পানী", "শব্দ", "অসম", "মানুহ", "নদী", "ভাষা", "কিতাপ", "গছ", "আকাশ", "ৰজা", "ধান", "বিদ্যালয়", "চকু", "জীৱন")
    for scheme, word in product((Scheme.ISO15919, Scheme.ALALC, Scheme.IPA, Scheme.XOBDO), words):
        with subtests.test(f"{word}, {scheme}"):
            written = romanize(word, scheme)

            assert sound_key(word, "as") in roman_sound_keys(written, 32)
            assert distance(written, word) <= 0.8 + 0.05 * len(written)


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_text_is_unchanged(text: str) -> None:
    assert replace_marked_letters(text) == text


@given(texts)
def test_any_text_is_accepted(text: str) -> None:
    assert isinstance(replace_marked_letters(text), str)
