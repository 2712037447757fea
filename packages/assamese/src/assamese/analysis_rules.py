"""The analysis table (`tables/analysis.toml`), and the types for readings of a form."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

import msgspec

from assamese.paradigms import Label
from assamese.tables import read_table

Features = Mapping[str, str]


class JoinedEnding(msgspec.Struct, frozen=True):
    """An ending that is joined to verb forms with certain labels, and the features that it adds."""

    after: frozenset[str]
    features: dict[str, str]


class FunctionWord(msgspec.Struct, frozen=True):
    """The parts of speech and features of a function word, and its lemma if that is another word."""

    pos: tuple[str, ...]
    features: dict[str, str] = msgspec.field(default_factory=dict)
    lemma: str = ""


class FeatureDescription(msgspec.Struct, frozen=True):
    """A description of some features in English and Assamese; only the first match of a group is used."""

    group: str
    features: dict[str, str]
    label: Label


class AnalysisRules(msgspec.Struct, frozen=True):
    """The features that endings add, and the function words."""

    clitics: tuple[str, ...]
    emphatic_after: tuple[str, ...]
    after_commands: frozenset[str]
    approximate: str
    numerals: dict[str, str]
    kin: frozenset[str]
    quantities: frozenset[str]
    times: frozenset[str]
    labels: dict[str, dict[str, str]]
    descriptions: tuple[FeatureDescription, ...]
    cases: dict[str, str]
    joined: dict[str, JoinedEnding]
    degrees: dict[str, dict[str, str]]
    singular: dict[str, str]
    words: dict[str, FunctionWord]


class _AnalysisTables(msgspec.Struct, frozen=True):
    assamese: AnalysisRules = msgspec.field(name="as")


ANALYSIS: Final = read_table("analysis", _AnalysisTables).assamese


class SegmentKind(Enum):
    """The position of a segment in its form."""

    PREFIX = "prefix"
    STEM = "stem"
    SUFFIX = "suffix"


class Segment(msgspec.Struct, frozen=True):
    """A part of a form and the features that it contributes."""

    text: str
    kind: SegmentKind
    features: Features = msgspec.field(default_factory=dict)


class EndingCost(Enum):
    """The cost of the endings of a reading, which is higher for uncertain endings."""

    SURE = 0
    """The form is in the inflection table of the stem."""

    BY_RULE = 1
    """The endings exist, but are not in the inflection table of the stem."""


class FormReading(NamedTuple):
    """A reading of a form: its lemma (exact key) and segments. For a verb, `stem` is the part before the ending."""

    lemma: str
    segments: tuple[Segment, ...]
    stem: str = ""
    cost: EndingCost = EndingCost.SURE
    clitic_count: int = 0
    pos: str = ""
    """The part of speech that the endings require, or "" for that of the lemma."""

    @property
    def features(self) -> dict[str, str]:
        """The combined features of all segments."""
        return {name: value for segment in self.segments for name, value in segment.features.items()}

    @property
    def is_listed(self) -> bool:
        """True if the form is an irregular form of the lemma, without known features."""
        return any(not segment.text and not segment.features for segment in self.segments)

    @property
    def is_bare(self) -> bool:
        """True if the form is the lemma itself, apart from clitics."""
        return len(self.segments) == 1 + self.clitic_count
