"""Decode and re-encode images; nothing but the pixels of an uploaded file is stored."""

import hashlib
import io
import struct
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from PIL import Image, ImageCms, PngImagePlugin, UnidentifiedImageError

from abhidhan.platform.sandbox.media_headers import GIF_END, gif_blocks, read_outline
from abhidhan.records.perceptual_hash import likeness_of
from abhidhan.records.photos import (
    FORMATS,
    MAX_PIXELS,
    MAX_PROFILE_BYTES,
    THUMBNAIL_SIDE,
    Outline,
    ProcessedPhoto,
    looks_like_heif,
    upright_size,
)
from abhidhan.records.uploads import Refusal, refusal_of

STRIP_PIXELS: Final = 1_000_000
"""Number of pixels processed at a time, which saves the memory of a full copy."""

MAX_TEXT_BYTES: Final = 4 * 1_048_576
"""Maximum decompressed size of the text chunks of a PNG in bytes; they are discarded."""

JPEG_QUALITY: Final = 90
WEBP_QUALITY: Final = 88
THUMBNAIL_QUALITY: Final = 80
ORIENTATION: Final = 0x0112
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

DECODERS: Final = tuple({each.name: None for each in FORMATS.values()})
"""The Pillow formats that may be decoded; the decoders of all others are never tried."""

ANIMATED: Final = frozenset({"GIF", "WEBP"})
"""Formats whose animation is preserved. Animated PNGs, which few programs support, keep only the first frame."""

ENCODING: Final[Mapping[str, Mapping[str, object]]] = {
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
    PngImagePlugin.MAX_TEXT_MEMORY = MAX_TEXT_BYTES
    Image.init()


def reencode(sent: bytes) -> ProcessedPhoto | Refusal:
    """Decode and check a photo, and re-encode it without metadata; return a refusal if it is not acceptable."""
    outline = read_outline(sent)
    if outline and (refusal := refusal_of(outline)):
        return refusal
    try:
        # The decoder's memory is freed before encoding.
        decoded = _decode_checked(sent, outline)
        return decoded if isinstance(decoded, Refusal) else _process(*decoded)
    except UnidentifiedImageError:
        return Refusal.HEIC if looks_like_heif(sent[:12]) else Refusal.NOT_A_PHOTO
    except (Image.DecompressionBombError, MemoryError):
        return Refusal.TOO_MANY_PIXELS
    # Decoders have no common exception for damaged files.
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, struct.error):
        return Refusal.BROKEN


def _decode_checked(sent: bytes, outline: Outline | None) -> tuple[DecodedImage, str] | Refusal:
    with Image.open(io.BytesIO(sent), formats=DECODERS) as opened:
        name = FORMATS[opened.format or ""].name
        # The decoder may interpret the headers differently, so its values are checked, too.
        frames = getattr(opened, "n_frames", 1) if name in ANIMATED else 1
        refusal = refusal_of(Outline(name, *opened.size, frames))
        if refusal:
            return refusal
        if outline is None or TRUNCATION_CHECKS[name](sent):
            return Refusal.BROKEN
        return _decode(opened, name, frames), name


def _decode(opened: Image.Image, name: str, frames: int) -> DecodedImage:
    turn = TRANSPOSITIONS.get(_orientation(opened))
    profile = opened.info.get("icc_profile") or b""
    image = DecodedImage([], [], opened.info.get("loop") if name in ANIMATED else None)
    for number in range(frames):
        opened.seek(number)
        opened.load()
        frame = _to_plain_colours(opened, profile if len(profile) <= MAX_PROFILE_BYTES else None)
        image.frames.append(frame if turn is None else frame.transpose(turn))
        image.milliseconds.append(int(opened.info.get("duration") or 0))
    return image


def _orientation(opened: Image.Image) -> int:
    try:
        return int(opened.getexif().get(ORIENTATION, 1))
    except (OSError, ValueError, SyntaxError, KeyError, TypeError, struct.error):
        return 1


