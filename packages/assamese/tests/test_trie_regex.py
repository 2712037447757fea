import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.tables import build_longest_match_pattern

letters = st.text("abcক্", max_size=12)


@given(st.lists(letters.filter(bool), min_size=1, max_size=12), letters)
def test_the_longest_of_the_texts_that_begin_at_a_place_is_found(texts: list[str], text: str) -> None:
    longest_first = re.compile("|".join(sorted(texts, key=len, reverse=True)))

    assert re.findall(build_longest_match_pattern(texts), text) == longest_first.findall(text)


@pytest.mark.parametrize(
    ("texts", "expression"),
    [(["a"], "a"), (["ab"], "ab"), (["b", "a", "aab", "ab"], "a(?:ab|b|)|b"), (["kh", "k", "chh"], "chh|k(?:h|)")],
)
def test_what_begins_alike_is_tried_behind_its_first_letter(texts: list[str], expression: str) -> None:
    assert build_longest_match_pattern(texts) == expression
