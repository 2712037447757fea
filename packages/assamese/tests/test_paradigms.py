import unicodedata
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.conjugation import iter_verb_cells, negate_form
from assamese.inflected_forms import generate_cells
from assamese.inflection import propose_stems
from assamese.keys import loose_key
from assamese.paradigms import Cell, Headword, WordKind, iter_noun_cells, iter_pronoun_cells
from text_strategies import texts

CASES = (
    "bare form",
    "nominative with ending",
    "accusative",
    "genitive",
    "dative (to)",
    "locative",
    "instrumental",
    "as far as",
    "ablative (from)",
)

NOUNS = {
    "মানুহ": "মানুহ মানুহে মানুহক মানুহৰ মানুহলৈ মানুহত মানুহেৰে মানুহলৈকে মানুহৰ+পৰা",
    "ঘৰ": "ঘৰ ঘৰে ঘৰক ঘৰৰ ঘৰলৈ ঘৰত ঘৰেৰে ঘৰলৈকে ঘৰৰ+পৰা",
    "গছ": "গছ গছে গছক গছৰ গছলৈ গছত গছেৰে গছলৈকে গছৰ+পৰা",
    "হাতী": "হাতী হাতীয়ে হাতীক হাতীৰ হাতীলৈ হাতীত হাতীৰে হাতীলৈকে হাতীৰ+পৰা",
    "ল’ৰা": "ল’ৰা ল’ৰাই ল’ৰাক ল’ৰাৰ ল’ৰালৈ ল’ৰাত ল’ৰাৰে ল’ৰালৈকে ল’ৰাৰ+পৰা",
    "বন্ধু": "বন্ধু বন্ধুৱে বন্ধুক বন্ধুৰ বন্ধুলৈ বন্ধুত বন্ধুৰে বন্ধুলৈকে বন্ধুৰ+পৰা",
    "ছাত্ৰ": "ছাত্ৰ ছাত্ৰই ছাত্ৰক ছাত্ৰৰ ছাত্ৰলৈ ছাত্ৰত ছাত্ৰেৰে ছাত্ৰলৈকে ছাত্ৰৰ+পৰা",
    "ভৱিষ্যৎ": "ভৱিষ্যৎ ভৱিষ্যতে ভৱিষ্যতক ভৱিষ্যতৰ ভৱিষ্যতলৈ ভৱিষ্যতত ভৱিষ্যতেৰে ভৱিষ্যতলৈকে ভৱিষ্যতৰ+পৰা",
    # What is not certain is left out.
    "গাঁও": "গাঁও গাঁৱে গাঁৱক গাঁৱৰ গাঁৱলৈ গাঁৱত - গাঁৱলৈকে গাঁৱৰ+পৰা",
    "ৰং": "ৰং ৰঙে - ৰঙৰ - ৰঙত ৰঙেৰে - ৰঙৰ+পৰা",
    "গা": "গা - গাক গাৰ গালৈ গাত গাৰে গালৈকে গাৰ+পৰা",
    "ভাই": "ভাই ভায়ে,ভাইয়ে ভাইক ভাইৰ ভাইলৈ ভাইত ভাইৰে ভাইলৈকে ভাইৰ+পৰা",
}

PRONOUNS = {
    "মই": "মই - মোক মোৰ মোলৈ মোত - - মোৰ+পৰা",
    "তুমি": "তুমি - তোমাক তোমাৰ তোমালৈ তোমাত - - তোমাৰ+পৰা",
    "তই": "তই - তোক তোৰ তোলৈ তোত - - তোৰ+পৰা",
    "আপুনি": "আপুনি - আপোনাক আপোনাৰ আপোনালৈ আপোনাত - - আপোনাৰ+পৰা",
    "সি": "সি - তাক তাৰ তালৈ তাত - - তাৰ+পৰা",
    "ই": "ই - ইয়াক ইয়াৰ ইয়ালৈ ইয়াত - - ইয়াৰ+পৰা",
    "যি": "যি যিয়ে যাক যাৰ যালৈ যাত - - যাৰ+পৰা",
    "কোন": "কোন কোনে কাক কাৰ কালৈ - - - কাৰ+পৰা",
    "সেইটো": "সেইটো সেইটোৱে সেইটোক সেইটোৰ সেইটোলৈ সেইটোত সেইটোৰে সেইটোলৈকে সেইটোৰ+পৰা",
    "তাই": "তাই - তাইক তাইৰ তাইলৈ তাইত - - তাইৰ+পৰা",
    "তেওঁ": "তেওঁ - তেওঁক তেওঁৰ তেওঁলৈ তেওঁত - - তেওঁৰ+পৰা",
}