def _to_plain_colours(opened: Image.Image, profile: bytes | None) -> Image.Image:
    """Convert a frame to 8-bit grey, RGB or RGBA in sRGB, without metadata."""
    if opened.mode.startswith("I"):
        plain = opened.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    elif opened.has_transparency_data:
        plain = opened.convert("RGBA")
    elif opened.mode in {"1", "L"}:
        plain = opened.convert("L")
    elif opened.mode == "CMYK" and profile:
        plain = opened.copy()
    else:
        plain = opened.convert("RGB")
    plain = _to_srgb(plain, profile) if profile else plain
    if plain.mode == "CMYK":
        plain = plain.convert("RGB")
    plain.info = {}
    return plain


def _to_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    """Convert colours from the image's profile to sRGB; an unreadable profile is ignored."""
    try:
        image_profile = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if ImageCms.getProfileDescription(image_profile).startswith("sRGB"):
            return image
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        translated = ImageCms.profileToProfile(image, image_profile, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return image
    return translated or image


def _process(image: DecodedImage, name: str) -> ProcessedPhoto:
    first = image.frames[0]
    digest = hashlib.sha256()
    for frame in image.frames:
        digest.update(f"{frame.mode} {frame.width} {frame.height}:".encode())
        for box in _strips(frame):
            digest.update(frame.crop(box).tobytes())
    return ProcessedPhoto(
        format=name,
        width=first.width,
        height=first.height,
        frames=len(image.frames),
        body=_encode(image, name),
        thumbnail=_thumbnail(first),
        sha256=digest.hexdigest(),
        likeness=likeness_of(_brightness(first).resize((9, 8), Image.Resampling.BOX).tobytes()),
    )


def _strips(image: Image.Image) -> Iterator[tuple[int, int, int, int]]:
    """Yield the boxes of full-width strips of an image."""
    rows = max(1, STRIP_PIXELS // image.width)
    for top in range(0, image.height, rows):
        yield 0, top, image.width, min(image.height, top + rows)


def _encode(image: DecodedImage, name: str) -> bytes:
    made = io.BytesIO()
    first, *more_frames = image.frames
    options = dict(ENCODING[name])
    if more_frames:
        options |= {"save_all": True, "append_images": more_frames, "duration": image.milliseconds}
        if name == "GIF":
            options |= {"disposal": 2 if any(frame.mode == "RGBA" for frame in image.frames) else 1}
        if image.loop is not None:
            options |= {"loop": image.loop}
    first.save(made, name, **options)
    return made.getvalue()


def _thumbnail(image: Image.Image) -> bytes:
    made = io.BytesIO()
    small = image.resize(upright_size(image.width, image.height, THUMBNAIL_SIDE), Image.Resampling.LANCZOS)
    small.save(made, "WEBP", quality=THUMBNAIL_QUALITY, method=4)
    return made.getvalue()


def _brightness(image: Image.Image) -> Image.Image:
    """Convert an image to grey, on a white background."""
    if image.mode != "RGBA":
        return image.convert("L")
    grey = Image.new("L", image.size)
    for box in _strips(image):
        strip = image.crop(box)
        white = Image.new("RGBA", strip.size, "white")
        white.alpha_composite(strip)
        grey.paste(white.convert("L"), box)
    return grey


def _jpeg_is_cut_off(sent: bytes) -> bool:
    return b"\xff\xd9" not in sent


def _png_is_cut_off(sent: bytes) -> bool:
    return b"IEND\xaeB`\x82" not in sent


def _webp_is_cut_off(sent: bytes) -> bool:
    return int.from_bytes(sent[4:8], "little") + 8 > len(sent)


def _gif_is_cut_off(sent: bytes) -> bool:
    """Return whether the block that ends a GIF is missing."""
    return all(sent[at] != GIF_END for at in gif_blocks(sent))


TRUNCATION_CHECKS: Final = {
    "JPEG": _jpeg_is_cut_off,
    "PNG": _png_is_cut_off,
    "GIF": _gif_is_cut_off,
    "WEBP": _webp_is_cut_off,
}
