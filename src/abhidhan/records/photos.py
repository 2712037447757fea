"""Photos: limits of uploads and decoding, formats, processed files, credits, and URLs."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from abhidhan.records.errors import InputError, sentence
from abhidhan.records.ids import MAX_ID

MAX_PHOTO_BYTES: Final = 3 * 1_048_576
"""Maximum size of an uploaded photo (docs/api.md)."""

MAX_PIXELS: Final = 40_000_000
MAX_SIDE_PIXELS: Final = 16_384
"""Maximum side length in pixels, enough for phone panoramas, and the maximum of WebP. Without it, scaling an image of
one by 40 million pixels takes four times the memory of a normal one."""

MAX_FRAMES: Final = 200
MAX_ANIMATION_PIXELS: Final = 20_000_000
"""Maximum number of pixels in all frames of an animation. Choosing the colours of a GIF's frames takes up to a second
for a million pixels."""

MAX_SCANS: Final = 64
"""Maximum number of scans of a progressive JPEG. Programs write about ten; each further scan of a few bytes costs the
decoder as much as the whole image."""

MAX_PROFILE_BYTES: Final = 2 * 1_048_576
"""Maximum size of a colour profile; those of printers have up to 2 MB. Larger ones are ignored."""

MIN_PHOTO_MEMORY_BYTES: Final = 64 * 1_048_576
MAX_PHOTO_MEMORY_BYTES: Final = 1_100 * 1_048_576
"""Maximum memory for an accepted photo: a WebP of 40 megapixels, whose decoder needs several copies."""

BYTES_PER_PIXEL: Final[Mapping[str, int]] = {"JPEG": 14, "PNG": 14, "GIF": 16, "WEBP": 26}
"""Memory in bytes per pixel for decoding and encoding, on top of MIN_PHOTO_MEMORY_BYTES: measured, with a margin."""


class ImageOutline(msgspec.Struct, frozen=True):
    """The properties of an image that its headers state before decoding: format, size in pixels, frames and scans."""

    name: str
    width: int
    height: int
    frames: int = 1
    scans: int = 1


def estimate_photo_memory(outline: ImageOutline | None) -> int:
    """Return the maximum memory for decoding and re-encoding an image, in bytes; None means not an image.

    An animation counts with the maximum number of pixels, since its frames are not known yet.
    """
    if outline is None:
        return MIN_PHOTO_MEMORY_BYTES
    pixels = outline.width * outline.height
    if outline.name == "GIF" or outline.frames > 1:
        pixels = max(pixels, MAX_ANIMATION_PIXELS)
    return MIN_PHOTO_MEMORY_BYTES + BYTES_PER_PIXEL[outline.name] * min(pixels, MAX_PIXELS)


MIN_CREDIT_LENGTH: Final = 2
MAX_CREDIT_LENGTH: Final = 200
THUMBNAIL_SIDE_PIXELS: Final = 320
"""The longer side of a thumbnail in pixels."""


class ImageFormat(msgspec.Struct, frozen=True):
    """An accepted image format: its Pillow name, file extension and media type."""

    name: str
    extension: str
    media_type: str


IMAGE_FORMATS: Final[Mapping[str, ImageFormat]] = {
    "JPEG": ImageFormat("JPEG", "jpg", "image/jpeg"),
    # JPEG files of phones are often MPO: a JPEG followed by more pictures, which are dropped.
    "MPO": ImageFormat("JPEG", "jpg", "image/jpeg"),
    "PNG": ImageFormat("PNG", "png", "image/png"),
    "GIF": ImageFormat("GIF", "gif", "image/gif"),
    "WEBP": ImageFormat("WEBP", "webp", "image/webp"),
}
THUMBNAIL_FORMAT: Final = IMAGE_FORMATS["WEBP"]
IMAGE_MEDIA_TYPES: Final[Mapping[str, str]] = {each.extension: each.media_type for each in IMAGE_FORMATS.values()}


class ProcessedPhoto(msgspec.Struct, frozen=True):
    """A photo processed for storage: re-encoded without metadata, with its thumbnail and hashes.

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
        """The file extension of the format."""
        return IMAGE_FORMATS[self.format].extension

    @property
    def files(self) -> dict[str, bytes]:
        """The contents of the photo and its thumbnail, by the suffix after the key in the file name."""
        return dict(zip(photo_suffixes(self.extension), (self.body, self.thumbnail), strict=True))


