from collections.abc import Iterator

import pytest
from hypothesis import given

from assamese.inflection import propose_stems
from assamese.keys import loose_key
from assamese.language_rules import LANGUAGE_RULES, EndingLayer, FormRules, LanguageRules
from assamese.normalization import exact_key
from assamese.suffix_stemming import (
    SUFFIXES,
    StemCandidate,
    build_suffix_rules,
    find_doubled_spellings,
    find_stem_candidates,
    find_verb_stem_candidates,
)
from language_files import place_of
from text_strategies import texts

RULES = sorted(LANGUAGE_RULES.items())
SAME = [(code, *pair) for code, rules in RULES for pair in rules.examples.same]
DIFFERENT = [(code, *pair) for code, rules in RULES for pair in rules.examples.different]
FORMS = [(code, *pair) for code, rules in RULES for pair in rules.examples.forms]
NOT_FORMS = [(code, *pair) for code, rules in RULES for pair in rules.examples.not_forms]


def keys_of(form: str, language: str) -> list[str]:
    return [stem.key for stem in propose_stems(form, language)]


@pytest.mark.parametrize(("language", "text", "other"), SAME)
def test_spellings_that_are_one_in_a_language_share_their_loose_key(language: str, text: str, other: str) -> None:
    assert loose_key(text, language) == loose_key(other, language), place_of(language, text)


@pytest.mark.parametrize(("language", "text", "other"), DIFFERENT)
def test_spellings_that_are_two_in_a_language_do_not(language: str, text: str, other: str) -> None:
    assert loose_key(text, language) != loose_key(other, language), place_of(language, text)


@pytest.mark.parametrize(("language", "form", "word"), FORMS)
def test_a_form_leads_to_its_word(language: str, form: str, word: str) -> None:
    assert loose_key(word, language) in keys_of(form, language), place_of(language, form)


@pytest.mark.parametrize(("language", "text", "other"), NOT_FORMS)
def test_a_word_is_not_taken_for_a_form_of_another(language: str, text: str, other: str) -> None:
    assert loose_key(other, language) not in keys_of(text, language), place_of(language, text)


def test_the_place_of_an_example_is_its_file_and_line() -> None:
    place = place_of("kha", "Ki Maw")

    assert place.startswith("tables/languages/kha.toml, line 1")
    assert place_of("kha", "no such example").endswith(" 0")


def test_a_verb_of_hindi_is_found_by_its_infinitive_and_as_nothing_but_a_verb() -> None:
    of_verb = {
        form: [stem.key for stem in propose_stems(form, "hi") if stem.is_verb_only] for form in ("करता", "देखेगा", "खाया")
    }

    assert [found[-1] for found in of_verb.values()] == ["करना", "देखना", "खाना"]
    assert all(stem.key != "करना" or stem.is_verb_only for stem in propose_stems("करता", "hi"))


def test_the_longest_stem_comes_first_and_those_left_by_as_many_letters_are_as_good() -> None:
    assert [(stem.key, stem.removed_letters) for stem in propose_stems("बालों", "hi") if not stem.is_verb_only] == [
        ("बाल", 2),
        ("बाला", 2),
    ]
    assert keys_of("বইগুলোর", "bn") == ["বইগুলো", "বই"]


def test_english_words_come_in_the_order_of_the_table() -> None:
    assert [(stem.key, stem.removed_letters) for stem in propose_stems("leaves", "en")][:2] == [
        ("leaf", 0),
        ("leave", 0),
    ]


def test_an_ending_is_taken_off_only_after_the_letters_that_it_stands_after() -> None:
    layer = EndingLayer(any=("x",), after_vowel=("r",), after_consonant=(("er", ("", "o")),))
    rules = build_suffix_rules(FormRules(endings=(layer,)), "en")

    assert find_stem_candidates("matar", rules) == [StemCandidate("mata", 1)]
    assert find_stem_candidates("mater", rules) == [
        StemCandidate("mate", 1),
        StemCandidate("mat", 2),
        StemCandidate("mato", 2),
    ]
    assert find_stem_candidates("matr", rules) == []
    assert find_stem_candidates("max", rules) == [StemCandidate("ma", 1)]
    assert find_stem_candidates("mx", rules) == []


def test_a_language_may_say_which_letters_are_vowels() -> None:
    forms = FormRules(vowels="w", endings=(EndingLayer(after_vowel=("n",)),))

    assert find_stem_candidates("dwn", build_suffix_rules(forms, "en")) == [StemCandidate("dw", 1)]
    assert find_stem_candidates("dan", build_suffix_rules(forms, "en")) == []


def test_a_verb_has_one_ending_and_is_none_of_the_other_words() -> None:
    rules = build_suffix_rules(FormRules(endings_of_verbs=(EndingLayer(any=(("ta", ("na",)),)),)), "en")

    assert (find_stem_candidates("karta", rules), find_verb_stem_candidates("karta", rules)) == (
        [],
        [StemCandidate("karna", 2)],
    )


CONSONANT_AND_VOWEL = {"bn": ("ঘাট", "মাথা"), "en": ("mat", "mate")}


def _forms(layer: EndingLayer, language: str) -> Iterator[tuple[str, str]]:
    consonant, vowel = CONSONANT_AND_VOWEL.get(language, ("घाट", "माथा"))
    kinds = ((layer.any, consonant), (layer.any, vowel), (layer.after_vowel, vowel), (layer.after_consonant, consonant))
    for endings, before in kinds:
        for ending in endings:
            yield before, ending if isinstance(ending, str) else ending[0]


@pytest.mark.parametrize("language", sorted(LANGUAGE_RULES))
def test_every_ending_has_the_same_key_within_a_form(language: str) -> None:
    forms = LANGUAGE_RULES[language].forms
    for layer in (*forms.endings, *forms.endings_of_verbs):
        for before, ending in _forms(layer, language):
            assert loose_key(ending, language)
            assert loose_key(before + ending, language).endswith(loose_key(ending, language)), ending


@pytest.mark.parametrize(("language", "rules"), RULES)
def test_a_language_that_says_anything_of_its_own_has_examples_of_both_kinds(
    language: str, rules: LanguageRules
) -> None:
    examples = rules.examples

    assert not (rules.letters or rules.articles) or (examples.same and examples.different), language
    assert not (rules.alphabet or rules.articles) or examples.order, language
    assert not rules.forms.endings or min(len(examples.forms), len(examples.not_forms)) >= 3, language


@pytest.mark.parametrize("language", sorted(LANGUAGE_RULES))
def test_no_irregular_form_is_its_own_word(language: str) -> None:
    for form, words in LANGUAGE_RULES[language].forms.irregular.items():
        assert words
        assert loose_key(form, language) not in {loose_key(word, language) for word in words}


@given(texts)
def test_letters_taken_off_and_what_is_left_make_up_the_form(text: str) -> None:
    rules = build_suffix_rules(LANGUAGE_RULES["bn"].forms, "bn")
    key = loose_key(exact_key(text), "bn")

    for word, letters in find_stem_candidates(key, rules):
        assert key.startswith(word)
        assert len(word) == len(key) - letters >= rules.min_stem_letters


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [
        ("swiming", {"swimming": ("swime",)}),
        ("occured", {"occurred": ("occure",)}),
        ("hoped", {"hopped": ("hope",)}),
        ("swimming", {}),
        ("reading", {}),
        ("playing", {}),
    ],
)
def test_a_consonant_before_an_ending_may_have_to_be_doubled(typed: str, spelled: dict[str, tuple[str, ...]]) -> None:
    assert find_doubled_spellings(typed, SUFFIXES["en"]) == spelled
