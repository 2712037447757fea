"""Uploaded files: the parsed form, and the reasons for refusing a file."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.records.errors import InputError, Problem, Sentence, sentence
from abhidhan.records.photos import (
    MAX_ANIMATION_PIXELS,
    MAX_FRAMES,
    MAX_PIXELS,
    MAX_SCANS,
    MAX_SIDE_PIXELS,
    ImageOutline,
)
from abhidhan.records.recordings import MAX_RECORDING_SECONDS


class UploadedFile(msgspec.Struct, frozen=True):
    """An uploaded file and the other fields of its form.

    `is_too_big` means that the file was too large and was not read. `problems` are those of fields that could not be
    read. `is_complete` is false if reading stopped before the end, so that more fields may have followed.
    `idempotency_key` is the client's key that identifies a repeated request.
    """

    fields: Mapping[str, str] = {}
    file: bytes | None = None
    is_too_big: bool = False
    problems: tuple[Problem, ...] = ()
    is_complete: bool = True
    idempotency_key: str | None = None

    def can_check(self, name: str) -> bool:
        """Return whether a field can be validated: it was received, or the complete form does not have it."""
        return (self.is_complete or name in self.fields) and all(each.parameter != name for each in self.problems)


PHOTO_FIELD: Final = "photo"
RECORDING_FIELD: Final = "recording"
"""The form fields of files, whose names are also the kinds of uploads."""


class UploadRefusal(StrEnum):
    """The reason for which a file is refused."""

    MISSING = "missing"
    TOO_BIG = "too big"
    BROKEN = "broken"
    TOO_LONG = "too long"
    TOO_SLOW = "too slow"
    NOT_A_PHOTO = "not a photo"
    HEIC = "heic"
    TOO_MANY_PIXELS = "too many pixels"
    TOO_MANY_FRAMES = "too many frames"
    TOO_MANY_SCANS = "too many scans"
    NOT_A_RECORDING = "not a recording"
    OTHER_FORMAT = "other format"
    UNUSUAL = "unusual"
    TOO_SHORT = "too short"
    SILENT = "silent"


_PHOTO_MESSAGES: Final[Mapping[UploadRefusal, Sentence]] = {
    UploadRefusal.MISSING: sentence(
        "`%(parameter)s` is missing: send a JPEG, PNG, GIF or WebP file.", parameter="photo"
    ),
    UploadRefusal.TOO_BIG: sentence(
        "`%(parameter)s` is larger than 3 MB (3,145,728 bytes). Make it smaller and send it again.", parameter="photo"
    ),
    UploadRefusal.NOT_A_PHOTO: sentence("`%(parameter)s` is not a JPEG, PNG, GIF or WebP image.", parameter="photo"),
    UploadRefusal.HEIC: sentence(
        "`%(parameter)s` is a HEIC or AVIF photo, which few programs can show. Save it as JPEG and send that.",
        parameter="photo",
    ),
    UploadRefusal.BROKEN: sentence(
        "`%(parameter)s` is damaged or incomplete: it cannot be decoded.", parameter="photo"
    ),
    UploadRefusal.TOO_MANY_PIXELS: sentence(
        "`%(parameter)s` is larger than 40 megapixels. Make it smaller and send it again.", parameter="photo"
    ),
    UploadRefusal.TOO_LONG: sentence(
        "`%(parameter)s` is longer than %(most)s pixels on one side. Make it smaller and send it again.",
        parameter="photo",
        most=f"{MAX_SIDE_PIXELS:,}",
    ),
    UploadRefusal.TOO_MANY_FRAMES: sentence(
        "`%(parameter)s` is an animation with more than %(most)s frames, or too many large frames.",
        parameter="photo",
        most=MAX_FRAMES,
    ),
    UploadRefusal.TOO_MANY_SCANS: sentence(
        "`%(parameter)s` has an unusual file structure. Save it again with another program and send that.",
        parameter="photo",
    ),
    UploadRefusal.TOO_SLOW: sentence(
        "`%(parameter)s` takes too long to process. Save it with another program and send that.", parameter="photo"
    ),
}

_RECORDING_MESSAGES: Final[Mapping[UploadRefusal, Sentence]] = {
    UploadRefusal.MISSING: sentence(
        "`%(parameter)s` is missing: send a WAV, FLAC, Ogg or MP3 file.", parameter="recording"
    ),
    UploadRefusal.TOO_BIG: sentence(
        "`%(parameter)s` is larger than 5 MB (5,242,880 bytes). Make it shorter and send it again.",
        parameter="recording",
    ),
    UploadRefusal.NOT_A_RECORDING: sentence(
        "`%(parameter)s` is not a WAV, FLAC, Ogg or MP3 file.", parameter="recording"
    ),
    UploadRefusal.OTHER_FORMAT: sentence(
        "`%(parameter)s` is in a phone or video format (M4A, MP4, WebM, AMR). Save it as WAV or MP3 and send that.",
        parameter="recording",
    ),
    UploadRefusal.BROKEN: sentence(
        "`%(parameter)s` is damaged or incomplete: it cannot be decoded.", parameter="recording"
    ),
    UploadRefusal.UNUSUAL: sentence(
        "`%(parameter)s` has an unusual encoding. Save it as WAV (PCM, 16 bits, 44,100 Hz) and send that.",
        parameter="recording",
    ),
    UploadRefusal.TOO_LONG: sentence(
        "`%(parameter)s` is longer than %(most)s seconds. Record one word or sentence at a time.",
        parameter="recording",
        most=MAX_RECORDING_SECONDS,
    ),
    UploadRefusal.TOO_SHORT: sentence(
        "`%(parameter)s` is too short to be a word. Record it again.", parameter="recording"
    ),
    UploadRefusal.SILENT: sentence(
        "No sound in `%(parameter)s`: check the microphone and record again.",
        parameter="recording",
    ),
    UploadRefusal.TOO_SLOW: sentence(
        "`%(parameter)s` takes too long to process. Save it as WAV and send that.", parameter="recording"
    ),
}

REFUSAL_MESSAGES: Final[Mapping[str, Mapping[UploadRefusal, Sentence]]] = {
    PHOTO_FIELD: _PHOTO_MESSAGES,
    RECORDING_FIELD: _RECORDING_MESSAGES,
}


class RefusedFileError(InputError):
    """A file is refused; `refusal` is the reason."""

    def __init__(self, kind: str, refusal: UploadRefusal) -> None:
        """Initialise with the message for the form field of the file."""
        self.refusal = refusal
        super().__init__(InputError.of(kind, REFUSAL_MESSAGES[kind][refusal]).problems[0])


def check_outline(outline: ImageOutline) -> UploadRefusal | None:
    """Check an image by its headers, before decoding; return the reason for refusing it, or None."""
    pixels = outline.width * outline.height
    if pixels > MAX_PIXELS:
        return UploadRefusal.TOO_MANY_PIXELS
    if max(outline.width, outline.height) > MAX_SIDE_PIXELS:
        return UploadRefusal.TOO_LONG
    if outline.frames > 1 and (outline.frames > MAX_FRAMES or outline.frames * pixels > MAX_ANIMATION_PIXELS):
        return UploadRefusal.TOO_MANY_FRAMES
    return UploadRefusal.TOO_MANY_SCANS if outline.scans > MAX_SCANS else None
