import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.reading_choice import ScoredReading, choose_readings

CHOICES = st.lists(
    st.lists(
        st.builds(
            ScoredReading, st.sampled_from(["মই", "তুমি", "যাম", "জাম", "ভাল", "পায়", "পাই", "ঘৰলৈ"]), st.floats(-9, 0)
        ),
        min_size=1,
        max_size=3,
        unique_by=lambda choice: choice.text,
    ),
    min_size=1,
    max_size=4,
)


def read(*words: str) -> str:
    """Read a passage whose words have readings that are as likely by themselves, separated by bars."""
    return " ".join(choose_readings([[ScoredReading(reading, 0.0) for reading in word.split("|")] for word in words]))


def test_a_word_by_itself_has_its_first_reading() -> None:
    assert read("মৰ|মোৰ") == "মৰ"


def test_a_common_word_is_likelier_in_a_passage() -> None:
    assert read("মৰ|মোৰ", "নাম") == "মোৰ নাম"


def test_words_that_stand_side_by_side_are_meant_together() -> None:
    assert read("মূৰ", "কৰা", "হৈছে|হইছে") == "মূৰ কৰা হৈছে"


@pytest.mark.parametrize(
    ("passage", "expected"),
    [
        (["মই", "ভাত", "খাও|খাওঁ"], "মই ভাত খাওঁ"),
        (["তুমি", "আকৌ", "আহ|আহা"], "তুমি আকৌ আহা"),
        (["তাই", "গান", "পাই|পায়"], "তাই গান পায়"),
    ],
)
def test_the_verb_agrees_with_its_subject(passage: list[str], expected: str) -> None:
    assert read(*passage) == expected


def test_a_verb_agrees_with_the_last_of_several_subjects() -> None:
    assert read("মই", "জানো", "তুমি", "খাম|খাবা").endswith("খাবা")


def test_a_reading_that_is_much_likelier_by_itself_stays() -> None:
    passage = [[ScoredReading("মই", 0.0)], [ScoredReading("জাম", 0.0), ScoredReading("যাম", -20.0)]]

    assert choose_readings(passage) == ("মই", "জাম")


@given(CHOICES)
def test_every_word_gets_one_of_its_readings(passage: list[list[ScoredReading]]) -> None:
    read_so = choose_readings(passage)

    assert len(read_so) == len(passage)
    assert all(text in {choice.text for choice in choices} for text, choices in zip(read_so, passage, strict=True))


@given(CHOICES)
def test_no_single_exchange_makes_a_passage_likelier(passage: list[list[ScoredReading]]) -> None:
    """A passage whose words are all decided but one is read as it was among all."""
    best = choose_readings(passage)
    for at, choices in enumerate(passage if len(passage) > 1 else []):
        decided = [
            choices if place == at else [next(c for c in of_word if c.text == best[place])]
            for place, of_word in enumerate(passage)
        ]

        assert choose_readings(decided) == best
