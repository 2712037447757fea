"""A change of an answer that was recorded is right, or accepted with a reason."""

from itertools import pairwise

import pytest

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, IdeaRecord, WordRecord
from abhidhan.records.languages import ASSAMESE
from assamese.normalization import split_query
from tools.form_gate import (
    MAX_ACCEPTED,
    NO_HEADWORD,
    SAMPLE_SIZE,
    AcceptedChange,
    FormAnswer,
    RecordedForm,
    draw_forms,
    find_faults,
    format_summary,
    is_right,
    look_up_forms,
    read_accepted,
    read_forms,
)

pytestmark = pytest.mark.no_cover
"""Thousands of look-ups of what other tests cover."""


# --- the files --------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_every_answer_is_recorded_right_or_an_accepted_change(whole_dictionary: Database) -> None:
    forms = read_forms()

    assert find_faults(forms, look_up_forms(whole_dictionary, forms), read_accepted()) == []


def test_forms_are_single_words_sorted_and_each_there_once() -> None:
    forms = [form.form for form in read_forms()]

    assert len(forms) == SAMPLE_SIZE
    assert all(before < after for before, after in pairwise(forms))
    assert [form for form in forms if split_query(form) != (form,)] == []


def test_five_hundred_forms_are_read_and_each_reading_is_a_headword(whole_dictionary: Database) -> None:
    readings = [form.right.split("|") for form in read_forms() if form.right]
    words = {word for reading in readings for word in reading} - {NO_HEADWORD}

    missing = whole_dictionary.read_now(lambda reader: [word for word in words if not _is_headword(reader, word)])

    assert len(readings) >= 500
    assert missing == []


def _is_headword(connection: ReadConnection, text: str) -> bool:
    items = look_up(connection, text, ASSAMESE)
    return items[0].match is Match.EXACT and text in [word.word for word in items[0].entries]


# --- the comparison ---------------------------------------------------------------------------------------------------

EATS = RecordedForm("খাটে", "খাট", "inflected", "খটা|খাটা")
UNREAD = RecordedForm("কৰিছে", "কৰা", "inflected")
NO_ENTRY = RecordedForm("উদ্যম", "উদ্যোগ", "phonetic", "-")


def test_a_recorded_or_right_answer_passes() -> None:
    for form, answer in (
        (UNREAD, FormAnswer("কৰা", "inflected")),  # as recorded
        (EATS, FormAnswer("খাট", "inflected")),  # as recorded, although it is wrong
        (EATS, FormAnswer("খটা", "inflected")),  # right
        (EATS, FormAnswer("খাটা", "phonetic")),  # the other right headword
        (EATS._replace(headword="খটা"), FormAnswer("খটা", "phonetic")),  # right, by another match
        (NO_ENTRY, FormAnswer("", "none")),  # rightly nothing
    ):
        assert find_faults([form], {form.form: answer}, []) == []


def test_any_other_change_fails_until_it_is_accepted() -> None:
    for form, answer, fault in (
        (UNREAD, FormAnswer("কাৰ", "inflected"), "changed: কৰিছে: কৰা (inflected) -> কাৰ (inflected)"),
        (UNREAD, FormAnswer("কৰা", "phonetic"), "changed: কৰিছে: কৰা (inflected) -> কৰা (phonetic)"),
        (UNREAD, FormAnswer("", "none"), "changed: কৰিছে: কৰা (inflected) -> - (none)"),
        (EATS, FormAnswer("", "none"), "changed: খাটে: খাট (inflected) -> - (none); right: খটা|খাটা"),
        (NO_ENTRY, FormAnswer("মধ্যম", "phonetic"), "changed: উদ্যম: উদ্যোগ (phonetic) -> মধ্যম (phonetic); right: -"),
    ):
        accepted = [AcceptedChange(form.form, answer.headword, "The other reading is as common.")]

        assert find_faults([form], {form.form: answer}, []) == [fault]
        assert find_faults([form], {form.form: answer}, accepted) == []


