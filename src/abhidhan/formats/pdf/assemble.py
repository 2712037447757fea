"""Assembly of a printed dictionary: entries, sections of pages, front matter, bookmarks and page numbers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple, cast

import msgspec
from pikepdf import Array, Dictionary, Name, OutlineItem, Pdf

from abhidhan.formats.pdf.typeset import FONT_FAMILIES, iter_system_fonts, typeset_pages
from abhidhan.formats.writers.export_source import ExportSource, FontCoverage
from abhidhan.records.languages import Language
from abhidhan.records.words import Meaning, Word
from assamese.collation import AlphabetIndex, build_alphabet_index

CoverageCheck = Callable[[str], bool]
"""Function that returns whether the available fonts have every letter of a text."""

MIN_NUMBERED_MEANINGS: Final = 2
"""Minimum number of meanings that are numbered; a single one is not."""


class TextRun(msgspec.Struct, array_like=True, frozen=True):
    """A part of an entry in one style.

    The styles are `roman`, `ipa`, `number`, `label`, `definition`, `language` (its name), `words` and `example`.
    """

    style: str
    text: str


class LanguageHeading(msgspec.Struct, tag_field="kind", tag="language", frozen=True):
    """Heading of a language: its title, and its code, which selects the shaping of letters."""

    title: str
    code: str


class LetterHeading(msgspec.Struct, tag_field="kind", tag="letter", frozen=True):
    """Heading of the words that start with a letter."""

    title: str


class PrintedEntry(msgspec.Struct, tag_field="kind", tag="entry", frozen=True):
    """A word and its description."""

    word: str
    runs: tuple[TextRun, ...]


Block = LanguageHeading | LetterHeading | PrintedEntry


class BlockBuilder:
    """Converter of a dictionary to blocks; counts the printed words, and those that the fonts cannot print."""

    def __init__(self, export: ExportSource, covers: CoverageCheck) -> None:
        """Initialise with a dictionary, and a check of the fonts' letters."""
        self._export = export
        self._covers = covers
        self.word_counts: dict[str, int] = {}
        self.skipped_counts: dict[str, int] = {}

    def iter_blocks(self) -> Iterator[Block]:
        """Yield the blocks, language by language, in the order of each alphabet."""
        for language in self._export.languages:
            yield from self._iter_language_blocks(language)

    def _iter_language_blocks(self, language: Language) -> Iterator[Block]:
        divider, letter = build_alphabet_index(language.code, language.script), ""
        for word in self._export.words(language.id):
            if not self._covers(word.word):
                self.skipped_counts[language.name] = self.skipped_counts.get(language.name, 0) + 1
                continue
            if language.name not in self.word_counts:
                yield LanguageHeading(self._build_title(language), language.code.partition("-")[0])
            self.word_counts[language.name] = self.word_counts.get(language.name, 0) + 1
            first_letter = _find_letter(divider, word, letter)
            if first_letter != letter:
                letter = first_letter
                yield LetterHeading(letter)
            yield self._build_entry(word)

    def _build_title(self, language: Language) -> str:
        names = [name for name in (language.name, language.native_name) if self._covers(name)]
        return " · ".join(dict.fromkeys(names))

    def _build_entry(self, word: Word) -> PrintedEntry:
        runs = [
            TextRun("roman", word.roman or ""),
            TextRun("ipa", f"/{word.explicit_ipa}/" if word.explicit_ipa else ""),
        ]
        is_numbered = len(word.meanings) >= MIN_NUMBERED_MEANINGS
        for number, meaning in enumerate(word.meanings, 1):
            if is_numbered:
                runs.append(TextRun("number", str(number)))
            runs += self._iter_meaning_runs(meaning)
        return PrintedEntry(word.word, tuple(run for run in runs if run.text and self._covers(run.text)))

    def _iter_meaning_runs(self, meaning: Meaning) -> Iterator[TextRun]:
        kind = "-".join(part.value for part in (meaning.pos, meaning.gender) if part)
        contexts = ", ".join(context.value for context in meaning.contexts)
        yield TextRun("label", "; ".join(part for part in (kind, contexts) if part))
        yield from (TextRun("definition", definition.text) for definition in meaning.definitions)
        words: dict[str, list[str]] = {}
        for translation in meaning.translations:
            if self._covers(translation.word):
                words.setdefault(translation.language, []).append(translation.word)
        for language, texts in words.items():
            yield TextRun("language", language)
            yield TextRun("words", ", ".join(texts))
        for example in meaning.examples:
            yield TextRun("example", example.text + (f" — {example.translation}" if example.translation else ""))


def _find_letter(divider: AlphabetIndex, word: Word, previous_letter: str) -> str:
    """Return the letter of a word; a word without an initial letter stays under the previous one."""
    return divider.find_letter(word.word) or previous_letter


# --- the printed dictionary -----------------------------------------------------------------------------------------


MAX_SECTION_ENTRIES: Final = 2_000
"""Maximum number of entries per section: 60 pages, for which Typst needs 250 MB. A section starts on a new page."""

MIN_SECTION_ENTRIES: Final = 1_500
"""Number of entries after which a new letter or language ends the section before it is full."""

MAX_SUBTITLE_LANGUAGES: Final = 4
"""Maximum number of languages named on the title page; for more, only their number is shown."""

TEMPLATE_FOLDER: Final = files("abhidhan.formats.pdf")
PAGES_TEMPLATE: Final = "pages.typ"
FRONT_TEMPLATE: Final = "front.typ"

Section = Sequence[tuple[str, Sequence[Block]]]
"""Blocks of one section, grouped by language code."""


class Bookmark(NamedTuple):
    """A bookmark: a language or letter, and the page (from 0) on which it starts."""

    heading: LanguageHeading | LetterHeading
    page: int


