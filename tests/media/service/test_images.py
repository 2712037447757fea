import io
import random
import struct
import zipfile
import zlib
from typing import Any, Final

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from abhidhan.media.service.images import reencode
from abhidhan.platform.sandbox.media_headers import read_image_size, read_outline
from abhidhan.records.perceptual_hash import count_differing_bits
from abhidhan.records.photos import (
    MAX_FRAMES,
    MAX_PHOTO_MEMORY_BYTES,
    MAX_SCANS,
    MAX_SIDE_PIXELS,
    ProcessedPhoto,
    estimate_photo_memory,
)
from abhidhan.records.uploads import UploadRefusal
from tests.support.contributions import draw_picture, photo_bytes

FORMATS: Final = ("JPEG", "PNG", "GIF", "WEBP")
SECRETS: Final = (b"Exif", b"GPS", b"Nokia", b"xpacket", b"SECRET", b"ICC_PROFILE", b"iCCP", b"tEXt", b"eXIf", b"XMP ")
XMP: Final = b'<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET place<?xpacket end="w"?></x:xmpmeta>'


def photo_with_metadata(kind: str) -> bytes:
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


def process(sent: bytes) -> ProcessedPhoto:
    made = reencode(sent)
    assert isinstance(made, ProcessedPhoto), made
    return made


def open_image(body: bytes) -> Image.Image:
    return Image.open(io.BytesIO(body))


def animation(kind: str, frames: int = 4, **options: Any) -> bytes:  # noqa: ANN401 (Pillow's own)
    made = io.BytesIO()
    first, *others = (draw_picture(seed=number) for number in range(frames))
    first.save(made, kind, save_all=True, append_images=others, duration=[100, 200, 300, 400][:frames], **options)
    return made.getvalue()


def test_photos_of_every_format_lose_their_metadata(subtests: pytest.Subtests) -> None:
    for kind in FORMATS:
        with subtests.test(kind):
            sent = photo_with_metadata(kind)
            assert any(secret in sent for secret in SECRETS)

            photo = process(sent)

            for content in (photo.body, photo.thumbnail):
                assert not [secret for secret in SECRETS if secret in content]
                assert not open_image(content).getexif()
            assert (photo.format, photo.width, photo.height, photo.frames) == (kind, 64, 48, 1)
            assert open_image(photo.body).format == kind


WHITE_CORNERS: Final = {
    1: (0, 0), 2: (63, 0), 3: (63, 31), 4: (0, 31), 5: (0, 0), 6: (31, 0), 7: (31, 63), 8: (0, 63)
}  # fmt: skip
"""The place of the upper left corner after turning, by the orientation in the EXIF data."""


def test_photos_of_every_exif_orientation_are_turned_upright() -> None:
    image = Image.new("RGB", (64, 32), "black")
    image.paste("white", (0, 0, 16, 8))
    for orientation, corner in WHITE_CORNERS.items():
        exif = Image.Exif()
        exif[0x0112] = orientation
        file = io.BytesIO()
        image.save(file, "PNG", exif=exif)

        upright = open_image(process(file.getvalue()).body).convert("L")

        assert upright.getpixel(corner) == 255, orientation


def test_colours_of_another_profile_are_translated() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = srgb.replace(b"rXYZ", b"????").replace(b"gXYZ", b"rXYZ").replace(b"????", b"gXYZ")
    swapped = swapped.replace("sRGB".encode("utf-16-be"), "sGRB".encode("utf-16-be"))
    made = io.BytesIO()
    Image.new("RGB", (8, 8), (30, 200, 30)).save(made, "PNG", icc_profile=swapped)

    pixel = open_image(process(made.getvalue()).body).getpixel((0, 0))

    assert pixel == pytest.approx((200, 30, 30), abs=2), "red and green are exchanged in this profile"


def test_a_profile_of_another_kind_of_colours_is_ignored() -> None:
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    made = io.BytesIO()
    Image.new("RGB", (8, 8), (200, 30, 30)).save(made, "PNG", icc_profile=lab)

    assert open_image(process(made.getvalue()).body).getpixel((0, 0)) == (200, 30, 30)


