"""Alphabetical order: sort keys of each language's own order, from ICU and Unicode CLDR."""

import re
from functools import lru_cache
from typing import Final

import icu

from assamese.normalization import nfc

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
