import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.derivation import propose_bases
from assamese.keys import loose_key
from assamese.letters import count_letters


@pytest.mark.parametrize(
    ("derived", "base"),
    [
        ("অসমীয়া", "অসম"),
        ("চহৰীয়া", "চহৰ"),
        ("সৰলতা", "সৰল"),
        ("অৰ্থহীন", "অৰ্থ"),
        ("দায়িত্বহীন", "দায়িত্ব"),
        ("ভাৰতীয়", "ভাৰত"),
        ("জাতীয়", "জাতি"),
        ("স্থায়িত্ব", "স্থায়ী"),
        ("নেতৃত্ব", "নেতা"),
        ("আন্দোলনকাৰী", "আন্দোলন"),
        ("দোকানদাৰ", "দোকান"),
        ("শিক্ষামূলক", "শিক্ষা"),
    ],
)
def test_a_derived_word_leads_to_its_base(derived: str, base: str) -> None:
    assert loose_key(base, "as") in propose_bases(loose_key(derived, "as"))


@pytest.mark.parametrize("word", ["পাত্ৰত", "মতা", "হীন", "তা", "ঘৰ", "", "জলময়"])
def test_a_short_word_and_half_a_conjunct_are_no_bases(word: str) -> None:
    assert propose_bases(word) == ()


def test_the_longest_suffix_is_taken_off_first() -> None:
    assert propose_bases("দয়াবিহীন")[0] == "দয়া"


@given(st.text(alphabet="কতনৰৱসহািীয়া়্", max_size=20).map(lambda text: loose_key(text, "as")))
def test_every_base_has_three_letters_and_is_shorter(key: str) -> None:
    for base in propose_bases(key):
        assert count_letters(base) >= 3
        assert len(base) < len(key)
        assert not base.endswith("্")
