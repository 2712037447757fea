"""Readings of a form: every way to split it into a stem and endings, without a dictionary.

The endings are those of the inflection tables (`paradigms`), and are removed as in `lemmas`; `tables/analysis.toml`
maps them to Universal Dependencies features.
"""

from collections.abc import Iterator
from itertools import chain

from assamese.analysis_rules import ANALYSIS, FormReading, Segment, SegmentKind
from assamese.nominal_readings import (
    PartialReading,
    iter_adverb_readings,
    iter_irregular_readings,
    iter_nominal_readings,
    iter_numeral_readings,
    iter_pronoun_readings,
)
from assamese.verb_readings import iter_verb_readings


def iter_readings(form: str) -> Iterator[FormReading]:
    """Yield the readings of a form (exact key) as a nominal, an adverb and a verb."""
    for bare, clitics in _strip_clitics(form):
        for part in chain(iter_pronoun_readings(bare), iter_irregular_readings(bare), iter_nominal_readings(bare)):
            yield _build_reading(part, clitics)
        for reading in iter_numeral_readings(bare):
            yield reading._replace(segments=(*reading.segments, *clitics), clitic_count=len(clitics))
        yield from iter_adverb_readings(bare, clitics)
        yield from iter_verb_readings(bare, clitics)


def _build_reading(part: PartialReading, clitics: tuple[Segment, ...]) -> FormReading:
    stem = Segment(part.text, SegmentKind.STEM)
    return FormReading(part.lemma, (stem, *part.suffixes, *clitics), cost=part.cost, clitic_count=len(clitics))


def _strip_clitics(form: str) -> list[tuple[str, tuple[Segment, ...]]]:
    """Return the form and each way to remove one or two clitics from it, with the removed segments."""
    segments_by_text: dict[str, tuple[Segment, ...]] = {form: ()}
    for _ in range(2):
        for text, segments in list(segments_by_text.items()):
            for clitic in _iter_clitics(text):
                segments_by_text.setdefault(text.removesuffix(clitic), (Segment(clitic, SegmentKind.SUFFIX), *segments))
    return list(segments_by_text.items())


def _iter_clitics(text: str) -> Iterator[str]:
    for clitic in ANALYSIS.clitics:
        if text.endswith(clitic) and len(text) > len(clitic) + 1:
            yield clitic
    if text.endswith(tuple(f"{ending}ে" for ending in ANALYSIS.emphatic_after)):
        yield "ে"
