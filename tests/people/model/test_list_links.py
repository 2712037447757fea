"""Lists that an address has in itself: what is read of them, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.list_links import MAX_LINKED_WORDS, MAX_NAME_LENGTH, clean_list_name, parse_linked_words
from abhidhan.records.errors import InputError
from abhidhan.records.ids import MAX_ID


def test_words_keep_their_order_and_stand_once() -> None:
    assert parse_linked_words("12, 5,12,77") == (12, 5, 77)


def test_a_number_that_no_word_can_have_is_one_of_a_word_that_is_not_there() -> None:
    assert parse_linked_words("7,99999999999999999999,0") == (7, MAX_ID)


@pytest.mark.parametrize("text", ["", ",", "1,,2", "-1", "1.5", "৭", "x", "1;2", "1,"])
def test_what_is_no_list_of_numbers_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="word numbers"):
        parse_linked_words(text)


def test_an_address_has_two_hundred_words_at_most() -> None:
    numbers = [str(number) for number in range(1, MAX_LINKED_WORDS + 2)]

    assert len(parse_linked_words(",".join(numbers[:-1]))) == MAX_LINKED_WORDS
    with pytest.raises(InputError, match="at most 200"):
        parse_linked_words(",".join(numbers))


@given(st.text(max_size=400))
def test_a_name_is_one_short_line_of_what_can_be_seen(text: str) -> None:
    name = clean_list_name(text)

    assert len(name) <= MAX_NAME_LENGTH
    assert name == " ".join(name.split())
    assert not set(name) & set("\n\r\t\x00\u202e\u2066\u2028")


def test_letters_that_are_joined_stay_joined() -> None:
    assert clean_list_name("  ক\u200dষ \u202e মাছ ") == "ক\u200dষ মাছ"
