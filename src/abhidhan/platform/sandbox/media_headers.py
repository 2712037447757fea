"""Parsing of image and audio headers, before any decoder sees the file.

Only fields at known offsets are read, and every loop stops as soon as a limit is exceeded.
"""

import re
import struct
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from abhidhan.records.photos import MAX_FRAMES, MAX_SCANS, ImageOutline

_BIG_ENDIAN_SIZE: Final = struct.Struct(">II")
_LITTLE_ENDIAN_SIZE: Final = struct.Struct("<HH")
_GIF_FRAME: Final = struct.Struct("<HHHH")
_CHUNK_HEADER: Final = struct.Struct("<4sI")

PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
MAX_SEGMENTS: Final = 5_000
"""Maximum number of segments of a JPEG; 3 MB of comments, in segments of full size, are 46."""

SCAN_MARKER: Final = 0xDA
END_MARKER: Final = 0xD9
FRAME_MARKERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers (ITU-T T.81, table B.1): start of scan, end of image, and start of frame, which has the size."""

MARKERS_WITHOUT_LENGTH: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers without a length field."""

_MARKER: Final = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
"""The next marker after any other bytes, which decoders skip too; in scan data, 0xFF is followed by 0x00."""

GIF_END: Final = 0x3B
GIF_IMAGE: Final = 0x2C
GIF_EXTENSION: Final = 0x21


def read_image_size(content: bytes) -> ImageOutline | None:
    """Read the size of an image from its header only; None if the format is not supported."""
    return _parse_header(
        content, {"PNG": _parse_png, "GIF": _parse_gif_screen, "WEBP": _parse_webp_canvas, "JPEG": _parse_jpeg_size}
    )


def read_outline(content: bytes) -> ImageOutline | None:
    """Read the size of an image and count its frames and scans up to their limits; None as in `read_image_size`."""
    return _parse_header(content, {"PNG": _parse_png, "GIF": _parse_gif, "WEBP": _parse_webp, "JPEG": _parse_jpeg})


def _parse_header(content: bytes, readers: dict[str, Callable[[bytes], ImageOutline | None]]) -> ImageOutline | None:
    try:
        return readers[kind](content) if (kind := _detect_image_format(content)) else None
    except (struct.error, IndexError):
        return None


def _detect_image_format(content: bytes) -> str | None:
    if content.startswith(PNG_SIGNATURE):
        return "PNG"
    if content.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "WEBP"
    return "JPEG" if content.startswith(b"\xff\xd8\xff") else None


def _parse_png(content: bytes) -> ImageOutline | None:
    # An animated PNG counts as one frame, since only the first is decoded.
    return ImageOutline("PNG", *_BIG_ENDIAN_SIZE.unpack_from(content, 16)) if content[12:16] == b"IHDR" else None


# --- JPEG -------------------------------------------------------------------------------------------------------------


def _parse_jpeg_size(content: bytes) -> ImageOutline | None:
    return next(
        (_parse_frame_header(content, at) for marker, at in _iter_segments(content) if marker in FRAME_MARKERS), None
    )


def _parse_jpeg(content: bytes) -> ImageOutline | None:
    size, scans, segments = None, 0, 0
    for marker, at in _iter_segments(content):
        if marker in FRAME_MARKERS and size is None:
            size = _parse_frame_header(content, at)
        scans, segments = scans + (marker == SCAN_MARKER), segments + 1
        if scans > MAX_SCANS:
            break
    if segments == MAX_SEGMENTS:
        # Beyond the limit of segments there may be any number of scans.
        size, scans = size or ImageOutline("JPEG", 1, 1), MAX_SCANS + 1
    return msgspec.structs.replace(size, scans=scans) if size else None


def _parse_frame_header(content: bytes, offset: int) -> ImageOutline:
    height, width = struct.unpack_from(">HH", content, offset + 3)
    return ImageOutline("JPEG", width, height)


