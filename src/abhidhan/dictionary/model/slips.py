"""Typing slips: the keys that differ from a typed one by one letter added, left out, replaced or exchanged."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

LONGEST: Final = 40
"""The maximum length of a key in bytes; longer ones are not tried with a slip."""


def one_slip_away(keys: Iterable[str], letters: str) -> frozenset[str]:
    """List the keys that are one slip away from `keys`, without these."""
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
