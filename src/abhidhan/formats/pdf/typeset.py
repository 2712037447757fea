"""Typeset one section of pages in a process of its own, since Typst keeps its results in memory until the process ends.

python -m abhidhan.formats.pdf.typeset TEMPLATE OUTPUT MOMENT
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import typst
from typst import Fonts

FONT_FAMILIES: Final = (
    "Libertinus Serif",
    "Noto Sans Bengali",
    "Noto Sans Devanagari",
    "Noto Sans Arabic",
    "Noto Sans Meetei Mayek",
    "Noto Sans",
)
"""Font families in order of preference, before system fonts. The first one is embedded in Typst."""

TIMEOUT_SECONDS: Final = 1_800
"""Timeout of a section in seconds; one takes half a minute on a slow machine."""


def load_fonts(folder: Path) -> Fonts:
    """Return the fonts of a folder, the fonts embedded in Typst, and the system fonts."""
    return Fonts(include_system_fonts=True, font_paths=[folder])


def iter_system_fonts(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield the files of system fonts, each with the index of the font in the file."""
    for font in load_fonts(folder).fonts():
        if font.path is not None and Path(font.path).parent != folder:
            yield Path(font.path), font.index


def typeset_pages(template: Path, output: Path, moment: int, font_folder: Path) -> None:
    """Typeset a template in a subprocess, with the fonts of a folder. Raises OSError.

    The template can read only its own folder. `moment` is the date of the document as a Unix timestamp.
    """
    command = [sys.executable, "-m", __name__, str(template), str(output), str(moment), str(font_folder)]
    try:
        subprocess.run(  # noqa: S603 (this very file)
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=TIMEOUT_SECONDS
        )
    except subprocess.CalledProcessError as error:
        output_lines = error.stderr.decode("utf-8", "replace").strip().splitlines() or [
            f"it ended with {error.returncode}"
        ]
        raise OSError(f"the pages could not be typeset: {output_lines[-1]}") from error
    except subprocess.TimeoutExpired as error:
        raise OSError("typesetting the pages took too long") from error


def _compile(template: Path, output: Path, moment: int, font_folder: Path) -> None:
    # The tags of sections would have to be merged, which no library does.
    typst.compile(
        template,
        output=output,
        root=template.parent,
        font_paths=load_fonts(font_folder),
        timestamp=moment,
        pdf_tags=False,
    )


if __name__ == "__main__":
    _compile(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
