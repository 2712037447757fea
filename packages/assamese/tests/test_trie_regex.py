import re

from hypothesis import given
from hypothesis import strategies as st

from assamese.tables import build_longest_match_pattern

letters = st.text("abcক্", max_size=12)


@given(st.lists(letters.filter(bool), min_size=1, max_size=12), letters)
def test_the_pattern_matches_the_longest_text_at_each_position(texts: list[str], text: str) -> None:
    longest_first = re.compile("|".join(sorted(texts, key=len, reverse=True)))

    assert re.findall(build_longest_match_pattern(texts), text) == longest_first.findall(text)


def test_texts_with_a_common_beginning_share_a_branch_of_the_pattern() -> None:
    assert build_longest_match_pattern(["a"]) == "a"
    assert build_longest_match_pattern(["ab"]) == "ab"
    assert build_longest_match_pattern(["b", "a", "aab", "ab"]) == "a(?:ab|b|)|b"
    assert build_longest_match_pattern(["kh", "k", "chh"]) == "chh|k(?:h|)"
