"""Whether a word that nobody counted is made of words that newspapers have: an inflected form, or two words joined.

Twenty readings of a word are asked for in a millisecond, and none is shown for what is found here: so a word is only
cut in two and compared with lists, where look-ups apply the rules of `inflection` and `compounds` (a hundred times
dearer).
"""

from functools import cache
from typing import Final

from assamese.inflection import endings_of_nouns
from assamese.word_frequency import COUNTED, UNKNOWN, band

LEAST_STEM: Final = 2
"""Characters below which what stands before an ending is taken for no word."""

LEAST_PART: Final = 3
"""Characters below which a part of a joined word is taken for no word: two letters are nearly always attested."""

_SIGNS: Final = frozenset("ািীুূৃেৈোৌ্ঁংঃ\u09bc")
"""What no word begins with."""


def band_of_parts(word: str) -> int:
    """Return the band of frequency of the word that an Assamese word is made of; `UNKNOWN` where it is made of none.

    That is its stem, where it is a form, or the rarer of the two words that are joined in it. Words are as the
    transliteration model writes them.
    """
    of_form = of_joined = UNKNOWN
    for end in range(len(word) - 1, LEAST_STEM - 1, -1):
        common = band(word[:end], COUNTED)
        if common == UNKNOWN:
            continue
        rest = word[end:]
        if rest in _endings():
            of_form = max(of_form, common)
        elif min(len(rest), end) >= LEAST_PART and rest[0] not in _SIGNS:
            of_joined = max(of_joined, min(common, band(rest, COUNTED)))
    return of_form or of_joined


@cache
def _endings() -> frozenset[str]:
    """List what stands behind nouns: a classifier or plural with a case, and a case with a particle, each or not."""
    particles, cases, classifiers, _kin = endings_of_nouns()
    before_case = {classifier + case for classifier in ("", *classifiers) for case in ("", *cases)}
    with_particle = {case + particle for case in ("", *cases) for particle in particles}
    return frozenset(before_case | with_particle) - {""}
