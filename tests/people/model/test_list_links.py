"""Lists that an address has in itself: what is read of them, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.list_links import MAX_LINKED_WORDS, MAX_NAME_LENGTH, clean_list_name, parse_linked_words
from abhidhan.records.errors import InputError
from abhidhan.records.ids import MAX_ID


def test_words_keep_their_order_without_repetitions_and_impossible_numbers_become_the_largest() -> None:
    assert parse_linked_words("12, 5,12,77") == (12, 5, 77)
    assert parse_linked_words("7,99999999999999999999,0") == (7, MAX_ID)


def test_texts_that_are_not_lists_of_numbers_are_rejected() -> None:
    for text in ("", ",", "1,,2", "-1", "1.5", "৭", "x", "1;2", "1,"):
        with pytest.raises(InputError, match="word numbers"):
            parse_linked_words(text)


def test_an_address_has_two_hundred_words_at_most() -> None:
    numbers = [str(number) for number in range(1, MAX_LINKED_WORDS + 2)]

    assert len(parse_linked_words(",".join(numbers[:-1]))) == MAX_LINKED_WORDS
    with pytest.raises(InputError, match="at most 200"):
        parse_linked_words(",".join(numbers))


@given(st.text(max_size=400))
def test_a_list_name_is_one_short_line_of_visible_characters(text: str) -> None:
    name = clean_list_name(text)

    assert len(name) <= MAX_NAME_LENGTH
    assert name == " ".join(name.split())
    assert not set(name) & set("\n\r\t\x00\u202e\u2066\u2028")


def test_joiners_between_letters_are_kept() -> None:
    assert clean_list_name("  ক\u200dষ \u202e মাছ ") == "ক\u200dষ মাছ"
