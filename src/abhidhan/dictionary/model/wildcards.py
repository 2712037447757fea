"""Patterns with wildcards: `*` for any characters, also none, and `?` for one letter (`assamese/aksharas.py`).

What is written on `?` or joined to it counts: `?া` is any letter with আ-কাৰ, and `ক্?` any conjunct that begins with ক.
`*` has no such limits: `ক*` finds কাল too, as every list of words that begin with ক does.

A pattern is compared with the exact key of a word, and with its loose key, where the pattern is folded like a word:
`সূৰ্য্য*` finds সূৰ্যমুখী.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from abhidhan.records.orthography import OWN_FOLDING
from assamese.aksharas import JOINERS, Span, aksharas, is_mark, places_in_exact, places_in_loose
from assamese.keys import loose_key
from assamese.normalization import exact_key

ANY: Final = "*"
ONE: Final = "?"
SIGNS: Final = frozenset({ANY, ONE})

NO_LETTER: Final[Span] = (-1, -1)


class KeyPattern(NamedTuple):
    """A pattern that is folded like the keys that it is compared with."""

    text: str

    @property
    def prefix(self) -> str:
        """What stands before the first wildcard."""
        return re.split(r"[*?]", self.text, maxsplit=1)[0]

    @property
    def shortest(self) -> int:
        """The least number of characters of a key that fits."""
        return len(self.text.replace(ANY, ""))

    @property
    def like(self) -> str:
        """A pattern of SQL's `LIKE`, escaped by `/`, that every key fits which fits this one, and few others."""
        return re.sub(r"[%_/]", r"/\g<0>", self.text).replace(ANY, "%").replace(ONE, "_%")

    def fits(self, key: str, letters: Mapping[int, Span]) -> bool:
        """Compare it with a key, sign by sign, at all places that the signs before lead to: nothing is tried twice.

        `letters` tells for each place which letter it is in; they matter where there is a `?`.
        """
        reached: Collection[int] = {0}
        for number, sign in enumerate(self.text):
            if sign == ANY:
                reached = range(min(reached), len(key) + 1)
            elif sign == ONE:
                reached = self._one_letter_on(reached, letters, number)
            else:
                reached = {place + 1 for place in reached if key.startswith(sign, place)}
            if not reached:
                return False
        return len(key) in reached

    def _one_letter_on(self, reached: Collection[int], letters: Mapping[int, Span], number: int) -> set[int]:
        """Go on by one letter. After a virama it has begun already, and it may end before a mark."""
        begins_within = self.text[number - 1 : number] in JOINERS
        ends_within = is_mark(self.text[number + 1 : number + 2] or " ")
        found: set[int] = set()
        for place in reached:
            first, last = letters.get(place, NO_LETTER)
            if place == first or (begins_within and first >= 0):
                found.update(range(place + 1, last + 1) if ends_within else (last,))
        return found


class Pattern(NamedTuple):
    """A pattern as it is typed: for exact keys, and for the loose keys of each way to fold letters."""

    exact: KeyPattern
    loose: Mapping[str, KeyPattern]

    @property
    def says_nothing(self) -> bool:
        """Whether every word is like it."""
        return any(not each.text.strip(ANY) for each in (self.exact, *self.loose.values()))

    def matches(self, exact: str, loose: str, language: str) -> bool:
        """Return whether a word of a language (BCP 47) is like it, by either of its keys."""
        folding = language if language in OWN_FOLDING else ""
        letters = aksharas(exact) if ONE in self.exact.text else []
        if self.exact.fits(exact, places_in_exact(letters)):
            return True
        folded = self.loose[folding]
        if (folded, loose) == (self.exact, exact):
            return False
        return folded.fits(loose, places_in_loose(letters, loose, folding) if letters else {})


def read_pattern(text: str) -> Pattern:
    """Read a pattern, folded as the keys are with which it will be compared."""
    folded = {folding: KeyPattern(_with_single_any(loose_key(text, folding))) for folding in ("", *sorted(OWN_FOLDING))}
    return Pattern(KeyPattern(_with_single_any(exact_key(text))), folded)


def _with_single_any(folded: str) -> str:
    return re.sub(r"\*+", ANY, folded)
