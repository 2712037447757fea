"""The fonts that a printed dictionary is set in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from typst import Fonts

FAMILIES: Final = (
    "Libertinus Serif",
    "Noto Sans Bengali",
    "Noto Sans Devanagari",
    "Noto Sans Arabic",
    "Noto Sans Meetei Mayek",
    "Noto Sans",
)
"""The fonts in the order in which they are asked for a letter, before those of the machine. Typst brings the first."""


def fonts_with(folder: Path) -> Fonts:
    """Find the fonts of a folder, those that Typst brings, and those of the machine."""
    return Fonts(include_system_fonts=True, font_paths=[folder])


def of_the_machine(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield the files of the machine's fonts, each with the place of the font in it."""
    for font in fonts_with(folder).fonts():
        if font.path is not None and Path(font.path).parent != folder:
            yield Path(font.path), font.index
