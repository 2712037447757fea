"""Sets one stretch of pages, in a process of its own: Typst keeps what it has set in memory until its process ends.

python -m abhidhan.formats.writing.printed.setting TEMPLATE OUTPUT MOMENT
"""

import subprocess
import sys
from pathlib import Path
from typing import Final

import typst

from abhidhan.formats.writing.printed.fonts import fonts_with

LONGEST_SETTING: Final = 1_800
"""Seconds after which a stretch is given up: on a slow machine one takes half a minute."""


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
