"""Check which values of an imported file occur in an export or the report."""

import re
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from abhidhan.exchange.service.exporting import export
from abhidhan.exchange.service.importing import ImportRequest, import_files
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.platform.database.database import Database
from tests.support.databases import SqliteDatabases, leave_empty, open_database

_BETWEEN = re.compile(r"[\W_]+")


class ImportedValues(NamedTuple):
    """The words of the export and of the report, and the numbers of rejected records and lost values."""

    exported: str
    reported: str
    rejected: int
    lost: int

    def find_missing(self, values: Iterable[str]) -> list[str]:
        """Return the values that are in neither the export nor the report."""
        return [value for value in values if words_of(value) not in self.exported + self.reported]


def words_of(text: str) -> str:
    """Return the case-folded words of a text, separated and surrounded by single spaces."""
    return f" {_BETWEEN.sub(' ', text.casefold()).strip()} "


def import_and_export(
    databases: SqliteDatabases, folder: Path, name: str, files: Mapping[str, str], options: ImportOptions
) -> ImportedValues:
    """Import files of a format into an empty dictionary, and export it."""
    (folder / "files").mkdir()
    for file, content in files.items():
        (folder / "files" / file).write_text(content, "utf-8")
    with open_database(databases, leave_empty) as database:
        return _import_and_export(database, folder, ImportRequest(name, (folder / "files",), options))


def _import_and_export(database: Database, folder: Path, request: ImportRequest) -> ImportedValues:
    losses: list[str] = []
    report = import_files(
        database,
        request,
        now=1,
        on_progress=lambda _: None,
        on_lost=lambda one: losses.append(f"{one.field} {one.value}"),
    )
    export(database, "jsonl", folder / "all.jsonl")
    if request.format == "lift":
        export(database, "lift", folder / "all.zip")
    # Otherwise a backslash and the letter of a JSON escape would join the words on both sides.
    exported = (folder / "all.jsonl").read_text("utf-8").replace("\\n", " ")
    if request.format == "lift":
        with zipfile.ZipFile(folder / "all.zip") as archive:
            exported += " ".join(archive.read(one).decode() for one in archive.namelist() if ".lift" in one)
    reported = [
        *losses,
        *(f"{kind} {value}" for kind, value in report.unknown_names),
        *map(str, report.loaded.errors),
    ]
    return ImportedValues(words_of(exported), words_of(" \n ".join(reported)), report.loaded.rejected, len(losses))
