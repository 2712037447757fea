import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.records.errors import InputError
from abhidhan.records.perceptual_hash import MAX_DIFFERING_BITS, compute_hash, count_differing_bits, split_into_bands
from abhidhan.records.photos import (
    MAX_FRAMES,
    ImageOutline,
    PhotoName,
    clean_credit,
    fit_size,
    is_likely_heif,
    parse_idea_id,
    parse_photo_name,
    photo_path,
    thumbnail_path,
)
from abhidhan.records.uploads import UploadRefusal, check_outline

HASHES = st.integers(min_value=0, max_value=2**64 - 1)


def test_an_idea_id_is_parsed_and_anything_else_is_rejected(subtests: pytest.Subtests) -> None:
    for text, idea_id in (("88", 88), (" 7 ", 7), ("+7", 7), ("007", 7), ("2147483647", 2**31 - 1)):
        assert parse_idea_id(text) == idea_id, text
    for text in ("", "abc", "1.5", "-1", "0", "1e3", "৮৮", "2147483648", "9" * 50, "1;drop", "0x10"):
        with subtests.test(text):
            with pytest.raises(InputError) as caught:
                parse_idea_id(text)

            assert caught.value.problems[0].parameter == "ideaID"


ACCEPTED_CREDITS = (
    *("AB", "ৰ" * 200, " Anil \t Das ", "<b>&amp;</b>"),
    # short ones of every script
    *("A.", "নী", "ক্ষ", "山田", "O\u2019Neill", "A\u200dB"),
)
REJECTED_CREDITS = (
    *("", "A", "  A  ", "x" * 201, "bad\x00byte", "half \ud800"),
    # what cannot be seen
    "\u200b\u200b\u200b",
    "\u3164\u3164",
    "\u2800\u2800",
    "\u0301\u0301",
    "\u2060\ufeff",
    "x\u200d\u200d",
    "\u115f\u1160a",
)


def test_a_credit_of_2_to_200_characters_of_any_script_is_accepted() -> None:
    for credit in ACCEPTED_CREDITS:
        assert clean_credit(credit) == " ".join(credit.split())


def test_any_other_credit_is_rejected(subtests: pytest.Subtests) -> None:
    for credit in REJECTED_CREDITS:
        with subtests.test(ascii(credit)), pytest.raises(InputError, match="photoCredit"):
            clean_credit(credit)


@given(HASHES, st.sets(st.integers(min_value=0, max_value=63), max_size=MAX_DIFFERING_BITS))
def test_similar_photos_share_a_band_of_the_hash(likeness: int, bits: set[int]) -> None:
    other = likeness ^ sum(1 << bit for bit in bits)

    assert count_differing_bits(likeness, other) == len(bits)
    assert set(split_into_bands(likeness)) & set(split_into_bands(other))


def test_the_hash_records_where_an_image_gets_brighter() -> None:
    rising = bytes(range(9)) * 8

    assert compute_hash(rising) == 2**64 - 1
    assert compute_hash(bytes(72)) == 0


PHOTO_NAMES = (
    ("17.jpg", PhotoName(17, "jpg", is_thumbnail=False)),
    ("17-thumb.webp", PhotoName(17, "webp", is_thumbnail=True)),
    ("17-thumb.jpg", None),
    ("0.jpg", None),
    ("017.jpg", None),
    ("99999999999.jpg", None),
    ("../17.jpg", None),
    ("17.jpg.html", None),
    ("১৭.jpg", None),
    ("17", None),
)


def test_only_names_of_photos_and_thumbnails_are_parsed() -> None:
    for name, expected in PHOTO_NAMES:
        assert parse_photo_name(name) == expected, name
    assert parse_photo_name(photo_path(5, "png").rpartition("/")[2]) == PhotoName(5, "png", is_thumbnail=False)
    assert parse_photo_name(thumbnail_path(5).rpartition("/")[2]) == PhotoName(5, "webp", is_thumbnail=True)


def test_a_thumbnail_keeps_the_proportions() -> None:
    sizes = ((640, 480), (100, 50), (10_000, 1), (1, 640))
    assert [fit_size(*size, 320) for size in sizes] == [(320, 240), (100, 50), (320, 1), (1, 320)]


def test_long_and_large_animations_are_rejected() -> None:
    def refusal(frames: int, width: int, height: int) -> UploadRefusal | None:
        return check_outline(ImageOutline("GIF", width, height, frames))

    assert refusal(MAX_FRAMES + 1, 1, 1) is UploadRefusal.TOO_MANY_FRAMES
    assert refusal(100, 2000, 1000) is UploadRefusal.TOO_MANY_FRAMES
    assert refusal(150, 480, 270) is None
    assert refusal(1, 8000, 5000) is None


def test_heic_files_are_recognised_by_their_first_bytes() -> None:
    assert is_likely_heif(b"\0\0\0\x18ftypheic")
    assert not is_likely_heif(b"\xff\xd8\xff\xe0JFIF....")
