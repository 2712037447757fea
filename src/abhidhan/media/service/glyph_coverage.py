"""Check whether the bundled fonts, or else other fonts of the system, have all characters of a text."""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Final, cast

FONT_FOLDER: Final = cast("Path", files("abhidhan.media") / "fonts")
"""The bundled fonts: Noto Sans for the scripts of the region."""

INVISIBLE_CHARACTERS: Final = frozenset(map(ord, "\t\n\r\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))
"""Characters without a visible glyph."""


class GlyphCoverage:
    """The characters of the fonts in a folder and of added fonts."""

    def __init__(self, folder: Path = FONT_FOLDER) -> None:
        """Use the fonts in a folder. A font is read only if the fonts before it lack a character."""
        self.folder = folder
        self._covered_characters = {*INVISIBLE_CHARACTERS}
        self._unread_fonts: Iterator[tuple[Path, int]] = ((file, 0) for file in sorted(folder.glob("*.ttf")))

    def add_fonts(self, fonts: Iterable[tuple[Path, int]]) -> None:
        """Add fonts, each given by its file and its index in that file."""
        self._unread_fonts = chain(self._unread_fonts, fonts)

    def covers(self, text: str) -> bool:
        """Return whether the fonts together have all characters of a text."""
        characters = {*map(ord, text)}
        while not characters <= self._covered_characters:
            font = next(self._unread_fonts, None)
            if font is None:
                return False
            self._covered_characters |= _read_characters(*font)
        return True


def _read_characters(file: Path, index: int) -> frozenset[int]:
    import uharfbuzz  # noqa: PLC0415 (only the optional package `pdf` has it)

    return frozenset(uharfbuzz.Face(file.read_bytes(), index).unicodes)
