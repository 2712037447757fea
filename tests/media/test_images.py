import io
from typing import Any, Final

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from abhidhan.domain.photos import MOST_FRAMES, Developed, Refusal, difference
from abhidhan.media.images import develop
from tests.support.contributing import photo_bytes, picture

SECRETS: Final = (b"Exif", b"GPS", b"Nokia", b"xpacket", b"SECRET", b"ICC_PROFILE", b"iCCP", b"tEXt", b"eXIf", b"XMP ")
XMP: Final = b'<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET place<?xpacket end="w"?></x:xmpmeta>'


def with_everything(kind: str) -> bytes:
    """Make a photo with GPS, a camera, XMP, a comment and a colour profile."""
    exif = Image.Exif()
    exif[0x010F] = "Nokia SECRET"
    exif.get_ifd(0x8825)[2] = (26.0, 11.0, 5.0)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    options: dict[str, Any] = {
        "JPEG": {"exif": exif, "icc_profile": profile, "comment": b"SECRET comment", "xmp": XMP},
        "PNG": {"exif": exif, "icc_profile": profile, "pnginfo": _png_texts()},
        "GIF": {"comment": b"SECRET comment"},
        "WEBP": {"exif": exif, "icc_profile": profile, "xmp": XMP},
    }
    return photo_bytes(kind, **options[kind])


def _png_texts() -> PngImagePlugin.PngInfo:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Comment", "SECRET comment")
    texts.add_itxt("XML:com.adobe.xmp", XMP.decode())
    return texts


def developed(sent: bytes) -> Developed:
    made = develop(sent)
    assert isinstance(made, Developed), made
    return made


def opened(body: bytes) -> Image.Image:
    return Image.open(io.BytesIO(body))


def animation(kind: str, frames: int = 4, **options: Any) -> bytes:  # noqa: ANN401 (Pillow's own)
    made = io.BytesIO()
    first, *others = (picture(seed=number) for number in range(frames))
    first.save(made, kind, save_all=True, append_images=others, duration=[100, 200, 300, 400][:frames], **options)
    return made.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP"])
def test_nothing_but_the_pixels_is_kept(kind: str) -> None:
    sent = with_everything(kind)
    assert any(secret in sent for secret in SECRETS)

    made = developed(sent)

    for content in (made.body, made.thumbnail):
        assert not [secret for secret in SECRETS if secret in content]
        assert not opened(content).getexif()
    assert (made.format, made.width, made.height, made.frames) == (kind, 64, 48, 1)
    assert opened(made.body).format == kind


@pytest.mark.parametrize(
    ("orientation", "corner"),
    [(1, (0, 0)), (2, (63, 0)), (3, (63, 31)), (4, (0, 31)), (5, (0, 0)), (6, (31, 0)), (7, (31, 63)), (8, (0, 63))],
)
def test_every_orientation_is_turned_upright(orientation: int, corner: tuple[int, int]) -> None:
    image = Image.new("RGB", (64, 32), "black")
    image.paste("white", (0, 0, 16, 8))
    exif = Image.Exif()
    exif[0x0112] = orientation
    made = io.BytesIO()
    image.save(made, "PNG", exif=exif)

    upright = opened(developed(made.getvalue()).body).convert("L")

    assert upright.getpixel(corner) == 255


def test_colours_of_another_profile_are_translated() -> None:
    lab = ImageCms.createProfile("LAB")
    srgb = ImageCms.createProfile("sRGB")
    image = ImageCms.profileToProfile(Image.new("RGB", (8, 8), (200, 30, 30)), srgb, lab, outputMode="LAB")
    assert image is not None
    made = io.BytesIO()
    Image.merge("RGB", image.split()).save(made, "PNG", icc_profile=ImageCms.ImageCmsProfile(lab).tobytes())

    assert developed(made.getvalue()).frames == 1


def test_a_broken_profile_counts_as_none() -> None:
    plain = developed(photo_bytes("PNG"))

    assert developed(photo_bytes("PNG", icc_profile=b"not a profile")).sha256 == plain.sha256


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_mode_of_png_is_taken(mode: str) -> None:
    made = io.BytesIO()
    Image.new(mode, (20, 10)).save(made, "PNG")

    assert (developed(made.getvalue()).width, developed(made.getvalue()).height) == (20, 10)


