"""Alphabets: the letters under which a language's dictionary is divided, in its own order."""

import unicodedata
from functools import lru_cache
from typing import Final

import icu

from abhidhan.domain.text.language_rules import LANGUAGE_RULES, LanguageRules

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


def _index_letters(language: str) -> tuple[str, ...]:
    index = icu.AlphabeticIndex(icu.Locale(language))
    labels = [str(bucket[0]) for bucket in index]
    # Signs (ং, ঃ, a lone vowel sign) are marks and not letters to Unicode: no word begins with one.
    return tuple(label for label in labels if unicodedata.category(label[0]).startswith("L"))


def _script_name(letter: str) -> str:
    return str(icu.Script.getScript(letter).getShortName())
