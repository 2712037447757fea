"""What match strategies take and return."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.domain.matching.cascade import Match
from abhidhan.domain.matching.likelihood import FoundKey
from abhidhan.domain.matching.ranking import with_own_key
from abhidhan.domain.orthography import ByOrthography
from abhidhan.storage import words
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.key_columns import KeyColumn

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


def without_empty(hits: Mapping[str, list[FoundKey]]) -> Hits:
    """Leave out the texts for which no word was found."""
    return {text: of_text for text, of_text in hits.items() if of_text}


def find_by_language_keys(
    reader: Reader, column: KeyColumn, batch: LookupBatch, keys: Mapping[str, ByOrthography[frozenset[str]]]
) -> Hits:
    """Find words by keys that differ between languages: a hit counts if the key is one of its own language."""
    every_key = sorted(frozenset().union(*(of_way for of_text in keys.values() for of_way in of_text.values())))
    hits = words.find(reader, column, every_key, batch.language_id, limit=batch.limit * len(batch.texts))
    return without_empty({text: with_own_key(hits, of_text)[: batch.limit] for text, of_text in keys.items()})
