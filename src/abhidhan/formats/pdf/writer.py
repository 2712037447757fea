"""A printed dictionary (PDF): two columns, set by Typst, with the first and the last word above each page."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from abhidhan.formats.writers.export_source import Book
from abhidhan.records.errors import InputError

NOT_INSTALLED: Final = "`pdf` needs the optional package `pdf`: docs/installing.md says how to install it."


def write_pdf(book: Book, target: Path) -> None:
    """Write the words of all languages of the book. Raises InputError where the optional packages are missing."""
    if book.lettering is None:
        raise ValueError("what is printed needs to know the letters of fonts")
    try:
        from abhidhan.formats.pdf.assemble import Volume  # noqa: PLC0415 (its packages are optional)

        with TemporaryDirectory(dir=target.parent) as folder:
            # What reads the letters of fonts is an optional package, too.
            Volume(book, book.lettering, Path(folder)).write(target)
    except ImportError as error:
        raise InputError.of("format", NOT_INSTALLED) from error
