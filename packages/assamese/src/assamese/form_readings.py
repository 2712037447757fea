"""Readings of a form: every way to split it into a stem and endings, without a dictionary.

The endings are those of the inflection tables (`paradigms`), and are removed as in `lemmas`; `tables/analysis.toml`
maps them to Universal Dependencies features.
"""

from collections.abc import Iterator
from itertools import chain

from assamese.analysis_rules import ANALYSIS, FormReading, Segment, SegmentKind
from assamese.nominal_readings import PartialReading, adverbs, irregular_forms, nominals, numerals, pronouns
from assamese.verb_readings import verbs


def readings(form: str) -> Iterator[FormReading]:
    """Yield the readings of a form (exact key) as a nominal, an adverb and a verb."""
    for bare, clitics in _without_clitics(form):
        for part in chain(pronouns(bare), irregular_forms(bare), nominals(bare)):
            yield _reading(part, clitics)
        for reading in numerals(bare):
            yield reading._replace(segments=(*reading.segments, *clitics), clitics=len(clitics))
        yield from adverbs(bare, clitics)
        yield from verbs(bare, clitics)


def _reading(part: PartialReading, clitics: tuple[Segment, ...]) -> FormReading:
    stem = Segment(part.text, SegmentKind.STEM)
    return FormReading(part.lemma, (stem, *part.suffixes, *clitics), cost=part.cost, clitics=len(clitics))


def _without_clitics(form: str) -> list[tuple[str, tuple[Segment, ...]]]:
    """Return the form and each way to remove one or two clitics from it, with the removed segments."""
    segments_by_text: dict[str, tuple[Segment, ...]] = {form: ()}
    for _ in range(2):
        for text, segments in list(segments_by_text.items()):
            for clitic in _clitics_of(text):
                segments_by_text.setdefault(text.removesuffix(clitic), (Segment(clitic, SegmentKind.SUFFIX), *segments))
    return list(segments_by_text.items())


def _clitics_of(text: str) -> Iterator[str]:
    for clitic in ANALYSIS.clitics:
        if text.endswith(clitic) and len(text) > len(clitic) + 1:
            yield clitic
    if text.endswith(tuple(f"{ending}ে" for ending in ANALYSIS.emphatic_after)):
        yield "ে"
