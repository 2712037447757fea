"""Letters of Indic words: how words are split into letters, counted, and checked to be well formed."""

import re
from functools import lru_cache
from typing import Final

_MARKS: Final = re.compile("[\u0901\u093c\u094d\u0981\u09bc\u09cd’]")
"""Candrabindu, nukta and hasanta of both Indic scripts, and the apostrophe: they change a letter, or join two."""

_VOWEL_SIGNS: Final = "ািীুূৃেৈোৌ"
_VOWELS: Final = "অআইঈউঊঋএঐওঔ"
_CONSONANTS: Final = "ক-হৰৱ"

_UNIT: Final = re.compile(f"্?[{_CONSONANTS}]\u09bc?|.", re.DOTALL)

_IMPOSSIBLE: Final = re.compile(
    f"^[{_VOWEL_SIGNS}ঁংঃ্]"  # a sign with nothing to stand on
    f"|[{_VOWEL_SIGNS}{_VOWELS}ৎঁংঃ][{_VOWEL_SIGNS}]"  # a vowel sign after anything but a consonant
    f"|[{_VOWEL_SIGNS}{_VOWELS}ঁংঃৎ]্|্[^{_CONSONANTS}]|্$"  # a link that does not join two consonants
    "|[ঁংঃ][ঁংঃ]"
)


def written_units(word: str) -> tuple[str, ...]:
    """Split a word into consonants (with the link before them, if any), vowels and signs."""
    return tuple(_UNIT.findall(word))


def is_well_formed(word: str) -> bool:
    """Return whether the signs of an Assamese word stand where the script lets them stand."""
    return bool(word) and _IMPOSSIBLE.search(word) is None


def letters_in(word: str) -> int:
    """Count the letters of a word in an Indic script: consonants, vowels, vowel signs (চাহ has three), ং and ঃ."""
    return len(_MARKS.sub("", word))


# --- letters as they are typed ---------------------------------------------------------------------------------------

CACHED_WORDS: Final = 4096

LONGEST: Final = 40
"""Letters that are compared; the rest counts as left out."""

LETTERS_A_PIECE: Final = 2
"""At most: what is written as one, with its inherent vowel."""

VOWEL_OF_SIGN: Final = dict(zip("ািীুূৃেৈোৌ", "আইঈউঊঋএঐওঔ", strict=True))
"""The vowel signs, each with the letter of its vowel."""

JOINING_MARKS: Final = frozenset("়্")
"""What changes a letter, or joins two, and is none itself."""

_PIECES: Final = re.compile("ক্ষ|জ্ঞ|[ৰর]্য(?!়)|্[যব](?!়)|[ক-হৰৱ]়?|.", re.DOTALL)
_CONSONANT: Final = re.compile("[ক-হৰৱ]")


def pieces_of(word: str) -> list[str]:
    """Split a word into what is written as one; ৱ below another letter is the same as ব there: স্ৱাধীন, স্বাধীন."""
    return _PIECES.findall(word.replace("্ৱ", "্ব"))


@lru_cache(maxsize=CACHED_WORDS)
def units_of(word: str) -> tuple[str, ...]:
    """Split a word into letters that are typed as one, vowels by their letters, the inherent vowel as ə."""
    units: list[str] = []
    pieces = pieces_of(word)[:LONGEST]
    for place, piece in enumerate(pieces):
        if piece in JOINING_MARKS:
            continue
        units.append(VOWEL_OF_SIGN.get(piece, piece))
        after = pieces[place + 1] if place + 1 < len(pieces) else ""
        if _CONSONANT.search(piece) and not (after in VOWEL_OF_SIGN or after[:1] == "্"):
            clustered = piece[0] == "্" or (place > 0 and pieces[place - 1] == "্") or len(piece.rstrip("়")) > 1
            units.append("ə" if after else "ə্" if clustered else "ə$")
    return tuple(units)
