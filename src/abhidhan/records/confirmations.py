"""Confirmations: who has found right what an idea says, and in which order those come that nobody has checked."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from assamese.word_frequency import COUNTED, UNKNOWN, band_of_word


class Confirmation(msgspec.Struct, frozen=True):
    """That an idea was found right, by whom and when (seconds since 1970). `person` is empty where no name is left."""

    idea_id: int
    person: str
    confirmed: int


class IdeaWithWord(NamedTuple):
    """An idea with one of its Assamese words: its exact key, and its own frequency; None twice where it has no word."""

    idea_id: int
    exact_key: str | None
    frequency: float | None


def commonest_first(found: Iterable[IdeaWithWord]) -> tuple[int, ...]:
    """Return the IDs of ideas by the most common of their words, the commonest first, and then by ID."""
    bands: dict[int, int] = {}
    for each in found:
        bands[each.idea_id] = max(bands.get(each.idea_id, UNKNOWN), _band_of(each))
    return tuple(sorted(bands, key=lambda idea_id: (-bands[idea_id], idea_id)))


def _band_of(each: IdeaWithWord) -> int:
    return UNKNOWN if each.exact_key is None else band_of_word(each.exact_key, each.frequency, COUNTED)
