"""Images decoded and encoded anew: nothing of the sender's bytes is kept but the pixels.

Run as a program, with a process for each image: see `darkroom.py`.
"""

import hashlib
import io
import os
import resource
import signal
import struct
import sys
from collections.abc import Mapping
from typing import Final, NoReturn

import msgspec
from PIL import Image, ImageCms, UnidentifiedImageError

from abhidhan.domain.photos import (
    FORMATS,
    MOST_PIXELS,
    THUMBNAIL_SIDE,
    Developed,
    Refusal,
    likeness_of,
    looks_like_heif,
    too_many_frames,
    upright_size,
)

MOST_MEMORY: Final = 2_500_000_000
"""Bytes of address space for decoding one image: 40 megapixels are held a few times over."""

MOST_SECONDS: Final = 60
"""Seconds of processor time for one image."""

JPEG_QUALITY: Final = 90
WEBP_QUALITY: Final = 88
THUMBNAIL_QUALITY: Final = 80
ORIENTATION: Final = 0x0112
"""The EXIF tag that tells how the camera was held."""

TURNED: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""How an image is turned upright, by the value of its orientation."""

OPENED: Final = tuple({each.name: None for each in FORMATS.values()})
"""The decoders that are tried, and no others."""

ANIMATED: Final = frozenset({"GIF", "WEBP"})
"""Formats whose animation is kept. A PNG may be animated too; few programs know, and its first picture is kept."""

ENCODING: Final[Mapping[str, Mapping[str, object]]] = {
    "JPEG": {"quality": JPEG_QUALITY, "optimize": True, "progressive": True},
    "PNG": {"optimize": False},
    "GIF": {"optimize": False},
    "WEBP": {"quality": WEBP_QUALITY, "method": 4},
}


class Film(msgspec.Struct):
    """An image decoded: its upright frames in RGB, RGBA or L, how long each is shown, and how often all are."""

    frames: list[Image.Image]
    milliseconds: list[int]
    loop: int | None


def develop(sent: bytes) -> Developed | Refusal:
    """Decode a photo, check it, and encode it anew without anything but its pixels."""
    try:
        with Image.open(io.BytesIO(sent), formats=OPENED) as opened:
            name = FORMATS[opened.format or ""].name
            refusal = _refusal(opened, name, sent)
            if refusal:
                return refusal
            film = _decoded(opened, name)
    except UnidentifiedImageError:
        return Refusal.HEIC if looks_like_heif(sent[:12]) else Refusal.NOT_A_PHOTO
    except (Image.DecompressionBombError, MemoryError):
        return Refusal.TOO_MANY_PIXELS
    # What decoders raise for damaged files is not told in one class.
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, struct.error):
        return Refusal.BROKEN
    return _printed(film, name)


def _refusal(opened: Image.Image, name: str, sent: bytes) -> Refusal | None:
    """Find what can be said against an image before its pixels are decoded."""
    width, height = opened.size
    if width * height > MOST_PIXELS:
        return Refusal.TOO_MANY_PIXELS
    if CUT_OFF[name](sent):
        return Refusal.BROKEN
    if name in ANIMATED and too_many_frames(getattr(opened, "n_frames", 1), width, height):
        return Refusal.TOO_MANY_FRAMES
    return None


def _decoded(opened: Image.Image, name: str) -> Film:
    turn = TURNED.get(_orientation(opened))
    profile = opened.info.get("icc_profile")
    film = Film([], [], opened.info.get("loop") if name in ANIMATED else None)
    for number in range(getattr(opened, "n_frames", 1) if name in ANIMATED else 1):
        opened.seek(number)
        opened.load()
        frame = _in_plain_colours(opened, profile)
        film.frames.append(frame if turn is None else frame.transpose(turn))
        film.milliseconds.append(int(opened.info.get("duration") or 0))
    return film


def _orientation(opened: Image.Image) -> int:
    try:
        return int(opened.getexif().get(ORIENTATION, 1))
    except (OSError, ValueError, SyntaxError, KeyError, TypeError, struct.error):
        return 1


def _in_plain_colours(opened: Image.Image, profile: bytes | None) -> Image.Image:
    """Copy a frame into 8 bits of grey, RGB or RGBA in the colour space sRGB, and leave all else behind."""
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
    plain = _in_srgb(plain, profile) if profile else plain
    if plain.mode == "CMYK":
        plain = plain.convert("RGB")
    plain.info = {}
    return plain


def _in_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    """Translate colours from the image's own profile. A profile that cannot be read counts as none."""
    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if ImageCms.getProfileDescription(own).startswith("sRGB"):
            return image
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        translated = ImageCms.profileToProfile(image, own, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return image
    return translated or image


def _printed(film: Film, name: str) -> Developed:
    first = film.frames[0]
    digest = hashlib.sha256()
    for frame in film.frames:
        digest.update(f"{frame.mode} {frame.width} {frame.height}:".encode())
        digest.update(frame.tobytes())
    return Developed(
        format=name,
        width=first.width,
        height=first.height,
        frames=len(film.frames),
        body=_encoded(film, name),
        thumbnail=_thumbnail(first),
        sha256=digest.hexdigest(),
        likeness=likeness_of(_on_white(first).convert("L").resize((9, 8), Image.Resampling.BOX).tobytes()),
    )


def _encoded(film: Film, name: str) -> bytes:
    made = io.BytesIO()
    first, *others = film.frames
    options = dict(ENCODING[name])
    if others:
        options |= {"save_all": True, "append_images": others, "duration": film.milliseconds}
        if name == "GIF":
            options |= {"disposal": 2 if any(frame.mode == "RGBA" for frame in film.frames) else 1}
        if film.loop is not None:
            options |= {"loop": film.loop}
    first.save(made, name, **options)
    return made.getvalue()


def _thumbnail(image: Image.Image) -> bytes:
    made = io.BytesIO()
    small = image.resize(upright_size(image.width, image.height, THUMBNAIL_SIDE), Image.Resampling.LANCZOS)
    small.save(made, "WEBP", quality=THUMBNAIL_QUALITY, method=4)
    return made.getvalue()


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode != "RGBA":
        return image
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image)
    return white


