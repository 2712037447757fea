"""Forms beyond the tables, as far as newspapers have them."""

import pytest

from assamese.attested_forms import iter_attested_forms


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("গ্ৰন্থ", "গ্ৰন্থসমূহৰ"),
        ("ডাঙৰ", "ডাঙৰকৈ"),
        ("কৰা", "কৰাৰো"),
        ("দিয়া", "নিদিয়াকৈ"),
        ("মই", "ময়ো"),
        ("তিনি", "তিনিজন"),
    ],
)
def test_a_form_is_listed_that_newspapers_have(word: str, form: str) -> None:
    assert form in set(iter_attested_forms(word))


@pytest.mark.parametrize("word", ["গগগঘঘঘ", "দ", "কৰা হোৱা", "water", ""])
def test_a_word_that_they_do_not_have_has_no_forms(word: str) -> None:
    assert list(iter_attested_forms(word)) == []


def test_neither_the_word_nor_known_forms_are_listed_and_no_form_twice() -> None:
    forms = list(iter_attested_forms("ঘৰ", {"ঘৰৰ"}))

    assert len(forms) == len(set(forms))
    assert {"ঘৰ", "ঘৰৰ"}.isdisjoint(forms)
