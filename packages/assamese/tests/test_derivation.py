from hypothesis import given
from hypothesis import strategies as st

from assamese.derivation import propose_bases
from assamese.keys import loose_key
from assamese.letters import count_letters


def test_a_derived_word_leads_to_its_base() -> None:
    for derived, base in [
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
    ]:
        assert loose_key(base, "as") in propose_bases(loose_key(derived, "as"))


def test_words_whose_rest_is_too_short_or_half_a_conjunct_have_no_bases() -> None:
    for word in ["পাত্ৰত", "মতা", "হীন", "তা", "ঘৰ", "", "জলময়"]:
        assert propose_bases(word) == ()


def test_the_longest_suffix_is_removed_first() -> None:
    assert propose_bases("দয়াবিহীন")[0] == "দয়া"


@given(st.text(alphabet="কতনৰৱসহািীয়া়্", max_size=20).map(lambda text: loose_key(text, "as")))
def test_every_base_has_at_least_three_letters_and_is_shorter_than_the_word(key: str) -> None:
    for base in propose_bases(key):
        assert count_letters(base) >= 3
        assert len(base) < len(key)
        assert not base.endswith("্")
