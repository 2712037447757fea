"""The dictionary on paper: what is set, in which stretches, and what Debian's PDF programs read of it."""

import itertools
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import pytest
from pikepdf import Pdf

from abhidhan.exchange.service.exporting import export
from abhidhan.formats.pdf import assemble
from abhidhan.formats.pdf.assemble import (
    Block,
    BlockBuilder,
    LanguageHeading,
    LetterHeading,
    PrintedEntry,
    split_sections,
)
from abhidhan.formats.pdf.writer import write_pdf
from abhidhan.formats.writers.export_source import ExportSource
from abhidhan.media.service.glyph_coverage import FONT_FOLDER, GlyphCoverage
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError
from abhidhan.records.kinds import SourceRecord
from abhidhan.records.languages import Language
from abhidhan.records.words import Meaning, Word
from tests.support.databases import SqliteDatabases, load_sample
from tests.support.programs import find_program, run
from tests.support.sample import NOW

ASSAMESE: Final = Language(2, "as", "asm", "Assamese", "অসমীয়া", "Beng", "ltr")
BODO: Final = Language(3, "brx", "brx", "Bodo", "बर'", "Deva", "ltr")
HOSTILE: Final = '#panic("x") *b* _i_ $x$ @ref <label> \\u{41} // ]] #read("/etc/passwd")'
NOTHING: Final = dict.fromkeys(
    ("roman", "ipa", "asm", "variant", "origin", "countable", "plural", "definitive", "frequency", "pos")
)


def word(text: str, *definitions: str) -> Word:
    """Make a word with a meaning for each definition."""
    lists: dict[str, object] = dict.fromkeys(("contexts", "translations", "examples", "relations", "photos"), ())
    rest = lists | dict.fromkeys(("pos", "gender", "reference", "note"))
    meanings = [
        msgspec.convert(
            {"idea_id": 1, "sense_id": 1, "definitions": [{"language_id": 1, "text": each}], **rest}, Meaning
        )
        for each in definitions
    ]
    plain = {"id": 1, "word": text, "language_id": 2, "language": "Assamese", **NOTHING}
    generated = {"roman_generated": False, "ipa_generated": False}
    made = msgspec.convert({**plain, **generated, "forms_url": "", "audio": [], "meanings": []}, Word)
    return msgspec.structs.replace(made, meanings=meanings)


def book(words: Mapping[Language, Sequence[Word]]) -> ExportSource:
    """Make a book of nothing but words."""
    by_id = {language.id: of_language for language, of_language in words.items()}
    return ExportSource(
        title="A dictionary",
        moment=NOW,
        languages=tuple(words),
        sources=(SourceRecord("s", "A source of ours", "CC0-1.0"),),
        records=lambda: iter(()),
        ideas=lambda: iter(()),
        numbered_ideas=lambda: iter(()),
        numbered_forms=lambda: iter(()),
        words=lambda language_id: iter(by_id[language_id]),
        stored_forms=lambda _: {},
        card_sets=lambda: iter(()),
        font_coverage=GlyphCoverage(),
    )


def every_letter(_: str) -> bool:
    return True


def without_ol_chiki(text: str) -> bool:
    return not any("\u1c50" <= letter <= "\u1c7f" for letter in text)


def list_titles(blocks: Iterator[Block]) -> list[str]:
    return [block.word if isinstance(block, PrintedEntry) else block.title for block in blocks]


def read_pages(file: Path) -> list[str]:
    """Read the pages with Debian's pdftotext, line by line as they are printed."""
    text = run(find_program("pdftotext", "poppler-utils"), "-layout", str(file), "-")
    return text.removesuffix("\f").split("\f")


def test_languages_are_divided_by_the_letters_of_their_alphabets() -> None:
    words = {ASSAMESE: [word("-খন", "a"), word("অসম", "b"), word("পানী", "c"), word("পাহাৰ", "d")], BODO: [word("दै", "e")]}

    printed = list_titles(BlockBuilder(book(words), every_letter).iter_blocks())

    assert printed == ["Assamese · অসমীয়া", "-খন", "অ", "অসম", "প", "পানী", "পাহাৰ", "Bodo · बर'", "द", "दै"]


def test_entries_no_font_can_print_are_omitted_and_counted() -> None:
    words = [word("পানী", "liquid", "ᱫᱟᱜ"), word("ᱫᱟᱜ", "water")]
    printing = BlockBuilder(
        book({ASSAMESE: words}), lambda text: not any("\u1c50" <= letter <= "\u1c7f" for letter in text)
    )

    entries = [block for block in printing.iter_blocks() if isinstance(block, PrintedEntry)]

    assert [(each.word, [run.text for run in each.runs]) for each in entries] == [("পানী", ["1", "liquid", "2"])]
    assert (printing.word_counts, printing.skipped_counts) == ({"Assamese": 1}, {"Assamese": 1})


