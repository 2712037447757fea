"""Imports of small files into the sample, to check that each value is exported again or reported."""

from pathlib import Path
from typing import NamedTuple

from abhidhan.exchange.service.importing import ImportReport, ImportRequest, import_files
from abhidhan.exchange.store.dump import dump_records
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.jsonl import encode_line
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import RecordError, UnstoredValue
from tests.support.databases import Databases, FillDatabase, load_sample, open_database
from tests.support.sample import NOW

NO_OPTIONS = ImportOptions()


class ImportResult(NamedTuple):
    """The lines of an export after an import, and the import's report."""

    lines: list[str]
    report: ImportReport
    rejected: list[RecordError]
    lost: list[UnstoredValue]

    def has(self, value: str) -> bool:
        """Return whether the export has a value, ignoring case and punctuation at its ends."""
        return any(value.casefold().strip("/[](). ") in line.casefold() for line in self.lines)

    def reports(self, value: str) -> bool:
        """Return whether a value is reported as lost or as an unknown name."""
        return value in {loss.value for loss in self.lost} | {name for _, name in self.report.unknown_names}

    def find_unaccounted(self, values: list[str]) -> list[str]:
        """Return the values that are neither exported nor reported."""
        return [value for value in values if not self.has(value) and not self.reports(value)]


def import_file(  # noqa: PLR0913, PLR0917  # a format, its file, and into what it comes
    databases: Databases,
    folder: Path,
    name: str,
    text: str,
    options: ImportOptions = NO_OPTIONS,
    filling: FillDatabase = load_sample,
    file_name: str = "file.jsonl",
) -> ImportResult:
    """Import a file, and export the result."""
    file = folder / file_name
    file.write_text(text, "utf-8")
    rejected: list[RecordError] = []
    lost: list[UnstoredValue] = []
    with open_database(databases, filling) as database:
        before = set(_lines(database))
        report = import_files(
            database,
            ImportRequest(name, (file,), options),
            now=NOW,
            on_progress=lambda _: None,
            on_reject=rejected.append,
            on_lost=lost.append,
        )
        return ImportResult([line for line in _lines(database) if line not in before], report, rejected, lost)


def _lines(database: Database) -> list[str]:
    with database.snapshot() as reader:
        return [encode_line(record).decode() for record in dump_records(reader)]
