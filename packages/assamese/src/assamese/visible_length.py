"""How much of a text can be seen: names of people that readers see are more than blanks of one kind or another."""

import unicodedata
from typing import Final

import icu

_BLANK: Final = frozenset("\u2800\U0001d159")
"""Symbols without ink that Unicode does not call ignorable: the empty pattern of Braille, the note without a head."""


def visible_length(text: str) -> int:
    """Count the characters that leave something on the page: letters, digits, signs, and vowel signs after them.

    What Unicode calls ignorable (joiners, fillers, variation selectors, tags) is not counted, nor are accents, nor
    marks that stand on nothing.
    """
    seen = 0
    for character in text:
        kind = unicodedata.category(character)[0]
        if character in _BLANK or icu.Char.hasBinaryProperty(character, icu.UProperty.DEFAULT_IGNORABLE_CODE_POINT):
            continue
        seen += kind in "LNPS" or (kind == "M" and seen > 0 and not unicodedata.combining(character))
    return seen
