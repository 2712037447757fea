"""Cut the open fonts down to the letters they are for: WOFF2 files for pages, TrueType files for Kiwix and paper.

    python tools/make_fonts.py FOLDER

FOLDER holds the unpacked npm packages of Fontsource (`npm pack @fontsource-variable/noto-sans-bengali` and so on), and
`@expo-google-fonts/noto-sans`, which has all letters in one file: marks join no letters of another file. All are under
the SIL Open Font License 1.1. Needs fonttools and brotli. The licence of the fonts is written beside them.
"""

import io
import sys
from pathlib import Path
from typing import Final, NamedTuple

from fontTools.subset import Options, Subsetter  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from fontTools.varLib.instancer import instantiateVariableFont  # type: ignore[import-untyped]

SOURCE: Final = Path(__file__).parent.parent / "src/abhidhan"
PAGES: Final = SOURCE / "platform/http/static"
FILES: Final = SOURCE / "media/fonts"

ASSAMESE: Final = (*range(0x0980, 0x0A00), 0x0964, 0x0965)
DEVANAGARI: Final = (*range(0x0900, 0x0980), *range(0x1CD0, 0x1D00), *range(0xA8E0, 0xA900))
LATIN: Final = (*range(0x20, 0x250), *range(0x250, 0x370), *range(0x1D00, 0x1DC0), *range(0x1E00, 0x1F00))
GREEK_CYRILLIC: Final = (*range(0x370, 0x530),)
SIGNS: Final = (*range(0x2000, 0x2070), *range(0x20A0, 0x20C0), *range(0x2190, 0x2194), 0x2116, 0x2122, 0x2212, 0xA789)
ARABIC: Final = (*range(0x600, 0x700), *range(0x750, 0x780))
MEETEI: Final = (*range(0xABC0, 0xAC00), *range(0xAAE0, 0xAB00))
JOINERS: Final = (0x20, 0x2D, 0xA0, 0x200C, 0x200D, 0x25CC)


class Font(NamedTuple):
    """A font to be made: its file, the package it comes from, its letters, and the weights it keeps (None: its own)."""

    file: Path
    package: str
    letters: tuple[int, ...]
    weights: int | tuple[int, int] | None


FONTS: Final = (
    Font(PAGES / "assamese-sans.woff2", "noto-sans-bengali", ASSAMESE, (400, 700)),
    Font(PAGES / "assamese-serif.woff2", "noto-serif-bengali", ASSAMESE, 400),
    Font(PAGES / "devanagari-sans.woff2", "noto-sans-devanagari", DEVANAGARI, 400),
    Font(FILES / "assamese.ttf", "noto-sans-bengali", ASSAMESE, 400),
    Font(FILES / "assamese-bold.ttf", "noto-sans-bengali", ASSAMESE, 700),
    Font(FILES / "devanagari.ttf", "noto-sans-devanagari", DEVANAGARI, 400),
    Font(FILES / "latin.ttf", "noto-sans", (*LATIN, *GREEK_CYRILLIC, *SIGNS), None),
    Font(FILES / "arabic.ttf", "noto-sans-arabic", ARABIC, 400),
    Font(FILES / "meetei-mayek.ttf", "noto-sans-meetei-mayek", MEETEI, 400),
)


def make(font: Font, folder: Path) -> bytes:
    """Make one font: its letters and all that they join to, its weights, without hints for old screens."""
    options = Options()
    if font.file.parent == PAGES:
        options.layout_features = ["*"]
    options.hinting = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[*font.letters, *JOINERS])
    whole = TTFont(_source_of(font, folder))
    subsetter.subset(whole)
    whole.flavor = None
    kept, made = io.BytesIO(), io.BytesIO()
    whole.save(kept)
    kept.seek(0)
    instance = TTFont(kept)
    if font.weights is not None:
        instance = instantiateVariableFont(instance, {"wght": font.weights})
    instance.flavor = "woff2" if font.file.suffix == ".woff2" else None
    instance.save(made)
    return made.getvalue()


def _source_of(font: Font, folder: Path) -> Path:
    """Find the file that a font is made of."""
    script = font.package.removeprefix("noto-sans-").removeprefix("noto-serif-")
    name = f"{font.package}-{script}-wght-normal.woff2" if font.weights else "NotoSans_400Regular.ttf"
    sources = sorted(folder.glob(f"**/{name}"))
    if not sources:
        raise SystemExit(f"{folder} holds no {name}: unpack the package that has it there.")
    return sources[0]


def main() -> None:
    """Make all fonts, and copy their licence."""
    if len(sys.argv) != 2:  # noqa: PLR2004  # the program and its one argument
        raise SystemExit(__doc__)
    folder = Path(sys.argv[1])
    for font in FONTS:
        body = make(font, folder)
        font.file.write_bytes(body)
        print(f"{font.file.name}: {len(body):,} bytes")
    for output in (PAGES, FILES):
        licences = [_licence_of(font, folder) for font in FONTS if font.file.parent == output]
        owners = dict.fromkeys(text.partition("\n")[0] for text in licences)
        terms = licences[0].partition("\n")[2]
        (output / "OFL.txt").write_text("\n".join(owners) + "\n" + terms, encoding="utf-8")


def _licence_of(font: Font, folder: Path) -> str:
    """Read the licence that lies in a font's package: a line that names the owners, then the terms."""
    name = "LICENSE" if font.weights else "LICENSE_FONT"
    return next(folder.glob(f"**/{font.package}/**/{name}")).read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
