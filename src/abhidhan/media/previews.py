"""Pictures of cards: 1200 × 630 pixels, as sites and apps show them where an address is shared."""

import io
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

import uharfbuzz
from PIL import Image

from abhidhan.domain.preview_cards import SITE, SITE_CARD, CardText, PreviewCard
from abhidhan.media.lines import Block, Size, Text, set_in_lines
from abhidhan.media.shaping import Shaped, typeface

WIDTH: Final = 1200
HEIGHT: Final = 630
MARGIN: Final = 84
EDGE: Final = 20
"""How wide the stripe at the left is."""

PAPER: Final = (251, 250, 247)
INK: Final = (29, 27, 24)
QUIET: Final = (94, 88, 80)
ACCENT: Final = (156, 31, 43)
LINE: Final = 1.42
"""How far one baseline lies below another, in sizes of a letter: vowel signs stand above and below."""

BASELINE: Final = 1.0
TOP: Final = 44
FOOT: Final = 576
"""Where the last baseline lies, that of the site's name."""

LOWEST: Final = 520
"""What is set above the name of the site ends here."""

COLOURS: Final = 64


class _Style(NamedTuple):
    """How a part of a card is set: its sizes, the first that fits; its lines at most; its colour; the room above."""

    sizes: tuple[int, ...]
    most: int
    colour: tuple[int, int, int]
    above: int


LABEL: Final = _Style((30,), 1, QUIET, 0)
HEAD: Final = _Style((140, 116, 96, 80, 66, 56), 2, INK, 24)
LONG_HEAD: Final = _Style((66, 56, 48), 3, INK, 8)
ROMAN: Final = _Style((38, 32), 1, QUIET, 0)
GLOSS: Final = _Style((54, 46, 40, 34), 3, ACCENT, 10)
MORE: Final = _Style((34, 30), 3, INK, 8)
NAME: Final = _Style((34,), 1, ACCENT, 0)

RESERVED: Final = 70
"""So much room is left below a head for each part that follows it: what a word means matters more than its size."""

MANY_LETTERS: Final = 28
"""A headword with more is set as a sentence."""


class _Placed(NamedTuple):
    """A line of a picture: where its baseline begins, from the left and from above."""

    line: Shaped
    size: int
    x: float
    y: float
    colour: tuple[int, int, int]


def draw(card: PreviewCard) -> bytes:
    """Draw a card as PNG; of one whose head is in letters that no font has, that of the site instead."""
    placed = _placed(card) or _placed(SITE_CARD) or []
    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    picture.paste(ACCENT, (0, 0, EDGE, HEIGHT))
    for colour in dict.fromkeys(each.colour for each in placed):
        picture.paste(colour, (0, 0), _mask([each for each in placed if each.colour == colour]))
    written = io.BytesIO()
    picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(written, "PNG", optimize=False)
    return written.getvalue()


def is_drawn(card: PreviewCard) -> bool:
    """Say whether a card is drawn as it is, and not that of the site in its place."""
    return _placed(card) is not None


def _placed(card: PreviewCard) -> list[_Placed] | None:
    """Place the lines of a card from above, as many as there is room for; None where its head has no font.

    What else has no font is left out.
    """
    placed: list[_Placed] = []
    y = float(TOP)
    parts = (
        (card.label, LABEL),
        (card.head, LONG_HEAD if len(card.head.text) > MANY_LETTERS else HEAD),
        (card.roman, ROMAN),
        (card.gloss, GLOSS),
        (card.more, MORE),
    )
    for text, style in parts:
        below = RESERVED * sum(part is not None for part in (card.roman, card.gloss)) if text is card.head else 0
        block = _set(text, style, LOWEST - y - style.above - below) if text else None
        if block is None and text is card.head:
            return None
        if block is not None:
            y += style.above
            placed += _lines(block, y, style.colour)
            y += block.size * LINE * len(block.lines)
    name = _set(CardText(SITE, "as"), NAME, HEIGHT)
    return [*placed, *(each._replace(y=FOOT) for each in _lines(name, 0, ACCENT))] if name else placed


def _set(text: CardText, style: _Style, room: float) -> Block | None:
    """Set a text in as many lines as there is room for; None where there is none, or no font has its letters."""
    lines = ((size, min(style.most, int((room / size - BASELINE) / LINE + 1))) for size in style.sizes)
    sizes = [Size(size, most) for size, most in lines if most > 0]
    return set_in_lines(Text(text.text, text.language, text.direction == "rtl"), sizes, WIDTH - 2 * MARGIN)


def _lines(block: Block, y: float, colour: tuple[int, int, int]) -> Iterator[_Placed]:
    """Place the lines of a block below each other; those of a script from the right end at the right."""
    for number, line in enumerate(block.lines):
        x = WIDTH - MARGIN - line.width * block.size if block.is_rtl else MARGIN
        yield _Placed(line, block.size, x, y + block.size * (BASELINE + LINE * number), colour)


def _mask(placed: list[_Placed]) -> Image.Image:
    """Draw the glyphs of lines, each point as much as they cover of it."""
    drawing = uharfbuzz.RasterDraw()
    drawing.extents = uharfbuzz.RasterExtents(0, 0, WIDTH, HEIGHT)
    for each in placed:
        for glyph in each.line.glyphs:
            face = typeface(glyph.typeface)
            scale = each.size / face.units
            # HarfBuzz counts from below.
            x, y = each.x + glyph.x * each.size, HEIGHT - each.y + glyph.y * each.size
            drawing.transform = (scale, 0, 0, scale, x, y)
            drawing.draw_glyph(face.font, glyph.id)
    image = drawing.render()
    frombytes = partial(Image.frombytes, "L", (WIDTH, HEIGHT))
    return frombytes(image.buffer, "raw", "L", image.extents.stride, -1) if image else Image.new("L", (WIDTH, HEIGHT))
