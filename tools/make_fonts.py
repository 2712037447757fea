"""Subset the open fonts to the needed characters: WOFF2 files for pages, TrueType files for Kiwix and PDF.

    python tools/make_fonts.py FOLDER
    python tools/make_fonts.py FOLDER pages

FOLDER contains npm packages of Fontsource (`npm install @fontsource-variable/noto-sans-bengali` and so on), and
`@expo-google-fonts/noto-sans`, which has all letters in one file, as marks cannot join letters of another file. All are
under the SIL Open Font License 1.1, which is written to the same folders. Needs fonttools, brotli and uharfbuzz.

With `pages`, only the fonts of pages are made. Their original fonts are copied to tests/fixtures/fonts, so that
tests/platform/http/test_fonts.py can compare how both shape the words of the starter dictionary.
"""

import io
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import uharfbuzz
from fontTools.subset import Options, Subsetter  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from fontTools.varLib.instancer import instantiateVariableFont  # type: ignore[import-untyped]

SOURCE: Final = Path(__file__).parent.parent / "src/abhidhan"
PAGE_FONT_FOLDER: Final = SOURCE / "platform/http/static"
ORIGINAL_FONT_FOLDER: Final = SOURCE.parent.parent / "tests/fixtures/fonts"
FILE_FONT_FOLDER: Final = SOURCE / "media/fonts"

ASSAMESE: Final = (*range(0x0980, 0x0A00), 0x0964, 0x0965)
LABELS: Final = ("অসমীয়া", "ক", "পানী")
"""The Assamese text on every page in any language: fixed strings of the class `interface-label`."""

API_EXAMPLES: Final = (
    *("অসম", "কি", "ক্ষ", "ধ্বনি", "পা", "শব্দ", "হ", "হাতী", "ৰঙা পানী", "পানীখিনিৰ"),
    "মই কালি কিতাপ পঢ়িছিলোঁ।",
    "নগই গড়গাওঁৰ বতৰা কয়",
)
"""The Assamese text in the API documentation, which is in English."""

HINDI_NEPALI_BODO: Final = (
    *map(ord, "अआइईउऊऋॠऌऍएऐऑओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरऱलळवशषसहािीुूृॄॅेैॉोौ्ँंः़ऽॐ॰"),
    *range(0x0958, 0x0960),  # letters with a dot below, each as one character
    *range(0x0966, 0x0970),  # digits
)
"""The letters of the three languages in CLDR, with ऱ for the Nepali eyelash ra and ॠ for Sanskrit words.

The danda comes from the Assamese font, as in style.css.
"""

DEVANAGARI: Final = (*range(0x0900, 0x0980), *range(0x1CD0, 0x1D00), *range(0xA8E0, 0xA900))
LATIN: Final = (*range(0x20, 0x250), *range(0x250, 0x370), *range(0x1D00, 0x1DC0), *range(0x1E00, 0x1F00))
GREEK_CYRILLIC: Final = (*range(0x370, 0x530),)
SIGNS: Final = (*range(0x2000, 0x2070), *range(0x20A0, 0x20C0), *range(0x2190, 0x2194), 0x2116, 0x2122, 0x2212, 0xA789)
ARABIC: Final = (*range(0x600, 0x700), *range(0x750, 0x780))
MEETEI: Final = (*range(0xABC0, 0xAC00), *range(0xAAE0, 0xAB00))
JOINERS: Final = (0x20, 0x2D, 0xA0, 0x200C, 0x200D, 0x25CC)


class Font(NamedTuple):
    """A font to make: its file, source package, characters, and weight (None if the source is not variable).

    `languages` are the OpenType language systems to keep (empty: all). A font with `texts` contains only the glyphs of
    these, not all glyphs that its characters can form.
    """

    file: Path
    package: str
    characters: tuple[int, ...]
    weight: int | None
    languages: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


BENGALI_SCRIPT: Final = ("bng2.dflt", "DFLT.dflt")
"""Browsers use `bng2`; `beng` is for programs from before 2005. Pali, which has special forms, is left out."""

DEVANAGARI_SCRIPT: Final = ("dev2.dflt", "dev2.NEP ", "DFLT.dflt")

FONTS: Final = (
    Font(PAGE_FONT_FOLDER / "assamese-serif.woff2", "noto-serif-bengali", ASSAMESE, 400, BENGALI_SCRIPT),
    Font(
        PAGE_FONT_FOLDER / "assamese-labels.woff2",
        "noto-serif-bengali",
        (),
        400,
        BENGALI_SCRIPT,
        (*LABELS, *API_EXAMPLES),
    ),
    Font(PAGE_FONT_FOLDER / "devanagari-sans.woff2", "noto-sans-devanagari", HINDI_NEPALI_BODO, 400, DEVANAGARI_SCRIPT),
    Font(FILE_FONT_FOLDER / "assamese.ttf", "noto-sans-bengali", ASSAMESE, 400),
    Font(FILE_FONT_FOLDER / "assamese-bold.ttf", "noto-sans-bengali", ASSAMESE, 700),
    Font(FILE_FONT_FOLDER / "devanagari.ttf", "noto-sans-devanagari", DEVANAGARI, 400),
    Font(FILE_FONT_FOLDER / "latin.ttf", "noto-sans", (*LATIN, *GREEK_CYRILLIC, *SIGNS), None),
    Font(FILE_FONT_FOLDER / "arabic.ttf", "noto-sans-arabic", ARABIC, 400),
    Font(FILE_FONT_FOLDER / "meetei-mayek.ttf", "noto-sans-meetei-mayek", MEETEI, 400),
)


