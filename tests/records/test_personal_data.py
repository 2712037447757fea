import pytest

from abhidhan.records.errors import InputError
from abhidhan.records.personal_data import REDACTION_MARK, Redactor, clean_name
from abhidhan.records.submission_payloads import Kind


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ("Anil Das", "Anil Das"),
        ("  A.  Das ", "A. Das"),
        ("অনিল দাস", "অনিল দাস"),
        ("anil", "anil"),
        ("Team 7", "Team 7"),
    ],
)
def test_a_name_that_stays_may_have_several_words(given: str, clean: str) -> None:
    assert clean_name(given) == clean


@pytest.mark.parametrize(
    "given",
    [
        "",
        "a",
        "a" * 61,
        "anil\u200bdas",
        "anil\u202edas",
        "anil\x00das",
        "\u200d\u200d",
        "аnil",
        "Anil অনিল",
        "<b>anil</b>",
        "a@b.example",
    ],
)
def test_a_name_that_stays_shows_what_it_is(given: str) -> None:
    with pytest.raises(InputError):
        clean_name(given)


def test_the_name_goes_from_what_was_written_and_never_from_within_other_words() -> None:
    redaction = Redactor("অনিল", None, "")

    assert redaction.redact_prose("অনিল কয়") == f"{REDACTION_MARK} কয়"
    assert redaction.redact_prose("অনিলা কয়") == "অনিলা কয়"


def test_words_of_the_dictionary_stay_as_they_are() -> None:
    redaction = Redactor("water", "w@site.example", "")

    changed = redaction.redact_payload(
        '{"kind":"word","data":{"word":"water","note":"by Water, W@Site.example"}}', Kind.WORD
    )

    assert changed == f'{{"kind":"word","data":{{"word":"water","note":"by {REDACTION_MARK}, {REDACTION_MARK}"}}}}'


def test_a_name_that_is_kept_stands_where_it_stood() -> None:
    redaction = Redactor("anil", "a@site.example", "Anil")

    assert redaction.redact_prose("anil, a@site.example") == f"anil, {REDACTION_MARK}"
    assert redaction.redact_credit("anil") == "Anil"


def test_credit_lines_change_that_are_the_name_or_that_are_meant() -> None:
    assert Redactor("anil", None, "Pen Name").redact_credit("Anil") == "Pen Name"
    assert Redactor("anil", None, "Pen Name").redact_credit("A. Photographer") == "A. Photographer"
    assert Redactor("anil", None, "Pen Name", all_credits=True).redact_credit("A. Photographer") == "Pen Name"
    assert not Redactor("anil", None, "").redact_credit("ANIL")


def test_a_reference_that_is_nothing_but_the_name_goes_with_it() -> None:
    assert Redactor("anil", None, "").redact_remark("Anil") is None
    assert Redactor("anil", None, "Pen Name").redact_remark("Anil") == "Pen Name"
    assert Redactor("anil", None, "").redact_remark("হেমকোষ") == "হেমকোষ"
