"""Errors of an import: the first ones in the terminal, all of them in a report file."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from abhidhan.formats.error_reports import FaultRow, rows_of
from abhidhan.formats.formula_injection import escape_formula
from abhidhan.records.errors import AbhidhanError, InputError
from abhidhan.records.import_records import Loss, RecordError

MAX_SHOWN = 20
"""Maximum number of errors shown in the terminal."""


class FaultFileError(AbhidhanError):
    """Error raised when the report file cannot be written."""


@contextmanager
def fault_writer(
    file: Path | None, imported: Sequence[Path], *, append: bool = False
) -> Iterator[Callable[[RecordError | Loss | str], None]]:
    """Provide a function that writes an error to the report file; without a file, it does nothing.

    Errors are written as lines; in a `.csv` file, as rows, one for each invalid field. The file is overwritten, or
    appended to with `append`, for errors of the same import.

    Raises ReportFileError immediately if the file cannot be written, InputError if it is one of the imported files.
    """
    if file is None:
        yield lambda _: None
        return
    if any(_is_within(file, path) for path in imported):
        raise InputError.of("errors", f"{file} is one of the files to import: choose another file for --report.")
    with _translate_errors(file):
        mode = "a" if append else "w"
        stream = file.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n")
    table = csv.writer(stream, lineterminator="\n") if file.suffix.lower() == ".csv" else None

    def write(fault: RecordError | Loss | str) -> None:
        with _translate_errors(file, "The import has stopped. Fix this, and run it again."):
            if table is None:
                stream.write(f"{fault}\n")
            else:
                table.writerows([escape_formula(str(cell)) for cell in row] for row in rows_of(fault))

    if table is not None and not append:
        with _translate_errors(file):
            table.writerow(FaultRow._fields)

    try:
        yield write
    finally:
        with _translate_errors(file):
            stream.close()


def show_faults(faults: Sequence[RecordError], rejected: int, file: Path | None) -> None:
    """Print the first errors, and the number of the others or the report file that lists them."""
    for fault in faults[:MAX_SHOWN]:
        typer.echo(str(fault), err=True)
    remaining = rejected - min(len(faults), MAX_SHOWN)
    if file is not None and rejected:
        typer.echo(f"{file} lists {'all ' * (rejected > 1)}{rejected:,} of them.", err=True)
    elif remaining > 0:
        typer.echo(f"... and {remaining:,} more. --report FILE writes all of them to a file.", err=True)


def _is_within(file: Path, imported: Path) -> bool:
    return file.resolve().is_relative_to(imported.resolve())


@contextmanager
def _translate_errors(file: Path, *more: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FaultFileError(" ".join([f"{file} cannot be written: {error.strerror or error}.", *more])) from error