def test_a_broken_or_huge_colour_profile_is_ignored() -> None:
    plain = process(photo_bytes("PNG"))

    assert process(photo_bytes("PNG", icc_profile=b"not a profile")).sha256 == plain.sha256
    assert process(photo_bytes("WEBP", icc_profile=bytes(2_500_000))).format == "WEBP"


def test_every_png_mode_is_accepted() -> None:
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        file = io.BytesIO()
        Image.new(mode, (20, 10)).save(file, "PNG")
        photo = process(file.getvalue())
        assert (photo.width, photo.height) == (20, 10), mode


def test_16_bit_grey_keeps_its_brightness_and_transparency_is_kept() -> None:
    grey, transparent = io.BytesIO(), io.BytesIO()
    Image.new("I;16", (4, 4), 32768).save(grey, "PNG")
    Image.new("RGBA", (8, 8), (255, 0, 0, 0)).save(transparent, "PNG")

    assert open_image(process(grey.getvalue()).body).getpixel((0, 0)) == 128
    assert open_image(process(transparent.getvalue()).body).convert("RGBA").getpixel((0, 0)) == (255, 0, 0, 0)


def test_cmyk_colours_become_rgb() -> None:
    made = io.BytesIO()
    draw_picture().convert("CMYK").save(made, "JPEG")

    assert open_image(process(made.getvalue()).body).mode == "RGB"


def test_gif_and_webp_animations_are_kept_and_png_keeps_only_the_first_frame(subtests: pytest.Subtests) -> None:
    for kind in ("GIF", "WEBP"):
        with subtests.test(kind):
            photo = process(animation(kind, loop=0))
            image = open_image(photo.body)
            durations = []
            for number in range(4):
                image.seek(number)
                image.load()
                durations.append(image.info["duration"])

            assert photo.frames == 4
            assert durations == [100, 200, 300, 400]
            assert image.info["loop"] == 0
            assert getattr(open_image(photo.thumbnail), "n_frames", 1) == 1
    assert process(animation("PNG")).frames == 1


def test_too_many_frames_are_refused() -> None:
    made = io.BytesIO()
    frames = [Image.new("L", (1, 1), number % 2 * 255) for number in range(MAX_FRAMES + 5)]
    frames[0].save(made, "GIF", save_all=True, append_images=frames[1:], duration=20)

    assert reencode(made.getvalue()) is UploadRefusal.TOO_MANY_FRAMES


def test_photos_of_forty_megapixels_are_accepted_and_larger_ones_refused() -> None:
    def blank(width: int, height: int) -> bytes:
        made = io.BytesIO()
        Image.new("1", (width, height)).save(made, "PNG")
        return made.getvalue()

    assert reencode(blank(8000, 5001)) is UploadRefusal.TOO_MANY_PIXELS
    assert process(blank(MAX_SIDE_PIXELS, 2441)).width == MAX_SIDE_PIXELS


# --- bounds that hold before anything is decoded ----------------------------------------------------------------------


def gif(*frames: tuple[int, int, int, int], size: tuple[int, int] = (10, 10)) -> bytes:
    """Write a GIF by hand, whose frames (left, top, width, height) have no pixels."""
    made = b"GIF89a" + struct.pack("<HHBBB", *size, 0x80, 0, 0) + b"\xff\0\0\0\0\xff"
    return made + b"".join(b"," + struct.pack("<HHHHB", *each, 0) + b"\x02\x01\x44\0" for each in frames) + b";"


