from assamese.inflected_forms import FormLabels, Origin, WordForm, build_tables, find_word_kinds, iter_forms
from assamese.paradigms import Cell, Label, WordKind

ALONE = Label("alone", "অকলে")
GENITIVE = Label("genitive", "সম্বন্ধ পদ")
CELLS = [Cell((ALONE, GENITIVE), "ঘৰৰ"), Cell((ALONE, Label("subject", "কৰ্তা")), "ঘৰে")]


def test_the_part_of_speech_decides_how_a_word_is_inflected() -> None:
    for value, code, kind in [
        ("Common Noun", "Noun", WordKind.COMMON_NOUN),
        ("Material Noun", "Noun", WordKind.MATERIAL_NOUN),
        ("Proper Noun", "Noun", WordKind.OTHER_NOUN),
        ("Verbal Noun", "Noun", WordKind.OTHER_NOUN),
        ("Transitive", "Verb", WordKind.TRANSITIVE),
        ("Intransitive", "Verb", WordKind.OTHER_VERB),
        ("Verb", None, WordKind.OTHER_VERB),
        ("Pronoun", "Pronoun", WordKind.PRONOUN),
    ]:
        assert find_word_kinds([(value, code)]) == {kind}


def test_words_that_are_not_inflected_have_no_kind() -> None:
    assert find_word_kinds([("Adverb", "Adjective/Adverb"), ("Conjunction", "Others")]) == frozenset()


def test_a_form_both_stored_and_generated_is_listed_once_as_stored() -> None:
    forms = list(iter_forms(CELLS, {"ঘৰৰ": "N;GEN", "ঘৰতে": "N;LOC"}, str.upper))

    assert forms == [
        WordForm("ঘৰৰ", "ঘৰৰ", FormLabels("alone: genitive", "অকলে: সম্বন্ধ পদ"), Origin.STORED),
        WordForm("ঘৰে", "ঘৰে", FormLabels("alone: subject", "অকলে: কৰ্তা"), Origin.RULE),
        WordForm("ঘৰতে", "ঘৰতে", FormLabels("N;LOC", "N;LOC"), Origin.STORED),
    ]


def test_tables_have_a_line_for_each_label_and_end_with_forms_outside_the_rules() -> None:
    both = [*CELLS[:1], Cell((ALONE, GENITIVE), "ঘৰৰে"), *CELLS[1:]]
    tables = build_tables(both, {"ঘৰৰ": "", "ঘৰতে": "", "ঘৰলৈকে": ""})

    assert [table.label for table in tables] == [ALONE, None]
    assert [line.forms for line in tables[0].lines] == [("ঘৰৰ", "ঘৰৰে"), ("ঘৰে",)]
    assert [line.forms for line in tables[1].lines] == [("ঘৰতে", "ঘৰলৈকে")]


def test_a_word_without_forms_has_no_tables() -> None:
    assert build_tables([], {}) == ()
