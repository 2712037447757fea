"""Inflected forms whose word is known: of UniMorph's table, and such as newspapers use, made by plain endings.

A form counts only if no other headword has it: মানুহৰ is of মানুহ, while ভাৰত is not the locative of ভাৰ. That is told by
the counts: ভাৰতৰ and ভাৰতত are in use, so ভাৰত is a word; মানুহৰৰ is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from abhidhan.domain.text.keys import exact_key
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
"""Endings that may be tried where no counts tell which a noun takes."""

VERB_ENDINGS: Final = ("িলে", "িব", "িছে", "িছিল", "িলোঁ", "িবলৈ", "িছোঁ", "িম")
"""After a stem that ends in a consonant, as কৰ of কৰা does."""

_CONSONANTS: Final = frozenset("কখগঘচছজঝটঠডঢণতথদধনপফবভমযৰলশষসহৱ")
_IN_USE: Final = 5
_SURELY_IN_USE: Final = 20
_SHORTEST: Final = 3
_NOUNS: Final = "Noun"
_VERBS: Final = "Verb"


def forms_of(material: Material) -> dict[str, list[tuple[str, str]]]:
    """List forms by word, each with the kind of form that it is."""
    known = {word.text: word for word in material.assamese if is_one_word(word.text)}
    whose = _whose(material.tabled)
    found: dict[str, list[tuple[str, str]]] = {}
    for lemma, form in material.tabled:
        if lemma in known and len(whose[form]) == 1 and _is_no_headword(form, material, known):
            kind = "tabled, in use" if material.counts.get(form, 0) else "tabled"
            found.setdefault(lemma, []).append((kind, form))
    for lemma, word in known.items():
        taken = {form for _, form in found.get(lemma, ())}
        made = [(kind, form) for kind, form in _made(word, material, known) if whose.get(form, {lemma}) == {lemma}]
        found.setdefault(lemma, []).extend(each for each in made if each[1] not in taken)
    return {lemma: forms for lemma, forms in sorted(found.items()) if forms}


def _whose(tabled: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    lemmas: dict[str, set[str]] = {}
    for lemma, form in tabled:
        lemmas.setdefault(form, set()).add(lemma)
    return lemmas


def _is_no_headword(form: str, material: Material, known: Mapping[str, Headword]) -> bool:
    """Say whether a form is no word of the starter; lists of word forms that were added have many forms."""
    word = known.get(form)
    if not material.counts:
        return exact_key(form) not in material.headwords
    return (word is None or not word.is_starter) and not _is_inflected(form, material.counts)


def _is_inflected(form: str, counts: Mapping[str, int]) -> bool:
    """Say whether a form has forms of its own: then it is a word."""
    return any(counts.get(form + case, 0) >= _IN_USE for case in _CASES)


def _made(word: Headword, material: Material, known: Mapping[str, Headword]) -> Iterator[tuple[str, str]]:
    if len(word.text) < _SHORTEST or _is_a_form_itself(word.text, material.headwords):
        return
    if any(_VERBS in part and _NOUNS not in part for part in word.parts):
        yield from _of_verb(word.text, material)
    elif not word.parts or any(_NOUNS in part for part in word.parts):
        yield from _of_noun(word.text, material, known)


def _of_noun(word: str, material: Material, known: Mapping[str, Headword]) -> Iterator[tuple[str, str]]:
    for ending in ENDINGS:
        form = word + ending
        in_use = _is_used(form, material, _IN_USE) if material.counts else ending in _OF_ANY_NOUN
        if not in_use or _others(form, word, material.headwords):
            continue
        if ending in _AFTER_NUMBER:
            yield "number", form
        elif _is_no_headword(form, material, known):
            yield "case", form


def _of_verb(word: str, material: Material) -> Iterator[tuple[str, str]]:
    if word.endswith("া") and word[-2] in _CONSONANTS and len(word) > _SHORTEST - 1:
        for ending in VERB_ENDINGS:
            form = word[:-1] + ending
            if _is_used(form, material, _SURELY_IN_USE) and exact_key(form) not in material.headwords:
                yield "verb", form


def _is_used(form: str, material: Material, least: int) -> bool:
    """Say whether newspapers use a form."""
    return material.counts.get(form, 0) >= least


def _is_a_form_itself(word: str, headwords: frozenset[str]) -> bool:
    return any(word.endswith(ending) and word.removesuffix(ending) in headwords for ending in ENDINGS if ending)


def _others(form: str, word: str, headwords: frozenset[str]) -> bool:
    """Say whether another headword may have the form: one that is not, itself, a form of the word."""
    cut = {form.removesuffix(ending) for ending in ENDINGS if form.endswith(ending)} - {word}
    return any(each in headwords and each.removeprefix(word) not in ENDINGS for each in cut)
