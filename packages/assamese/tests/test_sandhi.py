import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.keys import loose_key
from assamese.sandhi import iter_sandhi_splits


def test_a_compound_with_sandhi_splits_into_its_words(subtests: pytest.Subtests) -> None:
    for text, first, second in [
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
    ]:
        with subtests.test(text):
            words = (loose_key(first, "as"), loose_key(second, "as"))
            splits = [joined.words for joined in iter_sandhi_splits(loose_key(text, "as"))]

            assert words in splits


@given(st.text(alphabet="কতদনৰসআািেো্যং", max_size=36))
def test_splits_are_limited_in_number_and_have_two_words(key: str) -> None:
    splits = list(iter_sandhi_splits(key))

    assert len(splits) <= 8 * len(key)
    assert all(first and second for first, second in (joined.words for joined in splits))
