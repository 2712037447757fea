"""Interpretation of signs and marked letters typed in place of the right ones; removal of marks around words.

Stored spellings and keys are not affected: a text is looked up unchanged first, and only then as corrected here.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

import msgspec

from assamese.normalization import Script, detect_script
from assamese.tables import build_longest_match_pattern, read_table

MIN_LETTERS: Final = 2
"""The minimum number of letters before a homograph number (not `B1`), and of each hyphenated part (not `x-ray`)."""


class SignTable(msgspec.Struct, frozen=True):
    """The table of signs that are typed in place of the right ones, and of marks that are not part of a word."""

    stress: str
    numbers: str
    vowels: dict[str, str]


_SIGNS: Final = read_table("signs", SignTable)
_STRESS: Final = dict.fromkeys(map(ord, _SIGNS.stress))
_VOWELS: Final = re.compile(build_longest_match_pattern(_SIGNS.vowels))
_VISARGAS: Final = (
    ("ঃ", "\u0981-\u09e3\u09f0\u09f1", "\u0985-\u09b9\u09ce\u09dc-\u09e1\u09f0\u09f1"),
    ("ः", "\u0900-\u0963\u0971-\u097f", "\u0904-\u0939\u0958-\u0961\u0972-\u097f"),
)
"""The visarga of each script, with the characters that precede it and the letters that may follow."""

_COLONS: Final = tuple((visarga, re.compile(f"(?<=[{after}]):")) for visarga, after, _ in _VISARGAS)
_COLONS_BETWEEN: Final = tuple(
    (visarga, re.compile(f"(?<=[{after}]):(?=[{letters}])")) for visarga, after, letters in _VISARGAS
)
_NUMBER: Final = re.compile(rf"(?<=[^\W\d_]{{{MIN_LETTERS}}}|\w[\u0900-\u09ff])[1-9\u0967-\u096f\u09e7-\u09ef]$")
_ABBREVIATION: Final = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]\.?")
_HYPHEN: Final = re.compile("[-\u2010\u2011]")


def correct_signs(text: str) -> str:
    """Replace a colon after an Indic letter by visarga, and a vowel typed as two signs by its letter.

    Also drops stress marks, and superscript numbers at the end.
    """
    if text.isascii():
        return text
    bare = text.translate(_STRESS).rstrip(_SIGNS.numbers) or text
    return replace_colons(_VOWELS.sub(lambda vowel: _SIGNS.vowels[vowel[0]], bare))


def replace_colons(text: str, *, between: bool = False) -> str:
    """Replace a colon after an Indic letter by visarga; with `between`, only a colon between two letters."""
    if ":" not in text:
        return text
    for visarga, colon in _COLONS_BETWEEN if between else _COLONS:
        text = colon.sub(visarga, text)
    return text


def remove_homograph_number(text: str) -> str:
    """Remove a single-digit homograph number: `river1`, but not `covid19`."""
    return _NUMBER.sub("", text)


def is_abbreviation(text: str) -> bool:
    """Return whether a text is a dotted abbreviation such as `U.S.`."""
    return _ABBREVIATION.fullmatch(text) is not None


def split_at_hyphens(text: str) -> tuple[str, ...]:
    """Split hyphenated Latin words; return an empty tuple if a part is too short to be a word."""
    parts = tuple(_HYPHEN.split(text))
    are_words = all(len(part) >= MIN_LETTERS and detect_script(part) is Script.LATIN for part in parts)
    return parts if len(parts) > 1 and are_words else ()


CACHE_SIZE: Final = 64  # cached texts: one text is compared with many words


class MarkedLetterTable(msgspec.Struct, frozen=True):
    """The table of letters with marks: those of all schemes, and those with another reading in IPA texts.

    `unwritten` is a regular expression for the sounds of an IPA text that are not typed.
    """

    letters: dict[str, str]
    only_ipa: str
    unwritten: str
    ipa: dict[str, str]


_TABLE: Final = read_table("marked", MarkedLetterTable)


def _compile_letters(letters: dict[str, str]) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return an expression that matches letters with marks, and the letters typed for each of them."""
    typed = {unicodedata.normalize("NFD", letter): plain for letter, plain in letters.items()}
    return re.compile("|".join(map(re.escape, sorted(typed, key=len, reverse=True)))), typed


_LETTERS: Final = _compile_letters(_TABLE.letters)
_IPA: Final = _compile_letters({**_TABLE.letters, **_TABLE.ipa})
_OTHER_MARKS: Final = re.compile("[\u0300-\u036f]+")
_ONLY_IPA: Final = frozenset(_TABLE.only_ipa)
_UNWRITTEN: Final = re.compile(_TABLE.unwritten)


@lru_cache(maxsize=CACHE_SIZE)
def replace_marked_letters(text: str) -> str:
    """Replace the marked letters of ISO 15919, ALA-LC, IPA and Xobdo's scheme by those that people type.

    Other letters only lose their marks.
    """
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFD", text.lower())
    letters, typed = _LETTERS
    if _ONLY_IPA & {*plain}:
        letters, typed = _IPA
        plain = _UNWRITTEN.sub("", plain)
    return unicodedata.normalize("NFC", _OTHER_MARKS.sub("", letters.sub(lambda letter: typed[letter[0]], plain)))
