"""Missing words: what people look for and do not find, and when editors see it."""

import unicodedata
from collections.abc import Sequence
from typing import Final

import msgspec

from abhidhan.dictionary.model.cascade import Match
from assamese.normalization import exact_key, nfc, query_words

LONGEST_COUNTED: Final = 40
"""How many characters a word may have that is counted: what is longer is no word that somebody misses."""

DAYS_BEFORE_SHOWN: Final = 5
"""On how many different days a word must have been looked for before editors see it: a name or a secret that somebody
has typed once, or all of one day, is never shown."""

MOST_HELD: Final = 1_000
"""How many different words a worker counts until it writes them down; others are not counted until then."""

MOST_KEPT: Final = 10_000
"""How many words the database keeps; those looked for on the fewest days, and longest ago, make room."""

DAYS_KEPT: Final = 365
"""After how many days without being looked for a word is forgotten."""

SECONDS_OF_A_DAY: Final = 86_400

WITHIN_A_WORD: Final = frozenset("’'\u200c\u200d")
"""What stands within a word beside letters and their marks: apostrophes and joiners."""


class MissingWord(msgspec.Struct, frozen=True):
    """A word that was looked for and not found: how often in all, and on how many different days."""

    word: str
    searches: int
    days: int


def countable(text: str) -> str | None:
    """Return the spelling under which a query is counted; None for what is not one word of letters.

    Marks that belong to letters and apostrophes within are part of a word (ক’লা); digits, addresses and phrases are
    not counted.
    """
    words = query_words(text)
    if len(words) != 1:
        return None
    word = nfc(words[0])
    if len(word) > LONGEST_COUNTED or not word[0].isalpha():
        return None
    return word if all(char in WITHIN_A_WORD or unicodedata.category(char)[0] in "LM" for char in word) else None


def missing_among(asked: Sequence[tuple[str, Match]]) -> str | None:
    """Return the word to be counted of a look-up: of what was asked, and how it was found, one word that is nowhere."""
    return countable(asked[0][0]) if len(asked) == 1 and asked[0][1] is Match.NONE else None


def key_of(word: str) -> str:
    """Return the key that spellings of the same word share."""
    return exact_key(word)
