"""Photos: limits of uploads and of decoding, formats, processed files, the credit, and addresses."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import GREATEST_ID

MAX_PHOTO_BYTES: Final = 3 * 1_048_576
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

MIN_PHOTO_MEMORY: Final = 64 * 1_048_576
MAX_PHOTO_MEMORY: Final = 1_100 * 1_048_576
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


def photo_memory(outline: Outline | None) -> int:
    """Say how many bytes decoding an image and encoding it anew may take; what is none takes the least.

    An animation is counted as one that has as many pixels as it may have, for its frames are not known yet.
    """
    if outline is None:
        return MIN_PHOTO_MEMORY
    pixels = outline.width * outline.height
    if outline.name == "GIF" or outline.frames > 1:
        pixels = max(pixels, MOST_PIXELS_OF_ALL_FRAMES)
    return MIN_PHOTO_MEMORY + BYTES_OF_A_PIXEL[outline.name] * min(pixels, MOST_PIXELS)


SHORTEST_CREDIT: Final = 2
LONGEST_CREDIT: Final = 200
THUMBNAIL_SIDE: Final = 320
"""The longer side of a thumbnail in pixels."""


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


class ProcessedPhoto(msgspec.Struct, frozen=True):
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

    @property
    def files(self) -> dict[str, bytes]:
        """Its files: the photo and its thumbnail, by what follows the key in their names."""
        return dict(zip(photo_suffixes(self.extension), (self.body, self.thumbnail), strict=True))


def photo_suffixes(extension: str) -> tuple[str, str]:
    """Return what follows the key in the names of the files of a photo: of itself, and of its thumbnail."""
    return f".{extension}", f"-thumb.{THUMBNAIL.extension}"


_NOT_TEXT: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NUMBER: Final = re.compile(r"\s*\+?0*([0-9]{1,10})\s*", re.ASCII)
_HEIF_BRANDS: Final = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis")


def clean_credit(credit: str) -> str:
    """Clean the credit of a photo. Raises InputError for `photoCredit`."""
    # An import only here: the process that decodes photos starts faster without the tables of letters.
    from assamese.normalization import nfc, squeeze, visible_length  # noqa: PLC0415

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


def read_submission_id(text: str) -> int:
    """Read the ID of a word's submission as a form sends it. Raises InputError for `submissionID`."""
    found = _NUMBER.fullmatch(text)
    if not found or not 0 < int(found[1]) <= GREATEST_ID:
        raise InputError.of(
            "submissionID",
            sentence("`%(parameter)s` must be the number of a submission, such as 88.", parameter="submissionID"),
        )
    return int(found[1])


def looks_like_heif(beginning: bytes) -> bool:
    """Recognize HEIC and AVIF files by their first bytes, so that the refusal can say what to do."""
    return beginning[4:8] == b"ftyp" and beginning[8:12] in _HEIF_BRANDS


def upright_size(width: int, height: int, longest: int) -> tuple[int, int]:
    """Fit a size into a square of side `longest`, never larger than it was, never without a pixel."""
    share = min(1.0, longest / max(width, height))
    return max(1, round(width * share)), max(1, round(height * share))


_FILE_NAME: Final = re.compile(r"([1-9][0-9]{0,9})(-thumb)?\.([a-z]{3,4})", re.ASCII)


class PhotoName(msgspec.Struct, frozen=True):
    """What the address of a photo's bytes names: the photo, and whether its thumbnail is meant."""

    photo_id: int
    extension: str
    thumbnail: bool

    @property
    def suffix(self) -> str:
        """What follows the key in the name of the file."""
        return f"{'-thumb' if self.thumbnail else ''}.{self.extension}"


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
