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


@pytest.mark.parametrize(
    ("text", "idea_id"), [("88", 88), (" 7 ", 7), ("+7", 7), ("007", 7), ("2147483647", 2**31 - 1)]
)
def test_the_number_of_an_idea_is_read(text: str, idea_id: int) -> None:
    assert parse_idea_id(text) == idea_id


@pytest.mark.parametrize("text", ["", "abc", "1.5", "-1", "0", "1e3", "৮৮", "2147483648", "9" * 50, "1;drop", "0x10"])
def test_what_is_no_number_of_an_idea_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_idea_id(text)

    assert caught.value.problems[0].parameter == "ideaID"


@pytest.mark.parametrize("credit", ["AB", "ৰ" * 200, " Anil \t Das ", "<b>&amp;</b>"])
def test_a_credit_of_two_to_two_hundred_characters_is_taken(credit: str) -> None:
    assert clean_credit(credit) == " ".join(credit.split())


@pytest.mark.parametrize("credit", ["", "A", "  A  ", "x" * 201, "bad\x00byte", "half \ud800"])
def test_any_other_credit_is_refused(credit: str) -> None:
    with pytest.raises(InputError):
        clean_credit(credit)


@given(HASHES, st.sets(st.integers(min_value=0, max_value=63), max_size=MAX_DIFFERING_BITS))
def test_alike_photos_share_a_band(likeness: int, bits: set[int]) -> None:
    other = likeness ^ sum(1 << bit for bit in bits)

    assert count_differing_bits(likeness, other) == len(bits)
    assert set(split_into_bands(likeness)) & set(split_into_bands(other))


def test_a_likeness_tells_where_an_image_gets_brighter() -> None:
    rising = bytes(range(9)) * 8

    assert compute_hash(rising) == 2**64 - 1
    assert compute_hash(bytes(72)) == 0


@pytest.mark.parametrize(
    ("name", "read"),
    [
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
    ],
)
def test_only_addresses_of_photos_are_read(name: str, read: PhotoName | None) -> None:
    assert parse_photo_name(name) == read


def test_addresses_are_read_as_they_are_made() -> None:
    assert parse_photo_name(photo_path(5, "png").rpartition("/")[2]) == PhotoName(5, "png", is_thumbnail=False)
    assert parse_photo_name(thumbnail_path(5).rpartition("/")[2]) == PhotoName(5, "webp", is_thumbnail=True)


@pytest.mark.parametrize(
    ("size", "expected"),
    [((640, 480), (320, 240)), ((100, 50), (100, 50)), ((10_000, 1), (320, 1)), ((1, 640), (1, 320))],
)
def test_a_thumbnail_keeps_the_proportions(size: tuple[int, int], expected: tuple[int, int]) -> None:
    assert fit_size(*size, 320) == expected


def test_long_and_large_animations_are_too_much() -> None:
    def refusal(frames: int, width: int, height: int) -> UploadRefusal | None:
        return check_outline(ImageOutline("GIF", width, height, frames))

    assert refusal(MAX_FRAMES + 1, 1, 1) is UploadRefusal.TOO_MANY_FRAMES
    assert refusal(100, 2000, 1000) is UploadRefusal.TOO_MANY_FRAMES
    assert refusal(150, 480, 270) is None
    assert refusal(1, 8000, 5000) is None


def test_heic_files_are_known_by_their_first_bytes() -> None:
    assert is_likely_heif(b"\0\0\0\x18ftypheic")
    assert not is_likely_heif(b"\xff\xd8\xff\xe0JFIF....")


@pytest.mark.parametrize(
    "credit",
    [
        "\u200b\u200b\u200b",
        "\u3164\u3164",
        "\u2800\u2800",
        "\u0301\u0301",
        "\u2060\ufeff",
        "x\u200d\u200d",
        "\u115f\u1160a",
    ],
)
def test_a_credit_that_cannot_be_seen_is_none(credit: str) -> None:
    with pytest.raises(InputError, match="photoCredit"):
        clean_credit(credit)


@pytest.mark.parametrize("credit", ["A.", "নী", "ক্ষ", "山田", "O\u2019Neill", "A\u200dB"])
def test_short_credits_of_every_script_are_taken(credit: str) -> None:
    assert clean_credit(credit) == credit
