"""Slips: the keys that somebody may have meant who typed one letter too much, too few, another, or two exchanged."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

LONGEST: Final = 40
"""Keys of more bytes are not tried with a slip: no word is so long that people type with one."""


def one_slip_away(keys: Iterable[str], letters: str) -> frozenset[str]:
    """List the keys that are one slip from one of some keys, and none of these."""
    tried = [key for key in keys if len(key.encode()) <= LONGEST]
    return frozenset(chain(*(_with_a_slip(key, letters) for key in tried))).difference(tried, ("",))


def _with_a_slip(key: str, letters: str) -> Iterator[str]:
    for place in range(len(key) + 1):
        start, end = key[:place], key[place:]
        yield start + end[1:]
        yield start + end[1:2] + end[:1] + end[2:]
        for letter in letters:
            yield start + letter + end
            yield start + letter + end[1:]
