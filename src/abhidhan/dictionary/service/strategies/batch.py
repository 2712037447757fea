"""The arguments and results of match strategies."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.model.guess_scoring import FoundKey
from abhidhan.records.languages import ALL_LANGUAGES

MAX_ENTRIES: Final = 50
"""The maximum number of entries of one query word."""

Hits = dict[str, list[FoundKey]]
"""The words found for each of several texts; texts without any are left out."""


class LookupBatch(NamedTuple):
    """Texts to find words for, the ID of their language (or of all), and the maximum number of words of each."""

    texts: Sequence[str]
    language_id: int = ALL_LANGUAGES
    limit: int = MAX_ENTRIES


class RankedWord(NamedTuple):
    """A word that only a search finds, by its ID, and from 0 to 1 how close it is within its class."""

    word_id: int
    closeness: float


class MatchSet(NamedTuple):
    """The answer for one text: the class, the words of the entries, and near words that may be offered."""

    match: Match
    hits: list[FoundKey]
    near: tuple[FoundKey, ...] = ()
    may_be_form: bool = False
    """Whether an exact spelling may also be a form of another word."""
