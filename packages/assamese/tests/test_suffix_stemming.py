from collections.abc import Iterator

import pytest
from hypothesis import given

from assamese.inflection import propose_stems
from assamese.keys import loose_key
from assamese.language_rules import LANGUAGE_RULES, EndingLayer, FormRules
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


def keys_of(form: str, language: str) -> list[str]:
    return [stem.key for stem in propose_stems(form, language)]


def test_the_examples_of_equal_and_different_spellings_of_each_language_hold(subtests: pytest.Subtests) -> None:
    for language, rules in RULES:
        for text, other in rules.examples.same:
            with subtests.test(f"{language}: {text}"):
                assert loose_key(text, language) == loose_key(other, language), place_of(language, text)
        for text, other in rules.examples.different:
            with subtests.test(f"{language}: {text}"):
                assert loose_key(text, language) != loose_key(other, language), place_of(language, text)


def test_the_examples_of_forms_and_other_words_of_each_language_hold(subtests: pytest.Subtests) -> None:
    for language, rules in RULES:
        for form, word in rules.examples.forms:
            with subtests.test(f"{language}: {form}"):
                assert loose_key(word, language) in keys_of(form, language), place_of(language, form)
        for text, word in rules.examples.not_forms:
            with subtests.test(f"{language}: {text}"):
                assert loose_key(word, language) not in keys_of(text, language), place_of(language, text)


def test_the_place_of_an_example_is_its_file_and_line() -> None:
    place = place_of("kha", "Ki Maw")

    assert place.startswith("tables/languages/kha.toml, line 1")
    assert place_of("kha", "no such example").endswith(" 0")


def test_hindi_verb_forms_lead_to_infinitives_that_are_only_verbs() -> None:
    verbs = [[stem.key for stem in propose_stems(form, "hi") if stem.is_verb_only] for form in ("करता", "देखेगा", "खाया")]

    assert [keys[-1] for keys in verbs] == ["करना", "देखना", "खाना"]
    assert all(stem.key != "करना" or stem.is_verb_only for stem in propose_stems("करता", "hi"))


def test_the_longest_stem_comes_first() -> None:
    assert [(stem.key, stem.removed_letters) for stem in propose_stems("बालों", "hi") if not stem.is_verb_only] == [
        ("बाल", 2),
        ("बाला", 2),
    ]
    assert keys_of("বইগুলোর", "bn") == ["বইগুলো", "বই"]


def test_english_stems_come_in_the_order_of_the_table() -> None:
    assert [(stem.key, stem.removed_letters) for stem in propose_stems("leaves", "en")][:2] == [
        ("leaf", 0),
        ("leave", 0),
    ]


def test_an_ending_is_removed_only_after_the_letters_that_its_rule_names() -> None:
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


def test_a_language_may_define_its_vowels() -> None:
    forms = FormRules(vowels="w", endings=(EndingLayer(after_vowel=("n",)),))

    assert find_stem_candidates("dwn", build_suffix_rules(forms, "en")) == [StemCandidate("dw", 1)]
    assert find_stem_candidates("dan", build_suffix_rules(forms, "en")) == []


def test_verb_endings_propose_only_verb_stems() -> None:
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


def test_the_loose_key_of_a_form_ends_in_the_loose_key_of_its_ending() -> None:
    for language, rules in RULES:
        for layer in (*rules.forms.endings, *rules.forms.endings_of_verbs):
            for before, ending in _forms(layer, language):
                assert loose_key(ending, language)
                assert loose_key(before + ending, language).endswith(loose_key(ending, language)), ending


def test_a_language_with_rules_of_its_own_has_examples_of_both_kinds(subtests: pytest.Subtests) -> None:
    for language, rules in RULES:
        with subtests.test(language):
            examples = rules.examples

            assert not (rules.letters or rules.articles) or (examples.same and examples.different)
            assert not (rules.alphabet or rules.articles) or examples.order
            assert not rules.forms.endings or min(len(examples.forms), len(examples.not_forms)) >= 3


def test_no_irregular_form_leads_to_itself() -> None:
    for language, rules in RULES:
        for form, words in rules.forms.irregular.items():
            assert words
            assert loose_key(form, language) not in {loose_key(word, language) for word in words}


@given(texts)
def test_a_stem_is_the_form_without_the_removed_letters(text: str) -> None:
    rules = build_suffix_rules(LANGUAGE_RULES["bn"].forms, "bn")
    key = loose_key(exact_key(text), "bn")

    for word, letters in find_stem_candidates(key, rules):
        assert key.startswith(word)
        assert len(word) == len(key) - letters >= rules.min_stem_letters


def test_spellings_with_a_doubled_consonant_before_an_english_ending_are_proposed() -> None:
    corrections = {
        "swiming": {"swimming": ("swime",)},
        "occured": {"occurred": ("occure",)},
        "hoped": {"hopped": ("hope",)},
    }
    for typed, spelled in corrections.items():
        assert find_doubled_spellings(typed, SUFFIXES["en"]) == spelled
    for typed in ("swimming", "reading", "playing"):
        assert find_doubled_spellings(typed, SUFFIXES["en"]) == {}


def test_an_english_form_without_a_doubled_consonant_is_first_that_of_a_word_in_e() -> None:
    firsts = {
        "rated": "rate", "ratted": "rat", "staring": "stare", "planed": "plane", "planned": "plan", "finer": "fine",
        "singing": "sing", "cleaned": "clean", "played": "play",
    }  # fmt: skip
    for form, headword in firsts.items():
        assert find_stem_candidates(form, SUFFIXES["en"])[0].word == headword, form
    # Only headwords count, so that the next candidate is found.
    assert [candidate.word for candidate in find_stem_candidates("opened", SUFFIXES["en"])][:2] == ["opene", "open"]
