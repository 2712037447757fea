"""The letters and written units of a word, and which strings of them can be an Assamese word at all."""

import re
from typing import Final

_NO_LETTERS: Final = re.compile("[\u0901\u093c\u094d\u0981\u09bc\u09cd’]")
"""Candrabindu, nukta and hasanta of both Indic scripts, and the apostrophe: they change a letter, or join two."""

_SIGNS: Final = "ািীুূৃেৈোৌ"
_VOWELS: Final = "অআইঈউঊঋএঐওঔ"
_CONSONANTS: Final = "ক-হৰৱ"

_UNIT: Final = re.compile(f"্?[{_CONSONANTS}]\u09bc?|.", re.DOTALL)

_IMPOSSIBLE: Final = re.compile(
    f"^[{_SIGNS}ঁংঃ্]"  # a sign with nothing to stand on
    f"|[{_SIGNS}{_VOWELS}ৎঁংঃ][{_SIGNS}]"  # a vowel sign after anything but a consonant
    f"|[{_SIGNS}{_VOWELS}ঁংঃৎ]্|্[^{_CONSONANTS}]|্$"  # a link that does not join two consonants
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
    return len(_NO_LETTERS.sub("", word))
