"""Alphabetical order and alphabets: sort keys of each language's own order, and the letters of its dictionary."""

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import Final

import icu

from assamese.language_rules import LANGUAGE_RULES, LanguageRules
from assamese.normalization import nfc, script_of

LANGUAGE_TAG: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}")
LEVEL_END: Final = b"\x01"
ABOVE_ALL: Final = b"\xff\xff"


def sort_key(text: str, language: str) -> bytes:
    """Make the bytes by which `text` stands in its place in the alphabetical order of `language` (BCP 47).

    Source: the CLDR collation of the language ("as": ং ঁ ঃ before ক, ৎ before ত, ক্ষ after হ), for a language that
    has none the CLDR root order. NFC and NFD text have the same key.
    """
    key: bytes = _collator(language).getSortKey(nfc(text))
    return key[:-1]


def prefix_end(prefix: str, language: str) -> bytes:
    """Make a key above every word that begins with the letters of `prefix`, and below every later word.

    "Begins with" is meant in letters of the alphabet: Assamese ক্ষমা does not begin with ক, and ড় is a kind of ড.
    Words that begin with `prefix` have keys from `sort_key(prefix)` on and below this one.
    """
    return primary_weights(prefix, language) + ABOVE_ALL


def primary_weights(text: str, language: str) -> bytes:
    """Make the part of a sort key in which capitals, accents and kinds of a letter make no difference."""
    return sort_key(text, language).partition(LEVEL_END)[0]


@lru_cache(maxsize=64)
def _collator(language: str) -> icu.Collator:
    """Make the collator of a language once; nobody changes it afterwards, so threads may share it."""
    locale = icu.Locale(language if LANGUAGE_TAG.fullmatch(language) else "")
    collator = icu.Collator.createInstance(locale)
    collator.setAttribute(icu.UCollAttribute.NORMALIZATION_MODE, icu.UCollAttributeValue.ON)
    return collator


LANGUAGE_WITH_ALPHABET: Final = {"Beng": "as", "Deva": "hi", "Latn": "en"}
"""Whose letters serve a language of this script that Unicode CLDR does not know."""


@lru_cache(maxsize=256)
def letters_of(language: str, script: str) -> tuple[str, ...]:
    """List the letters of a language (BCP 47) that is written in a script (ISO 15924).

    Source: the CLDR index characters of the language ("as": ৎ before ত, ৰ after য, ক্ষ last).
    """
    letters = _index_letters(language)
    if not letters or _script_name(letters[0]) != script:
        language = LANGUAGE_WITH_ALPHABET.get(script, language)
        letters = _index_letters(language)
    return (*letters, *LANGUAGE_RULES.get(language, LanguageRules()).last_letters)


class Divider:
    """Says under which letter of its alphabet a word of a language stands, as printed dictionaries divide them."""

    def __init__(self, language: str, letters: tuple[str, ...]) -> None:
        """Divide by the letters of a language (BCP 47). What is a kind of another letter (ড় of ড) begins nothing."""
        places: dict[bytes, str] = {}
        for letter in letters:
            places.setdefault(primary_weights(letter, language), letter)
        self._language = language
        self._places = sorted(places)
        self._letters = [places[place] for place in self._places]

    def letter_of(self, text: str) -> str:
        """Return the letter; nothing of a text that begins with a digit, a sign, or a letter of another script."""
        place = bisect_right(self._places, primary_weights(text, self._language)) - 1
        if place < 0 or script_of(text) is not script_of(self._letters[place]):
            return ""
        return self._letters[place]


def divider_of(language: str, script: str) -> Divider:
    """Divide the words of a language (BCP 47) that is written in a script (ISO 15924)."""
    return Divider(language, letters_of(language, script))


def _index_letters(language: str) -> tuple[str, ...]:
    index = icu.AlphabeticIndex(icu.Locale(language))
    labels = [str(bucket[0]) for bucket in index]
    # Signs (ং, ঃ, a lone vowel sign) are marks and not letters to Unicode: no word begins with one.
    return tuple(label for label in labels if unicodedata.category(label[0]).startswith("L"))


def _script_name(letter: str) -> str:
    return str(icu.Script.getScript(letter).getShortName())
