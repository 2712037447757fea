"""Parsing of image and audio headers, before any decoder sees the file.

Only fields at known offsets are read, and every loop stops as soon as a limit is exceeded.
"""

import re
import struct
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from abhidhan.records.photos import MAX_FRAMES, MAX_SCANS, Outline

_BIG_SIZE: Final = struct.Struct(">II")
_LITTLE_SIZE: Final = struct.Struct("<HH")
_GIF_FRAME: Final = struct.Struct("<HHHH")
_CHUNK: Final = struct.Struct("<4sI")

PNG: Final = b"\x89PNG\r\n\x1a\n"
MAX_SEGMENTS: Final = 5_000
"""Maximum number of segments of a JPEG; 3 MB of comments, in segments of full size, are 46."""

SCAN: Final = 0xDA
END: Final = 0xD9
SIZES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers (ITU-T T.81, table B.1): start of scan, end of image, and start of frame, which has the size."""

MARKERS_WITHOUT_LENGTH: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers without a length field."""

_MARKER: Final = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
"""The next marker after any other bytes, which decoders skip too; in scan data, 0xFF is followed by 0x00."""

GIF_END: Final = 0x3B
GIF_IMAGE: Final = 0x2C
GIF_EXTENSION: Final = 0x21


def read_image_size(sent: bytes) -> Outline | None:
    """Read the size of an image from its header only; None if the format is not supported."""
    return _read_with(sent, {"PNG": _png, "GIF": _gif_screen, "WEBP": _webp_canvas, "JPEG": _jpeg_size})


def read_outline(sent: bytes) -> Outline | None:
    """Read the size of an image and count its frames and scans up to their limits; None as in `read_image_size`."""
    return _read_with(sent, {"PNG": _png, "GIF": _gif, "WEBP": _webp, "JPEG": _jpeg})


def _read_with(sent: bytes, readers: dict[str, Callable[[bytes], Outline | None]]) -> Outline | None:
    try:
        return readers[kind](sent) if (kind := _image_kind(sent)) else None
    except (struct.error, IndexError):
        return None


def _image_kind(sent: bytes) -> str | None:
    if sent.startswith(PNG):
        return "PNG"
    if sent.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if sent.startswith(b"RIFF") and sent[8:12] == b"WEBP":
        return "WEBP"
    return "JPEG" if sent.startswith(b"\xff\xd8\xff") else None


def _png(sent: bytes) -> Outline | None:
    # An animated PNG counts as one frame, since only the first is decoded.
    return Outline("PNG", *_BIG_SIZE.unpack_from(sent, 16)) if sent[12:16] == b"IHDR" else None


# --- JPEG -------------------------------------------------------------------------------------------------------------


def _jpeg_size(sent: bytes) -> Outline | None:
    return next((_jpeg_outline(sent, at) for marker, at in _segments(sent) if marker in SIZES), None)


def _jpeg(sent: bytes) -> Outline | None:
    size, scans, segments = None, 0, 0
    for marker, at in _segments(sent):
        if marker in SIZES and size is None:
            size = _jpeg_outline(sent, at)
        scans, segments = scans + (marker == SCAN), segments + 1
        if scans > MAX_SCANS:
            break
    if segments == MAX_SEGMENTS:
        # Beyond the limit of segments there may be any number of scans.
        size, scans = size or Outline("JPEG", 1, 1), MAX_SCANS + 1
    return msgspec.structs.replace(size, scans=scans) if size else None


def _jpeg_outline(sent: bytes, at: int) -> Outline:
    height, width = struct.unpack_from(">HH", sent, at + 3)
    return Outline("JPEG", width, height)


def _segments(sent: bytes) -> Iterator[tuple[int, int]]:
    """Yield the marker of each segment of a JPEG, and the offset of its length field."""
    at = 2
    for _ in range(MAX_SEGMENTS):
        match = _MARKER.search(sent, at)
        if not match or match[1][0] == END:
            return
        marker, at = match[1][0], match.end()
        yield marker, at
        if marker not in MARKERS_WITHOUT_LENGTH and at + 2 <= len(sent):
            at += struct.unpack_from(">H", sent, at)[0]


# --- GIF --------------------------------------------------------------------------------------------------------------


def _gif_screen(sent: bytes) -> Outline:
    return Outline("GIF", *_LITTLE_SIZE.unpack_from(sent, 6))


