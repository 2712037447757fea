"""Signs that stand for others, and marks that are no part of a word: how a text is read that is spelled like none.

Stored spellings, and their keys, stay as they are: a text is looked for just as it came, and only then as it is read.
"""

import re
from typing import Final

import msgspec

from abhidhan.domain.text.alternatives import longest_of
from abhidhan.domain.text.normal import Script, script_of
from abhidhan.domain.text.tables import read_table

LEAST_LETTERS: Final = 2
"""A word has so many letters before a homograph's number (not `B1`), and each part that hyphens join (not `x-ray`)."""


class Signs(msgspec.Struct, frozen=True):
    """The table of signs that stand for others, and of marks that are no part of a word."""

    stress: str
    numbers: str
    vowels: dict[str, str]


_SIGNS: Final = read_table("signs", Signs)
_STRESS: Final = dict.fromkeys(map(ord, _SIGNS.stress))
_VOWELS: Final = re.compile(longest_of(_SIGNS.vowels))
_VISARGAS: Final = (
    ("ঃ", "\u0981-\u09e3\u09f0\u09f1", "\u0985-\u09b9\u09ce\u09dc-\u09e1\u09f0\u09f1"),
    ("ः", "\u0900-\u0963\u0971-\u097f", "\u0904-\u0939\u0958-\u0961\u0972-\u097f"),
)
"""The visarga of each script, the letters and signs that it stands after, and the letters that may follow."""

_COLONS: Final = tuple((visarga, re.compile(f"(?<=[{after}]):")) for visarga, after, _ in _VISARGAS)
_COLONS_BETWEEN: Final = tuple(
    (visarga, re.compile(f"(?<=[{after}]):(?=[{letters}])")) for visarga, after, letters in _VISARGAS
)
_NUMBER: Final = re.compile(rf"(?<=[^\W\d_]{{{LEAST_LETTERS}}}|\w[\u0900-\u09ff])[1-9\u0967-\u096f\u09e7-\u09ef]$")
_ABBREVIATION: Final = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]\.?")
_HYPHEN: Final = re.compile("[-\u2010\u2011]")


def read_signs(text: str) -> str:
    """Read a colon after an Indic letter as visarga, and a vowel put together of two signs as the one it looks like.

    Marks of stress, and raised numbers at the end, are left out.
    """
    if text.isascii():
        return text
    bare = text.translate(_STRESS).rstrip(_SIGNS.numbers) or text
    return read_colons(_VOWELS.sub(lambda vowel: _SIGNS.vowels[vowel[0]], bare))


def read_colons(text: str, *, between: bool = False) -> str:
    """Read a colon after an Indic letter as visarga; or only `between` two letters, where it parts no words."""
    if ":" not in text:
        return text
    for visarga, colon in _COLONS_BETWEEN if between else _COLONS:
        text = colon.sub(visarga, text)
    return text


def without_number(text: str) -> str:
    """Leave out the one digit by which a page numbers words of the same spelling: `river1`, but not `covid19`."""
    return _NUMBER.sub("", text)


def is_abbreviation(text: str) -> bool:
    """Say whether a text is Latin letters, each by itself before a full stop: it is no form and no sound of a word."""
    return _ABBREVIATION.fullmatch(text) is not None


def parts_between_hyphens(text: str) -> tuple[str, ...]:
    """List the words of Latin letters that hyphens join; none where one of them is hardly a word."""
    parts = tuple(_HYPHEN.split(text))
    are_words = all(len(part) >= LEAST_LETTERS and script_of(part) is Script.LATIN for part in parts)
    return parts if len(parts) > 1 and are_words else ()
