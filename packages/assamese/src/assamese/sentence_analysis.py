"""Analyse a text: split it into tokens, each with its possible analyses, the likeliest first.

A form alone may be ambiguous: আছে is an auxiliary after লিখি, and a verb after ঘৰত. The neighbours of a token decide
among its analyses. Source: the guidelines of Universal Dependencies, and school grammars of standard Assamese.
"""

import re
from collections.abc import Callable
from typing import Final

import msgspec

from assamese.analysis import Analysis, Lexicon, analyze_form
from assamese.analysis_rules import ANALYSIS, Segment, SegmentKind
from assamese.verb_readings import BE_LEMMA

_TOKEN: Final = re.compile(
    r"[^\W_](?:[\w\u0981-\u0983\u09bc-\u09cd'’\-\u200c\u200d]*[\w\u0981-\u0983\u09bc-\u09cd'’])?|[^\w\s]|_"
)

PUNCTUATION_TAG: Final = "PUNCT"
NOMINAL_TAGS: Final = frozenset({"NOUN", "PROPN", "ADJ", "NUM"})
NOUN_TAGS: Final = frozenset({"NOUN", "PROPN"})
MODIFIABLE_TAGS: Final = frozenset({"VERB", "AUX", "ADJ", "ADV", "NUM"})
CLAUSE_END_TAGS: Final = frozenset({PUNCTUATION_TAG, "CCONJ", "SCONJ", "PART"})

CONVERB_AUXILIARIES: Final = frozenset({BE_LEMMA, "থকা"})
"""Lemmas of the auxiliaries that follow a converb."""

COPULA_LEMMA: Final = "হোৱা"

PARTICIPLE_AUXILIARIES: Final = frozenset({"নাই", "হোৱা"})
"""Lemmas of the auxiliaries that follow a participle in -া."""

INFINITIVE_AUXILIARIES: Final = frozenset({"পৰা", "নোৱাৰা", "লগা"})
"""Lemmas of the auxiliaries that follow an infinitive in -িব."""


class Token(msgspec.Struct, frozen=True):
    """A word or a sign of a text, its position in code points, and its analyses."""

    form: str
    start: int
    end: int
    analyses: tuple[Analysis, ...]


def tokenize(text: str) -> tuple[Token, ...]:
    """Split a text into words and punctuation marks; only the marks are analysed."""
    return tuple(Token(match[0], *match.span(), _analyze_sign(match[0])) for match in _TOKEN.finditer(text))


def _analyze_sign(form: str) -> tuple[Analysis, ...]:
    if form[0].isalnum():
        return ()
    return (Analysis(form, None, PUNCTUATION_TAG, {}, (Segment(form, SegmentKind.STEM),)),)


def analyze(text: str, lexicon: Lexicon) -> tuple[Token, ...]:
    """Split a text into tokens, and analyse each of them in its context."""
    tokens = [
        token if token.analyses else msgspec.structs.replace(token, analyses=analyze_form(token.form, lexicon))
        for token in tokenize(text)
    ]
    for choose in (_choose_verbs, _choose_parts_of_speech, _choose_quantities):
        for at in range(len(tokens)):
            before = tokens[at - 1].analyses[:1] if at else ()
            after = tokens[at + 1].analyses[:1] if at + 1 < len(tokens) else ()
            chosen = choose(tokens[at].analyses, next(iter(before), None), next(iter(after), None))
            tokens[at] = msgspec.structs.replace(tokens[at], analyses=tuple(chosen))
    return tuple(tokens)


Analyses = tuple[Analysis, ...]


def _choose_verbs(analyses: Analyses, before: Analysis | None, after: Analysis | None) -> Analyses:
    """Choose among the uses of a verb form: infinitive, participle, converb or auxiliary."""
    if not analyses:
        return analyses
    best = analyses[0]
    if after is not None and after.lemma in INFINITIVE_AUXILIARIES:
        analyses = _move_to_front(analyses, lambda analysis: _verb_form(analysis) == "Inf")
    if best.pos == "VERB" and best.features.get("VerbForm") == "Vnoun" and "Case" not in best.features:
        is_participle = after is not None and (after.pos in NOUN_TAGS or after.lemma in PARTICIPLE_AUXILIARIES)
        if is_participle:
            analyses = (_with_features(best, VerbForm="Part"), *analyses)
    if _is_third_person_past(best):
        is_last = after is None or after.pos in CLAUSE_END_TAGS
        if not is_last:
            analyses = _move_to_front(analyses, lambda analysis: analysis.features.get("Mood") == "Cnd")
    if before is not None and any(_is_auxiliary(analysis, before) for analysis in analyses):
        analyses = _move_to_front(analyses, lambda analysis: _is_auxiliary(analysis, before))
        analyses = (msgspec.structs.replace(analyses[0], pos="AUX"), *analyses)
    return _without_duplicates(analyses)


