import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.keys import loose_key
from assamese.sandhi import iter_sandhi_splits


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("হিমালয়", "হিম", "আলয়"),
        ("কবীশ্বৰ", "কবি", "ঈশ্বৰ"),
        ("কটূক্তি", "কটু", "উক্তি"),
        ("গণেশ্বৰ", "গণ", "ঈশ্বৰ"),
        ("সূৰ্যোদয়", "সূৰ্য", "উদয়"),
        ("দেৱৰ্ষি", "দেৱ", "ঋষি"),
        ("মতৈক্য", "মত", "ঐক্য"),
        ("মহৌষধ", "মহা", "ঔষধ"),
        ("অত্যন্ত", "অতি", "অন্ত"),
        ("পিত্ৰাদেশ", "পিতৃ", "আদেশ"),
        ("সদাচাৰ", "সৎ", "আচাৰ"),
        ("উদ্যোগ", "উৎ", "যোগ"),
        ("সচ্চৰিত্ৰ", "সৎ", "চৰিত্ৰ"),
        ("দিগন্ত", "দিক", "অন্ত"),
        ("মনোযোগ", "মন", "যোগ"),
        ("নিৰ্দোষ", "নিঃ", "দোষ"),
    ],
)
def test_a_compound_by_sandhi_may_be_joined_of_its_words(text: str, first: str, second: str) -> None:
    words = (loose_key(first, "as"), loose_key(second, "as"))
    found = [joined.words for joined in iter_sandhi_splits(loose_key(text, "as"))]

    assert words in found


@given(st.text(alphabet="কতদনৰসআািেো্যং", max_size=36))
def test_there_are_few_proposals_and_none_is_of_one_word(key: str) -> None:
    found = list(iter_sandhi_splits(key))

    assert len(found) <= 8 * len(key)
    assert all(first and second for first, second in (joined.words for joined in found))
