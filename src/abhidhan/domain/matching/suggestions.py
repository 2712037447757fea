"""Suggestions: near spellings to offer, and words that begin as somebody types."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from math import inf
from typing import NamedTuple

from abhidhan.domain.languages import ASSAMESE
from abhidhan.domain.matching.ranking import Candidate, Near
from abhidhan.domain.words import Suggestion


class Completion(NamedTuple):
    """A word one of whose keys begins as somebody types, and how many letters of it are left to type.

    They are fractions where a word that is found in a better way stands before it.
    """

    word_id: int
    language_id: int
    text: str
    letters: float


def suggestions(nears: Iterable[Near], limit: int) -> tuple[Suggestion, ...]:
    """Show the first of the near words as answers do, each spelling once."""
    once: dict[str, Candidate] = {}
    for near in nears:
        once.setdefault(near.candidate.text, near.candidate)
    return tuple(Suggestion(word.text, word.language_id, word.word_id) for word in list(once.values())[:limit])


def one_slip_away(key: str, letters: str) -> frozenset[str]:
    """List the keys that are one letter more, less or other than `key`, or have two neighbours exchanged."""
    cuts = [(key[:place], key[place:]) for place in range(len(key) + 1)]
    fewer = {start + end[1:] for start, end in cuts if end}
    exchanged = {start + end[1] + end[0] + end[2:] for start, end in cuts if len(end) > 1}
    more = {start + letter + end for start, end in cuts for letter in letters}
    other = {start + letter + end[1:] for start, end in cuts if end for letter in letters}
    return frozenset(fewer | exchanged | more | other) - {"", key}


def by_letters_to_type(completions: Iterable[Completion]) -> list[Completion]:
    """Order words that begin with what was typed: first those with the fewest letters still to type, then Assamese."""

    def place(each: Completion) -> tuple[float, bool, int, int, str]:
        return each.letters, each.language_id != ASSAMESE, len(each.text), each.language_id, each.text

    return sorted(completions, key=place)


def in_batches(letters: Mapping[int, float], least: int) -> Iterator[list[int]]:
    """Cut words into batches of at least `least`, the fewest letters to type first; equally many are never parted."""
    batch: list[int] = []
    for _, equal in groupby(sorted(letters, key=letters.__getitem__), key=letters.__getitem__):
        batch += equal
        if len(batch) >= least:
            yield batch
            batch = []
    if batch:
        yield batch


def length_of_first(keys: Iterable[str], limit: int) -> float:
    """Return how long the `limit` shortest of some keys are at most; infinity where there are fewer."""
    lengths = sorted(map(len, keys))
    return lengths[limit - 1] if 0 < limit <= len(lengths) else inf
