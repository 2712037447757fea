"""Decode and re-encode images; nothing but the pixels of an uploaded file is stored."""

import hashlib
import io
import struct
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from PIL import Image, ImageCms, PngImagePlugin, UnidentifiedImageError

from abhidhan.platform.sandbox.media_headers import GIF_END, iter_gif_blocks, read_outline
from abhidhan.records.perceptual_hash import compute_hash
from abhidhan.records.photos import (
    IMAGE_FORMATS,
    MAX_PIXELS,
    MAX_PROFILE_BYTES,
    THUMBNAIL_SIDE_PIXELS,
    ImageOutline,
    ProcessedPhoto,
    fit_size,
    is_likely_heif,
)
from abhidhan.records.uploads import UploadRefusal, check_outline

STRIP_PIXELS: Final = 1_000_000
"""Number of pixels processed at a time, which saves the memory of a full copy."""

MAX_PNG_TEXT_BYTES: Final = 4 * 1_048_576
"""Maximum decompressed size of the text chunks of a PNG in bytes; they are discarded."""

JPEG_QUALITY: Final = 90
WEBP_QUALITY: Final = 88
THUMBNAIL_QUALITY: Final = 80
ORIENTATION_TAG: Final = 0x0112
"""The EXIF tag of the camera's orientation."""

