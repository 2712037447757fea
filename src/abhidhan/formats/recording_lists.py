"""Reader of recording lists: tables that say which word each sound file next to them contains."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.tables.rows import WORKBOOK_SUFFIXES, iter_rows
from abhidhan.formats.text_decoding import CellRow, first_row_error, surplus_error
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.import_records import RecordError

FILE_SUFFIXES: Final = (".csv", ".tsv", ".tab", *WORKBOOK_SUFFIXES)
SOUND_SUFFIXES: Final = (".wav", ".flac", ".ogg", ".oga", ".mp3")
"""File extensions of recordings, used only to report files that a list omits."""

FIELD_BY_COLUMN: Final[Mapping[str, str]] = {
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
    """A row of a list: its line number, the file, and its description; missing values are empty."""

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
        if not path.name.lower().endswith(FILE_SUFFIXES):
            raise InputError.of("file", f"{path} is not a list: give a folder with a CSV or TSV file, or that file.")
        return path
    if not path.is_dir():
        raise InputError.of("file", f"There is no file {path}.")
    lists = sorted(file for file in path.iterdir() if file.name.lower().endswith(FILE_SUFFIXES) and file.is_file())
    if len(lists) != 1:
        names = ", ".join(file.name for file in lists) or "none"
        raise InputError.of(
            "file", f"{path} must have one list, a CSV or TSV file, of what is said in each file; it has {names}."
        )
    return lists[0]


def read_list(file: Path, encoding: str | None) -> Iterator[ListedRecording | RecordError]:
    """Yield the rows of a list, or errors for invalid rows. Raises InputError if the first row names no columns."""
    for content in open_contents([file]):
        rows = iter_rows(content, ImportOptions(encoding=encoding))
        header = next(rows, None)
        if isinstance(header, RecordError):
            raise first_row_error(header)
        names = _parse_header(file.name, header.cells if header else [])
        for row in rows:
            yield row if isinstance(row, RecordError) else _parse_row(file.name, names, row)


def _parse_header(file: str, header: list[str]) -> list[str | None]:
    """Return the field of each column in the first row."""
    names = [FIELD_BY_COLUMN.get(name.strip().lower().replace(" ", "_")) for name in header]
    if "file" not in names or not {"text", "word_id", "phrase_id"} & {*names}:
        headings = ", ".join(quoted(name) for name in header[:20]) or "nothing"
        raise InputError.of(
            "file",
            f"The first row of {file} must name the columns: file, and word, word_id or phrase_id; speaker, place "
            f"and licence are optional. It has {headings}.",
        )
    return names


def _parse_row(file: str, names: list[str | None], row: CellRow) -> ListedRecording | RecordError:
    if problem := surplus_error(row.cells, len(names)):
        return RecordError(file, row.number, problem)
    values: dict[str, str] = {}
    for name, cell in zip(names, row.cells, strict=False):
        if name is not None and cell.strip():
            values.setdefault(name, cell.strip())
    return ListedRecording(line=row.number, **values)


def find_unlisted_files(folder: Path, named_files: set[Path]) -> list[str]:
    """Return the recordings in a folder that no row names."""
    recordings = (file for file in folder.rglob("*") if file.suffix.lower() in SOUND_SUFFIXES and file.is_file())
    return sorted(str(file.relative_to(folder)) for file in recordings if file.resolve() not in named_files)
