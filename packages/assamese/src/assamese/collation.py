"""Alphabetical order: sort keys in the order of each language, and the letters of its alphabet."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import icu

from assamese.language_rules import LANGUAGE_RULES, LanguageRules, strip_article
from assamese.normalization import detect_script, nfc

LANGUAGE_TAG: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}")
LEVEL_SEPARATOR: Final = b"\x01"
MAX_WEIGHT: Final = b"\xff\xff"


def sort_key(text: str, language: str) -> bytes:
    """Return the sort key of `text` in the alphabetical order of `language` (BCP 47).

    Source: the alphabet in the file of the language, if it has one (Khasi: ng after g); otherwise the CLDR collation of
    the language ("as": ং ঁ ঃ before ক, ৎ before ত, ক্ষ after হ), or the CLDR root order. An article before the word is
    ignored. NFC and NFD text have the same key.
    """
    key: bytes = _collator(language).getSortKey(strip_article(nfc(text), language))
    return key[:-1]


def prefix_end(prefix: str, language: str) -> bytes:
    """Return a key above every word that begins with the letters of `prefix`, and below every later word.

    Letters are those of the alphabet: Assamese ক্ষমা does not begin with ক, and ড় is a variant of ড.
    Words that begin with `prefix` have keys from `sort_key(prefix)` (inclusive) to this one (exclusive).
    """
    return primary_weights(prefix, language) + MAX_WEIGHT


def primary_weights(text: str, language: str) -> bytes:
    """Return the first level of a sort key, which ignores capitals, accents and variants of a letter."""
    return sort_key(text, language).partition(LEVEL_SEPARATOR)[0]


@lru_cache(maxsize=64)
def _collator(language: str) -> icu.Collator:
    """Return the collator of a language; it is never modified, so threads may share it."""
    alphabet = _find_alphabet(language)
    if alphabet:
        collator = icu.RuleBasedCollator(_build_tailoring(alphabet))
    else:
        collator = icu.Collator.createInstance(icu.Locale(language if LANGUAGE_TAG.fullmatch(language) else ""))
    collator.setAttribute(icu.UCollAttribute.NORMALIZATION_MODE, icu.UCollAttributeValue.ON)
    return collator


ACCENTS: Final = "\u0300\u0301\u0302\u0304\u0308"
"""Tone and length marks, which may also be on a letter of several characters: Mizo âw sorts as aw."""


def _find_alphabet(language: str) -> list[str]:
    return LANGUAGE_RULES.get(language, LanguageRules()).alphabet.split()


def _build_tailoring(alphabet: Sequence[str]) -> str:
    """Return the ICU tailoring rules of an alphabet; all other letters sort after the last."""
    return f"&{alphabet[0]}" + "".join(f"<{_letter_variants(letter)}" for letter in alphabet[1:])


def _letter_variants(letter: str) -> str:
    """Return the rule of a letter with its capitals and, if it has several characters, accents on the first."""
    with_accents = [letter[0] + accent + letter[1:] for accent in ACCENTS] if len(letter) > 1 else []
    return "<<".join(
        "<<<".join(dict.fromkeys((variant, variant.capitalize(), variant.upper())))
        for variant in (letter, *with_accents)
    )


FALLBACK_LANGUAGES: Final = {"Beng": "as", "Deva": "hi", "Latn": "en"}
"""The language whose letters are used for languages that CLDR lacks, by script."""


@lru_cache(maxsize=256)
def alphabet_letters(language: str, script: str) -> tuple[str, ...]:
    """Return the letters of a language (BCP 47) that is written in a script (ISO 15924).

    Source: the alphabet in its file, followed by the letters of its script that only foreign words have (Khasi C);
    otherwise the CLDR index characters of the language ("as": ৎ before ত, ৰ after য, ক্ষ last).
    """
    alphabet = [letter.capitalize() for letter in _find_alphabet(language)]
    if alphabet:
        foreign = _index_letters(FALLBACK_LANGUAGES.get(script, language))
        return tuple(dict.fromkeys((*alphabet, *(each for each in foreign if _script_name(each) == script))))
    letters = _index_letters(language)
    if not letters or _script_name(letters[0]) != script:
        language = FALLBACK_LANGUAGES.get(script, language)
        letters = _index_letters(language)
    return (*letters, *LANGUAGE_RULES.get(language, LanguageRules()).last_letters)


class AlphabetIndex:
    """Index of an alphabet, which finds the letter under which a dictionary lists a word."""

    def __init__(self, language: str, letters: tuple[str, ...]) -> None:
        """Index the letters of a language (BCP 47). A variant of another letter (ড় of ড) has no entry."""
        letters_by_weight: dict[bytes, str] = {}
        for letter in letters:
            letters_by_weight.setdefault(primary_weights(letter, language), letter)
        self._language = language
        self._weights = sorted(letters_by_weight)
        self._letters = [letters_by_weight[weight] for weight in self._weights]

    def find_letter(self, text: str) -> str:
        """Return the letter, or "" for a text that begins with a digit, a sign, or a letter of another script."""
        index = bisect_right(self._weights, primary_weights(text, self._language)) - 1
        if index < 0 or detect_script(text) is not detect_script(self._letters[index]):
            return ""
        return self._letters[index]


def build_alphabet_index(language: str, script: str) -> AlphabetIndex:
    """Return the letter index of a language (BCP 47) that is written in a script (ISO 15924)."""
    return AlphabetIndex(language, alphabet_letters(language, script))


def _index_letters(language: str) -> tuple[str, ...]:
    index = icu.AlphabeticIndex(icu.Locale(language))
    labels = [str(bucket[0]) for bucket in index]
    # Unicode classes signs (ং, ঃ, a lone vowel sign) as marks, and no word begins with one.
    return tuple(label for label in labels if unicodedata.category(label[0]).startswith("L"))


def _script_name(letter: str) -> str:
    return str(icu.Script.getScript(letter).getShortName())
