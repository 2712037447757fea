"""What a photo may be like, and how much memory decoding it may take."""

from collections.abc import Mapping
from typing import Final

import msgspec

MOST_BYTES: Final = 3 * 1_048_576
"""The largest photo (docs/api.md)."""

MOST_PIXELS: Final = 40_000_000
MOST_SIDE: Final = 16_384
"""Pixels of a side. Panoramas of telephones are about so wide, and WebP ends there; one pixel by 40 million is no
photo, and to scale it took four times the memory of another."""

MOST_FRAMES: Final = 200
MOST_PIXELS_OF_ALL_FRAMES: Final = 20_000_000
"""The same for an animation: its frames, and the pixels of all of them together. Choosing the colours of a GIF's frames
takes up to a second for a million pixels."""

MOST_SCANS: Final = 64
"""How often a progressive JPEG may go over its pixels. Programs write about ten scans; some bytes of one more cost the
decoder as much as the whole image."""

MOST_PROFILE_BYTES: Final = 2 * 1_048_576
"""The largest colour profile that is read; those of printers have up to 2 MB. A larger one counts as none."""

LEAST_MEMORY: Final = 64 * 1_048_576
LARGEST_MEMORY: Final = 1_100 * 1_048_576
"""No photo that is taken needs more: a WebP of 40 megapixels, whose decoder keeps several copies."""

BYTES_OF_A_PIXEL: Final[Mapping[str, int]] = {"JPEG": 14, "PNG": 14, "GIF": 16, "WEBP": 26}
"""What decoding and encoding may take: so many bytes, and so many more for each pixel. Measured, with some room."""


class Outline(msgspec.Struct, frozen=True):
    """What is known of an image before it is decoded: its kind, its size in pixels, its frames and its scans."""

    name: str
    width: int
    height: int
    frames: int = 1
    scans: int = 1


def memory_for(outline: Outline | None) -> int:
    """Say how many bytes decoding an image and encoding it anew may take; what is none takes the least.

    An animation is counted as one that has as many pixels as it may have, for its frames are not known yet.
    """
    if outline is None:
        return LEAST_MEMORY
    pixels = outline.width * outline.height
    if outline.name == "GIF" or outline.frames > 1:
        pixels = max(pixels, MOST_PIXELS_OF_ALL_FRAMES)
    return LEAST_MEMORY + BYTES_OF_A_PIXEL[outline.name] * min(pixels, MOST_PIXELS)
