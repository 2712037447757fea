import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from abhidhan.domain.text.closeness import _between, _between_letters, _where_they_differ, distance
from tests.domain.text.strategies import texts


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
@example("b’a", "ba")
def test_what_two_texts_begin_and_end_with_alike_costs_nothing(typed: str, word: str) -> None:
    whole = _between(tuple(typed), tuple(word))[-1]

    assert _between(*_where_they_differ(typed, word))[-1] == pytest.approx(whole)


one_letter = st.text("aehxyz'’-কə", max_size=1).map(tuple)


@given(one_letter, one_letter)
def test_a_letter_on_each_side_is_compared_as_all_letters_are(typed: tuple[str, ...], word: tuple[str, ...]) -> None:
    assert _between_letters(typed, word) == _between(typed, word)[-1]
