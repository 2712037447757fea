"""Perceptual hashes for finding similar photos."""

from collections.abc import Iterable
from typing import Final

MAX_DIFFERING_BITS: Final = 6
"""Maximum number of differing bits, of 64, between the perceptual hashes of similar photos."""

BAND_COUNT: Final = MAX_DIFFERING_BITS + 1
"""Number of bands of a hash: two hashes that differ in at most MAX_DIFFERING_BITS bits have an equal band."""


def compute_hash(brightness: Iterable[int]) -> int:
    """Compute the perceptual hash of an image from the brightness of 9 by 8 pixels, row by row.

    Each of the 64 bits is whether a pixel is brighter than the one to its left ("dHash").
    """
    pixels = list(brightness)
    bits = 0
    for row in range(8):
        for column in range(8):
            left, right = pixels[row * 9 + column], pixels[row * 9 + column + 1]
            bits = bits << 1 | (right > left)
    return bits


def count_differing_bits(first: int, second: int) -> int:
    """Count the bits in which two perceptual hashes differ."""
    return (first ^ second).bit_count()


def split_into_bands(image_hash: int) -> tuple[int, ...]:
    """Split a perceptual hash into bands, each with its position in the high bits, for an index of similar hashes."""
    size, extra = divmod(64, BAND_COUNT)
    bands = []
    for position in range(BAND_COUNT):
        width = size + (position < extra)
        bands.append(position << 16 | (image_hash & ((1 << width) - 1)))
        image_hash >>= width
    return tuple(bands)
