"""Voices: in which order the words come that nobody has recorded."""

from collections.abc import Iterable
from typing import NamedTuple

from abhidhan.domain.text.frequency import band_of_word


class WordToSay(NamedTuple):
    """A word that nobody has recorded: its exact key, and its own frequency where it has one."""

    word_id: int
    exact_key: str
    frequency: float | None


def commonest_words(words: Iterable[WordToSay], language: str) -> tuple[int, ...]:
    """Return the IDs of words of a language (BCP 47), the commonest first; equally common ones stay in their order."""
    bands = {each.word_id: -band_of_word(each.exact_key, each.frequency, language) for each in words}
    return tuple(sorted(bands, key=bands.__getitem__))
