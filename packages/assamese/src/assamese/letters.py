"""Splitting, counting and validation of the letters and *aksharas* of Indic words and keys.

পানী has two *aksharas*, পা and নী, though it is stored as four code points, and স্ত্ৰী is one: a consonant, or several
that hasanta joins, with the vowel sign and marks written on it. Unicode calls it an extended grapheme cluster (UAX #29,
"Unicode Text Segmentation", whose rule GB9c joins consonants at a virama). In Latin script it is a letter in the usual
sense. Hyphens, spaces and apostrophes are not letters.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, takewhile
from operator import eq
from typing import Final

from assamese.keys import loose_key
from assamese.normalization import SPELLING

_MARKS: Final = re.compile("[\u0901\u093c\u094d\u0981\u09bc\u09cd’]")
"""Candrabindu, nukta and hasanta of both Indic scripts, and the apostrophe: marks that do not count as letters."""

_VOWEL_SIGNS: Final = "ািীুূৃেৈোৌ"
_VOWELS: Final = "অআইঈউঊঋএঐওঔ"
_CONSONANTS: Final = "ক-হৰৱ"

_UNIT: Final = re.compile(f"্?[{_CONSONANTS}]\u09bc?|.", re.DOTALL)

_INVALID_SEQUENCE: Final = re.compile(
    f"^[{_VOWEL_SIGNS}ঁংঃ্]"  # a sign without a base letter
    f"|[{_VOWEL_SIGNS}{_VOWELS}ৎঁংঃ][{_VOWEL_SIGNS}]"  # a vowel sign after anything but a consonant
    f"|[{_VOWEL_SIGNS}{_VOWELS}ঁংঃৎ]্|্[^{_CONSONANTS}]|্$"  # a hasanta that does not join two consonants
    "|[ঁংঃ][ঁংঃ]"
)


def split_written_units(word: str) -> tuple[str, ...]:
    """Split a word into consonants (with the hasanta before them, if any), vowels and signs."""
    return tuple(_UNIT.findall(word))


def is_well_formed(word: str) -> bool:
    """Return whether an Assamese word has its signs only where the script allows them."""
    return bool(word) and _INVALID_SEQUENCE.search(word) is None


def count_letters(word: str) -> int:
    """Count the letters of a word in an Indic script: consonants, vowels, vowel signs (চাহ has three), ং and ঃ."""
    return len(_MARKS.sub("", word))


# --- typed letters ---------------------------------------------------------------------------------------------------

WORD_CACHE_SIZE: Final = 4096

MAX_COMPARED_LETTERS: Final = 40
"""Maximum number of letters compared; the rest counts as omitted."""

MAX_PIECE_LETTERS: Final = 2
"""Maximum number of letters of a piece: a letter or cluster, with its inherent vowel."""

VOWEL_OF_SIGN: Final = dict(zip("ািীুূৃেৈোৌ", "আইঈউঊঋএঐওঔ", strict=True))
"""The vowel signs, each with its independent vowel letter."""

JOINING_MARKS: Final = frozenset("়্")
"""Nukta and hasanta, which modify a letter or join two letters."""

_PIECES: Final = re.compile("ক্ষ|জ্ঞ|[ৰর]্য(?!়)|্[যব](?!়)|[ক-হৰৱ]়?|.", re.DOTALL)
_CONSONANT: Final = re.compile("[ক-হৰৱ]")


def split_pieces(word: str) -> list[str]:
    """Split a word into letters and clusters; a subjoined ৱ becomes ব (স্ৱাধীন, স্বাধীন)."""
    return _PIECES.findall(word.replace("্ৱ", "্ব"))


@lru_cache(maxsize=WORD_CACHE_SIZE)
def split_units(word: str) -> tuple[str, ...]:
    """Split a word into typed units: letters and clusters, vowel signs as vowel letters, inherent vowels as ə."""
    units: list[str] = []
    pieces = split_pieces(word)[:MAX_COMPARED_LETTERS]
    for index, piece in enumerate(pieces):
        if piece in JOINING_MARKS:
            continue
        units.append(VOWEL_OF_SIGN.get(piece, piece))
        after = pieces[index + 1] if index + 1 < len(pieces) else ""
        if _CONSONANT.search(piece) and not (after in VOWEL_OF_SIGN or after[:1] == "্"):
            clustered = piece[0] == "্" or (index > 0 and pieces[index - 1] == "্") or len(piece.rstrip("়")) > 1
            units.append("ə" if after else "ə্" if clustered else "ə$")
    return tuple(units)


JOINING_VIRAMAS: Final = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\U00011133")
"""Viramas that join two letters (Indic_Conjunct_Break=Linker); other viramas only end a syllable."""

NON_LETTERS: Final = frozenset(SPELLING.separators + SPELLING.optional_marks)
"""Characters of an exact key that are not letters."""

LETTER_CACHE_SIZE: Final = 8192
"""Number of letters whose loose keys are cached: all that the languages of a dictionary use."""

Span = tuple[int, int]
"""The start and end indexes of a letter in a key."""


def split_aksharas(text: str) -> list[str]:
    """Split a text into *aksharas*, by rules that suffice for the words of a dictionary."""
    if text.isascii():
        return list(text)
    letters: list[str] = []
    for character in text:
        if letters and (is_mark(character) or (letters[-1][-1] in JOINING_VIRAMAS and character.isalpha())):
            letters[-1] += character
        else:
            letters.append(character)
    return letters


def is_mark(character: str) -> bool:
    """Return whether a character is a combining mark."""
    return unicodedata.category(character)[0] == "M"


def map_exact_spans(letters: Sequence[str]) -> dict[int, Span]:
    """Return the span of the letter at each index of an exact key, except characters that the loose key drops."""
    spans = zip(_iter_spans(letters), letters, strict=True)
    return _index_spans(span for span, letter in spans if letter[0] not in NON_LETTERS)


def map_loose_spans(letters: Sequence[str], loose: str, language: str) -> dict[int, Span]:
    """Return the span of the letter at each index of a loose key, given the letters of the exact key.

    The loose key ৰংা of ৰঙা has two letters. Letters that the loose key merges (ওয় of ওয়াচ becomes ৱ) are one.
    """
    if loose.isascii():
        return _index_spans(_iter_spans(loose))
    folded = [_loose_letter(each, language) for each in letters]
    if "".join(folded) == loose:
        return _index_spans(_iter_spans(folded))
    beginnings = (loose_key("".join(letters[:count]), language) for count in range(1, len(letters)))
    ends = {sum(takewhile(bool, map(eq, each, loose))) for each in beginnings}
    return _index_spans(pairwise(sorted({0, *ends, len(loose)})))


@lru_cache(maxsize=LETTER_CACHE_SIZE)
def _loose_letter(letter: str, language: str) -> str:
    return loose_key(letter, language)


def _iter_spans(letters: Iterable[str]) -> Iterable[Span]:
    return pairwise(accumulate(map(len, letters), initial=0))


def _index_spans(spans: Iterable[Span]) -> dict[int, Span]:
    return {index: span for span in spans for index in range(*span)}
