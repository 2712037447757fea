"""Letter-by-letter romanization of Assamese, ISO 15919 and ALA-LC, in both directions."""

import re
from itertools import pairwise
from typing import Final, Literal

import msgspec

from assamese.normalization import APOSTROPHES, nfc
from assamese.tables import build_longest_match_pattern, read_table


class RomanSpellings(msgspec.Struct, frozen=True):
    """The Roman spellings of one letter, by scheme."""

    iso15919: str
    alalc: str
    xobdo: str
    ipa: str


class RomanizationTable(msgspec.Struct, frozen=True):
    """The letter table of all schemes."""

    vowels: dict[str, RomanSpellings]
    vowel_signs: dict[str, str]
    consonants: dict[str, RomanSpellings]
    signs: dict[str, RomanSpellings]
    before_apostrophe: dict[str, RomanSpellings]
    after_consonant: dict[str, RomanSpellings]
    glide: RomanSpellings
    punctuation: dict[str, str]
    also_read: dict[str, str]


HASANTA: Final = "্"
APOSTROPHE: Final = "’"
SEPARATOR: Final = ":"
"""The mark between letters that would read as one: অই `a:i`, ক্হ `k:h`. After a vowel, a hasanta: অ্যা `a:yā`."""

TABLE: Final = read_table("romanization", RomanizationTable)

_PARTS: Final = re.compile(r"(?P<consonant>[ক-হৰৱ]়?)(?P<after>[া-ৌৗৢৣ্])?|.", re.DOTALL)
_CANDRABINDU_BEFORE_ROWS: Final = re.compile("m̐(?=[kgṅcjñṭḍṇtdn])")
_SIGNS: Final = {vowel: sign for sign, vowel in TABLE.vowel_signs.items()}
_ROMAN_LETTERS: Final = {
    roman
    for letter in (TABLE.vowels | TABLE.consonants | TABLE.signs).values()
    for roman in (letter.iso15919, letter.alalc)
}
_FIRST_UNIT: Final = re.compile(f"t:h|{build_longest_match_pattern(filter(None, _ROMAN_LETTERS))}")
"""The letters of both standards: স্হ is `s:h` in ISO 15919 too, where `sh` is no letter. `t:h` is ত্হ; ৎহ is `t::h`."""
_MARKS: Final = "\u0300-\u036f"
_AMBIGUOUS_LETTERS: Final = frozenset("রঽৗ়")
"""Letters with the same Roman spelling as another letter; the spelling is read as the other letter."""


class LetterScheme:
    """A reversible scheme: each letter has one Roman spelling."""

    def __init__(self, standard: Literal["iso15919", "alalc"]) -> None:
        """Load the letters of a standard from the table."""
        letters = {**TABLE.vowels, **TABLE.consonants, **TABLE.signs}
        self._roman: dict[str, str] = {letter: getattr(roman, standard) for letter, roman in letters.items()}
        self._letters = {
            **TABLE.also_read,
            **{roman: letter for letter, roman in self._roman.items() if letter not in _AMBIGUOUS_LETTERS},
            **dict.fromkeys(APOSTROPHES, APOSTROPHE),
        }
        self._candrabindu_before_rows = "n̐" if standard == "alalc" else "m̐"
        units = f"t:(?!h)|{build_longest_match_pattern(self._letters.keys() - {'t:', SEPARATOR})}"
        self._unit = re.compile(f"{units}|{SEPARATOR}")
        self._word = re.compile(rf"(?<![\w{_MARKS}])(?:{units})(?::?(?:{units}))*(?![\w{_MARKS}])", re.IGNORECASE)

    def write(self, word: str) -> str:
        """Romanize an Assamese word."""
        romans = [self._roman.get(letter, letter) for letter in split_letters(word)]
        written = ""
        for roman, following in pairwise([*romans, ""]):
            written += roman
            if _needs_separator(roman, following):
                written += SEPARATOR
        return _CANDRABINDU_BEFORE_ROWS.sub(self._candrabindu_before_rows, written)

    def read(self, text: str) -> str:
        """Convert words that are spelled by this scheme to Assamese letters; all other text is unchanged."""
        return self._word.sub(lambda word: self._read_word(word[0].lower()), nfc(text))

    def _read_word(self, word: str) -> str:
        written = before = ""
        is_apart = False
        for unit in self._unit.findall(word):
            if unit == SEPARATOR:
                is_apart = True
                continue
            letter = self._letters[unit]
            is_joined = is_apart and before in TABLE.vowels and letter in TABLE.consonants
            written += HASANTA + letter if is_joined else _attach_letter(before, letter)
            before, is_apart = letter, False
        return written + (HASANTA if before in TABLE.consonants else "")


def _needs_separator(roman: str, following: str) -> bool:
    unit = _FIRST_UNIT.match(roman + following)
    return unit is not None and unit.end() > len(roman)


def _attach_letter(before: str, letter: str) -> str:
    """Return the written form of a letter: after a consonant, its vowel sign, or the consonant joined by hasanta."""
    if before in TABLE.consonants:
        return _SIGNS.get(letter, "") if letter in TABLE.vowels else HASANTA + letter
    return letter


def split_letters(word: str) -> list[str]:
    """Split a word into consonants, vowels (as independent letters, including inherent ones) and other signs."""
    letters: list[str] = []
    for match in _PARTS.finditer(word):
        if match["consonant"] is None:
            letters.append(TABLE.vowel_signs.get(match[0], match[0]))
            continue
        letters.append(match["consonant"])
        if match["after"] != HASANTA:
            letters.append(TABLE.vowel_signs.get(match["after"], "অ"))
    return letters


ISO15919: Final = LetterScheme("iso15919")
ALALC: Final = LetterScheme("alalc")
