"""Files of what is wrong with other files: text, a table or JSON, written row by row."""

import csv
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final

from abhidhan.domain.fault_reports import FaultRow
from abhidhan.errors import InputError
from abhidhan.formats.formulas import shielded


class TextFile:
    """A text for reading: a line for each row, as compilers have them, then the counts of kinds."""

    def __init__(self, stream: IO[str]) -> None:
        """Write into a stream."""
        self._stream = stream

    def add(self, row: FaultRow) -> None:
        """Write a row."""
        column = f" {row.column}:" if row.column else ""
        said = " ".join(filter(None, (row.what, row.remedy)))
        self._stream.write(f"{row.file}:{row.row}:{column} {said}\n")

    def end(self, kinds: Mapping[str, int]) -> None:
        """Write how many there are of each kind."""
        counted = Counter(kinds).most_common()
        self._stream.writelines(["\n" * bool(counted), *(f"{count:>9,}  {kind}\n" for kind, count in counted)])


class TableFile:
    """A table for a spreadsheet. Cells that begin like a formula are shielded, as in all tables that are written."""

    def __init__(self, stream: IO[str]) -> None:
        """Write into a stream, the names of the columns first."""
        self._rows = csv.writer(stream)
        self._rows.writerow(FaultRow._fields)

    def add(self, row: FaultRow) -> None:
        """Write a row."""
        self._rows.writerow([shielded(str(cell)) for cell in row])

    def end(self, kinds: Mapping[str, int]) -> None:
        """Write nothing: a spreadsheet counts by itself, and rows of another kind would be in its way."""


class JSONFile:
    """An object with `faults` and `kinds`, for programs."""

    def __init__(self, stream: IO[str]) -> None:
        """Begin the object in a stream."""
        self._stream = stream
        self._separator = "\n"
        stream.write('{"faults": [')

    def add(self, row: FaultRow) -> None:
        """Write a row."""
        self._stream.write(self._separator + json.dumps(row._asdict(), ensure_ascii=False))
        self._separator = ",\n"

    def end(self, kinds: Mapping[str, int]) -> None:
        """Write how many there are of each kind, and end the object."""
        counted = [{"kind": kind, "count": count} for kind, count in Counter(kinds).most_common()]
        self._stream.write(f'\n], "kinds": {json.dumps(counted, ensure_ascii=False)}}}\n')


FaultFile = TextFile | TableFile | JSONFile

FORMS: Final[dict[str, type[FaultFile]]] = {".txt": TextFile, ".csv": TableFile, ".json": JSONFile}
"""The forms of a report, by how the name of its file ends."""


def form_of(file: Path) -> type[FaultFile]:
    """Return the form that the name of a file asks for. Raises InputError."""
    form = FORMS.get(file.suffix.lower())
    if form is None:
        endings = ", ".join(FORMS)
        raise InputError.of("report", f"A report is text, a table or JSON: give it a name that ends in {endings}.")
    return form
