"""How common words are: bands of frequency of Assamese, counted in running text (`tables/frequency.bin`).

A band is a quarter of a doubling: a word of a band is half again as common as one two bands below (1.41 times), and
sixteen times as common as one sixteen below. `tools/make_frequency.py` makes the table and says how words are counted.
"""

import sys
from array import array
from bisect import bisect_left
from functools import cache
from importlib.resources import files
from math import log2
from typing import Final
from zlib import crc32

COUNTED: Final = "as"
"""The one language (BCP 47) whose words have been counted."""

UNKNOWN: Final = 0
"""The band of words that nobody has counted, or met too rarely."""

LEAST: Final = 0.25
"""Occurrences per million running words of the lowest band, 1."""

STEPS: Final = 4
"""How many bands make a doubling."""

MOST_BAND: Final = 255
"""A band is kept in a byte."""

RAREST: Final = MOST_BAND - UNKNOWN
"""How rare a word is that nobody has counted."""

_FILE: Final = "frequency.bin"


def band(exact_key: str, language: str) -> int:
    """Return the band of a word with its inflected forms, by its exact key; `UNKNOWN` where it was not counted.

    The greater the band, the more common the word, by equal steps of the logarithm.
    """
    if language != COUNTED:
        return UNKNOWN
    table = _table()
    wanted = checksum(spelling_of(exact_key))
    at = bisect_left(table, wanted)
    # What differs in the last byte alone is the same checksum with a band.
    differs = table[at] ^ wanted if at < len(table) else MOST_BAND + 1
    return differs if differs <= MOST_BAND else UNKNOWN


def counted_frequency(exact_key: str, language: str) -> float | None:
    """Return how often a word and its forms occur in a million running words, in two digits; None if not counted."""
    return FIGURES[band(exact_key, language)]


def band_of(frequency: float | None) -> int:
    """Return the band of occurrences per million running words: what is rarer than the lowest band is in that one.

    `UNKNOWN` of none, and where nobody knows.
    """
    if not frequency:
        return UNKNOWN
    if frequency <= LEAST:
        return 1
    return min(MOST_BAND, 1 + round(STEPS * log2(frequency / LEAST)))


def band_of_word(exact_key: str, frequency: float | None, language: str) -> int:
    """Return the band of a word: what an editor or a file says of its frequency stands over what was counted."""
    return band(exact_key, language) if frequency is None else band_of(frequency)


def rarity_of_word(exact_key: str, frequency: float | None, language: str) -> int:
    """Return how rare a word is, in bands: the commonest that there could be is 0, so that the commonest come first."""
    return MOST_BAND - band_of_word(exact_key, frequency, language)


def rarity_of(frequency: float) -> int:
    """Return how rare a word is whose entry has a frequency."""
    return MOST_BAND - band_of(frequency)


def figure_of(number: int) -> float | None:
    """Return occurrences per million running words in the middle of a band, in two digits; None for `UNKNOWN`."""
    return None if number == UNKNOWN else float(f"{LEAST * 2 ** ((number - 1) / STEPS):.2g}")


FIGURES: Final = tuple(figure_of(number) for number in range(MOST_BAND + 1))
"""The figures of all bands."""


def spelling_of(exact_key: str) -> str:
    """Return the spelling by which a word is counted: the Bengali র in an Assamese word is a slip for ৰ."""
    return exact_key.replace("র", "ৰ")


def checksum(spelling: str) -> int:
    """Return the number under which a spelling stands in the table: a checksum of 56 bits, then eight for the band.

    It is two checksums of 32 bits, of the bytes forwards and backwards, which take a third of the time of a longer
    hash. Among 87,000 words, one stranger in 800,000,000,000 is taken for one of them: of a million headwords, as good
    as none.
    """
    content = spelling.encode()
    return crc32(content) << 32 | crc32(content[::-1]) & 0xFFFFFF00


@cache
def _table() -> "array[int]":
    """Read the table when it is first asked: 0.7 MB of sorted numbers, each a checksum and a band."""
    return unpacked(files("assamese.tables").joinpath(_FILE).read_bytes())


def unpacked(content: bytes) -> "array[int]":
    """Read the numbers of a table."""
    numbers = array("Q")
    numbers.frombytes(content)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
