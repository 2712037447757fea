"""Which letters can be set: those of the program's own fonts, and where they lack one those of other fonts at hand."""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Final, cast

FOLDER: Final = cast("Path", files("abhidhan.media") / "fonts")
"""The program's own fonts: Noto Sans of the scripts of the region."""

NEVER_SET: Final = frozenset(map(ord, "\t\n\r\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))
"""Characters that are no letters: nothing stands on the paper for them."""


class Lettering:
    """Knows the letters of the fonts in a folder, and of others that it is told of."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Begin with the fonts in the folder; each font is read once a letter is missing in those before it."""
        self.folder = folder
        self._known = {*NEVER_SET}
        self._unread: Iterator[tuple[Path, int]] = ((file, 0) for file in sorted(folder.glob("*.ttf")))

    def add(self, fonts: Iterable[tuple[Path, int]]) -> None:
        """Add further fonts, by their files and places in them."""
        self._unread = chain(self._unread, fonts)

    def covers(self, text: str) -> bool:
        """Say whether some font has each letter of a text."""
        wanted = {*map(ord, text)}
        while not wanted <= self._known:
            font = next(self._unread, None)
            if font is None:
                return False
            self._known |= _letters_in(*font)
        return True


def _letters_in(file: Path, place: int) -> frozenset[int]:
    import uharfbuzz  # noqa: PLC0415 (only the optional package `pdf` has it)

    return frozenset(uharfbuzz.Face(file.read_bytes(), place).unicodes)
