"""Readings of a form: each way to take it apart into a stem and endings, without a dictionary.

The endings are those of the tables of forms (`paradigms`), read the other way round as in `lemmas`; what they mean in
Universal Dependencies stands in `tables/analysis.toml`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from itertools import chain
from typing import Final, NamedTuple

import msgspec

from assamese.conjugation import COMMANDED, PERSONS, VERBAL_NOUN, class_of
from assamese.inflection import NEGATION, affirmed, classifiers_and_plurals, irregular_lemmas, kin_endings, plurals
from assamese.lemmas import headwords_of_stem, lemmas_of_case
from assamese.paradigms import FEW, RULES, Label, VerbClass, case_forms
from assamese.tables import read_table

Features = Mapping[str, str]

LEAST_STEM: Final = 2
"""The minimum number of letters of a noun before an ending."""


class Joined(msgspec.Struct, frozen=True):
    """An ending behind forms of a verb that have one of some labels, and the features that it gives them."""

    after: frozenset[str]
    features: dict[str, str]


class FunctionWord(msgspec.Struct, frozen=True):
    """The parts of speech and features of a function word; its lemma where that is another word."""

    pos: tuple[str, ...]
    features: dict[str, str] = msgspec.field(default_factory=dict)
    lemma: str = ""


class Description(msgspec.Struct, frozen=True):
    """The words for some features, in English and Assamese; of a group only one is used."""

    group: str
    features: dict[str, str]
    label: Label


class AnalysisRules(msgspec.Struct, frozen=True):
    """The meanings of endings, and function words."""

    clitics: tuple[str, ...]
    emphatic_after: tuple[str, ...]
    after_commands: frozenset[str]
    approximate: str
    numerals: dict[str, str]
    kin: frozenset[str]
    quantities: frozenset[str]
    times: frozenset[str]
    labels: dict[str, dict[str, str]]
    descriptions: tuple[Description, ...]
    cases: dict[str, str]
    joined: dict[str, Joined]
    degrees: dict[str, dict[str, str]]
    singular: dict[str, str]
    words: dict[str, FunctionWord]


class _Tables(msgspec.Struct, frozen=True):
    assamese: AnalysisRules = msgspec.field(name="as")


ANALYSIS: Final = read_table("analysis", _Tables).assamese


class SegmentKind(Enum):
    """The place of a segment in its form."""

    PREFIX = "prefix"
    STEM = "stem"
    SUFFIX = "suffix"


class Segment(msgspec.Struct, frozen=True):
    """A part of a form, and the features that it gives the form."""

    text: str
    kind: SegmentKind
    features: Features = msgspec.field(default_factory=dict)


class Cost(Enum):
    """How unlikely the endings of a reading are, by themselves."""

    SURE = 0
    """The table of the stem has the form."""

    BY_RULE = 1
    """The endings are of a kind, but the table of the stem leaves them out."""


class Reading(NamedTuple):
    """A lemma by its exact key, and the segments that leave it. Of a verb, `stem` is what stands before its ending."""

    lemma: str
    segments: tuple[Segment, ...]
    stem: str = ""
    cost: Cost = Cost.SURE
    clitics: int = 0
    pos: str = ""
    """The part of speech that the endings ask for; empty: that of the lemma."""

    @property
    def features(self) -> dict[str, str]:
        """Return the features of all segments."""
        return {name: value for segment in self.segments for name, value in segment.features.items()}

    @property
    def is_listed(self) -> bool:
        """Whether the form is only listed with the lemma, without a meaning."""
        return any(not segment.text and not segment.features for segment in self.segments)

    @property
    def is_bare(self) -> bool:
        """Whether the form is the lemma itself, but for clitics."""
        return len(self.segments) == 1 + self.clitics


class _Part(NamedTuple):
    """What is left of a form, its lemma so far, and the segments taken off behind it."""

    text: str
    lemma: str
    taken: tuple[Segment, ...] = ()
    cost: Cost = Cost.SURE

    def without(self, ending: str, lemma: str, features: Features, cost: Cost = Cost.SURE) -> "_Part":
        suffix = Segment(ending, SegmentKind.SUFFIX, features)
        return _Part(self.text[: -len(ending)], lemma, (suffix, *self.taken), max(cost, self.cost, key=_by_value))


def _by_value(cost: Cost) -> int:
    return cost.value


def readings(form: str) -> Iterator[Reading]:
    """List the readings of a form, given as an exact key: as a noun or another nominal, and as a verb."""
    for bare, clitics in _without_clitics(form):
        for part in chain(_pronouns(bare), _listed(bare), _nominals(bare)):
            yield _reading(part, clitics)
        for counted in _counted(bare):
            yield counted._replace(segments=(*counted.segments, *clitics), clitics=len(clitics))
        yield from _adverbs(bare, clitics)
        yield from _verbs(bare, clitics)


def _reading(part: _Part, clitics: tuple[Segment, ...]) -> Reading:
    stem = Segment(part.text, SegmentKind.STEM)
    return Reading(part.lemma, (stem, *part.taken, *clitics), cost=part.cost, clitics=len(clitics))


def _without_clitics(form: str) -> list[tuple[str, tuple[Segment, ...]]]:
    """Take off at most two clitics."""
    found: dict[str, tuple[Segment, ...]] = {form: ()}
    for _ in range(2):
        for text, taken in list(found.items()):
            for clitic in _clitics_of(text):
                found.setdefault(text.removesuffix(clitic), (Segment(clitic, SegmentKind.SUFFIX), *taken))
    return list(found.items())


def _clitics_of(text: str) -> Iterator[str]:
    for clitic in ANALYSIS.clitics:
        if text.endswith(clitic) and len(text) > len(clitic) + 1:
            yield clitic
    if text.endswith(tuple(f"{ending}ে" for ending in ANALYSIS.emphatic_after)):
        yield "ে"


# --- nominals ---------------------------------------------------------------------------------------------------------


def _pronouns(form: str) -> Iterator[_Part]:
    """List the pronouns whose table has a form that is like no rule: মোক, কাৰ."""
    for pronoun, case in _PRONOUNS.get(form, ()):
        yield _Part(form, pronoun, (Segment("", SegmentKind.SUFFIX, ANALYSIS.labels[case]),))


def _pronoun_forms() -> dict[str, list[tuple[str, str]]]:
    forms: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for pronoun, cases in RULES.pronouns.items():
        for case, of_case in cases.items():
            for form in of_case:
                forms[form].append((pronoun, case))
    return forms


_PRONOUNS: Final = _pronoun_forms()


def _listed(form: str) -> Iterator[_Part]:
    """List the words of a form that is listed with them, of which the tables of forms do not say what it is: ময়ো."""
    for lemma in irregular_lemmas(form, "as"):
        yield _Part(form, lemma, (Segment("", SegmentKind.SUFFIX),), Cost.BY_RULE)


def _counted(form: str) -> Iterator[Reading]:
    """Take a numeral off: দুটা is দুই with a classifier, দুঘণ্টা a noun that is counted."""
    for numeral, lemma in ANALYSIS.numerals.items():
        rest = form.removeprefix(numeral)
        if rest == form or len(rest) < LEAST_STEM:
            continue
        card = Segment(numeral, SegmentKind.PREFIX, {"NumType": "Card"})
        for part in _nominals(rest):
            stem = Segment(part.text, SegmentKind.STEM)
            yield Reading(part.lemma, (card, stem, *part.taken), cost=Cost.BY_RULE, pos="NOUN")
            if part.text in _NUMBERS:
                classifier = Segment(part.text, SegmentKind.SUFFIX)
                number = msgspec.structs.replace(card, kind=SegmentKind.STEM)
                yield Reading(lemma, (number, classifier, *part.taken), pos="NUM")


def _adverbs(form: str, clitics: tuple[Segment, ...]) -> Iterator[Reading]:
    """Take off the ending that makes an adverb of an adjective or a noun: মিঠাকৈ."""
    lemma = form.removesuffix(ADVERBIAL)
    if lemma != form and len(lemma) >= LEAST_STEM:
        segments = (Segment(lemma, SegmentKind.STEM), Segment(ADVERBIAL, SegmentKind.SUFFIX), *clitics)
        yield Reading(lemma, segments, clitics=len(clitics), pos="ADV")


ADVERBIAL: Final = "কৈ"


def _nominals(form: str) -> Iterator[_Part]:
    """Take off an ending of case, of number and of kin, each or none."""
    whole = _Part(form, form)
    for part in (whole, *_without_case(whole)):
        yield part
        yield from _without_degree(part)
        for numbered in _without_number(part):
            yield numbered
            yield from _without_number(numbered)
        yield from _without_person(part)


def _without_case(part: _Part) -> Iterator[_Part]:
    """Take off an ending of case: first those that the table of the stem has, then others by rule."""
    form, sure = part.text, set()
    for lemma in lemmas_of_case(form):
        for case, inflected in case_forms(lemma):
            if inflected == form:
                ending = form[len(_common_start(lemma, form)) :]
                if ending:
                    sure.add((lemma, case))
                    yield part.without(ending, lemma, ANALYSIS.labels[case])
    for ending, case in ANALYSIS.cases.items():
        if not form.endswith(ending) or len(form) < len(ending) + LEAST_STEM:
            continue
        stem = form.removesuffix(ending)
        for lemma in (
            stem,
            *(stem.removesuffix(last) + alone for last, alone in _ALONE.items() if stem.endswith(last)),
        ):
            if (lemma, case) not in sure:
                yield part.without(ending, lemma, ANALYSIS.labels[case], Cost.BY_RULE)


_ALONE: Final = {"ৱ": "ও", "য়": "ই", "ঙ": "ং", "ত": "ৎ"}
"""The last letter of a word before an ending, and how the word writes it."""


def _common_start(one: str, other: str) -> str:
    length = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
    return one[:length]


def _without_number(part: _Part) -> Iterator[_Part]:
    for ending, features in _NUMBERS.items():
        if part.lemma.endswith(ending) and part.text.endswith(ending) and len(part.text) > len(ending):
            yield part.without(ending, part.lemma.removesuffix(ending), features, part.cost)
    approximate = ANALYSIS.approximate
    if part.lemma.endswith(approximate) and part.text.endswith(approximate) and len(part.text) > len(approximate):
        yield part.without(approximate, part.lemma.removesuffix(approximate), {}, part.cost)


def _number_endings() -> dict[str, Features]:
    classifiers = classifiers_and_plurals() - plurals() - {ANALYSIS.approximate}
    few = {FEW + each: {"Number": "Plur"} for each in {*classifiers, *RULES.nouns.of_few.values()}}
    return {
        **few,
        **{each: {"Definite": "Def"} for each in classifiers},
        **{each: {"Number": "Plur"} for each in plurals() - {ANALYSIS.approximate}},
    }


_NUMBERS: Final = _number_endings()


def _without_person(part: _Part) -> Iterator[_Part]:
    """Take the person of whom a relative is one off: ভনীয়েক, খুড়াক, মাৰা."""
    for ending, person in _KIN.items():
        if not (part.text.endswith(ending) and part.lemma.endswith(ending)):
            continue
        stem = part.lemma.removesuffix(ending)
        for kin in (stem, *(stem.removesuffix(last) + alone for last, alone in _ALONE.items() if stem.endswith(last))):
            if kin in ANALYSIS.kin:
                # মামাৰ is rather the genitive, but মাৰে "your mother" has a case behind the person.
                cost = Cost.BY_RULE if person == "2" and ending in ANALYSIS.cases and not part.taken else Cost.SURE
                yield part._replace(cost=cost).without(ending, kin, {"Person[psor]": person})


_KIN: Final = {ending: "3" if ending.endswith("ক") else "2" for ending in kin_endings()}


def _without_degree(part: _Part) -> Iterator[_Part]:
    for ending, features in ANALYSIS.degrees.items():
        if part.text.endswith(ending) and part.lemma.endswith(ending) and len(part.text) > len(ending) + LEAST_STEM:
            yield part.without(ending, part.lemma.removesuffix(ending), features)


# --- verbs ------------------------------------------------------------------------------------------------------------


class _VerbEnding(NamedTuple):
    """The class of stems that an ending stands after, what it replaces of them, and its labels."""

    of_class: str
    replaced: str
    labels: tuple[str, ...]


def _verbs(form: str, clitics: tuple[Segment, ...]) -> Iterator[Reading]:
    """List the verbs of a form, of an affirmed form, and of a form without an ending joined to it."""
    yield from _negated_and_not(form, clitics, None)
    for ending, joined in ANALYSIS.joined.items():
        if form.endswith(ending):
            suffix = Segment(ending, SegmentKind.SUFFIX, joined.features)
            rest = form.removesuffix(ending)
            yield from _negated_and_not(rest, (suffix, *clitics), joined)


def _negated_and_not(form: str, taken: tuple[Segment, ...], joined: Joined | None) -> Iterator[Reading]:
    for lemma, stem, features in _FIXED.get(form, ()):
        fixed = (Segment(form, SegmentKind.STEM), Segment("", SegmentKind.SUFFIX, features))
        yield Reading(lemma, (*fixed, *taken), stem, clitics=_clitic_count(taken, joined))
    yield from _inflected(form, form, taken, joined)
    if not form.startswith(NEGATION):
        return
    for positive in dict.fromkeys(affirmed(form)):
        # An affirmed form gets a first vowel back: the আ of আহিলে stands in the না of নাহিলে.
        rest = positive if form.endswith(positive) else positive[1:]
        if not rest or rest == form:
            continue
        prefix = Segment(form.removesuffix(rest), SegmentKind.PREFIX, {"Polarity": "Neg"})
        for reading in _inflected(positive, rest, taken, joined):
            yield reading._replace(segments=(prefix, *reading.segments))
        if joined is None:
            for part in _nominals(positive):
                if part.lemma.endswith(LAST_OF_VERBAL_NOUN):
                    stem = Segment(part.text[len(positive) - len(rest) :], SegmentKind.STEM)
                    yield Reading(part.lemma, (prefix, stem, *part.taken, *taken), cost=part.cost, clitics=len(taken))


LAST_OF_VERBAL_NOUN: Final = "া"


def _clitic_count(taken: tuple[Segment, ...], joined: Joined | None) -> int:
    return len(taken) - (joined is not None)


def _inflected(positive: str, shown: str, taken: tuple[Segment, ...], joined: Joined | None) -> Iterator[Reading]:
    """List the verbs that have a form, which is `shown` behind a negation."""
    for length in range(min(LONGEST_ENDING, len(positive)) + 1):
        cut = len(positive) - length
        for ending in _VERB_ENDINGS.get(positive[cut:], ()):
            stem = positive[:cut] + ending.replaced
            is_joined = joined is None or not joined.after.isdisjoint(ending.labels)
            if not stem or class_of(stem) != ending.of_class or not is_joined:
                continue
            features = _features(ending.labels)
            if joined is not None and "VerbForm" in joined.features:
                features = {}
            segments = [Segment(shown[: len(shown) - length], SegmentKind.STEM, features if not length else {})]
            if length:
                segments.append(Segment(shown[len(shown) - length :], SegmentKind.SUFFIX, features))
            for lemma in headwords_of_stem(stem):
                yield Reading(lemma, (*segments, *taken), stem, clitics=_clitic_count(taken, joined))


def _verb_endings(classes: Mapping[str, VerbClass]) -> dict[str, list[_VerbEnding]]:
    """Map each ending of verbs to the classes that have it, with its labels."""
    found: dict[str, list[_VerbEnding]] = defaultdict(list)
    for name, each in classes.items():
        for ending, labels in _endings_of_class(each):
            if ending != VERBAL_NOUN and (ending or name == "consonant"):
                found[ending].append(_VerbEnding(name, each.taken, labels))
    return found


def _endings_of_class(of_class: VerbClass) -> Iterator[tuple[str, tuple[str, ...]]]:
    rules = RULES.verbs
    yield from _by_person("present", PERSONS, of_class.present)
    yield from _by_person("imperative", COMMANDED, of_class.imperative)
    yield from _by_person("past", PERSONS, (of_class.raising + ending for ending in rules.past))
    yield of_class.raising + rules.past_of_those, ("past", "third")
    yield from _by_person("future", PERSONS, (of_class.raising + ending for ending in rules.future))
    yield from _by_person("perfect", PERSONS, (of_class.perfect + ending for ending in rules.perfect))
    yield from _by_person("past_perfect", PERSONS, (of_class.perfect + ending for ending in rules.past_perfect))
    for label, ending in (
        ("infinitive", rules.infinitive),
        ("of_infinitive", rules.of_infinitive),
        ("purpose", rules.purpose),
        ("until", rules.until),
        ("conditional", rules.conditional),
        ("when", rules.when),
    ):
        yield of_class.raising + ending, (label,)
    yield of_class.perfect, ("conjunctive",)
    yield of_class.while_, ("while",)
    yield of_class.agent, ("agent",)


def _by_person(tense: str, persons: Iterable[str], endings: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    return ((ending, (tense, person)) for person, ending in zip(persons, endings, strict=True))


_VERB_ENDINGS: Final = _verb_endings(RULES.classes)
LONGEST_ENDING: Final = max(map(len, _VERB_ENDINGS))

BEING: Final = "আছ"
"""The lemma of আছে and আছিল, which have no verbal noun: their entry is that of থকা."""


def _fixed_forms() -> dict[str, list[tuple[str, str, Features]]]:
    """Map the forms that are like no rule to their lemmas and stems: আছে, and commands (দে of দিয়া)."""
    being = RULES.being
    forms: dict[str, list[tuple[str, str, Features]]] = defaultdict(list)
    for tense, of_tense, more in (
        ("present", being.present, {}),
        ("past", being.past, {}),
        ("past", being.negative_past, {"Polarity": "Neg"}),
    ):
        for person, form in zip(PERSONS, of_tense, strict=True):
            forms[form].append((BEING, BEING, {**_features((tense, person)), **more}))
    for stem, of_stem in RULES.irregular_verbs.items():
        for labels, form in of_stem.items():
            forms[form] += [(lemma, stem, _features(labels.split())) for lemma in headwords_of_stem(stem)]
    return forms


def _features(labels: Iterable[str]) -> dict[str, str]:
    return {name: value for label in labels for name, value in ANALYSIS.labels[label].items()}


_FIXED: Final = _fixed_forms()
