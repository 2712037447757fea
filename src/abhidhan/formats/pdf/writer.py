"""Writer of a printed dictionary (PDF): two columns, with the first and last word in each page header."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from abhidhan.formats.writers.export_source import ExportSource
from abhidhan.records.errors import InputError

NOT_INSTALLED: Final = "`pdf` needs the optional package `pdf`: docs/installing.md says how to install it."


def write_pdf(export: ExportSource, target: Path) -> None:
    """Write the words of all languages of the export. Raises InputError if the optional packages are missing."""
    if export.font_coverage is None:
        raise ValueError("a printed book needs the letters of the fonts")
    try:
        from abhidhan.formats.pdf.assemble import DictionaryTypesetter  # noqa: PLC0415 (its packages are optional)

        with TemporaryDirectory(dir=target.parent) as folder:
            # The package that reads the glyphs of fonts is optional, too.
            DictionaryTypesetter(export, export.font_coverage, Path(folder)).write(target)
    except ImportError as error:
        raise InputError.of("format", NOT_INSTALLED) from error
