"""Inflected forms with known lemmas: from UniMorph's table, and regular forms that newspapers use.

A form is used only if it cannot belong to another headword: মানুহৰ is a form of মানুহ, while ভাৰত is not the locative of
ভাৰ. Counts decide: ভাৰতৰ and ভাৰতত are in use, so ভাৰত is a word; মানুহৰৰ is not in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assamese.keys import exact_key
from tools.ranking.material import is_one_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tools.ranking.material import Headword, Material

_PLURALS: Final = ("বোৰ", "বিলাক", "সমূহ", "সকল")
_CLASSIFIERS: Final = ("টো", "খন", "জন", "গৰাকী", "কেইটা", "কেইজন")
_CASES: Final = ("ৰ", "ত", "লৈ")
_MORE_CASES: Final = ("", "ৰ", "ক", "ত", "লৈ", "ৰপৰা")
_AFTER_NUMBER: Final = tuple(number + case for number in (*_PLURALS, *_CLASSIFIERS) for case in _MORE_CASES)
ENDINGS: Final = (*_CASES, "ৰপৰা", "তকৈ", *_AFTER_NUMBER)
_OF_ANY_NOUN: Final = frozenset({*_CASES, "ৰপৰা", "বোৰ", "বোৰৰ"})
"""Endings to use without counts, as all nouns take them."""

VERB_ENDINGS: Final = ("িলে", "িব", "িছে", "িছিল", "িলোঁ", "িবলৈ", "িছোঁ", "িম")
"""Endings after a stem in a consonant, such as কৰ of কৰা."""

_CONSONANTS: Final = frozenset("কখগঘচছজঝটঠডঢণতথদধনপফবভমযৰলশষসহৱ")
_IN_USE: Final = 5
_SURELY_IN_USE: Final = 20
_SHORTEST: Final = 3
_NOUNS: Final = frozenset({"Common Noun", "Material Noun", "Abstract Noun", "Verbal Noun", "Proper Noun"})
_VERBS: Final = frozenset({"Transitive", "Intransitive"})

PRONOUNS: Final[Mapping[str, tuple[str, ...]]] = {
    "মই": ("মোৰ", "মোক", "মোলৈ"),
    "আমি": ("আমাৰ", "আমাক", "আমালৈ"),
    "তুমি": ("তোমাৰ", "তোমাক", "তোমালৈ"),
    "আপুনি": ("আপোনাৰ", "আপোনাক", "আপোনালৈ"),
    "তেওঁ": ("তেওঁৰ", "তেওঁক", "তেওঁলৈ"),
    "তেওঁলোক": ("তেওঁলোকৰ", "তেওঁলোকক"),
    "সিহঁত": ("সিহঁতৰ", "সিহঁতক"),
}
"""Pronouns with irregular forms, from grammars."""


def forms_of(material: Material) -> dict[str, list[tuple[str, str]]]:
    """Return the forms of each word, each with its kind."""
    known = {word.text: word for word in material.assamese if is_one_word(word.text)}
    whose = _whose(material.tabled)
    found: dict[str, list[tuple[str, str]]] = {}
    for lemma, form in material.tabled:
        if lemma in known and len(whose[form]) == 1 and _is_no_word(form, material):
            kind = "tabled, in use" if material.counts.get(form, 0) else "tabled"
            found.setdefault(lemma, []).append((kind, form))
    for lemma, word in known.items():
        taken = {form for _, form in found.get(lemma, ())}
        made = [(kind, form) for kind, form in _made(word, material) if whose.get(form, {lemma}) == {lemma}]
        found.setdefault(lemma, []).extend(each for each in made if each[1] not in taken)
    return {lemma: forms for lemma, forms in sorted(found.items()) if forms}


def _whose(tabled: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    lemmas: dict[str, set[str]] = {}
    for lemma, form in tabled:
        lemmas.setdefault(form, set()).add(lemma)
    return lemmas


def _is_no_word(form: str, material: Material) -> bool:
    """Return whether a form is not a word itself. Stubs are ignored, as word lists contain forms, too."""
    return exact_key(form) not in material.told and not _is_inflected(form, material.counts)


def _is_inflected(form: str, counts: Mapping[str, int]) -> bool:
    """Return whether a form has forms of its own and is therefore a word."""
    return any(counts.get(form + case, 0) >= _IN_USE for case in _CASES)


def _made(word: Headword, material: Material) -> Iterator[tuple[str, str]]:
    yield from (("pronoun", form) for form in PRONOUNS.get(word.text, ()) if exact_key(form) not in material.told)
    if len(word.text) < _SHORTEST or _is_a_form_itself(word.text, material.headwords):
        return
    if word.parts & _VERBS:
        yield from _of_verb(word.text, material)
    elif not word.parts or word.parts & _NOUNS:
        yield from _of_noun(word.text, material)


def _of_noun(word: str, material: Material) -> Iterator[tuple[str, str]]:
    for ending in ENDINGS:
        form = word + ending
        in_use = _is_used(form, material, _IN_USE) if material.counts else ending in _OF_ANY_NOUN
        if not in_use or _others(form, word, material.headwords):
            continue
        if ending in _AFTER_NUMBER and exact_key(form) not in material.told:
            yield "number", form
        elif _is_no_word(form, material):
            yield "case", form


def _of_verb(word: str, material: Material) -> Iterator[tuple[str, str]]:
    if word.endswith("া") and word[-2] in _CONSONANTS and len(word) > _SHORTEST - 1:
        for ending in VERB_ENDINGS:
            form = word[:-1] + ending
            if _is_used(form, material, _SURELY_IN_USE) and exact_key(form) not in material.told:
                yield "verb", form


def _is_used(form: str, material: Material, least: int) -> bool:
    """Return whether newspapers use a form at least `least` times."""
    return material.counts.get(form, 0) >= least


def _is_a_form_itself(word: str, headwords: frozenset[str]) -> bool:
    return any(word.endswith(ending) and word.removesuffix(ending) in headwords for ending in ENDINGS if ending)


def _others(form: str, word: str, headwords: frozenset[str]) -> bool:
    """Return whether the form may belong to another headword that is not itself a form of the word."""
    cut = {form.removesuffix(ending) for ending in ENDINGS if form.endswith(ending)} - {word}
    return any(each in headwords and each.removeprefix(word) not in ENDINGS for each in cut)
