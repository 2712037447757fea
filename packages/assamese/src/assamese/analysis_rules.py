"""The table of the analysis (`tables/analysis.toml`), and what readings of a form are made of."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

import msgspec

from assamese.paradigms import Label
from assamese.tables import read_table

Features = Mapping[str, str]


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
    """The cost of the endings of a reading; unlikely endings cost more."""

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
