"""The rows of tables: of texts and of the sheets of workbooks."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from abhidhan.domain.incoming import Fault
from abhidhan.formats.contents import Content, spool
from abhidhan.formats.formulas import unshielded
from abhidhan.formats.meter import looking_through
from abhidhan.formats.packing import SPREADSHEETS
from abhidhan.formats.reading import Options
from abhidhan.formats.text import CellRow, read_rows
from abhidhan.formats.workbooks import check_workbook, damaged

WORKBOOKS: Final = (*SPREADSHEETS, ".xls")
"""Files of spreadsheets; those of the old kind are told how to become readable."""


def rows_of(content: Content, options: Options) -> Iterator[CellRow | Fault]:
    """Read the rows of a table, whatever kind of file it is."""
    if content.name.lower().endswith(WORKBOOKS):
        return _sheet_rows(content)
    rows = read_rows(content, None, options.encoding)
    return (
        row if isinstance(row, Fault) else CellRow(row.number, [unshielded(cell) for cell in row.cells]) for row in rows
    )


def _sheet_rows(content: Content) -> Iterator[CellRow | Fault]:
    """Read the first sheet of a workbook that has rows, and those that go on with it under the same first row."""
    with spool(content) as copy:
        with looking_through(copy):
            check_workbook(copy, content.name)
        header: tuple[str, ...] | None = None
        for sheet in _sheets(copy, content.name):
            rows = _rows_of_sheet(sheet)
            first = next(rows, None)
            if first is not None and header in {None, tuple(first.cells)}:
                yield from (first,) if header is None else ()
                yield from rows
                header = tuple(first.cells)


def _sheets(stream: IO[bytes], name: str) -> Iterator[CalamineSheet]:
    """Open the sheets of a workbook one after another. Raises DamagedFileError."""
    with damage_in_words(name):
        book = CalamineWorkbook.from_filelike(stream)
    for sheet in book.sheet_names:
        with damage_in_words(name):
            opened = book.get_sheet_by_name(sheet)
        yield opened


@contextmanager
def damage_in_words(name: str) -> Iterator[None]:
    """Turn what the reader of workbooks raises into DamagedFileError, a panic of it too."""
    try:
        yield
    except (CalamineError, OSError) as error:
        raise damaged(name, error) from error
    except BaseException as error:
        # A reader in Rust that gives up raises pyo3's PanicException, which is no Exception and can be had nowhere.
        if type(error).__name__ == PANIC:
            raise damaged(name, error) from error
        raise


PANIC: Final = "PanicException"


def _rows_of_sheet(sheet: CalamineSheet) -> Iterator[CellRow]:
    """Read the rows that are not empty. Numbers without a fraction are written without one."""
    start = int(sheet.start[0]) + 1 if sheet.start else 1
    for number, cells in enumerate(sheet.iter_rows(), start):
        texts = [_cell(cell) for cell in cells]
        if any(texts):
            yield CellRow(number, texts)


def _cell(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