TRANSPOSITIONS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""Transpositions that turn an image upright, by EXIF orientation."""

DECODERS: Final = tuple({each.name: None for each in IMAGE_FORMATS.values()})
"""The Pillow formats that may be decoded; the decoders of all others are never tried."""

ANIMATED_FORMATS: Final = frozenset({"GIF", "WEBP"})
"""Formats whose animation is preserved. Animated PNGs, which few programs support, keep only the first frame."""

ENCODING_OPTIONS: Final[Mapping[str, Mapping[str, object]]] = {
    "JPEG": {"quality": JPEG_QUALITY, "optimize": True, "progressive": True},
    "PNG": {"optimize": False},
    "GIF": {"optimize": False},
    "WEBP": {"quality": WEBP_QUALITY, "method": 4},
}


class DecodedImage(msgspec.Struct):
    """A decoded image: its upright frames in RGB, RGBA or L, their durations, and the loop count."""

    frames: list[Image.Image]
    milliseconds: list[int]
    loop: int | None


def prepare() -> None:
    """Load all decoders, and limit their output."""
    # Pillow warns above this number of pixels, and fails above twice as many, also in later frames.
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS // 2
    PngImagePlugin.MAX_TEXT_MEMORY = MAX_PNG_TEXT_BYTES
    Image.init()


def reencode(content: bytes) -> ProcessedPhoto | UploadRefusal:
    """Decode and check a photo, and re-encode it without metadata; return a refusal if it is not acceptable."""
    outline = read_outline(content)
    if outline and (refusal := check_outline(outline)):
        return refusal
    try:
        # The decoder's memory is freed before encoding.
        decoded = _check_and_decode(content, outline)
        return decoded if isinstance(decoded, UploadRefusal) else _process(*decoded)
    except UnidentifiedImageError:
        return UploadRefusal.HEIC if is_likely_heif(content[:12]) else UploadRefusal.NOT_A_PHOTO
    except (Image.DecompressionBombError, MemoryError):
        return UploadRefusal.TOO_MANY_PIXELS
    # Decoders have no common exception for damaged files.
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, struct.error):
        return UploadRefusal.BROKEN


def _check_and_decode(content: bytes, outline: ImageOutline | None) -> tuple[DecodedImage, str] | UploadRefusal:
    with Image.open(io.BytesIO(content), formats=DECODERS) as image_file:
        name = IMAGE_FORMATS[image_file.format or ""].name
        # The decoder may interpret the headers differently, so its values are checked, too.
        frames = getattr(image_file, "n_frames", 1) if name in ANIMATED_FORMATS else 1
        refusal = check_outline(ImageOutline(name, *image_file.size, frames))
        if refusal:
            return refusal
        if outline is None or TRUNCATION_CHECKS[name](content):
            return UploadRefusal.BROKEN
        return _decode(image_file, name, frames), name


def _decode(image_file: Image.Image, name: str, frames: int) -> DecodedImage:
    transposition = TRANSPOSITIONS.get(_read_orientation(image_file))
    profile = image_file.info.get("icc_profile") or b""
    image = DecodedImage([], [], image_file.info.get("loop") if name in ANIMATED_FORMATS else None)
    for number in range(frames):
        image_file.seek(number)
        image_file.load()
        frame = _convert_colours(image_file, profile if len(profile) <= MAX_PROFILE_BYTES else None)
        image.frames.append(frame if transposition is None else frame.transpose(transposition))
        image.milliseconds.append(int(image_file.info.get("duration") or 0))
    return image


def _read_orientation(image_file: Image.Image) -> int:
    try:
        return int(image_file.getexif().get(ORIENTATION_TAG, 1))
    except (OSError, ValueError, SyntaxError, KeyError, TypeError, struct.error):
        return 1


def _convert_colours(image_file: Image.Image, profile: bytes | None) -> Image.Image:
    """Convert a frame to 8-bit grey, RGB or RGBA in sRGB, without metadata."""
    if image_file.mode.startswith("I"):
        converted = image_file.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    elif image_file.has_transparency_data:
        converted = image_file.convert("RGBA")
    elif image_file.mode in {"1", "L"}:
        converted = image_file.convert("L")
    elif image_file.mode == "CMYK" and profile:
        converted = image_file.copy()
    else:
        converted = image_file.convert("RGB")
    converted = _convert_to_srgb(converted, profile) if profile else converted
    if converted.mode == "CMYK":
        converted = converted.convert("RGB")
    converted.info = {}
    return converted


def _convert_to_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    """Convert colours from the image's profile to sRGB; an unreadable profile is ignored."""
    try:
        image_profile = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if ImageCms.getProfileDescription(image_profile).startswith("sRGB"):
            return image
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        converted = ImageCms.profileToProfile(image, image_profile, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return image
    return converted or image


def _process(image: DecodedImage, name: str) -> ProcessedPhoto:
    first = image.frames[0]
    digest = hashlib.sha256()
    for frame in image.frames:
        digest.update(f"{frame.mode} {frame.width} {frame.height}:".encode())
        for box in _iter_strips(frame):
            digest.update(frame.crop(box).tobytes())
    return ProcessedPhoto(
        format=name,
        width=first.width,
        height=first.height,
        frames=len(image.frames),
        body=_encode(image, name),
        thumbnail=_encode_thumbnail(first),
        sha256=digest.hexdigest(),
        likeness=compute_hash(_convert_to_grey(first).resize((9, 8), Image.Resampling.BOX).tobytes()),
    )


def _iter_strips(image: Image.Image) -> Iterator[tuple[int, int, int, int]]:
    """Yield the boxes of full-width strips of an image."""
    rows = max(1, STRIP_PIXELS // image.width)
    for top in range(0, image.height, rows):
        yield 0, top, image.width, min(image.height, top + rows)


def _encode(image: DecodedImage, name: str) -> bytes:
    buffer = io.BytesIO()
    first, *more_frames = image.frames
    options = dict(ENCODING_OPTIONS[name])
    if more_frames:
        options |= {"save_all": True, "append_images": more_frames, "duration": image.milliseconds}
        if name == "GIF":
            options |= {"disposal": 2 if any(frame.mode == "RGBA" for frame in image.frames) else 1}
        if image.loop is not None:
            options |= {"loop": image.loop}
    first.save(buffer, name, **options)
    return buffer.getvalue()


def _encode_thumbnail(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    small = image.resize(fit_size(image.width, image.height, THUMBNAIL_SIDE_PIXELS), Image.Resampling.LANCZOS)
    small.save(buffer, "WEBP", quality=THUMBNAIL_QUALITY, method=4)
    return buffer.getvalue()


def _convert_to_grey(image: Image.Image) -> Image.Image:
    """Convert an image to grey, on a white background."""
    if image.mode != "RGBA":
        return image.convert("L")
    grey = Image.new("L", image.size)
    for box in _iter_strips(image):
        strip = image.crop(box)
        white = Image.new("RGBA", strip.size, "white")
        white.alpha_composite(strip)
        grey.paste(white.convert("L"), box)
    return grey


def _is_truncated_jpeg(content: bytes) -> bool:
    return b"\xff\xd9" not in content


def _is_truncated_png(content: bytes) -> bool:
    return b"IEND\xaeB`\x82" not in content


def _is_truncated_webp(content: bytes) -> bool:
    return int.from_bytes(content[4:8], "little") + 8 > len(content)


def _is_truncated_gif(content: bytes) -> bool:
    """Return whether the block that ends a GIF is missing."""
    return all(content[at] != GIF_END for at in iter_gif_blocks(content))


TRUNCATION_CHECKS: Final = {
    "JPEG": _is_truncated_jpeg,
    "PNG": _is_truncated_png,
    "GIF": _is_truncated_gif,
    "WEBP": _is_truncated_webp,
}
