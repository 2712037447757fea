"""Reader of recording lists: tables that name the content of each sound file next to them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import Options
from abhidhan.formats.tables.rows import WORKBOOKS, rows_of
from abhidhan.formats.text_decoding import CellRow, first_row_fault, surplus
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.import_records import Fault

ENDINGS: Final = (".csv", ".tsv", ".tab", *WORKBOOKS)
SOUNDS: Final = (".wav", ".flac", ".ogg", ".oga", ".mp3")
"""File extensions of recordings, used only to report files that a list omits."""

COLUMNS: Final[Mapping[str, str]] = {
    "file": "file",
    "filename": "file",
    "path": "file",
    "word": "text",
    "text": "text",
    "spoken": "text",
    "what": "what",
    "word_id": "word_id",
    "wordid": "word_id",
    "phrase_id": "phrase_id",
    "phraseid": "phrase_id",
    "idea_id": "idea_id",
    "ideaid": "idea_id",
    "language": "language",
    "speaker": "speaker",
    "place": "place",
    "licence": "licence",
    "license": "licence",
}
"""The fields by column name in lower case; other columns are skipped."""


class ListedRecording(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a list: its line, a file, and its description, whose missing values are empty."""

    line: int
    file: str = ""
    text: str = ""
    what: str = ""
    word_id: str = ""
    phrase_id: str = ""
    idea_id: str = ""
    language: str = ""
    speaker: str = ""
    place: str = ""
    licence: str = ""


def find_list(path: Path) -> Path:
    """Return the list at a path: a file, or the only table in a folder. Raises InputError."""
    if path.is_file():
        if not path.name.lower().endswith(ENDINGS):
            raise InputError.of("file", f"{path} is not a list: give a folder with a CSV or TSV file, or that file.")
        return path
    if not path.is_dir():
        raise InputError.of("file", f"There is no file {path}.")
    found = sorted(each for each in path.iterdir() if each.name.lower().endswith(ENDINGS) and each.is_file())
    if len(found) != 1:
        names = ", ".join(each.name for each in found) or "none"
        raise InputError.of(
            "file", f"{path} must have one list, a CSV or TSV file, of what is said in each file; it has {names}."
        )
    return found[0]


def read_list(file: Path, encoding: str | None) -> Iterator[ListedRecording | Fault]:
    """Yield the rows of a list, or their faults. Raises InputError if the first row names no columns."""
    for content in open_contents([file]):
        rows = rows_of(content, Options(encoding=encoding))
        header = next(rows, None)
        if isinstance(header, Fault):
            raise first_row_fault(header)
        names = _columns(file.name, header.cells if header else [])
        for row in rows:
            yield row if isinstance(row, Fault) else _listed(file.name, names, row)


def _columns(file: str, header: list[str]) -> list[str | None]:
    """Return the field of each column in the first row."""
    names = [COLUMNS.get(name.strip().lower().replace(" ", "_")) for name in header]
    if "file" not in names or not {"text", "word_id", "phrase_id"} & {*names}:
        told = ", ".join(quoted(name) for name in header[:20]) or "nothing"
        raise InputError.of(
            "file",
            f"The first row of {file} must name the columns: file, and word, word_id or phrase_id; speaker, place "
            f"and licence are optional. It has {told}.",
        )
    return names


def _listed(file: str, names: list[str | None], row: CellRow) -> ListedRecording | Fault:
    if wrong := surplus(row.cells, len(names)):
        return Fault(file, row.number, wrong)
    values: dict[str, str] = {}
    for name, cell in zip(names, row.cells, strict=False):
        if name is not None and cell.strip():
            values.setdefault(name, cell.strip())
    return ListedRecording(line=row.number, **values)


def unlisted(folder: Path, listed: set[Path]) -> list[str]:
    """Return the recordings in a folder that no row names."""
    there = (each for each in folder.rglob("*") if each.suffix.lower() in SOUNDS and each.is_file())
    return sorted(str(each.relative_to(folder)) for each in there if each.resolve() not in listed)