# মই, তই, তুমি, আপুনি and সি.
VERBS = {
    "কৰা": {
        "present": "কৰোঁ কৰ কৰা কৰে",
        "past": "কৰিলোঁ কৰিলি কৰিলা কৰিলে",
        "future": "কৰিম কৰিবি কৰিবা কৰিব",
        "present perfect and continuous": "কৰিছোঁ কৰিছ কৰিছা কৰিছে",
        "past perfect": "কৰিছিলোঁ কৰিছিলি কৰিছিলা কৰিছিল",
        "imperative": "কৰ কৰা কৰক",
        "negative, present": "নকৰোঁ নকৰ নকৰা নকৰে",
        "negative, past": "নকৰিলোঁ নকৰিলি নকৰিলা নকৰিলে",
        "other forms": "কৰা কৰিব কৰিবৰ কৰিবলৈ কৰিবলৈকে কৰি কৰিলে কৰিলত কৰোঁতে কৰোঁতা",
    },
    "খোৱা": {
        "present": "খাওঁ খাৱ খোৱা খায়",
        "past": "খালোঁ খালি খালা খালে",
        "future": "খাম খাবি খাবা খাব",
        "present perfect and continuous": "খাইছোঁ খাইছ খাইছা খাইছে",
        "imperative": "খা খোৱা খাওক",
        "negative, present": "নাখাওঁ নাখাৱ নোখোৱা নাখায়",
        "other forms": "খোৱা খাব খাবৰ খাবলৈ খাবলৈকে খাই খালে খালত খাওঁতে খাওঁতা",
    },
    "দিয়া": {
        "present": "দিওঁ দিয় দিয়া দিয়ে",
        "past": "দিলোঁ দিলি দিলা দিলে",
        "present perfect and continuous": "দিছোঁ দিছ দিছা দিছে",
        "imperative": "দে দিয়া দিয়ক",
        "negative, present": "নিদিওঁ নিদিয় নিদিয়া নিদিয়ে",
    },
    "লোৱা": {
        "present": "লওঁ লৱ লোৱা লয়",
        "past": "ল’লোঁ ল’লি ল’লা ল’লে",
        "future": "ল’ম ল’বি ল’বা ল’ব",
        "present perfect and continuous": "লৈছোঁ লৈছ লৈছা লৈছে",
        "imperative": "লোৱা লওক",
        "negative, present": "নলওঁ নলৱ নোলোৱা নলয়",
        "negative, past": "নল’লোঁ নল’লি নল’লা নল’লে",
    },
    "শোৱা": {
        "present": "শোওঁ শোৱ শোৱা শোৱে",
        "past": "শুলোঁ শুলি শুলা শুলে",
        "future": "শুম শুবি শুবা শুব",
        "past perfect": "শুইছিলোঁ শুইছিলি শুইছিলা শুইছিল",
        "imperative": "শো শোৱা",
        "negative, present": "নোশোওঁ নোশোৱ নোশোৱা নোশোৱে",
    },
    "যোৱা": {
        "present": "যাওঁ যাৱ যোৱা যায়",
        "past": "গ’লোঁ গ’লি গ’লা গ’ল",
        "future": "যাম যাবি যাবা যাব",
        "present perfect and continuous": "গৈছোঁ গৈছ গৈছা গৈছে",
        "negative, past": "নগ’লোঁ নগ’লি নগ’লা নগ’ল",
    },
    "থকা": {
        "past": "থাকিলোঁ থাকিলি থাকিলা থাকিল",
        "to be (আছ-), present": "আছোঁ আছ আছা আছে",
        "to be (আছ-), past": "আছিলোঁ আছিলি আছিলা আছিল",
    },
    "অহা": {"present": "আহোঁ আহ আহা আহে", "imperative": "আহ আহাঁ আহক", "negative, present": "নাহোঁ নাহা নাহে"},
    "খোলা": {"present": "খোলোঁ খোল খোলা খোলে", "past": "খুলিলোঁ খুলিলি খুলিলা খুলিল"},
    "শিকোৱা": {"present": "শিকাওঁ শিকাৱ শিকোৱা শিকায়", "future": "শিকাম শিকাবি শিকাবা শিকাব"},
    "সোমোৱা": {"future": "সোমাম সোমাবি সোমাবা সোমাব"},
    "পঠিওৱা": {"present": "পঠিয়াওঁ পঠিয়াৱ পঠিওৱা পঠিয়ায়", "future": "পঠিয়াম পঠিয়াবি পঠিয়াবা পঠিয়াব"},
    "লুকুওৱা": {"future": "লুকুৱাম লুকুৱাবি লুকুৱাবা লুকুৱাব"},
    "ওলোৱা": {"future": "ওলাম ওলাবি ওলাবা ওলাব"},
}
TRANSITIVE = {"কৰা", "খোৱা", "দিয়া", "লোৱা"}


