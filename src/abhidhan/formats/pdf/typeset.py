"""Sets one stretch of pages, in a process of its own: Typst keeps what it has set in memory until its process ends.

python -m abhidhan.formats.pdf.typeset TEMPLATE OUTPUT MOMENT
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import typst
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

LONGEST_SETTING: Final = 1_800
"""Seconds after which a stretch is given up: on a slow machine one takes half a minute."""


def fonts_with(folder: Path) -> Fonts:
    """Find the fonts of a folder, those that Typst brings, and those of the machine."""
    return Fonts(include_system_fonts=True, font_paths=[folder])


def of_the_machine(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield the files of the machine's fonts, each with the place of the font in it."""
    for font in fonts_with(folder).fonts():
        if font.path is not None and Path(font.path).parent != folder:
            yield Path(font.path), font.index


def set_pages(template: Path, output: Path, moment: int, fonts: Path) -> None:
    """Set a template with the data that lie beside it, in the fonts of a folder too. Raises OSError.

    Its own folder is all that it can read. `moment` is the date of the pages (seconds since 1970).
    """
    command = [sys.executable, "-m", __name__, str(template), str(output), str(moment), str(fonts)]
    try:
        subprocess.run(  # noqa: S603 (this very file)
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LONGEST_SETTING
        )
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines() or [f"it ended with {error.returncode}"]
        raise OSError(f"the pages could not be set: {said[-1]}") from error
    except subprocess.TimeoutExpired as error:
        raise OSError("setting the pages takes for ever") from error


def _set_here(template: Path, output: Path, moment: int, fonts: Path) -> None:
    # Tags of a stretch would have to be joined to those of the others, which no library does.
    typst.compile(
        template, output=output, root=template.parent, font_paths=fonts_with(fonts), timestamp=moment, pdf_tags=False
    )


if __name__ == "__main__":
    _set_here(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