def photo_suffixes(extension: str) -> tuple[str, str]:
    """Return the suffixes after the key in the file names of a photo and of its thumbnail."""
    return f".{extension}", f"-thumb.{THUMBNAIL_FORMAT.extension}"


_CONTROL_CHARACTERS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ID_PATTERN: Final = re.compile(r"\s*\+?0*([0-9]{1,10})\s*", re.ASCII)
_HEIF_BRANDS: Final = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis")


def clean_credit(credit: str) -> str:
    """Validate and clean the credit of a photo. Raises InputError for `photoCredit`."""
    # Imported here so that the process that decodes photos starts faster, without the letter tables.
    from assamese.normalization import collapse_whitespace, nfc, visible_length  # noqa: PLC0415

    clean = nfc(collapse_whitespace(credit))
    if _CONTROL_CHARACTERS.search(clean):
        raise InputError.of(
            "photoCredit", sentence("`%(parameter)s` must not contain control characters.", parameter="photoCredit")
        )
    if not MIN_CREDIT_LENGTH <= len(clean) <= MAX_CREDIT_LENGTH:
        raise InputError.of(
            "photoCredit",
            sentence(
                "`%(parameter)s` must have from %(least)s to %(most)s characters.",
                parameter="photoCredit",
                least=MIN_CREDIT_LENGTH,
                most=MAX_CREDIT_LENGTH,
            ),
        )
    if visible_length(clean) < MIN_CREDIT_LENGTH:
        raise InputError.of(
            "photoCredit",
            sentence(
                "`%(parameter)s` must have at least %(least)s visible characters.",
                parameter="photoCredit",
                least=MIN_CREDIT_LENGTH,
            ),
        )
    return clean


def parse_idea_id(text: str) -> int:
    """Parse the ID of an idea from a form. Raises InputError for `ideaID`."""
    match = _ID_PATTERN.fullmatch(text)
    if not match or not 0 < int(match[1]) <= MAX_ID:
        raise InputError.of(
            "ideaID", sentence("`%(parameter)s` must be the number of an idea, such as 88.", parameter="ideaID")
        )
    return int(match[1])


def parse_submission_id(text: str) -> int:
    """Parse the ID of a word's submission from a form. Raises InputError for `submissionID`."""
    match = _ID_PATTERN.fullmatch(text)
    if not match or not 0 < int(match[1]) <= MAX_ID:
        raise InputError.of(
            "submissionID",
            sentence("`%(parameter)s` must be the number of a submission, such as 88.", parameter="submissionID"),
        )
    return int(match[1])


def is_likely_heif(header: bytes) -> bool:
    """Return whether the first bytes of a file are those of HEIC or AVIF, for a more helpful error message."""
    return header[4:8] == b"ftyp" and header[8:12] in _HEIF_BRANDS


def fit_size(width: int, height: int, max_side: int) -> tuple[int, int]:
    """Scale a size down to fit a square of side `max_side`, to at least one pixel; never enlarge it."""
    scale = min(1.0, max_side / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


_FILE_NAME_PATTERN: Final = re.compile(r"([1-9][0-9]{0,9})(-thumb)?\.([a-z]{3,4})", re.ASCII)


class PhotoName(msgspec.Struct, frozen=True):
    """The parsed file name in a photo URL: the photo, and whether it is the thumbnail."""

    photo_id: int
    extension: str
    is_thumbnail: bool

    @property
    def suffix(self) -> str:
        """The suffix after the key in the name of the stored file."""
        return f"{'-thumb' if self.is_thumbnail else ''}.{self.extension}"


def photo_path(photo_id: int, extension: str) -> str:
    """Return the URL path of a photo."""
    return f"/photos/{photo_id}.{extension}"


def thumbnail_path(photo_id: int) -> str:
    """Return the URL path of a photo's thumbnail."""
    return f"/photos/{photo_id}-thumb.{THUMBNAIL_FORMAT.extension}"


def parse_photo_name(name: str) -> PhotoName | None:
    """Parse the file name in a photo URL; return None if it is invalid."""
    match = _FILE_NAME_PATTERN.fullmatch(name)
    if not match or int(match[1]) > MAX_ID or (match[2] and match[3] != THUMBNAIL_FORMAT.extension):
        return None
    return PhotoName(int(match[1]), match[3], bool(match[2]))
