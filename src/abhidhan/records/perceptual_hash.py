"""Perceptual hashes, by which photos that are alike are found."""

from collections.abc import Iterable
from typing import Final

ALIKE: Final = 6
"""In how many of 64 bits the perceptual hashes of two photos may differ while a person would call them alike."""

BANDS: Final = ALIKE + 1
"""Hashes that differ in at most ALIKE bits are the same in at least one of so many pieces."""


def likeness_of(brightness: Iterable[int]) -> int:
    """Make the perceptual hash of an image from the brightness of 9 by 8 pixels, row by row.

    Each of the 64 bits tells whether the image gets brighter from one pixel to the next in its row ("dHash").
    """
    pixels = list(brightness)
    bits = 0
    for row in range(8):
        for column in range(8):
            left, right = pixels[row * 9 + column], pixels[row * 9 + column + 1]
            bits = bits << 1 | (right > left)
    return bits


def difference(one: int, other: int) -> int:
    """Count the bits in which two perceptual hashes differ."""
    return (one ^ other).bit_count()


def bands_of(likeness: int) -> tuple[int, ...]:
    """Cut a perceptual hash into pieces, each marked with its place: alike photos share at least one."""
    size, extra = divmod(64, BANDS)
    bands = []
    for place in range(BANDS):
        width = size + (place < extra)
        bands.append(place << 16 | (likeness & ((1 << width) - 1)))
        likeness >>= width
    return tuple(bands)
