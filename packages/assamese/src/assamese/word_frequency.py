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

COUNTED_LANGUAGE: Final = "as"
"""The only language (BCP 47) with counted words."""

UNKNOWN_BAND: Final = 0
"""The band of words that are not counted or too rare."""

MIN_FREQUENCY: Final = 0.25
"""The frequency of band 1, the lowest, in occurrences per million running words."""

BANDS_PER_DOUBLING: Final = 4
"""Number of bands in a doubling of the frequency."""

MAX_BAND: Final = 255
"""The highest band: it is stored in a byte."""

MAX_RARITY: Final = MAX_BAND - UNKNOWN_BAND
"""The rarity of words that are not counted."""

_TABLE_FILE: Final = "frequency.bin"


def look_up_band(exact_key: str, language: str) -> int:
    """Return the band of a word with its inflected forms, by its exact key, or `UNKNOWN_BAND` if it was not counted.

    Bands are logarithmic; a higher band is a more common word.
    """
    if language != COUNTED_LANGUAGE:
        return UNKNOWN_BAND
    table = _load_table()
    key = checksum(get_counted_spelling(exact_key))
    at = bisect_left(table, key)
    # An entry that differs only in the last byte has the same checksum, with its band.
    difference = table[at] ^ key if at < len(table) else MAX_BAND + 1
    return difference if difference <= MAX_BAND else UNKNOWN_BAND


def counted_frequency(exact_key: str, language: str) -> float | None:
    """Return the occurrences of a word and its forms per million words, to two digits, or None if not counted."""
    return BAND_FREQUENCIES[look_up_band(exact_key, language)]


def frequency_to_band(frequency: float | None) -> int:
    """Return the band of a frequency in occurrences per million running words.

    Anything rarer than the lowest band is in that band; 0 and None are `UNKNOWN_BAND`.
    """
    if not frequency:
        return UNKNOWN_BAND
    if frequency <= MIN_FREQUENCY:
        return 1
    return min(MAX_BAND, 1 + round(BANDS_PER_DOUBLING * log2(frequency / MIN_FREQUENCY)))


def find_word_band(exact_key: str, frequency: float | None, language: str) -> int:
    """Return the band of a word; a frequency given by an editor or a file takes precedence over the counts."""
    return look_up_band(exact_key, language) if frequency is None else frequency_to_band(frequency)


def find_word_rarity(exact_key: str, frequency: float | None, language: str) -> int:
    """Return the rarity of a word, for sorting: the number of bands below the highest band."""
    return MAX_BAND - find_word_band(exact_key, frequency, language)


def frequency_to_rarity(frequency: float) -> int:
    """Return the rarity of a word with a frequency in occurrences per million running words."""
    return MAX_BAND - frequency_to_band(frequency)


def band_to_frequency(band: int) -> float | None:
    """Return the frequency in the middle of a band, per million words, to two digits; None for `UNKNOWN_BAND`."""
    return None if band == UNKNOWN_BAND else float(f"{MIN_FREQUENCY * 2 ** ((band - 1) / BANDS_PER_DOUBLING):.2g}")


BAND_FREQUENCIES: Final = tuple(band_to_frequency(number) for number in range(MAX_BAND + 1))
"""The frequency of each band, in occurrences per million running words; None for `UNKNOWN_BAND`."""


def get_counted_spelling(exact_key: str) -> str:
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
def _load_table() -> "array[int]":
    """Load the table on first use: 0.7 MB of sorted numbers, each a checksum and a band."""
    return unpack_numbers(files("assamese.tables").joinpath(_TABLE_FILE).read_bytes())


def unpack_numbers(content: bytes) -> "array[int]":
    """Decode the little-endian 64-bit numbers of a table."""
    numbers = array("Q")
    numbers.frombytes(content)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