# --- files that end too early: decoders forgive some of it ------------------------------------------------------------


def _jpeg_is_cut_off(sent: bytes) -> bool:
    return b"\xff\xd9" not in sent


def _png_is_cut_off(sent: bytes) -> bool:
    return b"IEND\xaeB`\x82" not in sent


def _webp_is_cut_off(sent: bytes) -> bool:
    return int.from_bytes(sent[4:8], "little") + 8 > len(sent)


def _gif_is_cut_off(sent: bytes) -> bool:
    """Go from block to block until the one that ends the file."""
    at = 13 + _size_of_colours(sent[10])
    while at < len(sent) and sent[at] != GIF_END:
        at = _end_of_gif_block(sent, at)
    return at >= len(sent)


GIF_END: Final = 0x3B
GIF_IMAGE: Final = 0x2C


def _size_of_colours(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _end_of_gif_block(sent: bytes, at: int) -> int:
    if sent[at] == GIF_IMAGE:
        flags = sent[at + 9] if at + 9 < len(sent) else 0
        at += 11 + _size_of_colours(flags)
    else:
        at += 2
    while at < len(sent) and sent[at]:
        at += 1 + sent[at]
    return at + 1


CUT_OFF: Final = {
    "JPEG": _jpeg_is_cut_off,
    "PNG": _png_is_cut_off,
    "GIF": _gif_is_cut_off,
    "WEBP": _webp_is_cut_off,
}


# --- the program ------------------------------------------------------------------------------------------------------

LENGTH: Final = struct.Struct(">I")
"""In front of each photo and each result: how many bytes it has."""


def main() -> None:
    """Develop one photo after the other, from the standard input to the standard output, each in a fork of its own.

    What a file may do to the process that decodes it ends with that process, and starting one anew would take a
    hundred times as long. A result that is empty says that the process did not live to write it.
    """
    # Pillow warns at this number of pixels, and refuses at twice as many: also where a later frame is the larger one.
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS // 2
    Image.init()
    while head := sys.stdin.buffer.read(LENGTH.size):
        result = _in_a_fork(sys.stdin.buffer.read(LENGTH.unpack(head)[0]))
        sys.stdout.buffer.write(LENGTH.pack(len(result)) + result)
        sys.stdout.buffer.flush()


def _in_a_fork(sent: bytes) -> bytes:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _develop_and_exit(sent, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        result = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return msgspec.msgpack.encode(Refusal.TOO_SLOW)
    return result if status == 0 else b""


def _develop_and_exit(sent: bytes, writing: int) -> NoReturn:
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(msgspec.msgpack.encode(develop(sent)))
    # Nothing of the parent's is finished here.
    os._exit(0)


if __name__ == "__main__":
    main()
