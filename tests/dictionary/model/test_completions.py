"""The order of completions: the words that begin with the typed text."""

from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.completions import (
    WEIGHT_UNITS_PER_LETTER,
    Completion,
    PrefixMatch,
    choose_first_matches,
    completion_sort_key,
    completion_weight,
    merge_completion_lists,
    rank_completions,
)
from abhidhan.records.languages import ASSAMESE, ENGLISH, HINDI


def test_common_words_weigh_less_and_foreign_ones_more() -> None:
    assert (
        completion_weight("key", "key", ASSAMESE, 1000.0)
        < completion_weight("key", "key", ASSAMESE, 1.0)
        < 3 * WEIGHT_UNITS_PER_LETTER
    )
    assert (
        completion_weight("key", "key", ASSAMESE, None)
        == completion_weight("key", "key", ENGLISH, None)
        == 3 * WEIGHT_UNITS_PER_LETTER
    )
    assert completion_weight("key", "key", HINDI, None) > 3 * WEIGHT_UNITS_PER_LETTER
    assert completion_weight("পানী", "পানী", ASSAMESE, None) < completion_weight("পানী", "qqqq", ASSAMESE, None)


def test_fewer_letters_come_first_and_then_assamese() -> None:
    assert completion_sort_key((2, HINDI, "zz", 9)) < completion_sort_key((3, ASSAMESE, "a", 1))
    assert completion_sort_key((3, ASSAMESE, "zz", 9)) < completion_sort_key((3, ENGLISH, "a", 1))


def test_small_letters_come_before_capitals() -> None:
    words = [(30, ENGLISH, "Fox", 1), (30, ENGLISH, "fox", 2), (30, ENGLISH, "FOX", 3), (30, ENGLISH, "For", 4)]

    assert choose_first_matches(words) == (words[1], words[3])
    assert [each.text for each in rank_completions("fo", [(-2.0, words)], 9)] == ["fox", "For"]
    assert [each.text for each in merge_completion_lists("fo", [(-2.0, words)], 9)] == ["fox", "For"]


def test_of_several_matches_of_one_spelling_the_nearest_is_taken() -> None:
    matches = [
        (-2.0, [(30, ENGLISH, "pan", 1), (50, ENGLISH, "pants", 2)]),
        (-1.25, [(20, ASSAMESE, "পান", 3), (30, HINDI, "pan", 4)]),
    ]

    assert rank_completions("pa", matches, 2) == [
        Completion(3, ASSAMESE, "পান", 0.75),
        Completion(1, ENGLISH, "pan", 1.0),
    ]
    assert [each.text for each in rank_completions("pa", matches, 9)] == ["পান", "pan", "pants"]


def test_a_fully_typed_word_comes_first_and_an_unlikely_reading_last() -> None:
    matches = [(-3.0, [(30, ENGLISH, "wat", 1), (-40, ENGLISH, "water", 2)]), (-2.25, [(-90, ASSAMESE, "বাট", 3)])]

    assert [each.text for each in rank_completions("wat", matches, 9)] == ["wat", "water", "বাট"]


def test_a_word_with_another_first_letter_comes_last_even_if_common() -> None:
    matches = [(-3.0, [(-90, ASSAMESE, "বিশ্ব", 1), (60, ASSAMESE, "বিনিময়", 2)])]

    assert [each.text for each in rank_completions("bin", matches, 9)] == ["বিনিময়", "বিশ্ব"]


def test_a_word_that_sounds_as_typed_comes_before_completions_from_four_letters_on() -> None:
    words = [(-90, ASSAMESE, "পানীয়", 1), (30, ASSAMESE, "পানী", 2), (20, HINDI, "पानी", 3)]
    for nearest in (rank_completions, merge_completion_lists):
        assert [each.text for each in nearest("pani", [(-4.0, words)], 2)] == ["পানী", "পানীয়"]
        assert [each.text for each in nearest("pan", [(-3.0, words)], 1)] == ["পানীয়"]


def test_capital_letters_make_no_other_spelling() -> None:
    matches = [(-2.0, [(20, ENGLISH, "mo", 1), (30, ENGLISH, "MO", 2), (30, ENGLISH, "Mo", 3), (30, HINDI, "mò", 4)])]

    assert [each.text for each in rank_completions("mo", matches, 9)] == ["mo", "mò"]


BEGUN_WITH_AB: Final = st.lists(
    st.tuples(
        st.integers(-30, 90),
        st.sampled_from((ENGLISH, ASSAMESE, HINDI)),
        st.text("abB", max_size=4).map("ab".__add__),
        st.integers(1, 1000),
    ),
    max_size=24,
)
"""Words that begin with `ab` just so."""

SOUNDING: Final = st.lists(
    st.tuples(
        st.integers(-30, 90),
        st.sampled_from((ENGLISH, ASSAMESE, HINDI)),
        st.sampled_from(("আবা", "অবু", "বআ", "eb", "xab", "Abbb", "आब", "abbb")),
        st.integers(1, 1000),
    ),
    max_size=24,
)
"""Words that may sound so, none of which is `ab` itself."""


@given(exactly=BEGUN_WITH_AB, sounding=st.lists(SOUNDING, max_size=3), limit=st.integers(1, 20))
def test_merged_lists_equal_a_full_ranking(
    exactly: list[PrefixMatch], sounding: list[list[PrefixMatch]], limit: int
) -> None:
    matches = [(-2.0, exactly), *((0.75 * place - 2.0, words) for place, words in enumerate(sounding, 1))]

    assert merge_completion_lists("ab", matches, limit) == rank_completions("ab", matches, limit)


def test_an_empty_text_has_no_completions() -> None:
    assert merge_completion_lists("", [], 9) == []
