"""Propose the Assamese headwords of an inflected form by removing the endings of the inflection tables.

This is the reverse of `paradigms` and `conjugation`, in exact spelling. The caller checks that the table of a proposed
headword has the form.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from assamese.conjugation import VERBAL_NOUN_MARK
from assamese.inflection import NEGATION, classifiers_and_plurals, iter_affirmative_forms
from assamese.paradigms import FEW_PREFIX, RULES, Declension, VerbClass

MAX_FORM_LENGTH: Final = 60
"""The maximum number of letters of a form."""

_CLUSTER: Final = "ঁ?[ক-হৰৱ]়?(?:্[ক-হৰৱ]়?)*$"
_CONSONANT_ENDS: Final = frozenset("কখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযৰলৱশষসহ়")
_SIGN_A: Final = "া"
_GLIDES: Final = ("য়", "ৱ")
_LAST_U: Final = re.compile(f"ু(?={_CLUSTER})")
_LAST_A: Final = re.compile(f"া(?={_CLUSTER})")
_FIRST_A: Final = re.compile(f"^আ(?={_CLUSTER})")
_LOOK_BEHIND: Final = re.compile(r"\(\?<[^)]*\)")


class Lemmas(NamedTuple):
    """The proposed headwords of a form: by the list of irregular forms, as nouns, and as verbs."""

    irregular: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()


@lru_cache(maxsize=64)
def lemmas_of_form(form: str) -> Lemmas:
    """Propose the headwords that a form may belong to, except the form itself."""
    if not form or len(form) > MAX_FORM_LENGTH:
        return Lemmas()
    verbs = [lemma for lemma in _propose_verbs(form) if lemma != form]
    return Lemmas(_IRREGULAR_LEMMAS.get(form, ()), tuple(_propose_nouns(form)), tuple(verbs))


def lemmas_of_case(form: str) -> list[str]:
    """Propose the nouns that may have a form as one of their cases."""
    return _restore_stems(form, _CASES)


# --- nouns ------------------------------------------------------------------------------------------------------------


def _propose_nouns(form: str) -> list[str]:
    """Return the nouns that remain after removing endings of case, number and kin."""
    nouns = _restore_stems(form, _CASES)
    for noun in (form, *nouns):
        nouns += _restore_stems(noun, _NUMBERS)
    for noun in (form, *nouns):
        nouns += _restore_stems(noun, _KIN)
    return nouns


class EndingTable(NamedTuple):
    """Endings with the stem letters that they replace, and their lengths by last letter, longest first."""

    replaced: Mapping[str, tuple[str, ...]]
    lengths: Mapping[str, tuple[int, ...]]


def _build_endings(replaced: Mapping[str, Iterable[str]]) -> EndingTable:
    lengths: dict[str, set[int]] = defaultdict(set)
    for ending in replaced:
        lengths[ending[-1]].add(len(ending))
    return EndingTable(
        {ending: tuple(dict.fromkeys(texts)) for ending, texts in replaced.items()},
        {last: tuple(sorted(of_last, reverse=True)) for last, of_last in lengths.items()},
    )


def _restore_stems(form: str, endings: EndingTable) -> list[str]:
    """Return the stems of a form for each of its endings, with the letters that the ending replaced restored."""
    stems = []
    for length in endings.lengths.get(form[-1], ()):
        for before in endings.replaced.get(form[-length:], ()):
            stem = form[:-length] + before
            if stem:
                stems.append(stem)
    return stems


def _case_endings(declensions: Iterable[Declension]) -> EndingTable:
    """Return the case endings with the letters that they replace: ঙৰ replaces ং in ৰঙৰ."""
    replaced: dict[str, list[str]] = defaultdict(list)
    for declension in declensions:
        is_changed = declension.instead != "="
        ends = _LOOK_BEHIND.sub("", declension.ending).split("|") if is_changed else [""]
        for ending in chain.from_iterable(declension.cases.values()):
            replaced[(declension.instead if is_changed else "") + ending] += ends
    return _build_endings(replaced)


_CASES: Final = _case_endings(RULES.shapes)
_KIN: Final = _case_endings(RULES.kin.shapes)
_NUMBERS: Final = _build_endings(
    dict.fromkeys((*classifiers_and_plurals(), *(FEW_PREFIX + few for few in RULES.nouns.of_few.values())), ("",))
)

# --- verbs ------------------------------------------------------------------------------------------------------------


def _propose_verbs(form: str) -> list[str]:
    """Propose the headwords of verbs that may have a form, also as a negated form."""
    forms = [form]
    if form[0] == NEGATION:
        forms += iter_affirmative_forms(form)
        forms += [
            stem + form.removeprefix(negative)
            for stem, negative in RULES.negative_stems.items()
            if form.startswith(negative)
        ]
    headwords = []
    for candidate in forms:
        for stem in (candidate, *_restore_stems(candidate, _VERB_ENDINGS)):
            headwords += headwords_of_stem(stem)
    return headwords


def headwords_of_stem(stem: str) -> list[str]:
    """Return the possible headwords of a verb stem: its verbal nouns, then the stem."""
    headwords = [noun for verb in _STEMS_BY_PAST_STEM.get(stem, ()) for noun in headwords_of_stem(verb)]
    if stem in _VERBAL_NOUNS:
        headwords += (*_VERBAL_NOUNS[stem], stem)
    if stem[-1] == _SIGN_A:
        before = stem[:-1]
        headwords.append(before + "োৱা")
        headwords += [before.removesuffix(glide) + "ওৱা" for glide in _GLIDES if before.endswith(glide)]
    elif stem[-1] in _CONSONANT_ENDS:
        headwords.append(stem + _SIGN_A)
        headwords += [lowered + _SIGN_A for lowered in _lower_vowels(stem)]
        headwords.append(stem + "্")
    return headwords


def _lower_vowels(stem: str) -> list[str]:
    """Return the stem with its vowel lowered as in the verbal noun: খোল for খুল, মৰ for মাৰ, অন for আন."""
    lowered_stems = []
    if "ু" in stem:
        lowered_stems.append(_LAST_U.sub("ো", stem))
    if _SIGN_A in stem or stem[0] == "আ":
        lowered_stems.append(_LAST_A.sub("", _FIRST_A.sub("অ", stem)))
    return [lowered for lowered in lowered_stems if lowered != stem]


def _iter_noun_stems() -> Iterator[tuple[str, str]]:
    """Yield the pairs of a verbal noun and a stem in the tables."""
    yield from RULES.verbal_nouns.items()
    for noun, shared in RULES.shared_verbal_nouns.items():
        yield from ((noun, shared.intransitive), (noun, shared.transitive))


def _group_by_value(table: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    keys: dict[str, list[str]] = defaultdict(list)
    for key, value in table:
        keys[value].append(key)
    return {value: tuple(of_value) for value, of_value in keys.items()}


_VERBAL_NOUNS: Final = _group_by_value(_iter_noun_stems())
_STEMS_BY_PAST_STEM: Final = _group_by_value(RULES.stems_of_past.items())


def _verb_endings(classes: Iterable[VerbClass]) -> EndingTable:
    """Return the verb endings with the letters of the stem that they replace: ায় replaces া in খায়."""
    rules = RULES.verbs
    raising = (
        *rules.past, rules.past_of_those, *rules.future, rules.infinitive, rules.of_infinitive, rules.purpose,
        rules.until, rules.conditional, rules.when,
    )  # fmt: skip
    perfect = (*rules.perfect, *rules.past_perfect, "")
    replaced: dict[str, list[str]] = defaultdict(list)
    for verb_class in classes:
        class_endings = (*verb_class.present, *verb_class.imperative, verb_class.while_, verb_class.agent)
        for ending in (
            *(ending for ending in class_endings if ending not in {"", VERBAL_NOUN_MARK}),
            *(verb_class.raising + ending for ending in raising),
            *(verb_class.perfect + ending for ending in perfect),
        ):
            replaced[ending].append(verb_class.taken)
    return _build_endings(replaced)


_VERB_ENDINGS: Final = _verb_endings(RULES.classes.values())

# --- irregular forms --------------------------------------------------------------------------------------------------


def _irregular_lemmas() -> dict[str, tuple[str, ...]]:
    """Map the forms of pronouns, the forms of আছ- and irregular imperatives to their headwords."""
    being = (*RULES.being.present, *RULES.being.negative_present, *RULES.being.past, *RULES.being.negative_past)
    verbs = {
        **{stem: tuple(forms.values()) for stem, forms in RULES.irregular_verbs.items()},
        **dict.fromkeys(RULES.being.verbs, being),
    }
    lemmas: dict[str, dict[str, None]] = defaultdict(dict)
    for pronoun, cases in RULES.pronouns.items():
        for form in chain.from_iterable(cases.values()):
            lemmas[form][pronoun] = None
    for stem, forms in verbs.items():
        for form in forms:
            lemmas[form] |= dict.fromkeys(headwords_of_stem(stem))
    return {form: tuple(of_form) for form, of_form in lemmas.items()}


_IRREGULAR_LEMMAS: Final = _irregular_lemmas()
