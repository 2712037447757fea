from hypothesis import given
from hypothesis import strategies as st

from assamese.reading_choice import attraction, pack_word_pairs
from assamese.word_frequency import unpack_numbers


def test_words_that_newspapers_use_side_by_side_attract_each_other() -> None:
    assert attraction("উল্লেখ্য", "যে") > attraction("কৰা", "হয়") > 0


def test_the_order_of_two_words_matters() -> None:
    assert attraction("যে", "উল্লেখ্য") == 0.0


@given(st.text(max_size=8), st.text(max_size=8))
def test_any_two_texts_have_an_attraction_within_bounds(before: str, after: str) -> None:
    assert 0.0 <= attraction(before, after) <= 16.0


def test_a_table_of_pairs_is_sorted_and_omits_negative_attractions() -> None:
    numbers = unpack_numbers(pack_word_pairs({("ক", "খ"): 3.0, ("খ", "গ"): 99.0, ("গ", "ঘ"): -1.0}))

    assert list(numbers) == sorted(numbers)
    assert {number & 0xFF for number in numbers} == {48, 255}
