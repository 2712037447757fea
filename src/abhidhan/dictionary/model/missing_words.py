"""Missing words, which were looked up but not found, and the conditions for showing them to editors."""

import unicodedata
from collections.abc import Sequence
from typing import Final

import msgspec

from abhidhan.dictionary.model.cascade import Match
from assamese.normalization import exact_key, nfc, split_query

MAX_COUNTED_LENGTH: Final = 40
"""Maximum number of characters of a counted word; longer texts are not words."""

MIN_DAYS_BEFORE_SHOWN: Final = 5
"""Minimum number of days on which a word was looked up before editors see it.

A name or a secret typed once, or on a single day, is thus never shown.
"""

MAX_COUNTED_WORDS: Final = 1_000
"""Maximum number of words that a worker counts between writes; further ones are ignored."""

MAX_STORED_WORDS: Final = 10_000
"""Maximum number of stored words; those looked up on the fewest days and longest ago are deleted."""

RETENTION_DAYS: Final = 365
"""Number of days without a look-up after which a word is deleted."""

INNER_CHARACTERS: Final = frozenset("’'\u200c\u200d")
"""Characters within a word besides letters and their marks: apostrophes and joiners."""


class MissingWord(msgspec.Struct, frozen=True):
    """Missing word, with the number of look-ups and the number of different days with any."""

    word: str
    searches: int
    days: int


def parse_countable_word(text: str) -> str | None:
    """Return the spelling under which a query is counted; None if it is not a single word of letters.

    Marks of letters and apostrophes within a word belong to it (ক’লা); digits, URLs and phrases are not counted.
    """
    words = split_query(text)
    if len(words) != 1:
        return None
    word = nfc(words[0])
    if len(word) > MAX_COUNTED_LENGTH or not word[0].isalpha():
        return None
    return word if all(char in INNER_CHARACTERS or unicodedata.category(char)[0] in "LM" for char in word) else None


def find_missing_word(lookups: Sequence[tuple[str, Match]]) -> str | None:
    """Return the word of a look-up to be counted as missing: its only word, if it has no match; else None."""
    return parse_countable_word(lookups[0][0]) if len(lookups) == 1 and lookups[0][1] is Match.NONE else None


def missing_word_key(word: str) -> str:
    """Return the key that spellings of the same word share."""
    return exact_key(word)