def noun(text: str, *, definitive: str = "", plural: str = "") -> list[Cell]:
    return list(iter_noun_cells(Headword(text, frozenset({WordKind.COMMON_NOUN}), definitive, plural)))


def verb(text: str, kind: WordKind = WordKind.OTHER_VERB, *known: str) -> list[Cell]:
    return list(iter_verb_cells(Headword(text, frozenset({kind}), known_forms=frozenset(known))))


def line(cells: list[Cell], part: str) -> str:
    return nfc(" ".join(cell.form for cell in cells if cell.labels[0].english == part))


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def by_case(cells: list[Cell]) -> str:
    forms = [",".join(cell.form for cell in cells if cell.labels[1].english == case) or "-" for case in CASES]
    return " ".join(form.replace(" ", "+") for form in forms)


def test_a_noun_has_the_case_forms_of_its_last_letter(subtests: pytest.Subtests) -> None:
    for text, forms in NOUNS.items():
        with subtests.test(text):
            alone = [cell for cell in noun(text) if cell.labels[0].english == "without classifier or plural"]

            assert by_case(alone) == nfc(forms)


def test_a_pronoun_has_the_case_forms_of_its_oblique_stem(subtests: pytest.Subtests) -> None:
    for text, forms in PRONOUNS.items():
        with subtests.test(text):
            cells = list(iter_pronoun_cells(Headword(text, frozenset({WordKind.PRONOUN}))))

            assert by_case(cells) == nfc(forms)


def test_a_verb_has_the_forms_of_its_stem(subtests: pytest.Subtests) -> None:
    for text, parts in VERBS.items():
        cells = verb(text, WordKind.TRANSITIVE if text in TRANSITIVE else WordKind.OTHER_VERB)
        for part, forms in parts.items():
            with subtests.test(f"{text}, {part}"):
                assert line(cells, part) == nfc(forms)


def test_a_noun_has_a_classifier_only_if_its_entry_names_one() -> None:
    plain = {cell.labels[0].english for cell in noun("মানুহ")}
    named = {cell.labels[0].english for cell in noun("মানুহ", definitive="-জন, -xyz", plural="-সকল")}

    assert plain == {"without classifier or plural", "plural, -বোৰ", "plural, -বিলাক"}
    assert named == {"without classifier or plural", "definite, -জন", "definite, a few, -কেইজন", "plural, -সকল"}


def test_a_mass_noun_has_no_plural_of_its_classifier() -> None:
    forms = [cell.form for cell in noun("পানী", definitive="-খিনি")]

    assert "পানীখিনিৰ" in forms
    assert not any("কেই" in form for form in forms)


def test_a_noun_with_an_unknown_ending_has_only_plural_forms() -> None:
    assert {cell.labels[0].english for cell in noun("ৰেডিঅ’")} == {"plural, -বোৰ", "plural, -বিলাক"}


def test_a_countable_noun_has_plurals(subtests: pytest.Subtests) -> None:
    cases: list[tuple[set[WordKind], bool | None, str, set[str]]] = [
        # Where the entry does not say whether the word is countable, its parts of speech decide.
        ({WordKind.COMMON_NOUN}, None, "", {"বোৰ", "বিলাক"}),
        ({WordKind.MATERIAL_NOUN}, None, "", {"বোৰ", "বিলাক"}),
        ({WordKind.OTHER_NOUN}, None, "", set()),
        ({WordKind.OTHER_NOUN, WordKind.MATERIAL_NOUN}, None, "", {"বোৰ", "বিলাক"}),
        ({WordKind.OTHER_NOUN}, True, "", {"বোৰ", "বিলাক"}),
        ({WordKind.COMMON_NOUN, WordKind.MATERIAL_NOUN}, False, "", set()),
        # A plural that the entry names is always made.
        ({WordKind.MATERIAL_NOUN}, False, "-সমূহ", {"সমূহ"}),
        ({WordKind.OTHER_NOUN}, None, "-বোৰ", {"বোৰ"}),
        ({WordKind.OTHER_NOUN}, True, "-সকল", {"সকল"}),
    ]
    for kinds, countable, plural, plurals in cases:
        with subtests.test(f"{kinds}, {countable}, {plural}"):
            cells = iter_noun_cells(Headword("তেল", frozenset(kinds), plural=plural, countable=countable))

            labels = {cell.labels[0].english for cell in cells}
            assert labels == {"without classifier or plural", *(f"plural, -{each}" for each in plurals)}


