"""A word taken apart into letters that are typed as one, by which it is compared with what somebody typed."""

import re
from functools import lru_cache
from typing import Final

REMEMBERED: Final = 4096  # words whose letters are kept at hand

LONGEST: Final = 40
"""Letters that are compared; the rest counts as left out."""

LETTERS_A_PIECE: Final = 2
"""At most: what is written as one, with its inherent vowel."""

SIGNS: Final = dict(zip("ািীুূৃেৈোৌ", "আইঈউঊঋএঐওঔ", strict=True))
"""The vowel signs, each with the letter of its vowel."""

NO_LETTERS: Final = frozenset("়্")
"""What changes a letter, or joins two, and is none itself."""

_PIECES: Final = re.compile("ক্ষ|জ্ঞ|[ৰর]্য(?!়)|্[যব](?!়)|[ক-হৰৱ]়?|.", re.DOTALL)
_CONSONANT: Final = re.compile("[ক-হৰৱ]")


def pieces_of(word: str) -> list[str]:
    """Take a word apart into what is written as one; ৱ below another letter is one with ব there: স্ৱাধীন, স্বাধীন."""
    return _PIECES.findall(word.replace("্ৱ", "্ব"))


@lru_cache(maxsize=REMEMBERED)
def units_of(word: str) -> tuple[str, ...]:
    """Take a word apart into letters that are typed as one, vowels by their letters, the inherent vowel as ə."""
    units: list[str] = []
    pieces = pieces_of(word)[:LONGEST]
    for place, piece in enumerate(pieces):
        if piece in NO_LETTERS:
            continue
        units.append(SIGNS.get(piece, piece))
        after = pieces[place + 1] if place + 1 < len(pieces) else ""
        if _CONSONANT.search(piece) and not (after in SIGNS or after[:1] == "্"):
            clustered = piece[0] == "্" or (place > 0 and pieces[place - 1] == "্") or len(piece.rstrip("়")) > 1
            units.append("ə" if after else "ə্" if clustered else "ə$")
    return tuple(units)
