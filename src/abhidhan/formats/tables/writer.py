"""Writer of CSV and xlsx: a row for each word under each idea, with headings that `abhidhan import csv` recognises."""

import csv
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from xlsxwriter import Workbook, exceptions

from abhidhan.formats.formula_injection import escape_formula
from abhidhan.formats.tables.columns import POSITION_COLUMN
from abhidhan.formats.writers.export_source import ExportLists, ExportSource, get_word_terms, open_text
from abhidhan.records.kinds import IdeaRecord, WordRecord
from abhidhan.records.kinds.fields import list_field_names
from abhidhan.records.kinds.word import POSITION_FIELD, REMARK_FIELDS, WORD_DETAIL_FIELDS
from abhidhan.records.lookup_lists import ListName

IDEA_COLUMNS: Final = ("key", "source", "licence", "attribution", "pos", "short", "gender", "context", "glyph")
WORD_COLUMNS: Final = (
    "language",
    "word",
    *list_field_names(WORD_DETAIL_FIELDS),
    "forms",
    *list_field_names(REMARK_FIELDS),
    POSITION_COLUMN,
)
MAX_SHEET_ROWS: Final = 1_000_000
"""Maximum number of rows in a sheet; xlsx allows slightly more than a million."""

MAX_CELL_LENGTH: Final = 32_767
"""Maximum number of characters in an xlsx cell; a longer text would be dropped entirely."""


def write_csv(export: ExportSource, target: Path) -> None:
    """Write a CSV file (UTF-8 with the byte order mark that Excel needs), protected against formula injection."""
    with open_text(target, "utf-8-sig", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerows([escape_formula(cell) for cell in row] for row in iter_rows(export))


def write_xlsx(export: ExportSource, target: Path) -> None:
    """Write a workbook: the words, and a sheet of their sources."""
    try:
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            _write_workbook(export, target, folder)
    except exceptions.FileCreateError as error:
        # The exception wraps the OSError.
        raise error.args[0] from error


def _write_workbook(export: ExportSource, target: Path, folder: str) -> None:
    options = {
        "tmpdir": folder,
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with Workbook(str(target), options) as workbook:
        workbook.set_properties(
            {"title": export.title, "comments": export.format_licences(), "created": export.date.replace(tzinfo=None)}
        )
        header: list[str] | None = None
        sheet = None
        for number, row in enumerate(iter_rows(export)):
            header = header or row
            row_index = number % MAX_SHEET_ROWS
            if row_index == 0:
                sheet = workbook.add_worksheet(f"Words {number // MAX_SHEET_ROWS + 1}")
                if number:
                    sheet.write_row(0, 0, header)
            if sheet is not None:
                cells = [cell[:MAX_CELL_LENGTH] for cell in row]
                sheet.write_row(row_index + (1 if number >= MAX_SHEET_ROWS else 0), 0, cells)
        source_sheet = workbook.add_worksheet("Sources")
        source_sheet.write_row(0, 0, ["code", "name", "licence", "url", "attribution", "notice"])
        for row_index, source in enumerate(export.sources, 1):
            values = (source.code, source.name, source.licence, source.url, source.attribution, source.notice)
            source_sheet.write_row(row_index, 0, [value or "" for value in values])


def iter_rows(export: ExportSource) -> Iterator[list[str]]:
    """Yield the header, and a row for each word of each idea."""
    definition_languages = sorted({one.language for idea in export.ideas() for one in idea.definitions})
    yield [*IDEA_COLUMNS, *WORD_COLUMNS, *(f"definition:{code}" for code in definition_languages)]
    sources = {source.code: source for source in export.sources}
    codes = {one.value: one.short for one in ExportLists(export).items if one.list == ListName.PARTS_OF_SPEECH}
    for idea in export.ideas():
        for word in idea.words:
            terms = get_word_terms(word, sources.get(word.source or idea.source))
            yield [
                *_format_idea_cells(idea, terms, codes),
                *_format_word_cells(word),
                *_format_definitions(idea, definition_languages),
            ]


def _format_idea_cells(idea: IdeaRecord, terms: list[str], codes: Mapping[str, str | None]) -> list[str]:
    contexts = "|".join(idea.contexts)
    return [
        f"{idea.source}:{idea.key}",
        idea.source,
        *terms,
        idea.pos or "",
        codes.get(idea.pos or "") or "",
        idea.gender or "",
        contexts,
        idea.glyph or "",
    ]


def _format_word_cells(word: WordRecord) -> list[str]:
    details = (field.kind.format(getattr(word, field.name)) for field in WORD_DETAIL_FIELDS)
    remarks = (field.kind.format(getattr(word, field.name)) for field in REMARK_FIELDS)
    return [
        word.language,
        word.text,
        *details,
        "|".join(word.forms),
        *remarks,
        POSITION_FIELD.kind.format(word.position),
    ]


def _format_definitions(idea: IdeaRecord, languages: list[str]) -> list[str]:
    return [
        " | ".join(definition.text for definition in idea.definitions if definition.language == code)
        for code in languages
    ]
