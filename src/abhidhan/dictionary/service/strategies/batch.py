"""The arguments and results of match strategies."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.records.languages import ALL_LANGUAGES

MAX_ENTRIES: Final = 50
"""Maximum number of entries of one query word."""

Hits = dict[str, list[KeyMatch]]
"""Words found for each text; texts without any are left out."""


class LookupBatch(NamedTuple):
    """Texts to look up, the language ID (0: all), and the maximum number of words per text."""

    texts: Sequence[str]
    language_id: int = ALL_LANGUAGES
    limit: int = MAX_ENTRIES


class RankedWord(NamedTuple):
    """Word found by a search, with its closeness from 0 to 1 within its match class."""

    word_id: int
    closeness: float


class MatchSet(NamedTuple):
    """Matches of one text: the match class, the words of the entries, and near words to suggest."""

    match: Match
    hits: list[KeyMatch]
    near: tuple[KeyMatch, ...] = ()
    may_be_form: bool = False
    """True if an exactly spelled text may also be a form of another word."""
