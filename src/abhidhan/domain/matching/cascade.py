"""The one cascade of matches: in which classes words are found, by which ways, and which address asks for which."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.words import Suggestion, Word


class Match(StrEnum):
    """How a look-up found the entries of a query word, best first.

    A form in a table stands before another spelling. A form by rule is a guess, as a sound-alike is.
    """

    EXACT = "exact"
    INFLECTED = "inflected"
    LOOSE = "loose"
    PHONETIC = "phonetic"

    # No such headword, but two or three joined: the entries are those of the parts, in order.
    COMPOUND = "compound"
    NONE = "none"


class SearchMatch(StrEnum):
    """How a search found a word, best first. A class that a look-up has too has the same name there.

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

    # Not found in steps: by a pattern with wildcards, or listed by fields alone.
    WILDCARD = "wildcard"
    FIELD = "field"


class Way(StrEnum):
    """A way to find words."""

    SAME_SPELLING = "same spelling"
    OTHER_SPELLING = "other spelling"
    TABLE_FORM = "table form"
    MISSPELLED = "misspelled"
    FORM_BY_RULE = "form by rule"
    LISTED_FORM = "listed form"
    SAME_SOUND = "same sound"
    FORM_BY_SOUND = "form by sound"
    DERIVED = "derived"
    BEGINNING = "beginning"
    SLIPS = "slips"
    PARTS = "parts"
    DEFINITION = "definition"


class Step(NamedTuple):
    """One step of the cascade: a way to find words, the class of what it finds, and the ways that make it needless."""

    way: Way
    match: SearchMatch
    unless: frozenset[Way] = frozenset()


BY_SPELLING: Final = frozenset({Way.SAME_SPELLING, Way.TABLE_FORM, Way.OTHER_SPELLING})
"""The ways that take tenths of a millisecond; the others may take many."""

MADE_OF_OTHERS: Final = frozenset({Way.DERIVED, Way.PARTS})
"""The ways that are tried together, and only where a look-up has found nothing."""

_FOUND_OTHERWISE: Final = BY_SPELLING | {
    Way.MISSPELLED,
    Way.FORM_BY_RULE,
    Way.LISTED_FORM,
    Way.SAME_SOUND,
}

CASCADE: Final = (
    Step(Way.SAME_SPELLING, SearchMatch.EXACT),
    Step(Way.TABLE_FORM, SearchMatch.INFLECTED),
    Step(Way.OTHER_SPELLING, SearchMatch.LOOSE),
    # নদি is a misspelled নদী rather than a form of দি, so this stands before the rules of inflection.
    Step(Way.MISSPELLED, SearchMatch.PHONETIC, frozenset({Way.TABLE_FORM})),
    Step(Way.FORM_BY_RULE, SearchMatch.INFLECTED, frozenset({Way.TABLE_FORM, Way.MISSPELLED})),
    # What everybody types for a pronoun's form: `mor` is মোৰ, and after that মূৰ.
    Step(Way.LISTED_FORM, SearchMatch.PHONETIC),
    Step(Way.SAME_SOUND, SearchMatch.PHONETIC),
    # The last resort of a look-up. Where anything is found otherwise, such a form is only something near.
    Step(Way.FORM_BY_SOUND, SearchMatch.PHONETIC, _FOUND_OTHERWISE),
    # Taken apart is only what nothing is found for, and that is no slip; but a derived word that newspapers have is
    # likelier than a form that only sounds so: a look-up, and a search by it, answers that instead.
    Step(Way.DERIVED, SearchMatch.INFLECTED, _FOUND_OTHERWISE | {Way.FORM_BY_SOUND}),
    Step(Way.BEGINNING, SearchMatch.PREFIX),
    Step(Way.FORM_BY_SOUND, SearchMatch.FUZZY),
    Step(Way.SLIPS, SearchMatch.FUZZY),
    Step(Way.PARTS, SearchMatch.COMPOUND, _FOUND_OTHERWISE | {Way.FORM_BY_SOUND, Way.DERIVED}),
    Step(Way.DEFINITION, SearchMatch.DEFINITION),
)
"""The steps in which words are found, best first: the same for everybody who asks."""

OF_LOOK_UP: Final = frozenset(SearchMatch(match) for match in Match if match is not Match.NONE)
"""The classes of a look-up: for each word of a query, of the first sure step that finds anything, or of a guess."""

OF_SEARCH: Final = frozenset(SearchMatch) - {SearchMatch.WILDCARD, SearchMatch.FIELD}
"""The classes of a search, which goes through the steps until it has as many words as are asked for."""

OF_PLAIN_SEARCH: Final = frozenset({SearchMatch.EXACT, SearchMatch.LOOSE, SearchMatch.PREFIX})
"""The classes of a search that is not fuzzy."""


@cache
def steps_for(matches: frozenset[SearchMatch]) -> tuple[Step, ...]:
    """List the steps of some classes, in the order of the cascade."""
    return tuple(step for step in CASCADE if step.match in matches)


SCORES: Final[Mapping[SearchMatch, tuple[float, float]]] = {
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
"""The scores of each class, from its least close word to its closest; of `inflected`, those of forms by rule."""

TABLE_SCORES: Final = (0.95, 0.97)
"""The scores of forms in a table."""


def score(match: SearchMatch, closeness: float, way: Way | None = None) -> float:
    """Return the score of a word of a class and a closeness from 0 to 1; forms in a table have scores of their own."""
    low, high = TABLE_SCORES if way is Way.TABLE_FORM else SCORES[match]
    return round(low + (high - low) * min(max(closeness, 0.0), 1.0), 4)


# --- what is answered -----------------------------------------------------------------------------------------------


class QueryWord(msgspec.Struct, frozen=True):
    """One item of an answer of `dic.php`: a word asked for, the entries found for it, or near spellings instead."""

    queryword: str
    match: Match
    entries: Sequence[Word]
    suggestions: tuple[Suggestion, ...]


class FoundWord(Word, frozen=True):
    """A word that a search found: WORD, how it was found, and a score from 0 to 1."""

    match: SearchMatch
    score: float
