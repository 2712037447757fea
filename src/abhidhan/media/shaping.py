"""Text as glyphs, shaped by HarfBuzz in fonts of our own.

A text with a letter that none of the fonts has is not shaped at all: a box must never stand for a letter.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

import icu
import uharfbuzz

FONTS: Final = ("assamese", "devanagari", "latin", "arabic", "meetei-mayek")
"""The fonts in `media/fonts`; of several that have a letter, that of the letter before it or else the first counts."""

SHAPED_LATELY: Final = 256
"""So many lines are remembered: to break a text, the same beginnings are measured again and again."""

MISSING: Final = 0
"""The glyph that a font draws for what it has not."""


class Typeface(NamedTuple):
    """A font as HarfBuzz reads it, the letters that it has, and its units to the size of a letter."""

    font: uharfbuzz.Font
    letters: frozenset[int]
    units: int


class Glyph(NamedTuple):
    """A glyph of a font where it stands: in sizes of a letter from the beginning of its line and from the baseline."""

    typeface: str
    id: int
    x: float
    y: float
    cluster: int
    """The place in the text of the first letter that it shows."""


class Shaped(NamedTuple):
    """A line of glyphs, from the left, and how wide it is, in sizes of a letter."""

    glyphs: tuple[Glyph, ...]
    width: float


class _Run(NamedTuple):
    """A stretch of text in one font and one direction."""

    start: int
    text: str
    typeface: str
    is_rtl: bool


@cache
def typeface(name: str) -> Typeface:
    """Read one of the fonts."""
    face = uharfbuzz.Face((files("abhidhan.media") / "fonts" / f"{name}.ttf").read_bytes())
    return Typeface(uharfbuzz.Font(face), frozenset(face.unicodes), face.upem)


@lru_cache(maxsize=SHAPED_LATELY)
def shape(text: str, language: str, *, is_rtl: bool = False) -> Shaped | None:
    """Shape one line of text of a language (its code); None where no font has one of its letters."""
    named = _typefaces(text)
    if named is None:
        return None
    glyphs: list[Glyph] = []
    pen = 0.0
    for run in _visual_runs(text, named, is_rtl=is_rtl):
        units = typeface(run.typeface).units
        for glyph_id, cluster, advance, x, y in _shaped(run, language):
            if glyph_id == MISSING:
                return None
            glyphs.append(Glyph(run.typeface, glyph_id, pen + x / units, y / units, run.start + cluster))
            pen += advance / units
    return Shaped(tuple(glyphs), pen)


def _typefaces(text: str) -> list[str] | None:
    """Name a font for each letter, the same for all that makes up one with marks; None where there is none."""
    named: list[str] = []
    before = FONTS[0]
    for part in clusters(text):
        letters = {ord(letter) for letter in part}
        found = next((name for name in (before, *FONTS) if letters <= typeface(name).letters), None)
        if found is None:
            return None
        before = found
        named += [found] * len(part)
    return named


def clusters(text: str) -> Iterator[str]:
    """Cut a text into what readers take for one letter: with all its marks."""
    return _cut(text, icu.BreakIterator.createCharacterInstance(icu.Locale.getRoot()))


def breakable(text: str) -> Iterator[str]:
    """Cut a text where a line may end."""
    return _cut(text, icu.BreakIterator.createLineInstance(icu.Locale.getRoot()))


def _cut(text: str, breaks: icu.BreakIterator) -> Iterator[str]:
    # ICU counts in UTF-16: its own strings are cut by its own places.
    whole = icu.UnicodeString(text)
    breaks.setText(whole)
    start = 0
    for end in breaks:
        yield str(whole[start:end])
        start = end


def _visual_runs(text: str, named: list[str], *, is_rtl: bool) -> Iterator[_Run]:
    """Cut a text into stretches of one direction and one font, as they stand from left to right.

    All letters that the fonts have are of the basic plane, where ICU counts as Python does.
    """
    bidi = icu.Bidi()
    whole = icu.UnicodeString(text)
    bidi.setPara(whole, 1 if is_rtl else 0)
    for place in range(bidi.countRuns()):
        start, length, direction = bidi.getVisualRun(place)
        runs = list(_runs_of_one_font(text, named, start, start + length, is_rtl=bool(direction)))
        yield from reversed(runs) if direction else runs


def _runs_of_one_font(text: str, named: list[str], start: int, end: int, *, is_rtl: bool) -> Iterator[_Run]:
    while start < end:
        stop = next((place for place in range(start, end) if named[place] != named[start]), end)
        yield _Run(start, text[start:stop], named[start], is_rtl)
        start = stop


def _shaped(run: _Run, language: str) -> Iterator[tuple[int, int, int, int, int]]:
    """Shape a run: the ID of each glyph, its cluster, its advance, and how far it is moved."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(run.text)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if run.is_rtl else "ltr"
    buffer.language = language
    uharfbuzz.shape(typeface(run.typeface).font, buffer)
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        yield info.codepoint, info.cluster, position.x_advance, position.x_offset, position.y_offset
