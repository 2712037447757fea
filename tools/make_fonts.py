"""Cut the open fonts of the pages down to the letters they are for, as WOFF2 files.

    python tools/make_fonts.py FOLDER

FOLDER holds the unpacked npm packages of Fontsource (`npm pack @fontsource-variable/noto-sans-bengali` and so on;
SIL Open Font License 1.1). Needs fonttools and brotli. The licence of each font is written beside it.
"""

import io
import sys
from pathlib import Path
from typing import Final, NamedTuple

from fontTools.subset import Options, Subsetter  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from fontTools.varLib.instancer import instantiateVariableFont  # type: ignore[import-untyped]

OUTPUT: Final = Path(__file__).parent.parent / "src/abhidhan/web/pages/static"

ASSAMESE: Final = (*range(0x0980, 0x0A00), 0x0964, 0x0965)
DEVANAGARI: Final = (*range(0x0900, 0x0980), *range(0x1CD0, 0x1D00), *range(0xA8E0, 0xA900))
JOINERS: Final = (0x20, 0x2D, 0xA0, 0x200C, 0x200D, 0x25CC)


class Font(NamedTuple):
    """A font to be made: its file, the package it comes from, its letters, and the weights it keeps."""

    file: str
    package: str
    letters: tuple[int, ...]
    weights: int | tuple[int, int]


FONTS: Final = (
    Font("assamese-sans.woff2", "noto-sans-bengali", ASSAMESE, (400, 700)),
    Font("assamese-serif.woff2", "noto-serif-bengali", ASSAMESE, 400),
    Font("devanagari-sans.woff2", "noto-sans-devanagari", DEVANAGARI, 400),
)


def make(font: Font, folder: Path) -> bytes:
    """Make one font: its letters and all that they join to, its weights, without hints for old screens."""
    script = font.package.rpartition("-")[2]
    sources = sorted(folder.glob(f"**/{font.package}-{script}-wght-normal.woff2"))
    if not sources:
        raise SystemExit(f"{folder} holds no {font.package}: unpack @fontsource-variable/{font.package} there.")
    options = Options()
    options.layout_features = ["*"]
    options.hinting = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[*font.letters, *JOINERS])
    whole = TTFont(sources[0])
    subsetter.subset(whole)
    whole.flavor = None
    kept, made = io.BytesIO(), io.BytesIO()
    whole.save(kept)
    kept.seek(0)
    instance = instantiateVariableFont(TTFont(kept), {"wght": font.weights})
    instance.flavor = "woff2"
    instance.save(made)
    return made.getvalue()


def main() -> None:
    """Make all fonts, and copy their licence."""
    if len(sys.argv) != 2:  # noqa: PLR2004  # the program and its one argument
        raise SystemExit(__doc__)
    folder = Path(sys.argv[1])
    for font in FONTS:
        body = make(font, folder)
        (OUTPUT / font.file).write_bytes(body)
        print(f"{font.file}: {len(body):,} bytes")
    licences = [_licence_of(font, folder) for font in FONTS]
    owners = dict.fromkeys(text.partition("\n")[0] for text in licences)
    terms = licences[0].partition("\n")[2]
    (OUTPUT / "OFL.txt").write_text("\n".join(owners) + "\n" + terms, encoding="utf-8")


def _licence_of(font: Font, folder: Path) -> str:
    """Read the licence that lies in a font's package: a line that names the owners, then the terms."""
    return next(folder.glob(f"**/*{font.package}*/**/LICENSE")).read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
