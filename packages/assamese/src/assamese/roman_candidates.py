"""Assamese spellings of words in Roman letters, by a letter table; all are well-formed."""

import re
from functools import cache
from typing import Final, TypeAlias

import msgspec

from assamese.keys import loose_key
from assamese.tables import build_longest_match_pattern, read_table

BEAM_WIDTH: Final = 16
NARROW_BEAM_WIDTH: Final = 2
MAX_WIDE_BEAM_GROUPS: Final = 24  # maximum number of groups of a word that is read with the wide beam
HASANTA: Final = "্"
CONJUNCT_SHARE: Final = 0.6

LetterShares = tuple[tuple[str, float], ...]

LetterOption = tuple[float, float, str]
"""An Assamese letter for a Roman group: its share, the share of its joined or separate spelling, and the text."""


class LetterGroup(msgspec.Struct, frozen=True):
    """The Assamese letters that a Roman group may stand for, by its position in the word, with their shares."""

    any: LetterShares
    start: LetterShares = ()
    end: LetterShares = ()
    before_vowel: LetterShares = ()
    after_cluster: LetterShares = ()


class LetterTable(msgspec.Struct, frozen=True):
    """The table of Roman groups and their Assamese letters."""

    vowels: dict[str, LetterGroup]
    after_vowel: dict[str, LetterShares]
    after_round_vowel: dict[str, LetterShares]
    consonants: dict[str, LetterGroup]


ScoredPrefix: TypeAlias = tuple[float, str]
"""A reading of the groups so far: its share relative to the likeliest, and the Assamese text.

A plain tuple for speed, since a hundred are created for a word.
"""


_TABLE: Final = read_table("letters", LetterTable)
_GROUPS: Final = re.compile(build_longest_match_pattern([*_TABLE.vowels, *_TABLE.consonants]))
_SIGNS: Final[dict[str, str]] = dict(zip("অআইঈউঊঋএঐওঔ", ("", *"ািীুূৃেৈোৌ"), strict=True))
_AFTER_ROUND_VOWEL: Final = {**_TABLE.after_vowel, **_TABLE.after_round_vowel}
_ROUND: Final = frozenset("উঊওঔুূোৌ")
_NEVER_JOINED: Final = frozenset({"ড়", "ঢ়", "ঙ", "ং", "ঞ", "হ"})
_NEVER_JOINS: Final = frozenset("়ৱংৎঙহ")
_JOINED_AS: Final = {"য়": "্য", "ৱ": "্ব"}
_JOIN_SHARES: Final = {"ৰ": 0.85, "য়": 0.97, "ৱ": 0.9}


def propose_spellings(roman_word: str, limit: int = 6) -> tuple[str, ...]:
    """Propose Assamese spellings of a word typed in Roman letters, at most `limit`, likeliest first.

    Every proposal is well-formed: vowel signs follow consonants only, conjuncts are joined by hasanta. Accents, marks
    and letter case are ignored; a word without a Latin letter has no proposals.
    """
    word = loose_key(roman_word, "as")
    groups = _GROUPS.findall(word)
    readings = [(1.0, "")] if groups else []
    beam = BEAM_WIDTH if len(groups) <= MAX_WIDE_BEAM_GROUPS else NARROW_BEAM_WIDTH
    for index in range(len(groups)):
        readings = _extend_readings(readings, groups, index)[:beam]
    best = dict.fromkeys(text for _, text in readings)
    return tuple(best)[: max(limit, 0)]


def _extend_readings(readings: list[ScoredPrefix], groups: list[str], index: int) -> list[ScoredPrefix]:
    """Extend the readings by every option for one more group, and return the likeliest."""
    after_consonant = index > 0 and groups[index - 1] in _TABLE.consonants
    options = _letter_options(_letters_at(groups, index), after_consonant=after_consonant)
    extended: dict[str, float] = {}
    for share, text in readings:
        for weight, joined, written in options[text[-1:]]:
            text_on = text + written
            if text_on in extended:
                extended[text_on] += share * weight * joined
            else:
                extended[text_on] = share * weight * joined
    best = sorted(zip(extended.values(), extended.keys(), strict=True), reverse=True)[:BEAM_WIDTH]
    total = best[0][0]
    return best if total == 1.0 else [(share / total, text) for share, text in best]


class _LetterOptions(dict[str, tuple[LetterOption, ...]]):
    """The options for a group of letters by the preceding character, computed on first use."""

    def __init__(self, letters: LetterShares, *, after_consonant: bool) -> None:
        super().__init__()
        self._letters, self._after_consonant = letters, after_consonant

    def __missing__(self, last: str) -> tuple[LetterOption, ...]:
        after_consonant = self._after_consonant
        self[last] = options = tuple(
            (weight, joined, written)
            for letter, weight in _add_glides(last, self._letters, after_consonant=after_consonant)
            for joined, written in _attach_letter(last, letter, after_consonant=after_consonant)
        )
        return options


@cache  # bounded by the letters of the table
def _letter_options(letters: LetterShares, *, after_consonant: bool) -> _LetterOptions:
    return _LetterOptions(letters, after_consonant=after_consonant)


def _letters_at(groups: list[str], index: int) -> LetterShares:
    name = groups[index]
    group = _TABLE.vowels.get(name) or _TABLE.consonants[name]
    if index == len(groups) - 1 and index > 0:
        after_cluster = index > 1 and {groups[index - 1], groups[index - 2]} <= _TABLE.consonants.keys()
        return (after_cluster and group.after_cluster) or group.end or group.any
    if index == 0:
        return group.start or group.any
    if groups[index + 1] in _TABLE.vowels:
        return group.before_vowel or group.any
    return group.any


def _add_glides(last: str, letters: LetterShares, *, after_consonant: bool) -> LetterShares:
    """Add the glide between two vowels: "ia" is িয়া, "ua" is ুৱা."""
    if after_consonant or not last:
        return letters
    glides = _AFTER_ROUND_VOWEL if last in _ROUND else _TABLE.after_vowel
    return tuple(
        (written, share * part) for letter, share in letters for written, part in glides.get(letter, ((letter, 1.0),))
    )


def _attach_letter(last: str, letter: str, *, after_consonant: bool) -> tuple[tuple[float, str], ...]:
    """Return the spellings of a letter after a character, joined to a preceding consonant or separate, with shares."""
    if not after_consonant:
        return ((1.0, letter),)
    if letter[0] in _SIGNS:
        return ((1.0, _SIGNS[letter[0]] + letter[1:]),)
    if letter in _NEVER_JOINED or last in _NEVER_JOINS:
        return ((1.0, letter),)
    share = _JOIN_SHARES.get(letter, CONJUNCT_SHARE)
    return ((share, _JOINED_AS.get(letter, HASANTA + letter)), (1.0 - share, letter))
