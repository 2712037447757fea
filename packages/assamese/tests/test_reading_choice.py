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


def choose(*words: str) -> str:
    """Choose the readings of a passage; the readings of a word are equally likely and separated by bars."""
    return " ".join(choose_readings([[ScoredReading(reading, 0.0) for reading in word.split("|")] for word in words]))


def test_a_single_word_has_its_first_reading() -> None:
    assert choose("মৰ|মোৰ") == "মৰ"


def test_a_common_word_is_preferred_in_a_passage() -> None:
    assert choose("মৰ|মোৰ", "নাম") == "মোৰ নাম"


def test_words_that_often_occur_together_are_preferred() -> None:
    assert choose("মূৰ", "কৰা", "হৈছে|হইছে") == "মূৰ কৰা হৈছে"


def test_the_verb_agrees_with_its_last_subject() -> None:
    for passage, expected in [
        (["মই", "ভাত", "খাও|খাওঁ"], "মই ভাত খাওঁ"),
        (["তুমি", "আকৌ", "আহ|আহা"], "তুমি আকৌ আহা"),
        (["তাই", "গান", "পাই|পায়"], "তাই গান পায়"),
        (["মই", "জানো", "তুমি", "খাম|খাবা"], "মই জানো তুমি খাবা"),
    ]:
        assert choose(*passage) == expected


def test_a_much_likelier_reading_is_kept() -> None:
    passage = [[ScoredReading("মই", 0.0)], [ScoredReading("জাম", 0.0), ScoredReading("যাম", -20.0)]]

    assert choose_readings(passage) == ("মই", "জাম")


@given(CHOICES)
def test_every_word_has_one_of_its_readings(passage: list[list[ScoredReading]]) -> None:
    readings = choose_readings(passage)

    assert len(readings) == len(passage)
    assert all(text in {choice.text for choice in choices} for text, choices in zip(readings, passage, strict=True))


@given(CHOICES)
def test_no_single_exchange_improves_the_chosen_readings(passage: list[list[ScoredReading]]) -> None:
    """Each word keeps its reading when the readings of all other words are fixed."""
    best = choose_readings(passage)
    for at, choices in enumerate(passage if len(passage) > 1 else []):
        fixed = [
            choices if place == at else [next(c for c in of_word if c.text == best[place])]
            for place, of_word in enumerate(passage)
        ]

        assert choose_readings(fixed) == best
