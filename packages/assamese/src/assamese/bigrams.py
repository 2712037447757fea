"""How much oftener two Assamese words stand side by side than by chance (`tables/word_pairs.bin`).

`tools/make_word_pairs.py` makes the table from counts of neighbouring words in newspapers.
"""

import sys
from array import array
from bisect import bisect_left
from functools import cache
from importlib.resources import files
from typing import Final

from assamese.word_frequency import checksum, unpacked

STEPS: Final = 16
"""Steps of the stored attraction in one nat."""

MOST_STEPS: Final = 255

_FILE: Final = "word_pairs.bin"


def attraction(before: str, after: str) -> float:
    """Return how much likelier `after` is behind `before` than anywhere (nats, at most 16); 0 where none was counted.

    Words are as the transliteration model writes them: NFC, ৰ for the Bengali র, no apostrophes.
    """
    table = _table()
    wanted = checksum(pair_of(before, after))
    at = bisect_left(table, wanted)
    differs = table[at] ^ wanted if at < len(table) else MOST_STEPS + 1
    return differs / STEPS if differs <= MOST_STEPS else 0.0


def pair_of(before: str, after: str) -> str:
    """Return the text under which two words stand in the table."""
    return f"{before} {after}"


@cache
def _table() -> "array[int]":
    """Read the table when it is first asked: 0.5 MB of sorted numbers, each a checksum and an attraction."""
    return unpacked(files("assamese.tables").joinpath(_FILE).read_bytes())


def packed(attractions: dict[tuple[str, str], float]) -> bytes:
    """Return the table of some pairs as it is read."""
    numbers = array(
        "Q",
        sorted(
            checksum(pair_of(*words)) | min(MOST_STEPS, round(nats * STEPS))
            for words, nats in attractions.items()
            if nats > 0
        ),
    )
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