def _iter_segments(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield the marker of each segment of a JPEG, and the offset of its length field."""
    at = 2
    for _ in range(MAX_SEGMENTS):
        match = _MARKER.search(content, at)
        if not match or match[1][0] == END_MARKER:
            return
        marker, at = match[1][0], match.end()
        yield marker, at
        if marker not in MARKERS_WITHOUT_LENGTH and at + 2 <= len(content):
            at += struct.unpack_from(">H", content, at)[0]


# --- GIF --------------------------------------------------------------------------------------------------------------


def _parse_gif_screen(content: bytes) -> ImageOutline:
    return ImageOutline("GIF", *_LITTLE_ENDIAN_SIZE.unpack_from(content, 6))


def _parse_gif(content: bytes) -> ImageOutline:
    """Count the frames; a frame that exceeds the screen enlarges the image, as in the decoder."""
    width, height = _LITTLE_ENDIAN_SIZE.unpack_from(content, 6)
    frames = 0
    for at in iter_gif_blocks(content):
        if content[at] == GIF_IMAGE:
            left, top, wide, high = _GIF_FRAME.unpack_from(content, at + 1)
            width, height, frames = max(width, left + wide), max(height, top + high), frames + 1
        if frames > MAX_FRAMES:
            break
    return ImageOutline("GIF", width, height, max(1, frames))


def iter_gif_blocks(content: bytes) -> Iterator[int]:
    """Yield the offset of each block of a GIF, including the trailer."""
    at = 13 + _compute_colour_table_size(content[10])
    while at < len(content):
        yield at
        if content[at] == GIF_END:
            return
        at = _find_gif_block_end(content, at)


def _compute_colour_table_size(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _find_gif_block_end(content: bytes, offset: int) -> int:
    if content[offset] == GIF_IMAGE:
        flags = content[offset + 9] if offset + 9 < len(content) else 0
        offset += 11 + _compute_colour_table_size(flags)
    elif content[offset] == GIF_EXTENSION:
        offset += 2
    else:
        return offset + 1
    while offset < len(content) and content[offset]:
        offset += 1 + content[offset]
    return offset + 1


# --- WebP -------------------------------------------------------------------------------------------------------------


def _parse_webp_canvas(content: bytes) -> ImageOutline | None:
    kind, start = content[12:16], 20
    if kind == b"VP8X":
        # The canvas size is stored as two 24-bit numbers minus one. With the animation flag, assume the most frames.
        width, height = (int.from_bytes(content[at : at + 3], "little") + 1 for at in (24, 27))
        return ImageOutline("WEBP", width, height, MAX_FRAMES if content[start] & 2 else 1)
    if kind == b"VP8 ":
        width, height = _LITTLE_ENDIAN_SIZE.unpack_from(content, 26)
        return ImageOutline("WEBP", width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L":
        bits = int.from_bytes(content[21:25], "little")
        return ImageOutline("WEBP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    return None


def _parse_webp(content: bytes) -> ImageOutline | None:
    canvas = _parse_webp_canvas(content)
    if canvas is None or canvas.frames == 1:
        return canvas
    frames, at = 0, 12
    while at + _CHUNK_HEADER.size <= len(content) and frames <= MAX_FRAMES:
        name, size = _CHUNK_HEADER.unpack_from(content, at)
        frames += name == b"ANMF"
        at += _CHUNK_HEADER.size + size + (size & 1)
    return ImageOutline("WEBP", canvas.width, canvas.height, max(1, frames))


_FIRST_CHUNK_OFFSET: Final = 12
"""Offset of the first chunk in a WAV file, after the RIFF header."""

MAX_CHUNKS: Final = 200
UNKNOWN_SIZES: Final = frozenset({0, 0xFFFFFFFF, 0x7FFFFFFF, 0x7FFFF000})
"""Placeholder sizes written by programs that stream and do not know the length of the audio."""

_OGG_HEADER_BYTES: Final = 27
"""Size of an Ogg page header before its segment table; the last byte is the number of segments."""

_OGG_FLAGS_OFFSET: Final = 5
LAST_PAGE_FLAG: Final = 4
"""The flag of the last Ogg page of a stream."""

_MP3_START: Final = re.compile(rb"ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb]", re.DOTALL)
"""An ID3 tag, or the header of a layer III frame."""

_OTHER_FORMATS: Final = re.compile(
    rb"....ftyp|\x1a\x45\xdf\xa3|#!AMR|FORM....AIF|OggS.{22,40}(?:\x80theora|Speex)|caff", re.DOTALL
)
"""M4A and MP4, WebM and Matroska, AMR, AIFF, Ogg with Theora video or Speex, and Apple's CAF."""


def detect_audio_format(content: bytes) -> str | None:
    """Return the format of an audio file, if it is one that the decoder supports; otherwise None."""
    if content[:4] == b"RIFF" and content[8:12] == b"WAVE":
        return "WAV"
    if content[:4] == b"fLaC":
        return "FLAC"
    if content[:4] == b"OggS":
        return "OGG"
    return "MP3" if _MP3_START.match(content) else None


def looks_like_another_format(content: bytes) -> bool:
    """Return whether the file has another common recording format, for a more helpful refusal."""
    return _OTHER_FORMATS.match(content[:128]) is not None


def is_truncated(kind: str, content: bytes) -> bool:
    """Return whether a WAV or Ogg file is truncated: half a word must not be published as a recording."""
    if kind == "WAV":
        return _is_wav_truncated(content)
    if kind == "OGG":
        return _is_ogg_truncated(content)
    return False


def _is_wav_truncated(content: bytes) -> bool:
    offset = _FIRST_CHUNK_OFFSET
    for _ in range(MAX_CHUNKS):
        if offset + _CHUNK_HEADER.size > len(content):
            # It has no data chunk.
            return True
        name, size = _CHUNK_HEADER.unpack_from(content, offset)
        if name == b"data":
            return size not in UNKNOWN_SIZES and offset + _CHUNK_HEADER.size + size > len(content)
        offset += _CHUNK_HEADER.size + size + size % 2
    return True


def _is_ogg_truncated(content: bytes) -> bool:
    """Check the last page: it must end the stream and be complete (RFC 3533, section 6)."""
    last = content.rfind(b"OggS")
    sizes = (
        content[last + _OGG_HEADER_BYTES : last + _OGG_HEADER_BYTES + content[last + _OGG_HEADER_BYTES - 1]]
        if len(content) > last + _OGG_HEADER_BYTES
        else b""
    )
    end = last + _OGG_HEADER_BYTES + len(sizes) + sum(sizes)
    return not sizes or not content[last + _OGG_FLAGS_OFFSET] & LAST_PAGE_FLAG or end > len(content)
