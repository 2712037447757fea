import pytest
from hypothesis import given
from hypothesis import strategies as st

from assamese.inflection import (
    LANGUAGES_WITH_RULES,
    MAX_STEMS,
    Stem,
    _iter_stems_from_sound,
    _may_be_form_sound,
    find_irregular_forms_by_sound,
    find_verb_stems,
    index_endings,
    propose_stems,
    propose_stems_by_sound,
    strip_endings,
)
from assamese.keys import loose_key, sound_key
from text_strategies import languages, texts


def keys_of(form: str, language: str = "as") -> list[str]:
    return [stem.key for stem in propose_stems(form, language)]


@given(st.text("aeioukKgGNsjtTdDnpPbBmrlxh", max_size=8))
def test_a_sound_without_a_known_ending_has_no_stems(sound: str) -> None:
    assert _may_be_form_sound(sound) or all(stem.key in {"", sound} for stem in _iter_stems_from_sound(sound, ""))


def test_forms_lead_to_their_words(subtests: pytest.Subtests) -> None:
    for form, word in [
        ("মানুহজনক", "মানুহ"),
        ("মানুহবোৰে", "মানুহ"),
        ("ল’ৰাবিলাকৰ", "ল’ৰা"),
        ("ল’ৰাই", "ল’ৰা"),
        ("হাতীয়ে", "হাতী"),
        ("বন্ধুৱে", "বন্ধু"),
        ("ঘৰলৈকে", "ঘৰ"),
        ("ঘৰতে", "ঘৰ"),
        ("হাতেৰে", "হাত"),
        ("কিতাপকেইখনৰ", "কিতাপ"),
        ("গাঁৱত", "গাওঁ"),
        ("ভায়েকৰ", "ভাই"),
        ("দেউতাকৰ", "দেউতা"),
        ("মানুহো", "মানুহ"),
        ("মোৰ", "মই"),
        ("তোমাক", "তুমি"),
        # Negated forms of verbs.
        ("নকৰে", "কৰা"),
        ("নাখায়", "খোৱা"),
        ("নিদিয়ে", "দিয়া"),
        ("নুশুনে", "শুনা"),
        ("নেদেখিলে", "দেখা"),
        ("নোখোলে", "খোলা"),
        ("নাহে", "অহা"),
        ("নুঠে", "উঠা"),
        ("নোৱাৰিলে", "পৰা"),
        ("নকৰাকৈ", "কৰা"),
        ("নোখোৱাকৈ", "খোৱা"),
        ("নিদিয়াকৈ", "দিয়া"),
        ("নজনাকৈয়ে", "জনা"),
        ("নকৰাৰ", "কৰা"),
        ("নহা", "অহা"),
        ("নহাকৈ", "অহা"),
        ("ননা", "অনা"),
        ("নোহোৱাহেঁতেন", "হোৱা"),
        # Forms that the tables of verbs make.
        ("আগবাঢ়িব", "আগবঢ়া"),
        ("দে", "দিয়া"),
        ("নে", "নিয়া"),
        ("দিয়", "দিয়া"),
        ("লৱ", "লোৱা"),
        ("নলৱ", "লোৱা"),
        ("শো", "শোৱা"),
        ("শোৱ", "শোৱা"),
        ("আছে", "থকা"),
        ("আছোঁ", "থকা"),
        ("আছিলোঁ", "থকা"),
        # Nouns and numerals with numbers and classifiers.
        ("কিতাপখনমান", "কিতাপ"),
        ("দহজনমান", "দহ"),
        ("পাতদুখিলা", "পাত"),
        ("ফুলচেৰেক", "ফুল"),
        ("কথাষাৰেই", "কথা"),
    ]:
        with subtests.test(f"{form}, {word}"):
            assert loose_key(word, "as") in keys_of(form)


def test_verb_forms_lead_to_stems_that_are_only_verbs(subtests: pytest.Subtests) -> None:
    for form, word in [
        ("কৰিছিলোঁ", "কৰা"),
        ("কৰিবলৈ", "কৰা"),
        ("কৰক", "কৰা"),
        ("কৰে", "কৰ্"),
        ("খালোঁ", "খোৱা"),
        ("খাইছে", "খা"),
        ("গ’লোঁ", "যোৱা"),
        ("গৈছিল", "যোৱা"),
        ("ল’লে", "লোৱা"),
        ("কৈছে", "কোৱা"),
        ("দিছোঁ", "দিয়া"),
        ("শুইছিল", "শোৱা"),
        ("সুধিলে", "সোধা"),
        ("খুলিব", "খোলা"),
        ("জানিছে", "জনা"),
        ("আহিছিল", "অহা"),
        ("বিচাৰিবলৈ", "বিচৰা"),
        ("ৰান্ধিছে", "ৰন্ধা"),
        ("শিকাইছে", "শিকোৱা"),
        ("পঢ়ুৱাইছে", "পঢ়ুওৱা"),
        ("আছিলোঁ", "থকা"),
        ("গ’লহেঁতেন", "যোৱা"),
        ("কৰিলহেঁতেন", "কৰা"),
        ("কৰিলেহেঁতেন", "কৰা"),
        ("কৰিলিহেঁতেন", "কৰা"),
        ("গৈছিলহেঁতেন", "যোৱা"),
        ("জনাহেঁতেন", "জনা"),
        ("হোৱাহেঁতেন", "হোৱা"),
    ]:
        with subtests.test(form):
            assert Stem(loose_key(word, "as"), is_verb_only=True) in propose_stems(form, "as")