def make_font(font: Font, folder: Path) -> bytes:
    """Return the subset font at its weight, with all glyphs that its characters can form, and without hinting."""
    options = Options()
    options.hinting = False
    if font.file.parent == PAGE_FONT_FOLDER:
        options.layout_features = ["*"]
        options.layout_scripts = list(font.languages)
        options.drop_tables += ["STAT", "vhea", "vmtx"]
    whole = TTFont(_find_source(font, folder), recalcTimestamp=False)
    subsetter = Subsetter(options)
    if font.texts:
        options.layout_closure = False
        subsetter.populate(text="".join(font.texts), glyphs=find_shaped_glyphs(whole, font.texts))
    else:
        subsetter.populate(unicodes=[*font.characters, *JOINERS])
    subsetter.subset(whole)
    whole.flavor = None
    subset, output = io.BytesIO(), io.BytesIO()
    whole.save(subset)
    subset.seek(0)
    instance = TTFont(subset, recalcTimestamp=False)
    if font.weight is not None:
        instance = instantiateVariableFont(instance, {"wght": font.weight})
    instance.flavor = "woff2" if font.file.suffix == ".woff2" else None
    # HarfBuzz makes smaller tables, but Brotli compresses them worse: the serif font would be 1.3 kB larger.
    instance.cfg["fontTools.ttLib.tables.otBase:USE_HARFBUZZ_REPACKER"] = False
    instance.save(output)
    return output.getvalue()


def find_shaped_glyphs(font: TTFont, texts: Iterable[str]) -> set[str]:
    """Return the names of all glyphs used in shaping the texts, including intermediate ones."""
    body = io.BytesIO()
    font.flavor = None
    font.save(body)
    shaper = uharfbuzz.Font(uharfbuzz.Face(body.getvalue()))
    numbers: set[int] = set()
    for text in texts:
        buffer = uharfbuzz.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()

        def note(message: str, buffer: uharfbuzz.Buffer = buffer) -> bool:
            if "lookup" in message:
                numbers.update(info.codepoint for info in buffer.glyph_infos)
            return True

        buffer.set_message_func(note)
        uharfbuzz.shape(shaper, buffer)
    return {font.getGlyphName(number) for number in numbers}


def _find_source(font: Font, folder: Path) -> Path:
    """Return the source file of a font."""
    script = font.package.removeprefix("noto-sans-").removeprefix("noto-serif-")
    name = f"{font.package}-{script}-wght-normal.woff2" if font.weight else "NotoSans_400Regular.ttf"
    sources = sorted(folder.glob(f"**/{name}"))
    if not sources:
        raise SystemExit(f"{folder} holds no {name}: unpack the package that has it there.")
    return sources[0]


def main() -> None:
    """Build the fonts and copy their licences; copy the original fonts of pages for the tests."""
    match sys.argv[1:]:
        case [folder]:
            make_all(Path(folder), PAGE_FONT_FOLDER, FILE_FONT_FOLDER)
        case [folder, "pages"]:
            make_all(Path(folder), PAGE_FONT_FOLDER)
        case _:
            raise SystemExit(__doc__)


def make_all(folder: Path, *outputs: Path) -> None:
    """Build the fonts of the output folders, and write their licences."""
    for output in outputs:
        fonts = [font for font in FONTS if font.file.parent == output]
        for font in fonts:
            body = make_font(font, folder)
            font.file.write_bytes(body)
            print(f"{font.file.name}: {len(body):,} bytes")
        licences = [_read_licence(font, folder) for font in fonts]
        owners = dict.fromkeys(text.partition("\n")[0] for text in licences)
        licence = "\n".join(owners) + "\n" + licences[0].partition("\n")[2]
        (output / "OFL.txt").write_text(licence, encoding="utf-8")
        if output == PAGE_FONT_FOLDER:
            copy_originals([_find_source(font, folder) for font in fonts], licence)


def copy_originals(sources: Iterable[Path], licence: str) -> None:
    """Copy the original fonts of pages."""
    ORIGINAL_FONT_FOLDER.mkdir(exist_ok=True)
    for source in sources:
        shutil.copyfile(source, ORIGINAL_FONT_FOLDER / source.name)
    (ORIGINAL_FONT_FOLDER / "OFL.txt").write_text(licence, encoding="utf-8")


def _read_licence(font: Font, folder: Path) -> str:
    """Return the licence of a font's package: a line with the copyright holders, then the terms."""
    name = "LICENSE" if font.weight else "LICENSE_FONT"
    return next(folder.glob(f"**/{font.package}/**/{name}")).read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