def _is_auxiliary(analysis: Analysis, before: Analysis) -> bool:
    """Return whether a verb is an auxiliary of the verb before it."""
    if analysis.pos != "VERB" or before.pos not in {"VERB", "AUX"}:
        return False
    form, lemma = _verb_form(before), analysis.lemma
    return (
        (form == "Conv" and "Mood" not in before.features and lemma in CONVERB_AUXILIARIES)
        or (
            form in {"Part", "Vnoun"}
            and not {"Case", "Mood"} & before.features.keys()
            and lemma in PARTICIPLE_AUXILIARIES
        )
        or (form == "Inf" and lemma in INFINITIVE_AUXILIARIES)
    )


def _is_third_person_past(analysis: Analysis) -> bool:
    features = analysis.features
    return features.get("Tense") == "Past" and features.get("Person") == "3" and "Aspect" not in features


def _choose_parts_of_speech(analyses: Analyses, before: Analysis | None, after: Analysis | None) -> Analyses:
    """Choose between determiner and pronoun, postposition and adverb, adjective and adverb."""
    if not analyses:
        return analyses
    best = analyses[0]
    if best.pos in {"DET", "PRON"}:
        is_before_noun = after is not None and after.pos in NOMINAL_TAGS and "Case" not in best.features
        pos = "DET" if is_before_noun else "PRON"
        analyses = _move_to_front(analyses, lambda analysis: analysis.pos == pos and analysis.lemma == best.lemma)
    if best.pos in {"ADP", "ADV"}:
        is_behind = before is not None and (before.features.get("Case") == "Gen" or before.lemma in ANALYSIS.times)
        pos = "ADP" if is_behind else "ADV"
        analyses = _move_to_front(analyses, lambda analysis: analysis.pos == pos and analysis.lemma == best.lemma)
    if before is not None and before.pos == "NUM":
        analyses = _move_to_front(
            analyses, lambda analysis: analysis.pos == "NOUN" and analysis.lemma in ANALYSIS.times
        )
    return _without_duplicates(analyses)


def _choose_quantities(analyses: Analyses, _before: Analysis | None, after: Analysis | None) -> Analyses:
    """Tag a quantity word as adverb before a verb, an adjective, an adverb or a numeral, else as adjective."""
    if analyses and analyses[0].lemma in ANALYSIS.quantities and not analyses[0].features:
        is_adverb = after is not None and after.pos in MODIFIABLE_TAGS and after.lemma != COPULA_LEMMA
        analyses = (msgspec.structs.replace(analyses[0], pos="ADV" if is_adverb else "ADJ"), *analyses)
    return _without_duplicates(analyses)


def _move_to_front(analyses: Analyses, predicate: Callable[[Analysis], bool]) -> Analyses:
    """Move the first analysis for which `predicate` is true to the front."""
    chosen = next((analysis for analysis in analyses if predicate(analysis)), None)
    return analyses if chosen is None else (chosen, *(analysis for analysis in analyses if analysis is not chosen))


def _without_duplicates(analyses: Analyses) -> Analyses:
    """Drop repetitions of an analysis, which arise when a chosen one is put first."""
    seen: dict[tuple[object, ...], Analysis] = {}
    for analysis in analyses:
        seen.setdefault((analysis.lemma, analysis.word_id, analysis.pos, tuple(analysis.features.items())), analysis)
    return tuple(seen.values())


def _with_features(analysis: Analysis, **features: str) -> Analysis:
    return msgspec.structs.replace(analysis, features=dict(sorted({**analysis.features, **features}.items())))


def _verb_form(analysis: Analysis) -> str:
    return analysis.features.get("VerbForm", "")