def test_a_noun_that_no_rule_fits_has_no_forms() -> None:
    for text in ["water", "-খন", "", "অ" * 41, "ঘৰ!"]:
        assert noun(text) == []


def test_the_third_person_past_depends_on_the_verb(subtests: pytest.Subtests) -> None:
    transitive, other, both = {WordKind.TRANSITIVE}, {WordKind.OTHER_VERB}, {WordKind.OTHER_VERB, WordKind.TRANSITIVE}
    cases: list[tuple[str, set[WordKind], list[str]]] = [
        ("মৰা", both, ["মৰিল", "মাৰিলে"]),
        ("মৰা", transitive, ["মাৰিলে"]),
        ("ৰখা", both, ["ৰখিল", "ৰাখিলে"]),
        ("সৰা", other, ["সৰিল"]),
        ("ৰোৱা", both, ["ৰ’ল", "ৰুলে"]),
        # One stem with two meanings.
        ("বঢ়া", both, ["বাঢ়িল", "বাঢ়িলে"]),
        ("বোৱা", both, ["ব’ল", "ব’লে"]),
        ("সজা", transitive, ["সাজিলে"]),
        ("হৰা", other, ["হাৰিল"]),
        ("দোৱা", transitive, ["দালে"]),
        ("গুলীওৱা", transitive, ["গুলীয়ালে"]),
        ("নোৱাৰা", other, ["নোৱাৰিলে"]),
        # Intransitive verbs of voluntary action have -লে; other intransitive verbs have -ল.
        ("কন্দা", other, ["কান্দিলে"]),
        ("জঁপিওৱা", other, ["জঁপিয়ালে"]),
        ("পলোৱা", other, ["পলাল"]),
        ("উৰা", other, ["উৰিল"]),
        # Not certain.
        ("পিছুওৱা", other, []),
    ]
    for text, kinds, past in cases:
        with subtests.test(f"{text}, {kinds}"):
            cells = list(iter_verb_cells(Headword(nfc(text), frozenset(kinds))))

            thirds = [
                cell.form for cell in cells if cell.labels[0].english == "past" and "3rd" in cell.labels[1].english
            ]
            assert thirds == [nfc(form) for form in past]


def test_known_forms_decide_which_verb_a_verbal_noun_belongs_to() -> None:
    forms = [cell.form for cell in verb("মৰা", WordKind.OTHER_VERB, "মাৰে")]

    assert "মাৰিব" in forms
    assert "মৰিব" not in forms


def test_a_negative_verb_is_not_negated_again() -> None:
    assert not [cell for cell in verb("নোৱাৰা") if "negative" in cell.labels[0].english]
    assert not [cell for cell in verb("আগবঢ়া") if cell.form.startswith("ন")]
    assert line(verb("নাই"), "to be (আছ-), negative past") == "নাছিলোঁ নাছিলি নাছিলা নাছিল"


def test_a_kinship_noun_has_forms_for_its_possessor() -> None:
    forms = {cell.form for text in ("ভাই", "দেউতা", "শাহু", "শহুৰ") for cell in noun(text)}

    of_persons = "ভাইহঁত ভায়েক ভায়েৰা ভাইহঁতৰ দেউতাক দেউতাৰা শাহুৱেক শহুৰেৰ"
    assert set(nfc(of_persons).split()) <= forms
    assert not any("হঁত" in cell.form for cell in noun("ঘৰ"))


def test_a_verb_without_a_certain_stem_has_no_forms() -> None:
    for text in ["চিন্তা কৰা", "কৰিব", "go", "", "া"]:
        assert verb(text, WordKind.TRANSITIVE) == []


def test_known_forms_decide_the_third_person_of_an_intransitive_verb() -> None:
    assert line(verb("বুজা", WordKind.OTHER_VERB, "বুজিলে"), "past").endswith(" বুজিলে")
    assert line(verb("ফুটা", WordKind.OTHER_VERB, "ফুটিল"), "past").endswith(" ফুটিল")


