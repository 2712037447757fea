"""Word frequency: bands of Assamese words, counted in running text (`tables/frequency.bin`).

Four bands double the frequency: a word is 1.41 times as common as one two bands below, and sixteen times as common as
one sixteen bands below. `tools/make_frequency.py` builds the table and describes how words are counted.
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
"""The only language (BCP 47) with counted words."""

UNKNOWN: Final = 0
"""The band of words that are not counted or too rare."""

LEAST: Final = 0.25
"""Occurrences per million running words of band 1, the lowest."""

STEPS: Final = 4
"""Number of bands in a doubling of the frequency."""

MOST_BAND: Final = 255
"""The highest band: it is stored in a byte."""

RAREST: Final = MOST_BAND - UNKNOWN
"""The rarity of words that are not counted."""

_FILE: Final = "frequency.bin"


def band(exact_key: str, language: str) -> int:
    """Return the band of a word with its inflected forms, by its exact key, or `UNKNOWN` if it was not counted.

    Bands are logarithmic; a higher band is a more common word.
    """
    if language != COUNTED:
        return UNKNOWN
    table = _table()
    wanted = checksum(spelling_of(exact_key))
    at = bisect_left(table, wanted)
    # An entry that differs only in the last byte has the same checksum, with its band.
    differs = table[at] ^ wanted if at < len(table) else MOST_BAND + 1
    return differs if differs <= MOST_BAND else UNKNOWN


def counted_frequency(exact_key: str, language: str) -> float | None:
    """Return the occurrences of a word and its forms per million words, to two digits, or None if not counted."""
    return FIGURES[band(exact_key, language)]


def band_of(frequency: float | None) -> int:
    """Return the band of a frequency in occurrences per million running words.

    Anything rarer than the lowest band is in that band; 0 and None are `UNKNOWN`.
    """
    if not frequency:
        return UNKNOWN
    if frequency <= LEAST:
        return 1
    return min(MOST_BAND, 1 + round(STEPS * log2(frequency / LEAST)))


def band_of_word(exact_key: str, frequency: float | None, language: str) -> int:
    """Return the band of a word; a frequency given by an editor or a file takes precedence over the counts."""
    return band(exact_key, language) if frequency is None else band_of(frequency)


def rarity_of_word(exact_key: str, frequency: float | None, language: str) -> int:
    """Return the rarity of a word in bands, for sorting: 0 is the highest frequency."""
    return MOST_BAND - band_of_word(exact_key, frequency, language)


def rarity_of(frequency: float) -> int:
    """Return the rarity of a word whose entry has a frequency."""
    return MOST_BAND - band_of(frequency)


def figure_of(number: int) -> float | None:
    """Return the occurrences per million running words in the middle of a band, to two digits; None for `UNKNOWN`."""
    return None if number == UNKNOWN else float(f"{LEAST * 2 ** ((number - 1) / STEPS):.2g}")


FIGURES: Final = tuple(figure_of(number) for number in range(MOST_BAND + 1))
"""The frequencies of all bands, in occurrences per million running words."""


def spelling_of(exact_key: str) -> str:
    """Return the spelling under which a word is counted: the Bengali র in an Assamese word is an error for ৰ."""
    return exact_key.replace("র", "ৰ")


def checksum(spelling: str) -> int:
    """Return the key of a spelling in the table: a checksum of 56 bits, followed by eight zero bits for the band.

    It is made of two 32-bit checksums, of the bytes forwards and backwards, which take a third of the time of a longer
    hash. With 87,000 words, the false positive rate is 1 in 800,000,000,000: practically none in a million headwords.
    """
    content = spelling.encode()
    return crc32(content) << 32 | crc32(content[::-1]) & 0xFFFFFF00


@cache
def _table() -> "array[int]":
    """Load the table on first use: 0.7 MB of sorted numbers, each a checksum and a band."""
    return unpacked(files("assamese.tables").joinpath(_FILE).read_bytes())


def unpacked(content: bytes) -> "array[int]":
    """Decode the little-endian 64-bit numbers of a table."""
    numbers = array("Q")
    numbers.frombytes(content)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
