"""Patterns with wildcards: `*` for any letters, also none, and `?` for one letter as a reader counts letters.

**What a letter is.** To a reader of Assamese পানী has two letters, পা and নী, though it is stored as four code points,
and স্ত্ৰী is one: a consonant, or several that hasanta joins, with the vowel sign and marks written on it. Such an
*akshara* has one square in a crossword. Unicode calls it an extended grapheme cluster: UAX #29, "Unicode Text
Segmentation", whose rule GB9c (since Unicode 15.1) does not part consonants that a virama joins. So `?` stands for one
whole cluster, and `??` finds পানী and none of its four code points. In Latin letters a cluster is what everybody
calls a letter.

What is written on `?` or joined to it counts, as it would on a letter: `?া` is any letter with আ-কাৰ, and `ক্?` any
conjunct that begins with ক. `*` has no such limits: `ক*` finds কাল too, as every list of words that begin with ক does.

**What is the same.** A pattern is compared with two keys of a word, as a look-up is: the exact one, and the loose one,
where the pattern is folded like a word, so that `সূৰ্য্য*` finds সূৰ্যমুখী. Hyphens, spaces and apostrophes are no letters.

**What it costs.** A pattern is a row of steps, and the places of a key that it has reached are the bits of one number:
each step moves them all at once. So a match takes as many steps as the pattern has letters, whatever the pattern.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.orthography import OWN_FOLDING
from abhidhan.domain.text.keys import loose_key
from abhidhan.domain.text.normal import SPELLING, exact_key

ANY: Final = "*"
ONE: Final = "?"
SIGNS: Final = frozenset({ANY, ONE})

JOINERS: Final = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\U00011133")
"""Viramas that join the letters on both their sides (Indic_Conjunct_Break=Linker); others only close a syllable."""

MOST_MARKS: Final = 12
"""Maximum number of code points of a letter, where the length of a word must be guessed: স্ত্ৰ্যীঁ has nine."""

CLUSTERS_KEPT: Final = 8192
"""How many letters are kept at hand with their loose spelling: all that the languages of a dictionary use."""

NO_LETTERS: Final = frozenset(SPELLING.separators + SPELLING.optional_marks)
"""What stands in an exact key and is no letter."""


class Signs(StrEnum):
    """Where `*` and `?` in a query are wildcards: nowhere, everywhere, or as somebody means who types on a page."""

    NOWHERE = "nowhere"
    EVERYWHERE = "everywhere"
    AS_TYPED = "as typed"


def has_wildcards(text: str) -> bool:
    """Return whether a text has a sign that may be a wildcard."""
    return not SIGNS.isdisjoint(text)


def has_wildcards_on_page(text: str) -> bool:
    """Return whether somebody who types into the box of a page means wildcards: `*`, or `?` before a letter.

    Any other `?` is punctuation there: who asks "পানী?" asks for পানী.
    """
    return ANY in text or any(sign == ONE and unicodedata.category(after)[0] in "LMN" for sign, after in pairwise(text))


def without_final_marks(text: str) -> str:
    """Leave out the question marks that end a text: on pages they are punctuation."""
    return text.rstrip(ONE + " ")


# --- letters ----------------------------------------------------------------------------------------------------------


def clusters(text: str) -> list[str]:
    """Split a text into what a reader calls letters (UAX #29, as far as words of a dictionary need it)."""
    if text.isascii():
        return list(text)
    found: list[str] = []
    for character in text:
        if found and (_is_mark(character) or (found[-1][-1] in JOINERS and character.isalpha())):
            found[-1] += character
        else:
            found.append(character)
    return found


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


@lru_cache(maxsize=CLUSTERS_KEPT)
def _loose_cluster(cluster: str, folding: str) -> str:
    return loose_key(cluster, folding)


class Letters(NamedTuple):
    """A key of a word, and where in it each letter begins and ends, in their order."""

    key: str
    spans: tuple[tuple[int, int], ...]


def letters_of_exact(key: str) -> Letters:
    """Return the letters of an exact key; what the loose key leaves out is none."""
    parts = clusters(key)
    spans = _spans(map(len, parts))
    return Letters(key, tuple(span for span, part in zip(spans, parts, strict=True) if part[0] not in NO_LETTERS))


def letters_of_loose(exact: str, loose: str, folding: str) -> Letters:
    """Return where in a loose key the letters of a spelling are; what stands for no letter of its own has no place.

    They are those of the exact key: the loose key has ংা for the ঙা of ৰঙা, and taken by itself would tell of one
    letter less. Where letters fold together (the ওয় of ওয়াচ becomes ৱ) they are one, as in the other spelling.
    """
    if loose.isascii():
        return Letters(loose, _spans([1] * len(loose)))
    parts = clusters(exact)
    folded = [_loose_cluster(each, folding) for each in parts]
    if "".join(folded) == loose:
        return Letters(loose, _spans(len(each) for each in folded if each))
    ends = {_shared(loose_key("".join(parts[:count]), folding), loose) for count in range(1, len(parts))}
    borders = sorted({0, *ends, len(loose)})
    return Letters(loose, tuple(pairwise(borders)))


def _spans(lengths: Iterable[int]) -> tuple[tuple[int, int], ...]:
    ends = tuple(accumulate(lengths))
    return tuple(zip((0, *ends), ends, strict=False))


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginnings."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (mine, yours) in enumerate(pairs) if mine != yours), min(len(one), len(other)))


# --- patterns ---------------------------------------------------------------------------------------------------------


class _Step(NamedTuple):
    """One step of a pattern: a character of its own, or a wildcard; `?` may begin or end within a letter."""

    sign: str
    begins_within: bool = False
    ends_within: bool = False


class KeyPattern(msgspec.Struct, frozen=True):
    """A pattern for keys of one kind."""

    text: str
    steps: tuple[_Step, ...]
    prefix: str
    suffix: str
    pieces: tuple[str, ...]

    @property
    def has_only_any(self) -> bool:
        """Whether `*` is the only wildcard in it: then the pieces in their order tell everything."""
        return ANY in self.text and ONE not in self.text

    @property
    def longest_piece(self) -> str:
        """The longest text that every key has somewhere."""
        return max(self.pieces, key=len, default="")

    @property
    def shortest(self) -> int:
        """The least characters that a key of it has."""
        return sum(step.sign != ANY for step in self.steps)

    @property
    def longest(self) -> int | None:
        """The most characters that a key of it has; None where `*` may stand for any number."""
        if ANY in self.text:
            return None
        return sum(MOST_MARKS if step.sign == ONE else 1 for step in self.steps)

    def may_match(self, key: str) -> bool:
        """Return whether a key has the pieces of the pattern in their order."""
        if not key.startswith(self.prefix) or not key.endswith(self.suffix):
            return False
        place = 0
        for piece in self.pieces:
            place = key.find(piece, place) + len(piece)
            if place < len(piece):
                return False
        return True

    def matches(self, key: str, letters: Callable[[], Letters]) -> bool:
        """Return whether a key fits; its letters are told only where they matter."""
        if not self.may_match(key):
            return False
        return _fits(self.steps, Letters(key, ()) if self.has_only_any else letters())


def _fits(steps: Sequence[_Step], letters: Letters) -> bool:
    key, spans = letters
    whole = (1 << (len(key) + 1)) - 1
    places = {sign: _places(key, sign) for sign in {step.sign for step in steps} - SIGNS}
    reached = 1
    for step in steps:
        if step.sign == ANY:
            reached = whole & ~((reached & -reached) - 1)
        elif step.sign == ONE:
            reached = _one_letter_on(reached, spans, step)
        else:
            reached = (reached & places[step.sign]) << 1
        if not reached:
            return False
    return bool(reached >> len(key))


def _places(key: str, sign: str) -> int:
    """Return the places of a character in a key, as bits."""
    return sum(1 << place for place, character in enumerate(key) if character == sign)


def _one_letter_on(reached: int, spans: Sequence[tuple[int, int]], step: _Step) -> int:
    """Go on by one letter from each place reached; within a letter only where the pattern says so."""
    found = 0
    for first, last in spans:
        inside = (1 << last) - (1 << first)
        begun = reached & (inside if step.begins_within else 1 << first)
        if begun:
            found |= 1 << last
            if step.ends_within:
                found |= inside & ~(2 * (begun & -begun) - 1)
    return found


def _pattern(folded: str) -> KeyPattern:
    """Read a pattern whose letters are folded already; wildcards beside each other that say the same are one."""
    steps = [
        _Step(sign, folded[place - 1 : place] in JOINERS, _is_mark(folded[place + 1 : place + 2] or " "))
        for place, sign in enumerate(folded)
        if sign != ANY or folded[place - 1 : place] != ANY
    ]
    text = "".join(step.sign for step in steps)
    pieces = text.replace(ONE, ANY).split(ANY)
    return KeyPattern(
        text,
        tuple(steps),
        prefix=pieces[0],
        suffix=pieces[-1],
        pieces=tuple(piece for piece in pieces if piece),
    )


class Pattern(msgspec.Struct, frozen=True):
    """A pattern as somebody has typed it: for exact keys, and for the loose keys of each way to fold letters."""

    exact: KeyPattern
    loose: Mapping[str, KeyPattern]

    @property
    def says_nothing(self) -> bool:
        """Whether every word is like it."""
        return not self.exact.text.strip(ANY) or not any(each.text.strip(ANY) for each in self.loose.values())

    def matches(self, exact: str, loose: str, language: str) -> bool:
        """Return whether a word of a language (BCP 47) is like it, by either of its keys."""
        folding = language if language in OWN_FOLDING else ""
        wanted = self.loose.get(folding)
        return self.exact.matches(exact, lambda: letters_of_exact(exact)) or (
            wanted is not None and wanted.matches(loose, lambda: letters_of_loose(exact, loose, folding))
        )


BEFORE: Final = ("ং", "ও", "ৰ্", "ৰ্ম্")
AFTER: Final = ("গ", "য়", "্", "্ক", "्त", "ये")
"""Letters with which others fold together: the loose key of ংগ is ং, so not all keys of words that end with গ do."""

BEFORE_GLIDE: Final = "क"
"""A letter after which ये folds to ए, as it does after all of them."""


def other_endings(pattern: Pattern) -> list[str]:
    """List how loose keys of words end that end just as a pattern does, where they do not end as its loose key does."""
    suffix, endings = pattern.exact.suffix, set()
    for folding, folded in {} if suffix.isascii() else pattern.loose.items():
        of_folding = {loose_key(before + suffix, folding) for before in BEFORE}
        of_folding.add(loose_key(BEFORE_GLIDE + suffix, folding).removeprefix(BEFORE_GLIDE))
        endings |= {ending for ending in of_folding if ending and not ending.endswith(folded.suffix)}
    return sorted(endings)


def may_fold_away(pattern: Pattern) -> bool:
    """Return whether a word that has all pieces of a pattern in its spelling may lack one in its loose key.

    It is tried out with the letters that fold together with others.
    """
    if pattern.exact.text.isascii():
        return False
    return ONE in pattern.exact.text or any(
        loose_key(f"{ANY}{piece}{ANY}", folding).strip(ANY) not in loose_key(before + piece + after, folding)
        for folding in pattern.loose
        for piece in pattern.exact.pieces
        for before in ("", BEFORE_GLIDE, *BEFORE)
        for after in ("", *AFTER)
    )


def read_pattern(text: str, foldings: Iterable[str]) -> Pattern:
    """Read a pattern, folded as the keys are with which it will be compared."""
    return Pattern(
        _pattern(exact_key(text)),
        {folding: _pattern(loose_key(text, folding)) for folding in sorted(set(foldings))},
    )