def png(width: int, height: int, *chunks: tuple[bytes, bytes]) -> bytes:
    """Write a PNG by hand: its header, other chunks, and grey pixels as long as there are few."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress((b"\0" + bytes(width)) * height) if width * height < 1_000_000 else b""
    parts = (b"IHDR", header), *chunks, (b"IDAT", pixels), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )


def progressive(scans: int) -> bytes:
    """Make a progressive JPEG that goes over its pixels so many times: its last scan is there again and again."""
    made = io.BytesIO()
    draw_picture().save(made, "JPEG", progressive=True)
    body = made.getvalue()
    last = body[body.rindex(b"\xff\xda") : -2]
    return body[:-2] + last * (scans - body.count(b"\xff\xda")) + b"\xff\xd9"


def webp(width: int, height: int, frames: int) -> bytes:
    """Write the headers of an animated WebP by hand."""
    canvas = b"\x02\0\0\0" + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    chunks = [(b"VP8X", canvas), (b"ANIM", bytes(6)), *[(b"ANMF", bytes(16))] * frames]
    content = b"WEBP" + b"".join(name + struct.pack("<I", len(data)) + data for name, data in chunks)
    return b"RIFF" + struct.pack("<I", len(content)) + content


TOO_MUCH_WORK: Final = (
    (png(40_000_000, 1), UploadRefusal.TOO_LONG),
    (png(1, 40_000_000), UploadRefusal.TOO_LONG),
    (png(MAX_SIDE_PIXELS + 1, 1), UploadRefusal.TOO_LONG),
    (png(100_000, 100_000), UploadRefusal.TOO_MANY_PIXELS),
    (gif((0, 0, 10, 10), size=(65_535, 65_535)), UploadRefusal.TOO_MANY_PIXELS),
    (gif((0, 0, 10, 10), (60_000, 0, 5000, 10)), UploadRefusal.TOO_LONG),
    (gif(*[(0, 0, 1, 1)] * (MAX_FRAMES + 1)), UploadRefusal.TOO_MANY_FRAMES),
    (gif(*[(0, 0, 3000, 3000)] * 3), UploadRefusal.TOO_MANY_FRAMES),
    (webp(10, 10, MAX_FRAMES + 1), UploadRefusal.TOO_MANY_FRAMES),
    (webp(3000, 3000, 3), UploadRefusal.TOO_MANY_FRAMES),
    (webp(16_384, 16_384, 1), UploadRefusal.TOO_MANY_PIXELS),
    (progressive(MAX_SCANS + 1), UploadRefusal.TOO_MANY_SCANS),
    (progressive(MAX_SCANS)[:2] + b"\xff\xfe\0\x02" * 6000 + progressive(20)[2:], UploadRefusal.TOO_MANY_SCANS),
)


def test_photos_that_are_too_much_work_are_refused_before_they_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise AssertionError("a decoder was called")

    monkeypatch.setattr(Image, "open", fail)

    assert [reencode(sent) for sent, _ in TOO_MUCH_WORK] == [refusal for _, refusal in TOO_MUCH_WORK]


def test_as_many_scans_as_programs_write_are_accepted() -> None:
    assert process(progressive(MAX_SCANS)).format == "JPEG"


def test_frames_are_counted_up_to_the_maximum_and_hidden_ones_too() -> None:
    outline = read_outline(gif(*[(0, 0, 1, 1)] * 100_000))
    hidden = gif(*[(0, 0, 1, 1)] * (MAX_FRAMES + 5)).replace(b",", b"\0\0,", 1)

    assert outline is not None
    assert outline.frames == MAX_FRAMES + 1
    assert reencode(hidden) is UploadRefusal.TOO_MANY_FRAMES


def test_headers_give_the_size_and_may_be_cut_anywhere(subtests: pytest.Subtests) -> None:
    noise = random.Random(1)  # noqa: S311 (the same noise each time)
    for kind in FORMATS:
        with subtests.test(kind):
            for options in ({}, {"lossless": True}) if kind == "WEBP" else ({},):
                sent = photo_bytes(kind, **options)
                for size in (read_image_size(sent), read_outline(sent)):
                    assert size is not None
                    assert (size.name, size.width, size.height) == (kind, 64, 48)
            sent = photo_bytes(kind)
            for length in range(min(len(sent), 400)):
                read_image_size(sent[:length]), read_outline(sent[:length])
                read_outline(sent[:length] + noise.randbytes(200))


BOMB_CHUNKS: Final[tuple[tuple[bytes, bytes], ...]] = (
    (b"zTXt", b"Comment\0\0"),
    (b"iTXt", b"Comment\0\1\0\0\0"),
    (b"iCCP", b"profile\0\0"),
)


def test_compressed_texts_and_profiles_that_are_too_large_are_not_unpacked() -> None:
    for name, head in BOMB_CHUNKS:
        bomb = head + zlib.compress(bytes(300_000_000), 9)

        assert reencode(png(4, 4, (name, bomb))) is UploadRefusal.BROKEN, name


@pytest.mark.filterwarnings("ignore:Tag data larger than file")
def test_huge_exif_data_are_ignored() -> None:
    entries = 5000
    ifd = struct.pack(">H", entries) + b"".join(
        struct.pack(">HHII", number, 7, 0xFFFFFFF0, 8) for number in range(entries)
    )
    exif = b"MM\0*\0\0\0\x08" + ifd + bytes(4)

    assert process(png(4, 4, (b"eXIf", exif))).format == "PNG"


def test_an_interlaced_png_is_accepted_and_a_truncated_one_is_not() -> None:
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 1)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(b"\0\x80")), (b"IEND", b"")
    sent = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )

    assert (process(sent).width, reencode(sent[:-13])) == (1, UploadRefusal.BROKEN)


def test_data_behind_an_image_is_removed() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("index.html", "<script>alert('SECRET')</script>")
    for kind in FORMATS:
        photo = process(photo_bytes(kind) + archive.getvalue() + b"<script>SECRET</script>")
        assert not any(part in photo.body for part in (b"PK", b"script", b"SECRET")), kind


def test_the_memory_limit_of_a_photo_depends_on_its_size() -> None:
    small, large = read_image_size(photo_bytes("PNG")), read_image_size(png(8000, 5000))

    assert estimate_photo_memory(None) <= estimate_photo_memory(small) < estimate_photo_memory(large) < 700_000_000
    assert estimate_photo_memory(read_image_size(webp(16_384, 16_384, 2))) <= MAX_PHOTO_MEMORY_BYTES


def test_a_second_picture_behind_a_jpeg_is_dropped() -> None:
    made = io.BytesIO()
    draw_picture(seed=1).save(made, "MPO", save_all=True, append_images=[draw_picture(seed=2)])
    assert open_image(made.getvalue()).format == "MPO"

    kept = process(made.getvalue())

    assert (kept.format, kept.frames) == ("JPEG", 1)
    assert b"MPF" not in kept.body


def test_the_same_picture_is_recognized_in_every_format() -> None:
    png, webp = process(photo_bytes("PNG")), process(photo_bytes("WEBP", lossless=True))
    jpeg = process(photo_bytes("JPEG"))
    other = process(photo_bytes("PNG", seed=9))

    assert png.sha256 == webp.sha256 != jpeg.sha256
    assert count_differing_bits(png.likeness, jpeg.likeness) <= 6 < count_differing_bits(png.likeness, other.likeness)


def test_a_thumbnail_is_small_and_webp() -> None:
    made = io.BytesIO()
    draw_picture(1200, 800).save(made, "JPEG")

    thumbnail = open_image(process(made.getvalue()).thumbnail)

    assert (thumbnail.format, thumbnail.size) == ("WEBP", (320, 213))


def test_files_with_missing_or_damaged_bytes_never_crash_the_decoder(subtests: pytest.Subtests) -> None:
    for kind in FORMATS:
        with subtests.test(kind):
            sent = photo_bytes(kind)
            assert [reencode(sent[:-missing]) for missing in (1, 2, 10, 100)] == [UploadRefusal.BROKEN] * 4
            for place in range(0, len(sent), max(1, len(sent) // 60)):
                assert reencode(sent[:place] + b"\xa5\x5a" + sent[place + 2 :]) is not None