def test_a_word_is_not_mistaken_for_a_form_of_another_word() -> None:
    for form, other in [("কালা", "কোৱা"), ("পান", "পোৱা"), ("নদী", "দী"), ("নহে", "অহা"), ("নহয়", "অহা")]:
        assert loose_key(other, "as") not in keys_of(form)


def test_the_longest_stem_of_a_noun_comes_first() -> None:
    assert keys_of("মানুহজনক")[:2] == ["মানুহজন", "মানুহ"]


def test_english_forms_lead_to_their_words(subtests: pytest.Subtests) -> None:
    for form, word in [
        ("elephants", "elephant"),
        ("cities", "city"),
        ("leaves", "leaf"),
        ("running", "run"),
        ("writing", "write"),
        ("cooked", "cook"),
        ("dog's", "dog"),
        ("went", "go"),
        ("children", "child"),
        ("children's", "child"),
        ("women’s", "woman"),
    ]:
        with subtests.test(form):
            assert word in keys_of(form, "en")


def test_forms_lead_to_their_words_by_sound(subtests: pytest.Subtests) -> None:
    for form, word in [
        ("কৰিছে", "কৰা"),
        ("মানুহবোৰ", "মানুহ"),
        ("খাইছে", "খোৱা"),
        ("গৈছে", "যোৱা"),
        ("আহিছে", "অহা"),
        ("নাযায়", "যোৱা"),
        ("নকৰাকৈ", "কৰা"),
        ("গলহেতেন", "যোৱা"),
    ]:
        with subtests.test(form):
            assert sound_key(word, "as") in [stem.key for stem in propose_stems_by_sound(sound_key(form, "as"))]


def test_a_language_without_rules_has_no_stems() -> None:
    assert "bpy" not in LANGUAGES_WITH_RULES
    assert propose_stems("মানুষের", "bpy") == ()


@given(texts, languages)
def test_stems_are_limited_in_number_and_differ_from_the_text(text: str, language: str) -> None:
    keys = keys_of(text, language)

    assert len(keys) <= MAX_STEMS
    assert loose_key(text, language) not in keys


@given(texts)
def test_stems_by_sound_are_limited_in_number(text: str) -> None:
    assert len(propose_stems_by_sound(sound_key(text, "as"))) <= MAX_STEMS


@given(st.text("abiku", max_size=8), st.lists(st.text("abiku", min_size=1, max_size=4)), st.integers(1, 2))
def test_every_ending_of_a_word_is_removed_starting_with_the_longest(word: str, endings: list[str], least: int) -> None:
    one_by_one = [
        (word.removesuffix(ending), len(ending))
        for ending in sorted(set(endings), key=len, reverse=True)
        if word.endswith(ending) and len(word) - len(ending) >= least
    ]

    assert list(strip_endings(word, index_endings(endings), least)) == one_by_one


def test_a_verbal_noun_has_the_stems_of_its_verb(subtests: pytest.Subtests) -> None:
    for verbal_noun, known, expected in [
        ("কৰা", "", {"কৰ"}),
        ("জনা", "", {"জন", "জান"}),
        ("অহা", "আহ", {"আহ", "অহ"}),
        ("খোৱা", "খা", {"খা"}),
        ("যোৱা", "যা", {"যা", "গ", "গৈ"}),
        ("ধোৱা", "ধু", {"ধু", "ধো"}),
        ("থকা", "থাক", {"থাক", "থক", "আছ"}),
        ("দিয়া", "", {"দি", "দে"}),
        ("শিকোৱা", "", {"শিকা"}),
        ("খোজা", "", {"খোজ", "খুজ"}),
        ("পানী", "", set()),
    ]:
        with subtests.test(f"{verbal_noun}, {known}"):
            assert {stem.text for stem in find_verb_stems(verbal_noun, known)} >= expected
            assert expected or not find_verb_stems(verbal_noun, known)


def test_a_lowered_vowel_occurs_only_before_endings_of_the_verbal_noun() -> None:
    endings = {stem.text: stem.endings for stem in find_verb_stems("জনা", "জান")}

    assert "াৰ" in endings["জন"]
    assert "িব" in endings["জান"]
    assert "িব" not in endings["জন"]


def test_forms_of_short_verbs_are_found_by_sound() -> None:
    for form, verb in [("দিব", "দিয়া"), ("কৰু", "কৰা"), ("গ’ল", "যোৱা"), ("নাখাবলৈ", "খোৱা"), ("লৈছে", "লোৱা")]:
        assert loose_key(verb, "as") in {word for _, word in find_irregular_forms_by_sound(sound_key(form, "as"))}
