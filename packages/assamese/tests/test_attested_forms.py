"""Forms beyond the tables, as far as newspapers have them."""

from assamese.attested_forms import iter_attested_forms


def test_forms_attested_in_newspapers_are_listed() -> None:
    for word, form in [
        ("গ্ৰন্থ", "গ্ৰন্থসমূহৰ"),
        ("ডাঙৰ", "ডাঙৰকৈ"),
        ("কৰা", "কৰাৰো"),
        ("দিয়া", "নিদিয়াকৈ"),
        ("মই", "ময়ো"),
        ("তিনি", "তিনিজন"),
    ]:
        assert form in set(iter_attested_forms(word))


def test_a_word_without_attested_forms_has_none() -> None:
    for word in ["গগগঘঘঘ", "দ", "কৰা হোৱা", "water", ""]:
        assert list(iter_attested_forms(word)) == []


def test_attested_forms_are_distinct_and_exclude_the_word_and_known_forms() -> None:
    forms = list(iter_attested_forms("ঘৰ", {"ঘৰৰ"}))

    assert len(forms) == len(set(forms))
    assert {"ঘৰ", "ঘৰৰ"}.isdisjoint(forms)
