"""Match classes and their scores, and the names of the match strategies (`dictionary/service/strategies`)."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.records.words import Suggestion, Word
from assamese.sentence_analysis import Token


class Match(StrEnum):
    """Match class of a query word in a look-up, best first.

    A form in a table ranks above another spelling. A form by rule is a guess, like a word of the same sound.
    """

    EXACT = "exact"
    INFLECTED = "inflected"
    LOOSE = "loose"
    PHONETIC = "phonetic"

    # The word consists of two or three headwords; the entries are these parts, in order.
    COMPOUND = "compound"
    NONE = "none"


class SearchMatch(StrEnum):
    """Match class of a word in a search, best first. Classes shared with look-ups have the same names.

    Forms in a table rank above `loose`, forms by rule below it.
    """

    EXACT = "exact"
    LOOSE = "loose"
    INFLECTED = "inflected"
    PHONETIC = "phonetic"
    PREFIX = "prefix"
    FUZZY = "fuzzy"
    COMPOUND = "compound"
    DEFINITION = "definition"

    # Outside the cascade: matched by a wildcard pattern, or listed by fields alone.
    WILDCARD = "wildcard"
    FIELD = "field"


class StrategyName(StrEnum):
    """Name of a match strategy."""

    SAME_SPELLING = "same spelling"
    OTHER_SPELLING = "other spelling"
    TABLE_FORM = "table form"
    PHRASE_VARIANT = "phrase variant"
    PHRASE_FORM = "phrase form"
    MISSPELLED = "misspelled"
    FORM_BY_RULE = "form by rule"
    LISTED_FORM = "listed form"
    SAME_SOUND = "same sound"
    FORM_BY_SOUND = "form by sound"
    DERIVED = "derived"
    PREFIX = "beginning"
    SLIPS = "slips"
    COMPOUND = "compound"
    DEFINITION = "definition"


SCORE_RANGES: Final[Mapping[SearchMatch, tuple[float, float]]] = {
    SearchMatch.EXACT: (0.98, 1.0),
    SearchMatch.LOOSE: (0.87, 0.94),
    SearchMatch.INFLECTED: (0.81, 0.86),
    SearchMatch.PHONETIC: (0.75, 0.8),
    SearchMatch.PREFIX: (0.55, 0.74),
    SearchMatch.FUZZY: (0.35, 0.54),
    SearchMatch.COMPOUND: (0.3, 0.34),
    SearchMatch.DEFINITION: (0.15, 0.29),
    SearchMatch.WILDCARD: (0.55, 0.94),
    SearchMatch.FIELD: (1.0, 1.0),
}
"""Range of scores of each class, from the least to the most similar word; for `inflected`, that of forms by rule."""

TABLE_FORM_SCORE_RANGE: Final = (0.95, 0.97)
"""Range of scores of forms in a table."""


def compute_score(match: SearchMatch, closeness: float, strategy: StrategyName | None = None) -> float:
    """Return the score of a match from its class and its closeness (0 to 1); forms in a table have their own range."""
    low, high = TABLE_FORM_SCORE_RANGE if strategy is StrategyName.TABLE_FORM else SCORE_RANGES[match]
    return round(low + (high - low) * min(max(closeness, 0.0), 1.0), 4)


# --- responses ------------------------------------------------------------------------------------------------------


class QueryWord(msgspec.Struct, frozen=True):
    """Item of a response of `dic.php`: a query word with its entries, or with near spellings.

    `analysis` describes an inflected form with regard to each entry, in their order.
    """

    queryword: str
    match: Match
    entries: Sequence[Word]
    suggestions: tuple[Suggestion, ...]
    analysis: Token | None = None


class FoundWord(Word, frozen=True):
    """Word found by a search, with its match class and a score from 0 to 1."""

    match: SearchMatch
    score: float
