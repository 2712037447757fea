"""The letters of a key as a reader counts them: *aksharas*.

পানী has two letters, পা and নী, though it is stored as four code points, and স্ত্ৰী is one: a consonant, or several that
hasanta joins, with the vowel sign and marks written on it. Unicode calls it an extended grapheme cluster (UAX #29,
"Unicode Text Segmentation", whose rule GB9c joins consonants at a virama). In Latin script it is a letter as everybody
counts them. Hyphens, spaces and apostrophes are not letters.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, takewhile
from operator import eq
from typing import Final

from assamese.keys import loose_key
from assamese.normalization import SPELLING

JOINERS: Final = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\U00011133")
"""Viramas that join the letters on both their sides (Indic_Conjunct_Break=Linker); others only close a syllable."""

NO_LETTERS: Final = frozenset(SPELLING.separators + SPELLING.optional_marks)
"""What stands in an exact key and is no letter."""

LETTERS_KEPT: Final = 8192
"""How many letters are kept at hand with their loose spelling: all that the languages of a dictionary use."""

Span = tuple[int, int]
"""Where in a key a letter begins and ends."""


def aksharas(text: str) -> list[str]:
    """Split a text into letters, as far as words of a dictionary need it."""
    if text.isascii():
        return list(text)
    found: list[str] = []
    for character in text:
        if found and (is_mark(character) or (found[-1][-1] in JOINERS and character.isalpha())):
            found[-1] += character
        else:
            found.append(character)
    return found


def is_mark(character: str) -> bool:
    """Return whether a character is written on the one before it."""
    return unicodedata.category(character)[0] == "M"


def places_in_exact(letters: Sequence[str]) -> dict[int, Span]:
    """Return for each place of an exact key the letter that it is in; what the loose key leaves out is none."""
    spans = zip(_spans(letters), letters, strict=True)
    return _by_place(span for span, letter in spans if letter[0] not in NO_LETTERS)


def places_in_loose(letters: Sequence[str], loose: str, folding: str) -> dict[int, Span]:
    """Return the same for a loose key, whose letters are those of the exact key: ৰঙা has two, though it becomes ৰংা.

    Where letters fold together (the ওয় of ওয়াচ becomes ৱ) they are one.
    """
    if loose.isascii():
        return _by_place(_spans(loose))
    folded = [_loose_letter(each, folding) for each in letters]
    if "".join(folded) == loose:
        return _by_place(_spans(folded))
    beginnings = (loose_key("".join(letters[:count]), folding) for count in range(1, len(letters)))
    ends = {sum(takewhile(bool, map(eq, each, loose))) for each in beginnings}
    return _by_place(pairwise(sorted({0, *ends, len(loose)})))


@lru_cache(maxsize=LETTERS_KEPT)
def _loose_letter(letter: str, folding: str) -> str:
    return loose_key(letter, folding)


def _spans(letters: Iterable[str]) -> Iterable[Span]:
    return pairwise(accumulate(map(len, letters), initial=0))


def _by_place(spans: Iterable[Span]) -> dict[int, Span]:
    return {place: span for span in spans for place in range(*span)}
