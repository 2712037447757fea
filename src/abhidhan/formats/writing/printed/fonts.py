"""The fonts that a printed dictionary is set in, and which letters they have."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, cast

import uharfbuzz
from typst import Fonts

FOLDER: Final = cast("Path", files("abhidhan") / "media" / "fonts")
"""The program's own fonts: Noto Sans of the scripts of the region. Latin letters are Libertinus, which Typst brings."""

FAMILIES: Final = (
    "Libertinus Serif",
    "Noto Sans Bengali",
    "Noto Sans Devanagari",
    "Noto Sans Arabic",
    "Noto Sans Meetei Mayek",
    "Noto Sans",
)
"""The fonts, in the order in which they are asked for a letter; then those of the machine are."""

NEVER_SET: Final = frozenset("\t\n\r\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad")
"""Characters that are no letters: nothing stands on the paper for them."""


def all_fonts() -> Fonts:
    """Find the program's own fonts, those that Typst brings, and those of the machine."""
    return Fonts(include_system_fonts=True, font_paths=[FOLDER])


class Letters:
    """Knows which letters can be set: those of the program's own fonts, and where they lack one those of the machine."""

    def __init__(self, fonts: Fonts) -> None:
        """Look into the program's fonts; into those of the machine only when a letter is missing."""
        self._known = {*map(ord, NEVER_SET)}.union(*(_letters_in(file) for file in FOLDER.glob("*.ttf")))
        self._others = _others(fonts)

    def cover(self, text: str) -> bool:
        """Say whether some font has each letter of a text."""
        wanted = {*map(ord, text)}
        while not wanted <= self._known:
            more = next(self._others, None)
            if more is None:
                return False
            self._known |= more
        return True


def _others(fonts: Fonts) -> Iterator[frozenset[int]]:
    """Read the letters of one font of the machine after another."""
    own = {str(file) for file in FOLDER.glob("*.ttf")}
    for font in fonts.fonts():
        if font.path is not None and font.path not in own:
            yield _letters_in(Path(font.path), font.index)


@cache
def _letters_in(file: Path, index: int = 0) -> frozenset[int]:
    return frozenset(uharfbuzz.Face(file.read_bytes(), index).unicodes)