def test_a_stem_as_headword_has_the_forms_of_its_verb() -> None:
    assert line(verb(nfc("কৰ্")), "future") == "কৰিম কৰিবি কৰিবা কৰিব"
    assert line(verb("খা"), "present") == nfc("খাওঁ খাৱ খায়")


def test_the_vowel_of_the_negation_follows_the_first_syllable(subtests: pytest.Subtests) -> None:
    for form, negative in [
        ("কৰে", "নকৰে"),
        ("খায়", "নাখায়"),
        ("শুনে", "নুশুনে"),
        ("দেখে", "নেদেখে"),
        ("উঠে", "নুঠে"),
        ("আঁকে", "নাঁকে"),
        ("জ্বলে", "নজ্বলে"),
        ("দৌৰে", "নদৌৰে"),
        ("গৈ", "নগৈ"),
        ("ওলায়", "নোলায়"),
        ("অহা", "নহা"),
        # What the vowel makes of ন is not certain, or too little would be left.
        ("অটে", ""),
        ("উঠ", ""),
        ("", ""),
    ]:
        with subtests.test(form):
            assert negate_form(nfc(form)) == nfc(negative)


LEADING = [
    *(
        (text, "-টো, -জন, -জনী, -গৰাকী, -খন, -ডাল, -খিনি", "-সকল, -সমূহ", WordKind.COMMON_NOUN)
        for text in NOUNS
        if text != "ৰং"
    ),
    ("ৰং", "-টো", "-সমূহ", WordKind.COMMON_NOUN),  # ঙ্গ and ং are one in the keys: ৰংগৰাকী would be ৰং + ৰাকী
    *(
        (text, "-টো", "-বোৰ", WordKind.COMMON_NOUN)
        for text in ("নাও", "চৰাই", "মৌ", "দৈ", "মাতৃ", "মা", "অংশ", "সময়", "বতাহ", "খেল")
    ),
    *(
        (text, "", "", WordKind.PRONOUN)
        for text in (*PRONOUNS, "আমি", "কোন", "কি", "যি", "নিজ", "সকলো", "দুয়ো", "তেওঁলোক")
    ),
    *((text, "", "", WordKind.TRANSITIVE) for text in (*VERBS, "জনা", "আগবঢ়া", "কাটা", "অঁকা", "উঠা", "এৰা", "নিয়া", "হোৱা")),
    *((text, "", "", WordKind.TRANSITIVE) for text in ("কোৱা", "ধোৱা", "দেখা", "সোধা", "সোঁৱৰা", "কামোৰা", "জোকাৰা", "শুৱোৱা")),
]


def test_every_generated_form_leads_back_to_its_word(subtests: pytest.Subtests) -> None:
    for text, definitive, plural, kind in LEADING:
        with subtests.test(text):
            cells = generate_cells(Headword(text, frozenset({kind}), definitive, plural))

            key = loose_key(text, "as")
            assert cells
            assert [
                cell.form
                for cell in cells
                if loose_key(cell.form, "as") != key
                and key not in {stem.key for stem in propose_stems(cell.form, "as")}
            ] == []


@given(texts, st.frozensets(st.sampled_from(WordKind)), texts, texts)
def test_forms_of_any_headword_have_text_and_labels(
    text: str, kinds: frozenset[WordKind], definitive: str, plural: str
) -> None:
    for cell in generate_cells(Headword(text, kinds, definitive, plural)):
        assert cell.form
        assert all(label.english and label.assamese for label in cell.labels)


def test_the_table_of_paradigms_is_in_unicode_form_nfc() -> None:
    table = files("assamese.tables").joinpath("paradigms.toml").read_text("utf-8")

    assert table == unicodedata.normalize("NFC", table)


def test_a_verbal_noun_of_two_verbs_has_the_forms_of_each_verb_with_a_known_form() -> None:
    cells = verb("পৰা", WordKind.OTHER_VERB, "পৰে", "পাৰে")

    assert line(cells, "present") == "পৰোঁ পৰ পৰা পৰে পাৰোঁ পাৰ পাৰা পাৰে"
    assert line(verb("পৰা", WordKind.OTHER_VERB, "পৰে"), "present") == "পৰোঁ পৰ পৰা পৰে"


def test_a_verb_with_a_negative_stem_is_not_negated_by_a_prefix() -> None:
    cells = verb("পৰা", WordKind.OTHER_VERB, "পাৰে")

    assert line(cells, "negative, present") == "নোৱাৰোঁ নোৱাৰ নোৱাৰা নোৱাৰে"
    assert {cell.form for cell in cells if cell.form.startswith("নপ")} == set()
