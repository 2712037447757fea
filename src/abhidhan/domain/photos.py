"""Photos: what may be submitted, why one is refused, which photos are alike, and where their bytes are found."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

import msgspec

from abhidhan.domain.ids import GREATEST_ID
from abhidhan.errors import InputError, sentence

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

SHORTEST_CREDIT: Final = 2
LONGEST_CREDIT: Final = 200
THUMBNAIL_SIDE: Final = 320
"""The longer side of a thumbnail in pixels."""

ALIKE: Final = 6
"""In how many of 64 bits the perceptual hashes of two photos may differ while a person would call them alike."""

BANDS: Final = ALIKE + 1
"""Hashes that differ in at most ALIKE bits are the same in at least one of so many pieces."""


class Format(msgspec.Struct, frozen=True):
    """A kind of image that may be submitted: its name to Pillow, its file extension and its media type."""

    name: str
    extension: str
    media_type: str


FORMATS: Final[Mapping[str, Format]] = {
    "JPEG": Format("JPEG", "jpg", "image/jpeg"),
    # What telephones call JPEG is often this: a JPEG with more pictures behind it, which are dropped.
    "MPO": Format("JPEG", "jpg", "image/jpeg"),
    "PNG": Format("PNG", "png", "image/png"),
    "GIF": Format("GIF", "gif", "image/gif"),
    "WEBP": Format("WEBP", "webp", "image/webp"),
}
THUMBNAIL: Final = FORMATS["WEBP"]
MEDIA_TYPES: Final[Mapping[str, str]] = {each.extension: each.media_type for each in FORMATS.values()}


class Outline(msgspec.Struct, frozen=True):
    """What is known of an image before it is decoded: its kind, its size in pixels, its frames and its scans."""

    name: str
    width: int
    height: int
    frames: int = 1
    scans: int = 1


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


class Developed(msgspec.Struct, frozen=True):
    """A photo made ready to be kept: encoded anew, without metadata, with its thumbnail and what tells it apart.

    `sha256` is that of its pixels (of all frames), `likeness` a perceptual hash of 64 bits.
    """

    format: str
    width: int
    height: int
    frames: int
    body: bytes
    thumbnail: bytes
    sha256: str
    likeness: int

    @property
    def extension(self) -> str:
        """The file extension that goes with the format."""
        return FORMATS[self.format].extension


_NOT_TEXT: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NUMBER: Final = re.compile(r"\s*\+?0*([0-9]{1,10})\s*", re.ASCII)
_HEIF_BRANDS: Final = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis")


def clean_credit(credit: str) -> str:
    """Clean the credit of a photo. Raises InputError for `photoCredit`."""
    # An import only here: the process that decodes photos starts faster without the tables of letters.
    from abhidhan.domain.text.normal import nfc, squeeze  # noqa: PLC0415
    from abhidhan.domain.text.visible import visible_length  # noqa: PLC0415

    clean = nfc(squeeze(credit))
    if _NOT_TEXT.search(clean):
        raise InputError.of(
            "photoCredit", sentence("`%(parameter)s` must not contain control characters.", parameter="photoCredit")
        )
    if not SHORTEST_CREDIT <= len(clean) <= LONGEST_CREDIT:
        raise InputError.of(
            "photoCredit",
            sentence(
                "`%(parameter)s` must have from %(least)s to %(most)s characters.",
                parameter="photoCredit",
                least=SHORTEST_CREDIT,
                most=LONGEST_CREDIT,
            ),
        )
    if visible_length(clean) < SHORTEST_CREDIT:
        raise InputError.of(
            "photoCredit",
            sentence(
                "`%(parameter)s` must have at least %(least)s visible characters.",
                parameter="photoCredit",
                least=SHORTEST_CREDIT,
            ),
        )
    return clean


def read_idea_id(text: str) -> int:
    """Read the ID of an idea as a form sends it. Raises InputError for `ideaID`."""
    found = _NUMBER.fullmatch(text)
    if not found or not 0 < int(found[1]) <= GREATEST_ID:
        raise InputError.of(
            "ideaID", sentence("`%(parameter)s` must be the number of an idea, such as 88.", parameter="ideaID")
        )
    return int(found[1])


def looks_like_heif(beginning: bytes) -> bool:
    """Tell HEIC and AVIF files by their first bytes, so that the refusal can say what to do."""
    return beginning[4:8] == b"ftyp" and beginning[8:12] in _HEIF_BRANDS


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


def upright_size(width: int, height: int, longest: int) -> tuple[int, int]:
    """Fit a size into a square of side `longest`, never larger than it was, never without a pixel."""
    share = min(1.0, longest / max(width, height))
    return max(1, round(width * share)), max(1, round(height * share))


# --- photos that are alike ----------------------------------------------------------------------------------------


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


# --- addresses ----------------------------------------------------------------------------------------------------

_FILE_NAME: Final = re.compile(r"([1-9][0-9]{0,9})(-thumb)?\.([a-z]{3,4})", re.ASCII)


class PhotoName(msgspec.Struct, frozen=True):
    """What the address of a photo's bytes names: the photo, and whether its thumbnail is meant."""

    photo_id: int
    extension: str
    thumbnail: bool


def photo_address(photo_id: int, extension: str) -> str:
    """Return the address of a photo's bytes."""
    return f"/photos/{photo_id}.{extension}"


def thumbnail_address(photo_id: int) -> str:
    """Return the address of the bytes of a photo's thumbnail."""
    return f"/photos/{photo_id}-thumb.{THUMBNAIL.extension}"


def read_photo_name(name: str) -> PhotoName | None:
    """Read the last part of the address of a photo's bytes; None when it names none."""
    found = _FILE_NAME.fullmatch(name)
    if not found or int(found[1]) > GREATEST_ID or (found[2] and found[3] != THUMBNAIL.extension):
        return None
    return PhotoName(int(found[1]), found[3], bool(found[2]))