def test_grey_of_16_bits_keeps_its_brightness() -> None:
    made = io.BytesIO()
    Image.new("I;16", (4, 4), 32768).save(made, "PNG")

    assert opened(developed(made.getvalue()).body).getpixel((0, 0)) == 128


def test_colours_for_print_become_colours_for_screens() -> None:
    made = io.BytesIO()
    picture().convert("CMYK").save(made, "JPEG")

    assert opened(developed(made.getvalue()).body).mode == "RGB"


def test_transparency_is_kept() -> None:
    made = io.BytesIO()
    Image.new("RGBA", (8, 8), (255, 0, 0, 0)).save(made, "PNG")

    assert opened(developed(made.getvalue()).body).convert("RGBA").getpixel((0, 0)) == (255, 0, 0, 0)


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_an_animation_keeps_moving(kind: str) -> None:
    made = developed(animation(kind, loop=0))
    image = opened(made.body)
    durations = []
    for number in range(4):
        image.seek(number)
        image.load()
        durations.append(image.info["duration"])

    assert made.frames == 4
    assert durations == [100, 200, 300, 400]
    assert image.info["loop"] == 0
    assert getattr(opened(made.thumbnail), "n_frames", 1) == 1


def test_an_animated_png_becomes_its_first_picture() -> None:
    assert developed(animation("PNG")).frames == 1


def test_too_many_frames_are_refused() -> None:
    made = io.BytesIO()
    frames = [Image.new("L", (1, 1), number % 2 * 255) for number in range(MOST_FRAMES + 5)]
    frames[0].save(made, "GIF", save_all=True, append_images=frames[1:], duration=20)

    assert develop(made.getvalue()) is Refusal.TOO_MANY_FRAMES


def test_more_than_forty_megapixels_are_refused_and_forty_are_taken() -> None:
    def blank(width: int, height: int) -> bytes:
        made = io.BytesIO()
        Image.new("1", (width, height)).save(made, "PNG")
        return made.getvalue()

    assert develop(blank(8000, 5001)) is Refusal.TOO_MANY_PIXELS
    assert developed(blank(400, 100_000)).height == 100_000


def test_a_second_picture_behind_a_jpeg_is_dropped() -> None:
    made = io.BytesIO()
    picture(seed=1).save(made, "MPO", save_all=True, append_images=[picture(seed=2)])
    assert opened(made.getvalue()).format == "MPO"

    kept = developed(made.getvalue())

    assert (kept.format, kept.frames) == ("JPEG", 1)
    assert b"MPF" not in kept.body


def test_the_same_picture_is_known_whatever_its_format() -> None:
    png, webp = developed(photo_bytes("PNG")), developed(photo_bytes("WEBP", lossless=True))
    jpeg = developed(photo_bytes("JPEG"))
    other = developed(photo_bytes("PNG", seed=9))

    assert png.sha256 == webp.sha256 != jpeg.sha256
    assert difference(png.likeness, jpeg.likeness) <= 6 < difference(png.likeness, other.likeness)


def test_a_thumbnail_is_small_and_webp() -> None:
    made = io.BytesIO()
    picture(1200, 800).save(made, "JPEG")

    thumbnail = opened(developed(made.getvalue()).thumbnail)

    assert (thumbnail.format, thumbnail.size) == ("WEBP", (320, 213))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP"])
@pytest.mark.parametrize("left_out", [1, 2, 10, 100])
def test_a_file_without_its_end_is_broken(kind: str, left_out: int) -> None:
    assert develop(photo_bytes(kind)[:-left_out]) is Refusal.BROKEN


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP"])
def test_no_damage_breaks_the_program(kind: str) -> None:
    sent = photo_bytes(kind)

    for place in range(0, len(sent), max(1, len(sent) // 60)):
        assert develop(sent[:place] + b"\xa5\x5a" + sent[place + 2 :]) is not None
