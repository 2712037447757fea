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


def test_common_ways_of_typing_a_word_are_very_near_the_word() -> None:
    for typed, word in [
        ("pani", "পানী"),
        ("xobdo", "শব্দ"),
        ("hati", "হাতী"),
        ("jui", "জুই"),
        ("manuh", "মানুহ"),
        ("gyan", "জ্ঞান"),
        ("पानी", "পানী"),
        ("ko't", "ক’ত"),
        ("water", "water"),
    ]:
        assert distance(typed, word) <= 0.1


def test_a_likely_confusion_is_nearer_than_another_letter() -> None:
    for typed, nearer, farther in [
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
        # A vowel for another vowel, and a letter once instead of twice; another consonant costs 1.
        ("croud", "crowd", "cloud"),
        ("flouer", "flower", "flour"),
        ("rabit", "rabbit", "habit"),
    ]:
        assert distance(typed, nearer) < distance(typed, farther)
    assert distance("croud", "cloud") == distance("flouer", "flour") == distance("rabit", "habit") == 1


@given(texts)
def test_a_text_is_very_near_itself(text: str) -> None:
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
def test_the_shortcut_for_plain_letters_gives_the_same_cost(typed: str, word: str) -> None:
    assert _letter_distance(typed, word) == pytest.approx(prefix_costs(tuple(typed), tuple(word))[-1])


likely_slips = st.text("কখচছজযবৱওঅআানণলসশহয়ংঙৰড়দধ্’ঁaehn", max_size=7)
LIMITS = st.sampled_from([0.0, 0.05, 0.3, 0.45, 0.75, 0.79, 1.0, 1.3])


@given(likely_slips, likely_slips, LIMITS)
@example("বৰ্ৰীফকেছ", "ব্ৰীফকেছ", 0.75)
@example("সঙ্গ", "সংগ", 0.75)
@example("কওক", "কৱক", 0.3)
def test_a_word_is_near_when_its_distance_is_within_the_limit(typed: str, word: str, limit: float) -> None:
    assert is_near(typed, word, limit) is (distance(typed, word) <= limit)


@given(texts, texts, LIMITS)
def test_any_text_is_near_when_its_distance_is_within_the_limit(typed: str, word: str, limit: float) -> None:
    assert is_near(typed, word, limit) is (distance(typed, word) <= limit)


@given(texts, LIMITS)
def test_a_text_with_letters_of_the_same_sound_is_near_when_within_the_limit(text: str, limit: float) -> None:
    other = text.translate(str.maketrans("নসজ", "ণশয"))

    assert is_near(text, other, limit) is (distance(text, other) <= limit)


def _cheapest_alignment(typed: str, units: tuple[str, ...]) -> float:
    """Try every alignment: each letter of the word left out or typed differently, and any extra letter typed."""
    extra = _insertion_costs(typed)

    @cache
    def cost_up_to(place: int, unit: int) -> float:
        costs = [0.0] if place == unit == 0 else []
        if place:
            costs.append(cost_up_to(place - 1, unit) + extra[place - 1])
        if unit:
            left_out, by_first = _unit_spellings(units[unit - 1])
            costs.append(cost_up_to(place, unit - 1) + left_out)
            costs += [cost_up_to(place - 1, unit - 1) + COSTS.another] if place else []
            costs += [
                cost_up_to(place - letters, unit - 1) + cost
                for spellings in by_first.values()
                for spelling, letters, cost in spellings
                if typed[:place].endswith(spelling)
            ]
        return min(costs)

    return cost_up_to(len(typed), len(units))


typed_letters = st.text("aeoiukhgnxsbrrtw’", max_size=8)
assamese_words = st.text("কখগচশসবৱৰণনঙংঁঅআইািুেো্য়", max_size=6)


@given(typed_letters, assamese_words, st.one_of(LIMITS, st.just(MAX_DISTANCE)))
@example("xobdo", "শব্দ", MAX_DISTANCE)
@example("kk", "ক", 1.0)
@example("", "", 0.3)
def test_roman_letters_cost_as_much_as_the_cheapest_alignment(typed: str, word: str, limit: float) -> None:
    units = split_units(_comparable_letters(word))

    cost = min(_roman_prefix_costs(typed, units, limit)[-1], limit)

    assert cost == pytest.approx(min(_cheapest_alignment(typed, units), limit))


def test_long_words_of_different_letters_are_not_near() -> None:
    assert not is_near("ক" * 60, "ম" * 60, 0.75)
    assert is_near("ক" * 60, "ক" * 60, 0.75)
    assert distance("ক" * 60, "ম" * 60) > MAX_DISTANCE
