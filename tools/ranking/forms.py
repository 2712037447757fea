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

    from tools.ranking.material import Material, QueriedHeadword

_PLURALS: Final = ("বোৰ", "বিলাক", "সমূহ", "সকল")
_CLASSIFIERS: Final = ("টো", "খন", "জন", "গৰাকী", "কেইটা", "কেইজন")
_CASES: Final = ("ৰ", "ত", "লৈ")
_CASES_AFTER_NUMBER: Final = ("", "ৰ", "ক", "ত", "লৈ", "ৰপৰা")
_NUMBER_ENDINGS: Final = tuple(number + case for number in (*_PLURALS, *_CLASSIFIERS) for case in _CASES_AFTER_NUMBER)
ENDINGS: Final = (*_CASES, "ৰপৰা", "তকৈ", *_NUMBER_ENDINGS)
_UNIVERSAL_ENDINGS: Final = frozenset({*_CASES, "ৰপৰা", "বোৰ", "বোৰৰ"})
"""Endings that all nouns take, used if there are no counts."""

VERB_ENDINGS: Final = ("িলে", "িব", "িছে", "িছিল", "িলোঁ", "িবলৈ", "িছোঁ", "িম")
"""Endings after a stem in a consonant, such as কৰ of কৰা."""

_CONSONANTS: Final = frozenset("কখগঘচছজঝটঠডঢণতথদধনপফবভমযৰলশষসহৱ")
_MIN_USES: Final = 5
_MIN_SURE_USES: Final = 20
_MIN_LENGTH: Final = 3
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


def collect_forms(material: Material) -> dict[str, list[tuple[str, str]]]:
    """Return the forms of each word, each with its kind."""
    headwords = {word.text: word for word in material.assamese if is_one_word(word.text)}
    lemmas = _lemmas_by_form(material.lemma_forms)
    forms_by_lemma: dict[str, list[tuple[str, str]]] = {}
    for lemma, form in material.lemma_forms:
        if lemma in headwords and len(lemmas[form]) == 1 and _is_not_a_word(form, material):
            kind = "tabled, in use" if material.counts.get(form, 0) else "tabled"
            forms_by_lemma.setdefault(lemma, []).append((kind, form))
    for lemma, word in headwords.items():
        used_forms = {form for _, form in forms_by_lemma.get(lemma, ())}
        generated = [
            (kind, form) for kind, form in _regular_forms(word, material) if lemmas.get(form, {lemma}) == {lemma}
        ]
        forms_by_lemma.setdefault(lemma, []).extend(each for each in generated if each[1] not in used_forms)
    return {lemma: forms for lemma, forms in sorted(forms_by_lemma.items()) if forms}


def _lemmas_by_form(tabled: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    lemmas: dict[str, set[str]] = {}
    for lemma, form in tabled:
        lemmas.setdefault(form, set()).add(lemma)
    return lemmas


def _is_not_a_word(form: str, material: Material) -> bool:
    """Return whether a form is not a word of its own. Stubs do not count, as word lists contain forms, too."""
    return exact_key(form) not in material.described and not _has_forms(form, material.counts)


def _has_forms(form: str, counts: Mapping[str, int]) -> bool:
    """Return whether newspapers inflect a form, which shows that it is a word of its own."""
    return any(counts.get(form + case, 0) >= _MIN_USES for case in _CASES)


def _regular_forms(word: QueriedHeadword, material: Material) -> Iterator[tuple[str, str]]:
    yield from (("pronoun", form) for form in PRONOUNS.get(word.text, ()) if exact_key(form) not in material.described)
    if len(word.text) < _MIN_LENGTH or _is_inflected_form(word.text, material.headwords):
        return
    if word.parts_of_speech & _VERBS:
        yield from _verb_forms(word.text, material)
    elif not word.parts_of_speech or word.parts_of_speech & _NOUNS:
        yield from _noun_forms(word.text, material)


def _noun_forms(word: str, material: Material) -> Iterator[tuple[str, str]]:
    for ending in ENDINGS:
        form = word + ending
        in_use = _is_used(form, material, _MIN_USES) if material.counts else ending in _UNIVERSAL_ENDINGS
        if not in_use or _may_be_other_word(form, word, material.headwords):
            continue
        if ending in _NUMBER_ENDINGS and exact_key(form) not in material.described:
            yield "number", form
        elif _is_not_a_word(form, material):
            yield "case", form


def _verb_forms(word: str, material: Material) -> Iterator[tuple[str, str]]:
    if word.endswith("া") and word[-2] in _CONSONANTS and len(word) > _MIN_LENGTH - 1:
        for ending in VERB_ENDINGS:
            form = word[:-1] + ending
            if _is_used(form, material, _MIN_SURE_USES) and exact_key(form) not in material.described:
                yield "verb", form


def _is_used(form: str, material: Material, min_count: int) -> bool:
    """Return whether newspapers use a form at least `min_count` times."""
    return material.counts.get(form, 0) >= min_count


def _is_inflected_form(word: str, headwords: frozenset[str]) -> bool:
    return any(word.endswith(ending) and word.removesuffix(ending) in headwords for ending in ENDINGS if ending)


def _may_be_other_word(form: str, word: str, headwords: frozenset[str]) -> bool:
    """Return whether the form may belong to another headword that is not itself a form of the word."""
    cut = {form.removesuffix(ending) for ending in ENDINGS if form.endswith(ending)} - {word}
    return any(stem in headwords and stem.removeprefix(word) not in ENDINGS for stem in cut)
