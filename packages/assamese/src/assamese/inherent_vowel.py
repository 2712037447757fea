"""Detection of silent inherent vowels within Assamese words, at the end of their parts.

Unlike Hindi, Assamese pronounces the inherent vowel between single consonants (আগনি aɡɔni). It is silent at the end
of a compound's first part (ফুলবাৰী pʰulbaɹi), of a word before an ending that begins with a consonant (মানুহবোৰ
manuɦbʊɹ), and of a reduplicated syllable (খটখটী kʰɔtkʰɔti).
"""

import re
from collections.abc import Callable
from typing import Final

import msgspec

from assamese.tables import read_table
from assamese.word_frequency import COUNTED_LANGUAGE, UNKNOWN_BAND, look_up_band


class SilentVowelTable(msgspec.Struct, frozen=True):
    """The table of endings and word parts that decide where an inherent vowel is silent."""

    endings: tuple[str, ...]
    after_endings: tuple[str, ...]
    second_parts: tuple[str, ...]
    never_first: frozenset[str]
    never_second: tuple[str, ...]


SILENT_MARK: Final = "্\u200c"
"""A hasanta with a non-joiner: it removes the vowel, but no rule for clusters applies across it."""

MIN_SECOND_CONSONANTS: Final = 2
"""Minimum number of consonants of a second part that is a word: নি and লি are words, but not in আগনি and কামলি."""

MAX_SECOND_LENGTH: Final = 60
"""Maximum length of a second part in letters and signs, more than any word has. It bounds the time for a long input,
in which the whole rest would be checked at every position."""

_TABLE: Final = read_table("silence", SilentVowelTable)
_CONSONANT: Final = "[ক-হৰৱ]়?"
_CANDIDATE_VOWEL: Final = re.compile(f"(?<=[া-ৌঅ-ঔঁ’ক-হৰৱ়]){_CONSONANT}(?={_CONSONANT})")
_REDUPLICATED_SYLLABLE: Final = re.compile(rf"^({_CONSONANT}[া-ৌ]?ঁ?{_CONSONANT})(?=\1(?:[া-ৌ]|নি))")
_LIGHT_FIRST_PART: Final = re.compile(f"(?:(?:{_CONSONANT}্)*{_CONSONANT}|অ){_CONSONANT}")
_ENDINGS: Final = "|".join(_TABLE.endings)
_CASES: Final = "|".join(_TABLE.after_endings)
_ENDING: Final = re.compile(f"(?:{_ENDINGS})(?:{_CASES})?")
_LISTED_SECOND: Final = re.compile(f"(?:{'|'.join(_TABLE.second_parts)})ী?(?:{_ENDINGS})?(?:{_CASES})?")
_SILENCED_CONSONANT: Final = re.compile(_CONSONANT + SILENT_MARK)
_WITHOUT_SIGNS: Final = re.compile(f"(?:{_CONSONANT})+")
_NEVER_SECOND: Final = re.compile("|".join(_TABLE.never_second))


def mark_silent_vowels(word: str, drops_final_vowel: Callable[[str], bool]) -> str:
    """Insert `SILENT_MARK` at each silent inherent vowel within a word; the final vowel is not considered.

    `drops_final_vowel` returns whether a word on its own is pronounced without its final vowel.
    """
    word = _REDUPLICATED_SYLLABLE.sub(rf"\1{SILENT_MARK}", word)
    matches = _CANDIDATE_VOWEL.finditer(word, max(0, len(word) - MAX_SECOND_LENGTH))
    for match in reversed([*matches]):
        first, rest = word[: match.end()], word[match.end() :]
        if _are_parts(first, rest) and drops_final_vowel(first):
            word = first + SILENT_MARK + rest
    return word


def _are_parts(first: str, rest: str) -> bool:
    """Return whether the two parts are a word and its ending, or two words."""
    if first in _TABLE.never_first or _SILENCED_CONSONANT.match(rest):
        return False
    if _ENDING.fullmatch(rest):
        return True
    rest = rest.replace(SILENT_MARK, "")
    if len(re.findall(_CONSONANT, rest)) < MIN_SECOND_CONSONANTS or _NEVER_SECOND.fullmatch(rest):
        return False
    light, bare = _LIGHT_FIRST_PART.fullmatch(first), _WITHOUT_SIGNS.fullmatch(rest)
    listed_second = _LISTED_SECOND.fullmatch(rest)
    if (light and bare) or ((light or bare) and not listed_second):
        return False
    return look_up_band(first, COUNTED_LANGUAGE) != UNKNOWN_BAND and (
        listed_second is not None or look_up_band(rest, COUNTED_LANGUAGE) != UNKNOWN_BAND
    )
