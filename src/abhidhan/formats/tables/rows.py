"""Rows of tables, from text files and sheets of workbooks."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from itertools import chain
from typing import IO, Final, NamedTuple

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from abhidhan.formats.content_streams import ContentStream, as_buffered, pause_counting, spool
from abhidhan.formats.decompression import SPREADSHEET_SUFFIXES
from abhidhan.formats.formula_injection import unescape_formula
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.tables.columns import MAX_TITLE_ROWS, find_header_index
from abhidhan.formats.tables.workbooks import Span, check_workbook, workbook_error
from abhidhan.formats.text_decoding import CellRow, detect_delimiter, detect_encoding, read_rows
from abhidhan.records.import_records import RecordError, UnstoredValue

MAX_HEADER_BYTES: Final = 8192
"""Number of bytes at the start of a file in which the headings are searched."""

WORKBOOK_SUFFIXES: Final = (*SPREADSHEET_SUFFIXES, ".xls")
"""Suffixes of spreadsheet files; the error for .xls explains how to convert it."""


class Table(NamedTuple):
    """A table: its file, with the sheet if it is not the first, and its rows."""

    file: str
    rows: Iterator[CellRow | RecordError]


def iter_tables(content: ContentStream, options: ImportOptions) -> Iterator[Table | UnstoredValue]:
    """Yield the table of a text file, or one per sheet of a workbook, with losses for content outside cells."""
    if content.name.lower().endswith(WORKBOOK_SUFFIXES):
        yield from _iter_sheet_tables(content)
        return
    content = content._replace(stream=as_buffered(content.stream))
    rows = read_rows(content, _find_delimiter(content, options), options.encoding, require_even=not options.header)
    unescaped_rows = (
        row if isinstance(row, RecordError) else CellRow(row.number, [unescape_formula(cell) for cell in row.cells])
        for row in rows
    )
    yield Table(content.name, unescaped_rows)


def iter_rows(content: ContentStream, options: ImportOptions) -> Iterator[CellRow | RecordError]:
    """Yield the rows of a file's first table, and of further tables with the same first row."""
    header: list[str] | None = None
    for table in iter_tables(content, options):
        first = next(table.rows, None) if isinstance(table, Table) else None
        if first is None or not isinstance(table, Table):
            continue
        cells = first.cells if isinstance(first, CellRow) else []
        if header is None:
            yield first
        if header is None or header == cells:
            yield from table.rows
            header = cells


def _find_delimiter(content: ContentStream, options: ImportOptions) -> str | None:
    """Return the delimiter of the heading row if titles precede it; None to detect it from the first line."""
    head = as_buffered(content.stream).peek(MAX_HEADER_BYTES)[:MAX_HEADER_BYTES]
    text = head.decode(options.encoding or detect_encoding(head), "replace")
    lines = [line for line in text.splitlines() if line.strip()][:MAX_TITLE_ROWS]
    delimiters = [detect_delimiter(line) for line in lines]
    cells = [[cell.strip('" ') for cell in line.split(mark)] for line, mark in zip(lines, delimiters, strict=True)]
    index = find_header_index(cells, options)
    return delimiters[index] if index else None


def _iter_sheet_tables(content: ContentStream) -> Iterator[Table | UnstoredValue]:
    """Yield the sheets of a workbook that have rows."""
    with spool(content) as copy:
        with pause_counting(copy):
            extras = check_workbook(copy, content.name)
        yield from extras.iter_losses(content.name)
        is_first = True
        for index, sheet in enumerate(_open_sheets(copy, content.name)):
            rows = _iter_sheet_rows(sheet, extras.spans[index] if index < len(extras.spans) else [])
            first = next(rows, None)
            if first is not None:
                yield Table(content.name if is_first else f"{content.name} [{sheet.name}]", chain([first], rows))
                is_first = False


def _open_sheets(stream: IO[bytes], name: str) -> Iterator[CalamineSheet]:
    """Open the sheets of a workbook one by one. Raises DamagedFileError."""
    with convert_workbook_errors(name):
        book = CalamineWorkbook.from_filelike(stream)
    for sheet in book.sheet_names:
        with convert_workbook_errors(name):
            opened = book.get_sheet_by_name(sheet)
        yield opened


@contextmanager
def convert_workbook_errors(name: str) -> Iterator[None]:
    """Convert exceptions of the workbook reader, including panics, to DamagedFileError."""
    try:
        yield
    except (CalamineError, OSError) as error:
        raise workbook_error(name, error) from error
    except BaseException as error:
        # A panic in Rust raises pyo3's PanicException, which is not an Exception and cannot be imported.
        if type(error).__name__ == PANIC_EXCEPTION:
            raise workbook_error(name, error) from error
        raise


PANIC_EXCEPTION: Final = "PanicException"


def _iter_sheet_rows(sheet: CalamineSheet, spans: Iterable[Span]) -> Iterator[CellRow]:
    """Yield the non-empty rows; each row of merged cells gets the text of the first one."""
    first_column = int(sheet.start[1]) if sheet.start else 0
    merged = [Span(first[1], first[0], last[0]) for first, last in sheet.merged_cell_ranges or ()]
    starts: dict[int, list[Span]] = {}
    for span in (*merged, *spans):
        starts.setdefault(span.first_row, []).append(span)
    open_spans: list[tuple[Span, str]] = []
    for index, cells in enumerate(sheet.iter_rows()):
        texts = [_format_cell(cell) for cell in cells]
        open_spans = [(span, text) for span, text in open_spans if span.last_row >= index]
        if any(texts):
            for span, text in open_spans:
                texts[span.column - first_column] = texts[span.column - first_column] or text
            dates = frozenset(number for number, cell in enumerate(cells) if isinstance(cell, DATE_TYPES))
            yield CellRow(index + 1, texts, dates)
        open_spans += [
            (span, texts[span.column - first_column]) for span in starts.get(index, ()) if span.last_row > index
        ]


DATE_TYPES: Final = (date, datetime, time, timedelta)


def _format_cell(value: object) -> str:
    """Format a cell as text: numbers without a fraction, and times at midnight, as spreadsheets show them."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).removesuffix(" 00:00:00").strip()