def _gif(sent: bytes) -> Outline:
    """Count the frames; a frame that exceeds the screen enlarges the image, as in the decoder."""
    width, height = _LITTLE_SIZE.unpack_from(sent, 6)
    frames = 0
    for at in gif_blocks(sent):
        if sent[at] == GIF_IMAGE:
            left, top, wide, high = _GIF_FRAME.unpack_from(sent, at + 1)
            width, height, frames = max(width, left + wide), max(height, top + high), frames + 1
        if frames > MAX_FRAMES:
            break
    return Outline("GIF", width, height, max(1, frames))


def gif_blocks(sent: bytes) -> Iterator[int]:
    """Yield the offset of each block of a GIF, including the trailer."""
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
        # The canvas size is stored as two 24-bit numbers minus one. With the animation flag, assume the most frames.
        width, height = (int.from_bytes(sent[at : at + 3], "little") + 1 for at in (24, 27))
        return Outline("WEBP", width, height, MAX_FRAMES if sent[start] & 2 else 1)
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
    while at + _CHUNK.size <= len(sent) and frames <= MAX_FRAMES:
        name, size = _CHUNK.unpack_from(sent, at)
        frames += name == b"ANMF"
        at += _CHUNK.size + size + (size & 1)
    return Outline("WEBP", canvas.width, canvas.height, max(1, frames))


_RIFF: Final = 12
"""Offset of the first chunk in a WAV file, after the RIFF header."""

MAX_CHUNKS: Final = 200
UNKNOWN_SIZES: Final = frozenset({0, 0xFFFFFFFF, 0x7FFFFFFF, 0x7FFFF000})
"""Placeholder sizes written by programs that stream and do not know the length of the audio."""

_OGG_HEAD: Final = 27
"""Size of an Ogg page header before its segment table; the last byte is the number of segments."""

_OGG_FLAGS: Final = 5
LAST_PAGE: Final = 4
"""The flag of the last Ogg page of a stream."""

_MP3: Final = re.compile(rb"ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb]", re.DOTALL)
"""An ID3 tag, or the header of a layer III frame."""

_OTHER: Final = re.compile(
    rb"....ftyp|\x1a\x45\xdf\xa3|#!AMR|FORM....AIF|OggS.{22,40}(?:\x80theora|Speex)|caff", re.DOTALL
)
"""M4A and MP4, WebM and Matroska, AMR, AIFF, Ogg with Theora video or Speex, and Apple's CAF."""


def sound_kind(sent: bytes) -> str | None:
    """Return the format of an audio file, if it is one that the decoder supports; otherwise None."""
    if sent[:4] == b"RIFF" and sent[8:12] == b"WAVE":
        return "WAV"
    if sent[:4] == b"fLaC":
        return "FLAC"
    if sent[:4] == b"OggS":
        return "OGG"
    return "MP3" if _MP3.match(sent) else None


def looks_like_another_format(sent: bytes) -> bool:
    """Return whether the file has another common recording format, for a more helpful refusal."""
    return _OTHER.match(sent[:128]) is not None


def is_cut_off(kind: str, sent: bytes) -> bool:
    """Return whether a WAV or Ogg file is truncated: half a word must not be published as a recording."""
    if kind == "WAV":
        return _wav_is_cut_off(sent)
    if kind == "OGG":
        return _ogg_is_cut_off(sent)
    return False


def _wav_is_cut_off(sent: bytes) -> bool:
    offset = _RIFF
    for _ in range(MAX_CHUNKS):
        if offset + _CHUNK.size > len(sent):
            # It has no data chunk.
            return True
        name, size = _CHUNK.unpack_from(sent, offset)
        if name == b"data":
            return size not in UNKNOWN_SIZES and offset + _CHUNK.size + size > len(sent)
        offset += _CHUNK.size + size + size % 2
    return True


def _ogg_is_cut_off(sent: bytes) -> bool:
    """Check the last page: it must end the stream and be complete (RFC 3533, section 6)."""
    last = sent.rfind(b"OggS")
    sizes = (
        sent[last + _OGG_HEAD : last + _OGG_HEAD + sent[last + _OGG_HEAD - 1]] if len(sent) > last + _OGG_HEAD else b""
    )
    end = last + _OGG_HEAD + len(sizes) + sum(sizes)
    return not sizes or not sent[last + _OGG_FLAGS] & LAST_PAGE or end > len(sent)
