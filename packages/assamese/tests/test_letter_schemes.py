import re
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assamese.romanize import Scheme, read_roman, romanize

BY_LETTER = [Scheme.ISO15919, Scheme.ALALC]

CONSONANTS = st.sampled_from([*"কখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযৰলৱশষসহ", "ড়", "ঢ়", "য়"])
SYLLABLES = st.one_of(
    st.tuples(CONSONANTS, st.sampled_from(["", *"ািীুূৃেৈোৌ্"])).map("".join),
    st.sampled_from([*"অআইঈউঊঋএঐওঔ", "ৎ", "অ্যা"]),
)
WORDS = st.tuples(st.lists(st.tuples(SYLLABLES, st.sampled_from(["", "", "", *"ঁংঃ’"])), min_size=1, max_size=5)).map(
    lambda word: "".join(syllable + ("" if syllable[-1] in "্ৎ" else sign) for syllable, sign in word[0])
)


def test_letters_that_would_be_read_as_one_are_separated(subtests: pytest.Subtests) -> None:
    for word, iso15919, alalc in [
        ("অই", "a:i", "a:i"),
        ("মৌ মউ", "mau ma:u", "mau ma:u"),
        ("ক্হ খ", "k:ha kha", "k:ha kha"),
        ("স্হ ষ শ", "s:ha ṣa śa", "s:ha sha śa"),
        ("উৎসৱ", "ut:sava", "ut̲sawa"),
        ("ত্হ ৎহ", "t:ha t::ha", "t:ha t̲ha"),
        ("ক’লা বাক্", "ka’lā bāk", "ka’lā bāk"),
        ("বহু কথা", "bahu kathā", "bahu kathā"),
    ]:
        with subtests.test(word):
            written = {Scheme.ISO15919: iso15919, Scheme.ALALC: alalc}

            assert {scheme: romanize(word, scheme) for scheme in written} == written
            assert {read_roman(roman, scheme) for scheme, roman in written.items()} == {word}


@pytest.mark.parametrize("scheme", BY_LETTER)
@given(word=WORDS)
def test_text_in_a_scheme_by_letter_can_be_read_back(scheme: Scheme, word: str) -> None:
    assume(not re.search("্[অ-ঔ]", word))
    written = romanize(word, scheme)

    assert read_roman(written, scheme) == word
    assert unicodedata.is_normalized("NFC", written)


def test_only_words_in_the_scheme_are_read() -> None:
    assert read_roman("Pānī, fox (jala): 5 kg. 2nd মোৰ", Scheme.ISO15919) == "পানী, fox (জল): 5 ক্গ্. 2nd মোৰ"
    assert read_roman("pani", Scheme.XOBDO) == "pani"