def test_an_accepted_change_needs_a_reason() -> None:
    for reason in ("", " "):
        accepted = [AcceptedChange("কৰিছে", "কাৰ", reason)]

        assert find_faults([UNREAD], {"কৰিছে": FormAnswer("কাৰ", "inflected")}, accepted) == [
            "accepted without a reason: কৰিছে"
        ]


def test_a_row_that_accepts_no_change_fails() -> None:
    for form, answer, row in (
        (UNREAD, FormAnswer("কৰা", "inflected"), AcceptedChange("কৰিছে", "কাৰ", "Rare.")),  # nothing changed
        (EATS, FormAnswer("খটা", "inflected"), AcceptedChange("খাটে", "খটা", "It is right.")),  # right anyway
        (UNREAD, FormAnswer("কৰা", "inflected"), AcceptedChange("নাই", "নাই", "Rare.")),  # not in the list
    ):
        assert find_faults([form], {form.form: answer}, [row]) == [
            f"accepted, but not changed so: {row.form} -> {row.headword}"
        ]


def test_a_row_with_another_headword_fails() -> None:
    faults = find_faults([UNREAD], {"কৰিছে": FormAnswer("কাৰ", "inflected")}, [AcceptedChange("কৰিছে", "কৰ", "Rare.")])

    assert faults == [
        "changed: কৰিছে: কৰা (inflected) -> কাৰ (inflected)",
        "accepted, but not changed so: কৰিছে -> কৰ",
    ]


def test_a_change_accepted_twice_fails() -> None:
    twice = [AcceptedChange("কৰিছে", "কাৰ", "Rare."), AcceptedChange("কৰিছে", "কাৰ", "Rare.")]

    assert find_faults([UNREAD], {"কৰিছে": FormAnswer("কাৰ", "inflected")}, twice) == ["accepted more than once: কৰিছে"]


def test_no_more_than_fifty_changes_can_be_accepted() -> None:
    cases: list[tuple[int, list[str]]] = [(MAX_ACCEPTED, []), (MAX_ACCEPTED + 1, ["accepted: 51 rows, of at most 50"])]
    for count, faults in cases:
        forms = [RecordedForm(f"form {number}", "before", "inflected") for number in range(count)]
        answers = {form.form: FormAnswer("after", "inflected") for form in forms}
        accepted = [AcceptedChange(form.form, "after", "As common.") for form in forms]

        assert find_faults(forms, answers, accepted) == faults


def test_an_unread_form_has_no_right_answer() -> None:
    assert not is_right(UNREAD, "কৰা")
    assert not is_right(UNREAD, "")


def test_the_summary_counts_changed_and_right_answers_without_compounds() -> None:
    answers = {
        "কৰিছে": FormAnswer("কৰা", "inflected"),
        "খাটে": FormAnswer("খটা", "inflected"),
        "উদ্যম": FormAnswer("উদ", "compound"),
    }

    assert format_summary([UNREAD, EATS, NO_ENTRY], answers) == "3 forms, 2 changed; 2 read, right before: 0, now: 2"


# --- the draw ---------------------------------------------------------------------------------------------------------

IDEA = IdeaRecord(
    "sample",
    "water",
    None,
    (WordRecord("as", "পানী"),),
    definitions=(DefinitionRecord("as", "খোৱা বস্তু।"), DefinitionRecord("bn", "জল")),
    examples=(ExampleRecord("as", "মই পানী, পানী খাওঁ, ২১বাৰ!", "I drink water."), ExampleRecord("en", "Water.")),
)


def test_words_of_assamese_sentences_without_digits_are_drawn_once_and_reproducibly() -> None:
    assert draw_forms([IDEA, IDEA], size=5) == ["খাওঁ", "খোৱা", "পানী", "বস্তু", "মই"]
    assert draw_forms([IDEA], size=3) == draw_forms([IDEA], size=3)
