"""Cards become pictures of the size that sites expect, with ink where text is."""

import io

from PIL import Image

from abhidhan.domain.preview_cards import SITE_CARD, CardText, PreviewCard
from abhidhan.media.previews import HEIGHT, INK, LOWEST, MARGIN, WIDTH, draw, is_drawn

WORD = PreviewCard(CardText("Assamese · Noun"), CardText("পানী", "as"), CardText("pa.ni"), CardText("water"))
LONG = PreviewCard(
    CardText("ক্ষ" * 80, "as"),
    CardText("ক্ষৰ্য্য " * 25, "as"),
    CardText("w" * 240),
    CardText("iW" * 120),
    CardText("ক্ষ " * 60, "as"),
)


def picture(card: PreviewCard) -> Image.Image:
    image = Image.open(io.BytesIO(draw(card)))
    assert image.format == "PNG"
    return image.convert("RGB")


def test_a_card_is_a_png_of_the_size_that_sites_show() -> None:
    assert picture(WORD).size == (1200, 630)
    assert len(draw(WORD)) < 60_000


def test_the_same_card_is_the_same_picture_and_another_another() -> None:
    assert draw(WORD) == draw(WORD)
    assert draw(WORD) != draw(PreviewCard(WORD.label, WORD.head))


def test_nothing_is_drawn_beyond_the_margins_however_long_the_texts() -> None:
    image = picture(LONG)

    columns = [x for x in range(WIDTH - MARGIN + 12, WIDTH) for y in range(0, HEIGHT, 2) if dark(image, x, y)]
    rows = [y for y in range(LOWEST + 22, LOWEST + 26) for x in range(MARGIN, WIDTH, 2) if dark(image, x, y)]
    assert columns == rows == []


def dark(image: Image.Image, x: int, y: int) -> bool:
    pixel = image.getpixel((x, y))
    assert isinstance(pixel, tuple)
    return sum(pixel) < 380


def test_a_word_in_letters_that_no_font_has_gets_the_picture_of_the_site() -> None:
    chinese = PreviewCard(CardText("Chinese"), CardText("水", "zh"), None, CardText("water"))

    assert not is_drawn(chinese)
    assert draw(chinese) == draw(SITE_CARD)


def test_of_a_card_only_what_has_no_font_is_left_out() -> None:
    without = PreviewCard(WORD.label, WORD.head, WORD.roman)
    chinese = PreviewCard(WORD.label, WORD.head, WORD.roman, CardText("水", "zh"))

    assert draw(chinese) == draw(without)


def test_a_saying_leaves_room_for_what_it_means() -> None:
    saying = CardText("দেশতকৈ মোমাই ডাঙৰ নহয়", "as")

    without = draw(PreviewCard(WORD.label, saying, WORD.roman))
    assert draw(PreviewCard(WORD.label, saying, WORD.roman, WORD.gloss)) != without
    counts = picture(PreviewCard(WORD.label, saying, WORD.roman, WORD.gloss)).crop((90, 430, 1200, 530)).getcolors(9999)
    assert counts is not None
    assert len(counts) > 5


def test_the_head_is_in_ink() -> None:
    counts = picture(WORD).getcolors(1 << 20) or []

    near = [count for count, colour in counts if isinstance(colour, tuple) and max(map(_off, colour, INK)) < 12]
    assert sum(near) > 3000


def _off(one: float, other: float) -> float:
    return abs(one - other)