class DictionaryTypesetter:
    """Typesetter of a dictionary: writes a file per section, then joins the files and adds bookmarks."""

    def __init__(self, export: ExportSource, font_coverage: FontCoverage, folder: Path) -> None:
        """Initialise without pages; `folder` is for temporary files."""
        self._export = export
        self._folder = folder
        self._font_folder = font_coverage.folder
        font_coverage.add_fonts(iter_system_fonts(font_coverage.folder))
        self._builder = BlockBuilder(export, font_coverage.covers)
        self._section_files: list[Path] = []
        self._bookmarks: list[Bookmark] = []
        self._page_count = 0
        for name in (PAGES_TEMPLATE, FRONT_TEMPLATE):
            (folder / name).write_bytes((TEMPLATE_FOLDER / name).read_bytes())

    def write(self, target: Path) -> None:
        """Typeset the whole dictionary. Raises OSError."""
        for section in split_sections(self._builder.iter_blocks()):
            self._add_section(section)
        self._join_pages(self._typeset_front(), target)

    def _add_section(self, section: Section) -> None:
        part = {"title": self._export.title, "page": self._page_count + 1, "fonts": FONT_FAMILIES, "languages": section}
        file = self._typeset(PAGES_TEMPLATE, f"{len(self._section_files)}.pdf", part)
        headings = [
            block for _, blocks in section for block in blocks if isinstance(block, LanguageHeading | LetterHeading)
        ]
        with Pdf.open(file) as pages:
            heading_pages = _find_heading_pages(pages)
            self._bookmarks += [
                Bookmark(block, self._page_count + page) for block, page in zip(headings, heading_pages, strict=True)
            ]
            self._page_count += len(pages.pages)
        self._section_files.append(file)

    def _typeset_front(self) -> Path:
        languages = [
            (mark.heading.title, mark.page + 1) for mark in self._bookmarks if isinstance(mark.heading, LanguageHeading)
        ]
        words = self._builder.word_counts.values()
        front = {
            "title": self._export.title,
            "subtitle": " · ".join(title for title, _ in languages)
            if len(languages) <= MAX_SUBTITLE_LANGUAGES
            else f"{len(languages)} languages",
            "date": f"{self._export.date:%-d %B %Y}",
            "fonts": FONT_FAMILIES,
            "languages": [
                (title, f"{count:,}", str(page)) for (title, page), count in zip(languages, words, strict=True)
            ],
            "left_out": [f"{language} ({count:,})" for language, count in self._builder.skipped_counts.items()],
            "terms": self._export.format_terms().splitlines(),
        }
        return self._typeset(FRONT_TEMPLATE, "front.pdf", front)

    def _typeset(self, template: str, name: str, data: object) -> Path:
        """Typeset a template. It loads its data from a JSON file, so that no text is interpreted as markup."""
        (self._folder / template).with_suffix(".json").write_bytes(msgspec.json.encode(data))
        typeset_pages(self._folder / template, self._folder / name, self._export.moment, self._font_folder)
        return self._folder / name

    def _join_pages(self, front: Path, target: Path) -> None:
        """Append the sections to the front pages; qpdf copies them from file to file."""
        with ExitStack() as stack:
            document = stack.enter_context(Pdf.new())
            files = [stack.enter_context(Pdf.open(file)) for file in (front, *self._section_files)]
            for part in files:
                document.pages.extend(part.pages)
            front_page_count = len(files[0].pages)
            # Readers show the printed page numbers: Roman ones in front, and 1 at the first entry.
            document.Root.PageLabels = Dictionary(
                Nums=[0, Dictionary(S=Name.r), front_page_count, Dictionary(S=Name.D)]
            )
            self._add_bookmarks(document, front_page_count)
            document.docinfo["/Title"] = self._export.title
            document.docinfo["/CreationDate"] = f"D:{self._export.date:%Y%m%d%H%M%S}Z"
            document.save(target, min_version="1.7", deterministic_id=True)

    def _add_bookmarks(self, document: Pdf, front_page_count: int) -> None:
        with document.open_outline() as outline:
            for bookmark in self._bookmarks:
                item = OutlineItem(bookmark.heading.title, bookmark.page + front_page_count)
                is_language = isinstance(bookmark.heading, LanguageHeading)
                (outline.root if is_language else outline.root[-1].children).append(item)


def split_sections(blocks: Iterator[Block]) -> Iterator[Section]:
    """Split blocks into sections that are typeset separately.

    A section ends at the start of a language or a letter, unless it would become too long.
    """
    section: list[tuple[str, list[Block]]] = []
    code, entries = "", 0
    for block in blocks:
        is_heading = isinstance(block, LanguageHeading | LetterHeading)
        if entries >= MAX_SECTION_ENTRIES or (is_heading and entries >= MIN_SECTION_ENTRIES):
            yield section
            section, entries = [], 0
        if isinstance(block, LanguageHeading):
            code = block.code
        if not section or isinstance(block, LanguageHeading):
            section.append((code, []))
        section[-1][1].append(block)
        entries += not is_heading
    if section:
        yield section


def _find_heading_pages(pages: Pdf) -> list[int]:
    """Return the pages (from 0) of the headings, in order, from the bookmarks that Typst creates for them."""
    numbers: dict[object, int] = {page.objgen: number for number, page in enumerate(pages.pages)}

    def iter_pages(items: Sequence[OutlineItem]) -> Iterator[int]:
        for item in items:
            page = cast("Array", item.destination)[0]
            yield numbers[page.objgen]
            yield from iter_pages(item.children)

    with pages.open_outline() as outline:
        return list(iter_pages(outline.root))
