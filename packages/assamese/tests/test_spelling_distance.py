from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assamese.letters import split_units
from assamese.spelling_distance import (
    MAX_DISTANCE,
    _comparable_letters,
    _insertion_costs,
    _letter_distance,
    _roman_prefix_costs,
    _unit_spellings,
    distance,
    is_near,
)
from assamese.weighted_distance import COSTS, prefix_costs
from text_strategies import texts


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("pani", "পানী"),
        ("xobdo", "শব্দ"),
        ("hati", "হাতী"),
        ("jui", "জুই"),
        ("manuh", "মানুহ"),
        ("gyan", "জ্ঞান"),
        ("पानी", "পানী"),
        ("ko't", "ক’ত"),
        ("water", "water"),
    ],
)
def test_what_everybody_types_is_hardly_any_distance(typed: str, word: str) -> None:
    assert distance(typed, word) <= 0.1


@pytest.mark.parametrize(
    ("typed", "nearer", "farther"),
    [
        ("jun", "জোন", "জজু"),
        ("golap", "গোলাপ", "গল্প"),
        ("horina", "হৰিণা", "হৰিণ"),
        ("sobdo", "শব্দ", "চোবা"),
        ("shabda", "শব্দ", "চৰ"),
        ("মুৰ", "মূৰ", "ময়ূৰ"),
        ("পানি", "পানী", "পান"),
        ("মাচ", "মাছ", "মাক"),
        ("খোয়া", "খোৱা", "খোলা"),
        ("ঘোৰা", "ঘোঁৰা", "ঘৰ"),
        ("watre", "water", "wafer"),
    ],
)
def test_a_likely_confusion_is_nearer_than_another_letter(typed: str, nearer: str, farther: str) -> None:
    assert distance(typed, nearer) < distance(typed, farther)


@given(texts)
def test_a_text_is_no_distance_from_itself(text: str) -> None:
    assert distance(text, text) <= 0.1


@given(texts, texts)
def test_a_distance_is_never_negative(typed: str, word: str) -> None:
    assert distance(typed, word) >= 0


few_letters = st.text("abc’", max_size=8)


@given(few_letters, few_letters)
@example("aaba", "aa")
@example("aab", "ab")
@example("acb", "cab")
@example("abx", "ba")
@example("b’a", "ba")
@example("", "")
def test_plain_letters_cost_what_all_letters_do(typed: str, word: str) -> None:
    assert _letter_distance(typed, word) == pytest.approx(prefix_costs(tuple(typed), tuple(word))[-1])


likely_slips = st.text("কখচছজযবৱওঅআানণলসশহয়ংঙৰড়দধ্’ঁaehn", max_size=7)
FARTHEST_ASKED = st.sampled_from([0.0, 0.05, 0.3, 0.45, 0.75, 0.79, 1.0, 1.3])


@given(likely_slips, likely_slips, FARTHEST_ASKED)
@example("বৰ্ৰীফকেছ", "ব্ৰীফকেছ", 0.75)
@example("সঙ্গ", "সংগ", 0.75)
@example("কওক", "কৱক", 0.3)
def test_what_is_near_is_what_is_at_most_so_far(typed: str, word: str, farthest: float) -> None:
    assert is_near(typed, word, farthest) is (distance(typed, word) <= farthest)


@given(texts, texts, FARTHEST_ASKED)
def test_any_text_is_near_just_where_its_distance_says_so(typed: str, word: str, farthest: float) -> None:
    assert is_near(typed, word, farthest) is (distance(typed, word) <= farthest)


@given(texts, FARTHEST_ASKED)
def test_a_text_is_near_to_itself_with_a_letter_of_the_same_sound(text: str, farthest: float) -> None:
    other = text.translate(str.maketrans("নসজ", "ণশয"))

    assert is_near(text, other, farthest) is (distance(text, other) <= farthest)


def _cheapest_of_all_ways(typed: str, units: tuple[str, ...]) -> float:
    """Try every way to type some letters: each left out or typed otherwise, and any letter typed for none."""
    extra = _insertion_costs(typed)

    @cache
    def behind(place: int, unit: int) -> float:
        ways = [0.0] if place == unit == 0 else []
        if place:
            ways.append(behind(place - 1, unit) + extra[place - 1])
        if unit:
            left_out, by_first = _unit_spellings(units[unit - 1])
            ways.append(behind(place, unit - 1) + left_out)
            ways += [behind(place - 1, unit - 1) + COSTS.another] if place else []
            ways += [
                behind(place - letters, unit - 1) + cost
                for spellings in by_first.values()
                for spelling, letters, cost in spellings
                if typed[:place].endswith(spelling)
            ]
        return min(ways)

    return behind(len(typed), len(units))


typed_letters = st.text("aeoiukhgnxsbrrtw’", max_size=8)
assamese_words = st.text("কখগচশসবৱৰণনঙংঁঅআইািুেো্য়", max_size=6)


@given(typed_letters, assamese_words, st.one_of(FARTHEST_ASKED, st.just(MAX_DISTANCE)))
@example("xobdo", "শব্দ", MAX_DISTANCE)
@example("kk", "ক", 1.0)
@example("", "", 0.3)
def test_letters_typed_for_a_word_cost_what_the_cheapest_way_does(typed: str, word: str, farthest: float) -> None:
    units = split_units(_comparable_letters(word))

    found = min(_roman_prefix_costs(typed, units, farthest)[-1], farthest)

    assert found == pytest.approx(min(_cheapest_of_all_ways(typed, units), farthest))


def test_letters_far_apart_are_never_near_however_long_the_words_are() -> None:
    assert not is_near("ক" * 60, "ম" * 60, 0.75)
    assert is_near("ক" * 60, "ক" * 60, 0.75)
    assert distance("ক" * 60, "ম" * 60) > MAX_DISTANCE


@pytest.mark.parametrize(
    ("typed", "word", "other"),
    [("croud", "crowd", "cloud"), ("flouer", "flower", "flour"), ("rabit", "rabbit", "habit")],
)
def test_a_vowel_for_another_and_a_letter_once_instead_of_twice_are_likely_slips(
    typed: str, word: str, other: str
) -> None:
    assert distance(typed, word) < distance(typed, other) == 1
