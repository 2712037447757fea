import pytest

from abhidhan.records.errors import InputError
from abhidhan.records.personal_data import REDACTION_MARK, Redactor, clean_name
from abhidhan.records.submission_payloads import Kind

NAMES = (
    ("Anil Das", "Anil Das"),
    ("  A.  Das ", "A. Das"),
    ("অনিল দাস", "অনিল দাস"),
    ("anil", "anil"),
    ("Team 7", "Team 7"),
)
REJECTED_NAMES = (
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
)


def test_a_kept_name_may_have_several_words() -> None:
    assert [clean_name(name) for name, _ in NAMES] == [clean for _, clean in NAMES]


def test_a_deceptive_name_is_not_kept(subtests: pytest.Subtests) -> None:
    for name in REJECTED_NAMES:
        with subtests.test(ascii(name)), pytest.raises(InputError):
            clean_name(name)


def test_a_name_is_redacted_in_prose_but_not_inside_other_words() -> None:
    redaction = Redactor("অনিল", None, "")

    assert redaction.redact_prose("অনিল কয়") == f"{REDACTION_MARK} কয়"
    assert redaction.redact_prose("অনিলা কয়") == "অনিলা কয়"


def test_words_of_the_dictionary_are_not_redacted() -> None:
    redaction = Redactor("water", "w@site.example", "")

    changed = redaction.redact_payload(
        '{"kind":"word","data":{"word":"water","note":"by Water, W@Site.example"}}', Kind.WORD
    )

    assert changed == f'{{"kind":"word","data":{{"word":"water","note":"by {REDACTION_MARK}, {REDACTION_MARK}"}}}}'


def test_a_kept_name_replaces_the_former_name() -> None:
    redaction = Redactor("anil", "a@site.example", "Anil")

    assert redaction.redact_prose("anil, a@site.example") == f"anil, {REDACTION_MARK}"
    assert redaction.redact_credit("anil") == "Anil"


def test_only_the_credit_lines_of_the_person_are_changed() -> None:
    assert Redactor("anil", None, "Pen Name").redact_credit("Anil") == "Pen Name"
    assert Redactor("anil", None, "Pen Name").redact_credit("A. Photographer") == "A. Photographer"
    assert Redactor("anil", None, "Pen Name", all_credits=True).redact_credit("A. Photographer") == "Pen Name"
    assert not Redactor("anil", None, "").redact_credit("ANIL")


def test_a_reference_that_is_only_the_name_is_redacted() -> None:
    assert Redactor("anil", None, "").redact_remark("Anil") is None
    assert Redactor("anil", None, "Pen Name").redact_remark("Anil") == "Pen Name"
    assert Redactor("anil", None, "").redact_remark("হেমকোষ") == "হেমকোষ"


def test_credits_and_speakers_in_the_history_are_redacted_in_any_spelling_of_the_name() -> None:
    assert Redactor("anil", None, "").redact_json('{"speaker":"ANIL"}') == '{"speaker":null}'
    assert Redactor("anil", None, "Pen Name").redact_json('{"speaker":"Anil"}') == '{"speaker":"Pen Name"}'
    # Without the name in it, only a choice about every credit changes the text.
    everything = Redactor("anil", None, "Pen Name", all_credits=True)
    for key in ("speaker", "credit"):
        assert everything.redact_json(f'{{"{key}":"A. Friend"}}') == f'{{"{key}":"Pen Name"}}'
    # The username is compared as at sign-in, so full-width letters are the same name.
    assert Redactor("anil", None, "Pen Name").redact_json('{"note":"ａｎｉｌ"}') == '{"note":"Pen Name"}'
    assert everything.redact_json('{"note":"A. Friend"}') == '{"note":"A. Friend"}'
