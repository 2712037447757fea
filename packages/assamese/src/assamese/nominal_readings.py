"""Readings of a form as a noun, adjective, numeral or pronoun, or as an adverb derived from one."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from assamese.analysis_rules import ANALYSIS, EndingCost, Features, FormReading, Segment, SegmentKind
from assamese.inflection import classifiers_and_plurals, find_irregular_lemmas, kin_endings, plural_endings
from assamese.lemmas import lemmas_of_case
from assamese.paradigms import FEW_PREFIX, RULES, iter_case_forms

MIN_STEM_LENGTH: Final = 2
"""The minimum number of letters of a noun before an ending."""


class PartialReading(NamedTuple):
    """A form with some endings removed: the remaining text, its lemma, and the removed segments."""

    text: str
    lemma: str
    suffixes: tuple[Segment, ...] = ()
    cost: EndingCost = EndingCost.SURE

    def strip_ending(
        self, ending: str, lemma: str, features: Features, cost: EndingCost = EndingCost.SURE
    ) -> "PartialReading":
        """Return the reading without an ending; the remaining text is a stem of `lemma`."""
        suffix = Segment(ending, SegmentKind.SUFFIX, features)
        return PartialReading(
            self.text[: -len(ending)], lemma, (suffix, *self.suffixes), max(cost, self.cost, key=_cost_value)
        )


def _cost_value(cost: EndingCost) -> int:
    return cost.value


def iter_pronoun_readings(form: str) -> Iterator[PartialReading]:
    """Yield the readings of an irregular form of a pronoun: মোক, কাৰ."""
    for pronoun, case in _PRONOUNS.get(form, ()):
        yield PartialReading(form, pronoun, (Segment("", SegmentKind.SUFFIX, ANALYSIS.labels[case]),))


def _pronoun_forms() -> dict[str, list[tuple[str, str]]]:
    forms: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for pronoun, cases in RULES.pronouns.items():
        for case, of_case in cases.items():
            for form in of_case:
                forms[form].append((pronoun, case))
    return forms


_PRONOUNS: Final = _pronoun_forms()


def iter_irregular_readings(form: str) -> Iterator[PartialReading]:
    """Yield the readings of a listed irregular form that is not in the inflection tables: ময়ো."""
    for lemma in find_irregular_lemmas(form, "as"):
        yield PartialReading(form, lemma, (Segment("", SegmentKind.SUFFIX),), EndingCost.BY_RULE)


def iter_numeral_readings(form: str) -> Iterator[FormReading]:
    """Yield readings with a prefixed numeral: দুটা is দুই with a classifier, দুঘণ্টা a counted noun."""
    for numeral, lemma in ANALYSIS.numerals.items():
        rest = form.removeprefix(numeral)
        if rest == form or len(rest) < MIN_STEM_LENGTH:
            continue
        card = Segment(numeral, SegmentKind.PREFIX, {"NumType": "Card"})
        for part in iter_nominal_readings(rest):
            stem = Segment(part.text, SegmentKind.STEM)
            yield FormReading(part.lemma, (card, stem, *part.suffixes), cost=EndingCost.BY_RULE, pos="NOUN")
            if part.text in _NUMBERS:
                classifier = Segment(part.text, SegmentKind.SUFFIX)
                number = msgspec.structs.replace(card, kind=SegmentKind.STEM)
                yield FormReading(lemma, (number, classifier, *part.suffixes), pos="NUM")


def iter_adverb_readings(form: str, clitics: tuple[Segment, ...]) -> Iterator[FormReading]:
    """Yield the reading as an adverb derived from an adjective or a noun: মিঠাকৈ."""
    lemma = form.removesuffix(ADVERBIAL_ENDING)
    if lemma != form and len(lemma) >= MIN_STEM_LENGTH:
        segments = (Segment(lemma, SegmentKind.STEM), Segment(ADVERBIAL_ENDING, SegmentKind.SUFFIX), *clitics)
        yield FormReading(lemma, segments, clitic_count=len(clitics), pos="ADV")


ADVERBIAL_ENDING: Final = "কৈ"


def iter_nominal_readings(form: str) -> Iterator[PartialReading]:
    """Yield the readings of a form with any of its endings of case, degree, number and kin removed."""
    whole = PartialReading(form, form)
    for part in (whole, *_strip_case(whole)):
        yield part
        yield from _strip_degree(part)
        for numbered in _strip_number(part):
            yield numbered
            yield from _strip_number(numbered)
        yield from _strip_possessive(part)


def _strip_case(part: PartialReading) -> Iterator[PartialReading]:
    """Yield readings without a case ending: first those in the inflection table of the stem, then others by rule."""
    form, sure = part.text, set()
    for lemma in lemmas_of_case(form):
        for case, inflected in iter_case_forms(lemma):
            if inflected == form:
                ending = form[len(_common_prefix(lemma, form)) :]
                if ending:
                    sure.add((lemma, case))
                    yield part.strip_ending(ending, lemma, ANALYSIS.labels[case])
    for ending, case in ANALYSIS.cases.items():
        if not form.endswith(ending) or len(form) < len(ending) + MIN_STEM_LENGTH:
            continue
        stem = form.removesuffix(ending)
        for lemma in (
            stem,
            *(stem.removesuffix(last) + alone for last, alone in _FINAL_SPELLINGS.items() if stem.endswith(last)),
        ):
            if (lemma, case) not in sure:
                yield part.strip_ending(ending, lemma, ANALYSIS.labels[case], EndingCost.BY_RULE)


_FINAL_SPELLINGS: Final = {"ৱ": "ও", "য়": "ই", "ঙ": "ং", "ত": "ৎ"}
"""The last letters of stems before an ending, each with its spelling at the end of the bare word."""


def _common_prefix(word: str, other: str) -> str:
    length = next((at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), len(word))
    return word[:length]


def _strip_number(part: PartialReading) -> Iterator[PartialReading]:
    for ending, features in _NUMBERS.items():
        if part.lemma.endswith(ending) and part.text.endswith(ending) and len(part.text) > len(ending):
            yield part.strip_ending(ending, part.lemma.removesuffix(ending), features, part.cost)
    approximate = ANALYSIS.approximate
    if part.lemma.endswith(approximate) and part.text.endswith(approximate) and len(part.text) > len(approximate):
        yield part.strip_ending(approximate, part.lemma.removesuffix(approximate), {}, part.cost)


def _number_endings() -> dict[str, Features]:
    classifiers = classifiers_and_plurals() - plural_endings() - {ANALYSIS.approximate}
    few = {FEW_PREFIX + ending: {"Number": "Plur"} for ending in {*classifiers, *RULES.nouns.of_few.values()}}
    return {
        **few,
        **{ending: {"Definite": "Def"} for ending in classifiers},
        **{ending: {"Number": "Plur"} for ending in plural_endings() - {ANALYSIS.approximate}},
    }


_NUMBERS: Final = _number_endings()


def _strip_possessive(part: PartialReading) -> Iterator[PartialReading]:
    """Yield readings without a possessive ending of kin terms: ভনীয়েক, খুড়াক, মাৰা."""
    for ending, person in _KIN_PERSONS.items():
        if not (part.text.endswith(ending) and part.lemma.endswith(ending)):
            continue
        stem = part.lemma.removesuffix(ending)
        for kin in (
            stem,
            *(stem.removesuffix(last) + alone for last, alone in _FINAL_SPELLINGS.items() if stem.endswith(last)),
        ):
            if kin in ANALYSIS.kin:
                # মামাৰ is rather the genitive, but মাৰে "your mother" has a case ending after the kin ending.
                cost = (
                    EndingCost.BY_RULE
                    if person == "2" and ending in ANALYSIS.cases and not part.suffixes
                    else EndingCost.SURE
                )
                yield part._replace(cost=cost).strip_ending(ending, kin, {"Person[psor]": person})


_KIN_PERSONS: Final = {ending: "3" if ending.endswith("ক") else "2" for ending in kin_endings()}


def _strip_degree(part: PartialReading) -> Iterator[PartialReading]:
    for ending, features in ANALYSIS.degrees.items():
        if (
            part.text.endswith(ending)
            and part.lemma.endswith(ending)
            and len(part.text) > len(ending) + MIN_STEM_LENGTH
        ):
            yield part.strip_ending(ending, part.lemma.removesuffix(ending), features)
