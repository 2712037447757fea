"""Misspellings for queries, each with one error: confusions of Assamese letters, and slips in any script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assamese.letters import is_well_formed, split_written_units

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

NEVER_INITIAL: Final = ("ণ", "ড়", "ঢ়")
"""Letters that no word, and so no misspelling, begins with."""


DOUBLED_KIND: Final = "letter doubled"

_VOWEL_SIGNS: Final = frozenset("ািীুূৃেৈোৌ")
_NASAL: Final = "ঁ"
_MIN_LETTERS: Final = 3
"""Minimum number of letters of a word in which one is omitted; shorter words would become ambiguous."""


def iter_confusions(word: str) -> Iterator[tuple[str, str]]:
    """Yield misspellings of an Assamese word by similar-sounding letters, each with the name of the confusion."""
    for kind, pairs in CONFUSIONS.items():
        for pair in pairs:
            yield from ((kind, wrong) for wrong in _exchange_letters(word, pair) if not wrong.startswith(NEVER_INITIAL))
    if _NASAL in word:
        yield "ঁ left out", word.replace(_NASAL, "", 1)


def iter_slips(word: str) -> Iterator[tuple[str, str]]:
    """Yield misspellings of an Assamese word by slips, each with its kind."""
    units = list(split_written_units(word))
    for kind, slip in _SLIPS.items():
        for wrong in slip(units):
            if is_well_formed(wrong.replace("’", "")):
                yield kind, wrong


def _exchange_letters(word: str, pair: str) -> Iterator[str]:
    first, second = pair[0], pair[1:]
    for old, new in ((first, second), (second, first)):
        for index in range(len(word)):
            is_there = word.startswith(old, index)
            if is_there and not (len(old) == 1 and word[index + 1 : index + 2] == "\u09bc"):
                yield word[:index] + new + word[index + len(old) :]


def _omit_letter(units: list[str]) -> Iterator[str]:
    if sum(unit[-1] not in _VOWEL_SIGNS for unit in units) >= _MIN_LETTERS:
        for index in range(1, len(units)):
            yield "".join(units[:index] + units[index + 1 :])


def _double_letter(units: list[str]) -> Iterator[str]:
    for index, unit in enumerate(units[1:], 1):
        if unit[0] not in _VOWEL_SIGNS and unit[0] not in {"্", _NASAL, "ং", "ঃ", "ৎ", "’"}:
            yield "".join([*units[:index], unit, *units[index:]])


def _transpose_letters(units: list[str]) -> Iterator[str]:
    for index in range(1, len(units) - 1):
        if units[index] != units[index + 1]:
            yield "".join([*units[:index], units[index + 1], units[index], *units[index + 2 :]])


_SLIPS: Final[Mapping[str, Callable[[list[str]], Iterator[str]]]] = {
    "letter left out": _omit_letter,
    DOUBLED_KIND: _double_letter,
    "letters exchanged": _transpose_letters,
}

_CONFUSED_LETTERS: Final = ("ei", "ea", "ae", "sc", "ck", "fp", "iy", "ou", "sz")
_MIN_ENGLISH_LETTERS: Final = 4


def misspell_english(word: str) -> Iterator[tuple[str, str]]:
    """Yield misspellings of an English word, each with its kind; the first letter is unchanged."""
    if len(word) < _MIN_ENGLISH_LETTERS or not word.isalpha():
        return
    letters = list(word)
    for kind, slip in _SLIPS.items():
        yield from ((kind, wrong) for wrong in slip(letters))
    yield from (("letter for another", wrong) for wrong in _replace_letters(word, _CONFUSED_LETTERS))


_HASTY_REPLACEMENTS: Final = ("ou", "ie", "wv", "jz", "yi", "sx", "vb")
_OFTEN_DROPPED: Final = frozenset("aoehy")


def misspell_hastily(roman: str) -> Iterator[tuple[str, str]]:
    """Yield hasty spellings of a Roman word: a vowel or h dropped, doubled or replaced."""
    for index in range(1, len(roman) - 1):
        if roman[index] in _OFTEN_DROPPED and len(roman) > _MIN_ENGLISH_LETTERS:
            yield "careless", roman[:index] + roman[index + 1 :]
        if roman[index] in "aeou" and roman[index + 1] not in "aeiouwy":
            yield "careless", roman[: index + 1] + roman[index:]
    yield from (("careless", wrong) for wrong in _replace_letters(roman, _HASTY_REPLACEMENTS))


def _replace_letters(word: str, pairs: tuple[str, ...]) -> Iterator[str]:
    for first, second in map(tuple, pairs):
        for old, new in ((first, second), (second, first)):
            for index in range(1, len(word)):
                if word[index] == old:
                    yield word[:index] + new + word[index + 1 :]
