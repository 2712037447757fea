"""Why a photo cannot be taken, and the sentences that say so."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from abhidhan.domain.photo_limits import (
    MOST_FRAMES,
    MOST_PIXELS,
    MOST_PIXELS_OF_ALL_FRAMES,
    MOST_SCANS,
    MOST_SIDE,
    Outline,
)
from abhidhan.errors import InputError, sentence


class Refusal(StrEnum):
    """Why a photo cannot be taken."""

    MISSING = "missing"
    TOO_BIG = "too big"
    NOT_A_PHOTO = "not a photo"
    HEIC = "heic"
    BROKEN = "broken"
    TOO_MANY_PIXELS = "too many pixels"
    TOO_LONG = "too long"
    TOO_MANY_FRAMES = "too many frames"
    TOO_MANY_SCANS = "too many scans"
    TOO_SLOW = "too slow"


SENTENCES: Final[Mapping[Refusal, str]] = {
    Refusal.MISSING: sentence("`%(parameter)s` is missing: send a JPEG, PNG, GIF or WebP file.", parameter="photo"),
    Refusal.TOO_BIG: sentence(
        "`%(parameter)s` is larger than 3 MB (3,145,728 bytes): make it smaller and send it again.", parameter="photo"
    ),
    Refusal.NOT_A_PHOTO: sentence("`%(parameter)s` is not a JPEG, PNG, GIF or WebP image.", parameter="photo"),
    Refusal.HEIC: sentence(
        "`%(parameter)s` is in Apple's HEIC format (or AVIF), which few programs can show: "
        "save or export it as JPEG and send that.",
        parameter="photo",
    ),
    Refusal.BROKEN: sentence("`%(parameter)s` is damaged or incomplete: it cannot be decoded.", parameter="photo"),
    Refusal.TOO_MANY_PIXELS: sentence(
        "`%(parameter)s` has more than 40 megapixels: make it smaller and send it again.", parameter="photo"
    ),
    Refusal.TOO_LONG: sentence(
        "`%(parameter)s` is longer than %(most)s pixels on one side: make it smaller and send it again.",
        parameter="photo",
        most=f"{MOST_SIDE:,}",
    ),
    Refusal.TOO_MANY_FRAMES: sentence(
        "`%(parameter)s` is an animation with more than %(most)s frames, or with too many large ones.",
        parameter="photo",
        most=MOST_FRAMES,
    ),
    Refusal.TOO_MANY_SCANS: sentence(
        "`%(parameter)s` is built in an unusual way: save it again with another program and send that.",
        parameter="photo",
    ),
    Refusal.TOO_SLOW: sentence(
        "`%(parameter)s` takes too long to decode: save it again with another program and send that.", parameter="photo"
    ),
}


class RefusedPhotoError(InputError):
    """A photo that cannot be taken, and why."""

    def __init__(self, refusal: Refusal) -> None:
        """Say the refusal as a sentence about the parameter `photo`."""
        self.refusal = refusal
        super().__init__(InputError.of("photo", SENTENCES[refusal]).problems[0])


def refusal_of(outline: Outline) -> Refusal | None:
    """Find what can be said against an image before it is decoded."""
    pixels = outline.width * outline.height
    if pixels > MOST_PIXELS:
        return Refusal.TOO_MANY_PIXELS
    if max(outline.width, outline.height) > MOST_SIDE:
        return Refusal.TOO_LONG
    if outline.frames > 1 and (outline.frames > MOST_FRAMES or outline.frames * pixels > MOST_PIXELS_OF_ALL_FRAMES):
        return Refusal.TOO_MANY_FRAMES
    return Refusal.TOO_MANY_SCANS if outline.scans > MOST_SCANS else None
