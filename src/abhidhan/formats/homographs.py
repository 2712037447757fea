"""Numbers that tell homographs apart: bank1, bank 2, bank³."""

import re
from typing import Final, NamedTuple

_SUPERSCRIPTS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_NUMBERED: Final = re.compile(r"(?P<text>[^\s\d_./-]{3,})(?P<space> ?)(?P<number>[1-9১-৯१-९])")
_RAISED: Final = re.compile(rf"(?P<text>.*[^\s{_SUPERSCRIPTS}]) ?(?P<number>[{_SUPERSCRIPTS}]+)")
_UNIT: Final = re.compile(r"[kcdmµ]?m|ft|in|yd")
"""Units of length, whose powers are areas and volumes."""


class Homograph(NamedTuple):
    """A word, and its number among those of the same spelling, if it has one."""

    text: str
    number: int | None = None


def homograph(word: str) -> Homograph:
    """Part the number of a homograph off a word. What ends in a number otherwise (mp3, HTML5, m²) stays whole."""
    if found := _RAISED.fullmatch(word):
        number = int("".join(str(_SUPERSCRIPTS.index(digit)) for digit in found["number"]))
        return Homograph(found["text"], number) if number and not _UNIT.fullmatch(found["text"]) else Homograph(word)
    found = _NUMBERED.fullmatch(word)
    # A name such as "Windows 7" begins with a capital letter, an abbreviation has several.
    small = found and (found["text"] if found["space"] else found["text"][1:])
    if not found or small != (small or "").lower():
        return Homograph(word)
    return Homograph(found["text"], int(found["number"]))
