"""What the first bytes of an image tell of it, read without any decoder: how large it is, and how much work it hides.

Only what stands at known places is read, and a walk stops as soon as there is more than is taken.
"""

import re
import struct
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from abhidhan.records.photos import MOST_FRAMES, MOST_SCANS, Outline

_BIG_SIZE: Final = struct.Struct(">II")
_LITTLE_SIZE: Final = struct.Struct("<HH")
_GIF_FRAME: Final = struct.Struct("<HHHH")
_CHUNK: Final = struct.Struct("<4sI")

PNG: Final = b"\x89PNG\r\n\x1a\n"
MOST_SEGMENTS: Final = 5_000
"""Segments of a JPEG in front of its pixels; 3 MB of comments are 46, if they are not cut into crumbs."""

SCAN: Final = 0xDA
END: Final = 0xD9
SIZES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of JPEG (ITU-T T.81, table B.1): a scan begins, the image ends, the image's size."""

BARE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers that have no length."""

_MARKER: Final = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
"""The next marker, whatever stands before it: decoders pass over that, and in the data of a scan 0x00 follows 0xFF."""

GIF_END: Final = 0x3B
GIF_IMAGE: Final = 0x2C
GIF_EXTENSION: Final = 0x21


def first_look(sent: bytes) -> Outline | None:
    """Read the size of an image, at no cost worth speaking of; None for what is no image that we know."""
    return _looked_at(sent, {"PNG": _png, "GIF": _gif_screen, "WEBP": _webp_canvas, "JPEG": _jpeg_size})


def outline_of(sent: bytes) -> Outline | None:
    """Read the size of an image and count its frames and scans, as far as it is worth; None as `first_look`."""
    return _looked_at(sent, {"PNG": _png, "GIF": _gif, "WEBP": _webp, "JPEG": _jpeg})


def _looked_at(sent: bytes, readers: dict[str, Callable[[bytes], Outline | None]]) -> Outline | None:
    try:
        return readers[kind](sent) if (kind := _kind_of(sent)) else None
    except (struct.error, IndexError):
        return None


def _kind_of(sent: bytes) -> str | None:
    if sent.startswith(PNG):
        return "PNG"
    if sent.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if sent.startswith(b"RIFF") and sent[8:12] == b"WEBP":
        return "WEBP"
    return "JPEG" if sent.startswith(b"\xff\xd8\xff") else None


def _png(sent: bytes) -> Outline | None:
    # An animated PNG counts as one picture: only its first one is decoded.
    return Outline("PNG", *_BIG_SIZE.unpack_from(sent, 16)) if sent[12:16] == b"IHDR" else None


# --- JPEG -------------------------------------------------------------------------------------------------------------


def _jpeg_size(sent: bytes) -> Outline | None:
    return next((_sized(sent, at) for marker, at in _segments(sent) if marker in SIZES), None)


def _jpeg(sent: bytes) -> Outline | None:
    size, scans, segments = None, 0, 0
    for marker, at in _segments(sent):
        if marker in SIZES and size is None:
            size = _sized(sent, at)
        scans, segments = scans + (marker == SCAN), segments + 1
        if scans > MOST_SCANS:
            break
    if segments == MOST_SEGMENTS:
        # What is cut into more segments than anybody walks through may hide any number of scans.
        size, scans = size or Outline("JPEG", 1, 1), MOST_SCANS + 1
    return msgspec.structs.replace(size, scans=scans) if size else None


def _sized(sent: bytes, at: int) -> Outline:
    height, width = struct.unpack_from(">HH", sent, at + 3)
    return Outline("JPEG", width, height)


def _segments(sent: bytes) -> Iterator[tuple[int, int]]:
    """Go through the segments of a JPEG: the marker of each, and where its length stands."""
    at = 2
    for _ in range(MOST_SEGMENTS):
        found = _MARKER.search(sent, at)
        if not found or found[1][0] == END:
            return
        marker, at = found[1][0], found.end()
        yield marker, at
        if marker not in BARE and at + 2 <= len(sent):
            at += struct.unpack_from(">H", sent, at)[0]


# --- GIF --------------------------------------------------------------------------------------------------------------


def _gif_screen(sent: bytes) -> Outline:
    return Outline("GIF", *_LITTLE_SIZE.unpack_from(sent, 6))


def _gif(sent: bytes) -> Outline:
    """Count the frames; one that lies beyond the screen makes the image larger, as it does for the decoder."""
    width, height = _LITTLE_SIZE.unpack_from(sent, 6)
    frames = 0
    for at in gif_blocks(sent):
        if sent[at] == GIF_IMAGE:
            left, top, wide, high = _GIF_FRAME.unpack_from(sent, at + 1)
            width, height, frames = max(width, left + wide), max(height, top + high), frames + 1
        if frames > MOST_FRAMES:
            break
    return Outline("GIF", width, height, max(1, frames))


def gif_blocks(sent: bytes) -> Iterator[int]:
    """Go from block to block of a GIF, and tell where each begins; the one that ends the file is the last."""
    at = 13 + _size_of_colours(sent[10])
    while at < len(sent):
        yield at
        if sent[at] == GIF_END:
            return
        at = _end_of_gif_block(sent, at)


def _size_of_colours(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _end_of_gif_block(sent: bytes, at: int) -> int:
    if sent[at] == GIF_IMAGE:
        flags = sent[at + 9] if at + 9 < len(sent) else 0
        at += 11 + _size_of_colours(flags)
    elif sent[at] == GIF_EXTENSION:
        at += 2
    else:
        return at + 1
    while at < len(sent) and sent[at]:
        at += 1 + sent[at]
    return at + 1


# --- WebP -------------------------------------------------------------------------------------------------------------


def _webp_canvas(sent: bytes) -> Outline | None:
    kind, start = sent[12:16], 20
    if kind == b"VP8X":
        # The canvas: two numbers of 24 bits, less one. The flag of an animation says that there will be frames.
        width, height = (int.from_bytes(sent[at : at + 3], "little") + 1 for at in (24, 27))
        return Outline("WEBP", width, height, MOST_FRAMES if sent[start] & 2 else 1)
    if kind == b"VP8 ":
        width, height = _LITTLE_SIZE.unpack_from(sent, 26)
        return Outline("WEBP", width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L":
        bits = int.from_bytes(sent[21:25], "little")
        return Outline("WEBP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    return None


def _webp(sent: bytes) -> Outline | None:
    canvas = _webp_canvas(sent)
    if canvas is None or canvas.frames == 1:
        return canvas
    frames, at = 0, 12
    while at + _CHUNK.size <= len(sent) and frames <= MOST_FRAMES:
        name, size = _CHUNK.unpack_from(sent, at)
        frames += name == b"ANMF"
        at += _CHUNK.size + size + (size & 1)
    return Outline("WEBP", canvas.width, canvas.height, max(1, frames))
