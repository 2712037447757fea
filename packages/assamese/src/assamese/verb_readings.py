"""Readings of a form as a verb: affirmative or negative, finite or non-finite."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from assamese.analysis_rules import ANALYSIS, Features, FormReading, JoinedEnding, Segment, SegmentKind
from assamese.conjugation import IMPERATIVE_PERSONS, PERSONS, VERBAL_NOUN_MARK, classify_stem
from assamese.inflection import NEGATION, iter_affirmative_forms
from assamese.lemmas import headwords_of_stem
from assamese.nominal_readings import iter_nominal_readings
from assamese.paradigms import RULES, VerbClass


class _VerbEnding(NamedTuple):
    """The class of the stems that take a verb ending, the part of the stem that it replaces, and its labels."""

    stem_class: str
    replaced: str
    labels: tuple[str, ...]


def iter_verb_readings(form: str, clitics: tuple[Segment, ...]) -> Iterator[FormReading]:
    """Yield the verb readings of a form, with and without a negation and an ending joined to the verb."""
    yield from _iter_with_negation(form, clitics, None)
    for ending, joined in ANALYSIS.joined.items():
        if form.endswith(ending):
            suffix = Segment(ending, SegmentKind.SUFFIX, joined.features)
            rest = form.removesuffix(ending)
            yield from _iter_with_negation(rest, (suffix, *clitics), joined)


def _iter_with_negation(form: str, suffixes: tuple[Segment, ...], joined: JoinedEnding | None) -> Iterator[FormReading]:
    for lemma, stem, features in _IRREGULAR_FORMS.get(form, ()):
        fixed = (Segment(form, SegmentKind.STEM), Segment("", SegmentKind.SUFFIX, features))
        yield FormReading(lemma, (*fixed, *suffixes), stem, clitic_count=_clitic_count(suffixes, joined))
    yield from _iter_regular_readings(form, form, suffixes, joined)
    if not form.startswith(NEGATION):
        return
    for positive in dict.fromkeys(iter_affirmative_forms(form)):
        # Removing the negation restores the first vowel: নাহিলে has the আ of আহিলে in its না.
        rest = positive if form.endswith(positive) else positive[1:]
        if not rest or rest == form:
            continue
        prefix = Segment(form.removesuffix(rest), SegmentKind.PREFIX, {"Polarity": "Neg"})
        for reading in _iter_regular_readings(positive, rest, suffixes, joined):
            yield reading._replace(segments=(prefix, *reading.segments))
        if joined is None:
            nouns = (part for part in iter_nominal_readings(positive) if part.lemma.endswith(VERBAL_NOUN_ENDING))
            for part in nouns:
                noun = Segment(part.text[len(positive) - len(rest) :], SegmentKind.STEM)
                yield FormReading(
                    part.lemma, (prefix, noun, *part.suffixes, *suffixes), cost=part.cost, clitic_count=len(suffixes)
                )


VERBAL_NOUN_ENDING: Final = "া"


def _clitic_count(suffixes: tuple[Segment, ...], joined: JoinedEnding | None) -> int:
    return len(suffixes) - (joined is not None)


def _iter_regular_readings(
    positive: str, visible: str, suffixes: tuple[Segment, ...], joined: JoinedEnding | None
) -> Iterator[FormReading]:
    """Yield the readings of an affirmative form; `visible` is the part of it that is spelled after a negation."""
    for length in range(min(MAX_ENDING_LENGTH, len(positive)) + 1):
        cut = len(positive) - length
        for ending in _VERB_ENDINGS.get(positive[cut:], ()):
            stem = positive[:cut] + ending.replaced
            is_joined = joined is None or not joined.after.isdisjoint(ending.labels)
            if not stem or classify_stem(stem) != ending.stem_class or not is_joined:
                continue
            features = _merge_label_features(ending.labels)
            if joined is not None and "VerbForm" in joined.features:
                features = {}
            segments = [Segment(visible[: len(visible) - length], SegmentKind.STEM, features if not length else {})]
            if length:
                segments.append(Segment(visible[len(visible) - length :], SegmentKind.SUFFIX, features))
            for lemma in headwords_of_stem(stem):
                yield FormReading(lemma, (*segments, *suffixes), stem, clitic_count=_clitic_count(suffixes, joined))


def _verb_endings(classes: Mapping[str, VerbClass]) -> dict[str, list[_VerbEnding]]:
    """Return the classes that have each verb ending, with its labels, by ending."""
    endings: dict[str, list[_VerbEnding]] = defaultdict(list)
    for name, verb_class in classes.items():
        for ending, labels in _iter_class_endings(verb_class):
            if ending != VERBAL_NOUN_MARK and (ending or name == "consonant"):
                endings[ending].append(_VerbEnding(name, verb_class.taken, labels))
    return endings


def _iter_class_endings(verb_class: VerbClass) -> Iterator[tuple[str, tuple[str, ...]]]:
    rules = RULES.verbs
    yield from _by_person("present", PERSONS, verb_class.present)
    yield from _by_person("imperative", IMPERATIVE_PERSONS, verb_class.imperative)
    yield from _by_person("past", PERSONS, (verb_class.raising + ending for ending in rules.past))
    yield verb_class.raising + rules.past_of_those, ("past", "third")
    yield from _by_person("future", PERSONS, (verb_class.raising + ending for ending in rules.future))
    yield from _by_person("perfect", PERSONS, (verb_class.perfect + ending for ending in rules.perfect))
    yield from _by_person("past_perfect", PERSONS, (verb_class.perfect + ending for ending in rules.past_perfect))
    for label, ending in (
        ("infinitive", rules.infinitive),
        ("of_infinitive", rules.of_infinitive),
        ("purpose", rules.purpose),
        ("until", rules.until),
        ("conditional", rules.conditional),
        ("when", rules.when),
    ):
        yield verb_class.raising + ending, (label,)
    yield verb_class.perfect, ("conjunctive",)
    yield verb_class.while_, ("while",)
    yield verb_class.agent, ("agent",)


def _by_person(tense: str, persons: Iterable[str], endings: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    return ((ending, (tense, person)) for person, ending in zip(persons, endings, strict=True))


_VERB_ENDINGS: Final = _verb_endings(RULES.classes)
MAX_ENDING_LENGTH: Final = max(map(len, _VERB_ENDINGS))

BE_LEMMA: Final = "আছ"
"""The lemma of আছে and আছিল, a stem because they have no verbal noun; dictionaries list them under থকা."""


def _irregular_forms() -> dict[str, list[tuple[str, str, Features]]]:
    """Map the irregular forms to their lemmas, stems and features: আছে, and imperatives (দে of দিয়া)."""
    being = RULES.being
    forms: dict[str, list[tuple[str, str, Features]]] = defaultdict(list)
    for tense, of_tense in (("present", being.present), ("past", being.past), ("past", being.negative_past)):
        negation = {"Polarity": "Neg"} if of_tense is being.negative_past else {}
        for person, form in zip(PERSONS, of_tense, strict=True):
            forms[form].append((BE_LEMMA, BE_LEMMA, {**_merge_label_features((tense, person)), **negation}))
    for stem, of_stem in RULES.irregular_verbs.items():
        for labels, form in of_stem.items():
            forms[form] += [(lemma, stem, _merge_label_features(labels.split())) for lemma in headwords_of_stem(stem)]
    return forms


def _merge_label_features(labels: Iterable[str]) -> dict[str, str]:
    return {name: value for label in labels for name, value in ANALYSIS.labels[label].items()}


_IRREGULAR_FORMS: Final = _irregular_forms()
