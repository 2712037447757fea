import pytest

from abhidhan.records.errors import InputError
from abhidhan.records.personal_data import HIDDEN, Redaction, clean_name
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
    redaction = Redaction("অনিল", None, "")

    assert redaction.prose("অনিল কয়") == f"{HIDDEN} কয়"
    assert redaction.prose("অনিলা কয়") == "অনিলা কয়"


def test_words_of_the_dictionary_stay_as_they_are() -> None:
    redaction = Redaction("water", "w@site.example", "")

    changed = redaction.payload('{"kind":"word","data":{"word":"water","note":"by Water, W@Site.example"}}', Kind.WORD)

    assert changed == f'{{"kind":"word","data":{{"word":"water","note":"by {HIDDEN}, {HIDDEN}"}}}}'


def test_a_name_that_is_kept_stands_where_it_stood() -> None:
    redaction = Redaction("anil", "a@site.example", "Anil")

    assert redaction.prose("anil, a@site.example") == f"anil, {HIDDEN}"
    assert redaction.credit("anil") == "Anil"


def test_credit_lines_change_that_are_the_name_or_that_are_meant() -> None:
    assert Redaction("anil", None, "Pen Name").credit("Anil") == "Pen Name"
    assert Redaction("anil", None, "Pen Name").credit("A. Photographer") == "A. Photographer"
    assert Redaction("anil", None, "Pen Name", all_credits=True).credit("A. Photographer") == "Pen Name"
    assert not Redaction("anil", None, "").credit("ANIL")


def test_a_reference_that_is_nothing_but_the_name_goes_with_it() -> None:
    assert Redaction("anil", None, "").remark("Anil") is None
    assert Redaction("anil", None, "Pen Name").remark("Anil") == "Pen Name"
    assert Redaction("anil", None, "").remark("হেমকোষ") == "হেমকোষ"
