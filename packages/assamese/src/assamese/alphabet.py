"""Alphabets: the letters under which a language's dictionary is divided, in its own order."""

import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import Final

import icu

from assamese.collation import primary_weights
from assamese.language_rules import LANGUAGE_RULES, LanguageRules
from assamese.normalization import script_of

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
