import pytest

from assamese.lemmas import MAX_FORM_LENGTH, Lemmas, lemmas_of_form


@pytest.mark.parametrize(
    ("form", "noun"),
    [
        ("ঘৰত", "ঘৰ"),
        ("ল’ৰাই", "ল’ৰা"),
        ("ল’ৰাটোৰ", "ল’ৰা"),
        ("মানুহকেইজনক", "মানুহ"),
        ("কিতাপবোৰেৰে", "কিতাপ"),
        ("গাঁৱৰ", "গাওঁ"),
        ("গাঁৱৰ", "গাঁও"),
        ("ভায়ে", "ভাই"),
        ("ৰঙৰ", "ৰং"),
        ("ভৱিষ্যতত", "ভৱিষ্যৎ"),
        ("গাঁৱৰ পৰা", "গাঁও"),
    ],
)
def test_a_noun_is_found_under_its_endings_of_case_and_number(form: str, noun: str) -> None:
    assert noun in lemmas_of_form(form).nouns


@pytest.mark.parametrize(
    ("form", "verb"),
    [
        ("কৰিছিলোঁ", "কৰা"),
        ("জানিব", "জনা"),
        ("আনিলে", "অনা"),
        ("সুধিলে", "সোধা"),
        ("খাইছে", "খোৱা"),
        ("শিকাইছে", "শিকোৱা"),
        ("পঠিয়াব", "পঠিওৱা"),
        ("লুকুৱালে", "লুকুওৱা"),
        ("ল’ব", "লোৱা"),
        ("শুইছে", "শোৱা"),
        ("গ’ল", "যোৱা"),
        ("নুশুনে", "শুনা"),
        ("নাহে", "অহা"),
        ("নোৱাৰিব", "পৰা"),
        ("চল", "চলা"),
        ("কৰে", "কৰ্"),
    ],
)
def test_a_verb_is_found_under_its_endings_its_vowel_and_its_negation(form: str, verb: str) -> None:
    assert verb in lemmas_of_form(form).verbs


@pytest.mark.parametrize(("form", "word"), [("মোক", "মই"), ("আছে", "থকা"), ("নাছিল", "থকা"), ("দে", "দিয়া")])
def test_forms_like_no_rule_are_listed(form: str, word: str) -> None:
    assert word in lemmas_of_form(form).irregular


def test_no_word_is_a_form_of_itself() -> None:
    assert "কলা" not in lemmas_of_form("কলা").nouns
    assert "কৰা" not in lemmas_of_form("কৰা").verbs


@pytest.mark.parametrize("text", ["", "ক" * (MAX_FORM_LENGTH + 1)])
def test_no_text_and_a_long_one_are_forms_of_nothing(text: str) -> None:
    assert lemmas_of_form(text) == Lemmas()
