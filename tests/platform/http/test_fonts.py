"""The fonts of pages are cut from whole ones, and draw what those draw.

`tests/fixtures/fonts` has the whole fonts; `tools/make_fonts.py` cuts them, and copies them there.
"""

import io
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import resources
from itertools import product
from pathlib import Path

import msgspec
import pytest
import uharfbuzz
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from abhidhan.platform.http.assets import load_assets
from abhidhan.records.kinds import IdeaRecord, Record
from tools.make_fonts import API_EXAMPLES, LABELS

WHOLE_FONTS = Path(__file__).parents[2] / "fixtures" / "fonts"
DATA = resources.files("abhidhan.data")
WHOLE = {
    "assamese-serif.woff2": "noto-serif-bengali-bengali-wght-normal.woff2",
    "assamese-labels.woff2": "noto-serif-bengali-bengali-wght-normal.woff2",
    "devanagari-sans.woff2": "noto-sans-devanagari-devanagari-wght-normal.woff2",
}
LANGUAGES = {"assamese-serif.woff2": ("as", "bn"), "devanagari-sans.woff2": ("hi", "ne", "brx")}
CONSONANTS = {
    "assamese-serif.woff2": "কখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযরৰলৱশষসহ",
    "devanagari-sans.woff2": "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह",
}
VIRAMA = {"assamese-serif.woff2": "\N{BENGALI SIGN VIRAMA}", "devanagari-sans.woff2": "\N{DEVANAGARI SIGN VIRAMA}"}
NO_GLYPH = 0
"""For a letter that a font lacks: hyphens and apostrophes come from another one in a browser."""

INTERNED: dict[object, int] = {}
"""A number for each outline, whatever font draws it."""

JOINERS = {0x20, 0x2D, 0xA0, 0x200C, 0x200D, 0x25CC}


class Shaper:
    """Shapes texts in one font."""

    def __init__(self, woff2: bytes) -> None:
        """Read the font; HarfBuzz reads no WOFF2. The default weight of the whole ones is 400."""
        font = TTFont(io.BytesIO(woff2))
        self.letters = set(font.getBestCmap())
        font.flavor = None
        body = io.BytesIO()
        font.save(body, reorderTables=None)
        self._font = uharfbuzz.Font(uharfbuzz.Face(body.getvalue()))
        self._outlines: dict[int, object] = {NO_GLYPH: None}

    def shape(self, text: str, language: str) -> list[tuple[object, ...]]:
        """Shape a text as a browser does: outlines and places, for the numbers of glyphs differ from font to font."""
        buffer = uharfbuzz.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        buffer.language = language
        uharfbuzz.shape(self._font, buffer)
        outlines = (self._outline(info.codepoint) for info in buffer.glyph_infos)
        return [(outline, *place.position) for outline, place in zip(outlines, buffer.glyph_positions, strict=True)]

    def _outline(self, glyph: int) -> object:
        if glyph not in self._outlines:
            pen = Pen()
            self._font.draw_glyph_with_pen(glyph, pen)
            self._outlines[glyph] = INTERNED.setdefault(tuple(pen.lines), len(INTERNED))
        return self._outlines[glyph]


class Pen:
    """Records what is drawn."""

    def __init__(self) -> None:
        """Start without strokes."""
        self.lines: list[tuple[object, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Record each stroke by its name."""
        return lambda *points: self.lines.append((name, *points))


@cache
def cut(file: str) -> Shaper:
    return Shaper(load_assets()[file])


def whole(file: str) -> Shaper:
    return _whole(WHOLE[file])


@cache
def _whole(name: str) -> Shaper:
    return Shaper(WHOLE_FONTS.joinpath(name).read_bytes())


def words(languages: Iterable[str]) -> Iterator[tuple[str, str]]:
    """List the headwords of the starter dictionary, with their forms."""
    decoder = msgspec.json.Decoder(Record)
    for file in DATA.iterdir():
        for line in file.read_bytes().splitlines() if file.name.startswith("ideas_") else ():
            record = decoder.decode(line)
            for word in record.words if isinstance(record, IdeaRecord) else ():
                if word.language in languages:
                    yield from ((text, word.language) for text in (word.text, *word.forms))


def conjuncts(file: str) -> Iterator[tuple[str, str]]:
    """Join each consonant to each other one."""
    for one, other in product(CONSONANTS[file], CONSONANTS[file]):
        yield one + VIRAMA[file] + other, LANGUAGES[file][0]


@pytest.mark.thorough
def test_every_headword_and_conjunct_is_drawn_as_in_the_whole_font(subtests: pytest.Subtests) -> None:
    for file, languages in LANGUAGES.items():
        with subtests.test(file):
            texts = {*words(languages), *conjuncts(file)}
            different = [text for text, of in texts if cut(file).shape(text, of) != whole(file).shape(text, of)]

            assert len(texts) > len(CONSONANTS[file]) ** 2
            assert different == []


def test_every_label_is_drawn_as_in_the_whole_font() -> None:
    file = "assamese-labels.woff2"
    texts = (*LABELS, *API_EXAMPLES)

    assert [text for text in texts if cut(file).shape(text, "as") != whole(file).shape(text, "as")] == []


def test_the_stylesheet_names_the_letters_of_each_font() -> None:
    style = load_assets()["style.css"].decode()
    faces = re.findall(r'url\("([a-z-]+\.woff2)"\).*?unicode-range: ([^;]+);', style)
    ranges = {file: set(_letters(text)) for file, text in faces}

    assert set(ranges) == set(WHOLE)
    for file in LANGUAGES:
        missing = cut(file).letters - JOINERS - ranges[file]
        unassigned = {letter for letter in ranges[file] - cut(file).letters if letter in whole(file).letters}
        assert (missing, unassigned) == (set(), set()), file


def _letters(ranges: str) -> Iterator[int]:
    for each in ranges.replace("U+", "").split(", "):
        first, _, last = each.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)
