"""What the first bytes of a recording tell of it, read without any decoder: its kind, and whether it is whole."""

import re
import struct
from typing import Final

_CHUNK: Final = struct.Struct("<4sI")
_RIFF: Final = 12
"""Bytes of a WAV file before its first chunk."""

MOST_CHUNKS: Final = 200
UNKNOWN_SIZES: Final = frozenset({0, 0xFFFFFFFF, 0x7FFFFFFF, 0x7FFFF000})
"""Sizes that programs write which do not know yet how long the sound will be, and cannot go back."""

_OGG_HEAD: Final = 27
"""Bytes of an Ogg page before the sizes of its segments; the last says how many there are."""

_OGG_FLAGS: Final = 5
LAST_PAGE: Final = 4
"""The flag of an Ogg page that ends a stream."""

_MP3: Final = re.compile(rb"ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb]", re.DOTALL)
"""A tag, or the head of a frame of layer III."""

_OTHER: Final = re.compile(
    rb"....ftyp|\x1a\x45\xdf\xa3|#!AMR|FORM....AIF|OggS.{22,40}(?:\x80theora|Speex)|caff", re.DOTALL
)
"""M4A and MP4, WebM and Matroska, AMR, AIFF, Ogg with a film, and Apple's CAF."""


def kind_of(sent: bytes) -> str | None:
    """Return the kind of a file that may be decoded; None for any other."""
    if sent[:4] == b"RIFF" and sent[8:12] == b"WAVE":
        return "WAV"
    if sent[:4] == b"fLaC":
        return "FLAC"
    if sent[:4] == b"OggS":
        return "OGG"
    return "MP3" if _MP3.match(sent) else None


def looks_like_another_format(sent: bytes) -> bool:
    """Recognize formats that telephones record in, so that the refusal can say what to do."""
    return _OTHER.match(sent[:128]) is not None


def is_cut_off(kind: str, sent: bytes) -> bool:
    """Say whether the end of a file is missing, where its format tells: half a word is not to be heard as one."""
    if kind == "WAV":
        return _wav_is_cut_off(sent)
    if kind == "OGG":
        return _ogg_is_cut_off(sent)
    return False


def _wav_is_cut_off(sent: bytes) -> bool:
    place = _RIFF
    for _ in range(MOST_CHUNKS):
        if place + _CHUNK.size > len(sent):
            # There is no sound in it at all.
            return True
        name, size = _CHUNK.unpack_from(sent, place)
        if name == b"data":
            return size not in UNKNOWN_SIZES and place + _CHUNK.size + size > len(sent)
        place += _CHUNK.size + size + size % 2
    return True


def _ogg_is_cut_off(sent: bytes) -> bool:
    """Look at the last page: it must end the stream, and be as long as it says (RFC 3533, section 6)."""
    last = sent.rfind(b"OggS")
    sizes = (
        sent[last + _OGG_HEAD : last + _OGG_HEAD + sent[last + _OGG_HEAD - 1]] if len(sent) > last + _OGG_HEAD else b""
    )
    end = last + _OGG_HEAD + len(sizes) + sum(sizes)
    return not sizes or not sent[last + _OGG_FLAGS] & LAST_PAGE or end > len(sent)
