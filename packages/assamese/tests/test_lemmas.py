import pytest

from assamese.lemmas import MAX_FORM_LENGTH, Lemmas, lemmas_of_form


def test_forms_with_endings_of_case_and_number_have_noun_lemmas(subtests: pytest.Subtests) -> None:
    for form, noun in [
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
    ]:
        with subtests.test(f"{form}, {noun}"):
            assert noun in lemmas_of_form(form).nouns


def test_inflected_and_negated_verb_forms_have_verb_lemmas(subtests: pytest.Subtests) -> None:
    for form, verb in [
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
    ]:
        with subtests.test(form):
            assert verb in lemmas_of_form(form).verbs


def test_irregular_forms_have_lemmas_from_a_list() -> None:
    for form, word in [("মোক", "মই"), ("আছে", "থকা"), ("নাছিল", "থকা"), ("দে", "দিয়া")]:
        assert word in lemmas_of_form(form).irregular


def test_a_lemma_is_not_a_form_of_itself() -> None:
    assert "কলা" not in lemmas_of_form("কলা").nouns
    assert "কৰা" not in lemmas_of_form("কৰা").verbs


def test_an_empty_and_an_overlong_text_have_no_lemmas() -> None:
    for text in ["", "ক" * (MAX_FORM_LENGTH + 1)]:
        assert lemmas_of_form(text) == Lemmas()
