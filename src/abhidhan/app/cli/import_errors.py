"""Errors of an import: the first ones in the terminal, all of them in a report file."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from abhidhan.formats.error_reports import REPORT_HEADER, iter_report_rows
from abhidhan.formats.formula_injection import escape_formula
from abhidhan.records.errors import AbhidhanError, InputError, pluralize
from abhidhan.records.import_records import RecordError, UnstoredValue

MAX_SHOWN_ERRORS = 20
"""Maximum number of errors shown in the terminal."""


class ReportFileError(AbhidhanError):
    """Error raised when the report file cannot be written."""


@contextmanager
def open_error_report(
    file: Path | None, import_paths: Sequence[Path], *, append: bool = False
) -> Iterator[Callable[[RecordError | UnstoredValue | str], None]]:
    """Provide a function that writes an error to the report file; without a file, it does nothing.

    Errors are written as lines; in a `.csv` file, as rows, one for each invalid field. The file is overwritten, or
    appended to with `append`, for errors of the same import.

    Raises ReportFileError immediately if the file cannot be written, InputError if it is one of the imported files.
    """
    if file is None:
        yield lambda _: None
        return
    if any(_is_within(file, path) for path in import_paths):
        raise InputError.of("errors", f"{file} is one of the files to import: choose another file for --report.")
    with _translate_errors(file):
        mode = "a" if append else "w"
        stream = file.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n")
    table = csv.writer(stream, lineterminator="\n") if file.suffix.lower() == ".csv" else None

    def write_error(error: RecordError | UnstoredValue | str) -> None:
        with _translate_errors(file, "The import has stopped. Fix this, and run it again."):
            if table is None:
                stream.write(f"{error}\n")
            else:
                table.writerows([escape_formula(str(cell)) for cell in row] for row in iter_report_rows(error))

    if table is not None and not append:
        with _translate_errors(file):
            table.writerow(REPORT_HEADER)

    try:
        yield write_error
    finally:
        with _translate_errors(file):
            stream.close()


def show_errors(errors: Sequence[RecordError], rejected_count: int, report_file: Path | None) -> None:
    """Print the first errors, and the number of the others or the report file that lists them."""
    for error in errors[:MAX_SHOWN_ERRORS]:
        typer.echo(str(error), err=True)
    remaining = rejected_count - min(len(errors), MAX_SHOWN_ERRORS)
    if report_file is not None and rejected_count:
        typer.echo(f"{report_file} lists {pluralize(rejected_count, 'rejected record')}.", err=True)
    elif remaining > 0:
        typer.echo(f"... and {remaining:,} more. --report FILE writes all of them to a file.", err=True)


def _is_within(file: Path, import_path: Path) -> bool:
    return file.resolve().is_relative_to(import_path.resolve())


@contextmanager
def _translate_errors(file: Path, *advice: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ReportFileError(" ".join([f"{file} cannot be written: {error.strerror or error}.", *advice])) from error