def test_a_language_without_printable_words_has_no_heading() -> None:
    printing = BlockBuilder(book({ASSAMESE: [word("ᱫᱟᱜ", "water")]}), lambda _: False)

    assert list(printing.iter_blocks()) == []


ENGLISH: Final = LanguageHeading("English", "en")
ENTRY: Final = PrintedEntry("word", ())


SECTIONS: list[tuple[list[Block], list[list[int]]]] = [
    ([LanguageHeading("L", "en"), *[PrintedEntry("w", ())] * 9], [[5], [4], [1]]),
    (
        [LanguageHeading("L", "en"), *[PrintedEntry("w", ())] * 3, LetterHeading("B"), PrintedEntry("w", ())],
        [[4], [2]],
    ),
    (
        [LanguageHeading("L", "en"), PrintedEntry("w", ()), LanguageHeading("M", "as"), PrintedEntry("w", ())],
        [[2, 2]],
    ),
    ([], []),
]


def test_blocks_are_split_into_sections_by_size_letter_and_language(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.setattr(assemble, "MAX_SECTION_ENTRIES", 4)
    monkeypatch.setattr(assemble, "MIN_SECTION_ENTRIES", 3)
    for blocks, sizes in SECTIONS:
        with subtests.test(str(sizes)):
            sections = list(split_sections(iter(blocks)))

            assert [[len(of_language) for _, of_language in section] for section in sections] == sizes
            assert [block for section in sections for _, of_language in section for block in of_language] == blocks


@pytest.fixture(scope="module")
def printed(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Print the sample."""
    file = tmp_path_factory.mktemp("printed") / "abhidhan.pdf"
    export(Database(sqlite_databases.copy(load_sample)), "pdf", file)
    return file


@pytest.mark.thorough
def test_pdftotext_reads_the_words_of_the_sample(printed: Path) -> None:
    title, front, *pages = (" ".join(page.split()) for page in read_pages(printed))

    assert "Abhidhan" in title
    assert all(said in front for said in ("Assamese", "Bodo", "Apache-2.0"))
    assert all(said in "".join(pages) for said in ("পানী", "दै", "A clear liquid that falls as rain"))


def test_bookmarks_and_page_numbers_lead_to_languages_and_letters(printed: Path) -> None:
    with Pdf.open(printed) as opened, opened.open_outline() as outline:
        languages = [item.title for item in outline.root]
        assert languages[:2] == ["English", "Assamese · অসমীয়া"]
        assert [item.title for item in outline.root[1].children][:2] == ["অ", "আ"]
        assert opened.pages[0].label == "i"
        assert opened.pages[2].label == "1"


@pytest.mark.thorough
def test_no_text_is_executed_as_typst(tmp_path: Path) -> None:
    write_pdf(book({ASSAMESE: [word("পানী", HOSTILE)]}), tmp_path / "a.pdf")

    assert "".join(HOSTILE.split()) in "".join(read_pages(tmp_path / "a.pdf")[-1].split())


@pytest.mark.thorough
def test_each_page_header_has_its_first_and_last_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assemble, "MAX_SECTION_ENTRIES", 150)
    english = Language(1, "en", "eng", "English", "English", "Latn", "ltr")
    words = [word(f"b{number:03}", "A rather long definition that fills a line or two. " * 4) for number in range(200)]

    write_pdf(book({english: words}), tmp_path / "a.pdf")

    heads = [page.split()[:3] for page in read_pages(tmp_path / "a.pdf")[2:]]
    assert len(heads) > 2
    assert [number for _, number, _ in heads] == [str(number + 1) for number in range(len(heads))]
    assert (heads[0][0], heads[-1][2]) == ("b000", "b199")
    assert all(before[2] < after[0] for before, after in itertools.pairwise(heads))


def test_missing_optional_packages_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for missing in ["abhidhan.formats.pdf.assemble", "uharfbuzz"]:
        with subtests.test(missing):
            with monkeypatch.context() as patch:
                patch.setitem(sys.modules, missing, None)
                with pytest.raises(InputError, match="needs the optional package `pdf`"):
                    write_pdf(book({ASSAMESE: [word("পানী", "water")]}), tmp_path / "a.pdf")
            assert list(tmp_path.iterdir()) == []


def test_additional_fonts_extend_the_covered_letters(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    shutil.copy(FONT_FOLDER / "meetei-mayek.ttf", tmp_path / "own")
    lettering = GlyphCoverage(tmp_path / "own")
    assert lettering.covers("ꯃꯩꯇꯩ\u200c")
    assert not lettering.covers("পানী")

    lettering.add_fonts([(FONT_FOLDER / "arabic.ttf", 0), (FONT_FOLDER / "assamese.ttf", 0)])

    assert lettering.covers("পানী")
    assert not lettering.covers("पानी")
