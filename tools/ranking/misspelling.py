"""Misspellings for queries, each with one error: confusions of Assamese letters, and slips in any script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assamese.letters import is_well_formed, written_units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

CONFUSIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "ই and ঈ": ("িী", "ইঈ"),
    "উ and ঊ": ("ুূ", "উঊ"),
    "শ, ষ and স": ("শষ", "শস", "ষস"),
    "চ and ছ": ("চছ",),
    "ন and ণ": ("নণ",),
    "জ and য": ("জয",),
    "ত and ট": ("তট", "থঠ", "দড", "ধঢ"),
    "ৰ and ড়": ("ৰড়",),
    "ৱ and ব": ("ৱব",),
    "ও and উ": ("োু", "ওউ"),
}
"""Letters with the same or nearly the same pronunciation, by the name of the confusion."""

NEVER_FIRST: Final = ("ণ", "ড়", "ঢ়")
"""Letters that no word starts with, so they are not used in the first position."""


DOUBLED: Final = "letter doubled"

_VOWEL_SIGNS: Final = frozenset("ািীুূৃেৈোৌ")
_NASAL: Final = "ঁ"
_SHORTEST: Final = 3
"""Minimum number of letters of a word from which one is left out; less would be ambiguous."""


def confusions(word: str) -> Iterator[tuple[str, str]]:
    """Yield misspellings of an Assamese word by similar-sounding letters, each with the name of the confusion."""
    for kind, pairs in CONFUSIONS.items():
        for pair in pairs:
            yield from ((kind, wrong) for wrong in _exchanged(word, pair) if not wrong.startswith(NEVER_FIRST))
    if _NASAL in word:
        yield "ঁ left out", word.replace(_NASAL, "", 1)


def slips(word: str) -> Iterator[tuple[str, str]]:
    """Yield misspellings of an Assamese word by slips, each with its kind."""
    units = list(written_units(word))
    for kind, slip in _SLIPS.items():
        for wrong in slip(units):
            if is_well_formed(wrong.replace("’", "")):
                yield kind, wrong


def _exchanged(word: str, pair: str) -> Iterator[str]:
    one, other = pair[0], pair[1:]
    for wanted, given in ((one, other), (other, one)):
        for place in range(len(word)):
            is_there = word.startswith(wanted, place)
            if is_there and not (len(wanted) == 1 and word[place + 1 : place + 2] == "\u09bc"):
                yield word[:place] + given + word[place + len(wanted) :]


def _left_out(units: list[str]) -> Iterator[str]:
    if sum(unit[-1] not in _VOWEL_SIGNS for unit in units) >= _SHORTEST:
        for place in range(1, len(units)):
            yield "".join(units[:place] + units[place + 1 :])


def _doubled(units: list[str]) -> Iterator[str]:
    for place, unit in enumerate(units[1:], 1):
        if unit[0] not in _VOWEL_SIGNS and unit[0] not in {"্", _NASAL, "ং", "ঃ", "ৎ", "’"}:
            yield "".join([*units[:place], unit, *units[place:]])


def _turned_round(units: list[str]) -> Iterator[str]:
    for place in range(1, len(units) - 1):
        if units[place] != units[place + 1]:
            yield "".join([*units[:place], units[place + 1], units[place], *units[place + 2 :]])


_SLIPS: Final[Mapping[str, Callable[[list[str]], Iterator[str]]]] = {
    "letter left out": _left_out,
    DOUBLED: _doubled,
    "letters exchanged": _turned_round,
}

_TAKEN_FOR: Final = ("ei", "ea", "ae", "sc", "ck", "fp", "iy", "ou", "sz")
_LEAST_ENGLISH: Final = 4


def english(word: str) -> Iterator[tuple[str, str]]:
    """Yield misspellings of an English word, each with its kind; the first letter is unchanged."""
    if len(word) < _LEAST_ENGLISH or not word.isalpha():
        return
    letters = list(word)
    for kind, slip in _SLIPS.items():
        yield from ((kind, wrong) for wrong in slip(letters))
    yield from (("letter for another", wrong) for wrong in _replaced(word, _TAKEN_FOR))


_CARELESS: Final = ("ou", "ie", "wv", "jz", "yi", "sx", "vb")
_DROPPED: Final = frozenset("aoehy")


def careless(roman: str) -> Iterator[tuple[str, str]]:
    """Yield hasty spellings of a Roman word: a vowel or h dropped, doubled or replaced."""
    for place in range(1, len(roman) - 1):
        if roman[place] in _DROPPED and len(roman) > _LEAST_ENGLISH:
            yield "careless", roman[:place] + roman[place + 1 :]
        if roman[place] in "aeou" and roman[place + 1] not in "aeiouwy":
            yield "careless", roman[: place + 1] + roman[place:]
    yield from (("careless", wrong) for wrong in _replaced(roman, _CARELESS))


def _replaced(word: str, pairs: tuple[str, ...]) -> Iterator[str]:
    for one, other in map(tuple, pairs):
        for wanted, given in ((one, other), (other, one)):
            for place in range(1, len(word)):
                if word[place] == wanted:
                    yield word[:place] + given + word[place + 1 :]
