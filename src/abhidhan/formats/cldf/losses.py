"""Lost values of a CLDF import: metadata, references and cells that no record contains."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.cldf.languages import DataSetLanguage, has_transcriptions
from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ParsedRecord
from abhidhan.formats.losses import find_losses
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue

Location = tuple[str, int]
"""A file name and a line number."""

RECORDING_COLUMNS: Final = frozenset(
    {"id", "mediaType", "downloadUrl", "pathInZip", "languageReference", "Speaker", "Place", "Licence", "License"}
)
"""Columns that an import of recordings reads."""

IGNORED_METADATA: Final = frozenset({"@context", "dialect", "tables", "dc:conformsTo", "rdf:type"})
"""Metadata keys that describe the file format instead of the content."""

_BIBTEX_FIELD: Final = re.compile(r"\s*(\w+)\s*=\s*(.*)")
_WORD_SEPARATOR: Final = re.compile(r"[|;,()\[\]<>।]")


class ColumnTreatment(NamedTuple):
    """Columns with special treatment: `converted` ones cause no losses, `word_lists` are compared word by word."""

    converted: Collection[str] = ()
    word_lists: Collection[str] = ()


def find_row_losses(
    data: DataSet,
    table_name: str,
    located_row: tuple[Location, Mapping[str, str]],
    records: Iterable[ParsedRecord],
    columns: ColumnTreatment,
) -> Iterator[UnstoredValue]:
    """Yield a loss for each value of a row that its records lack."""
    location, row = located_row
    values = (
        (f"{data.tables[table_name].file}: {cell.column}", piece.strip())
        for cell in data.iter_cells(table_name, row)
        if cell.name not in columns.converted
        for piece in (_WORD_SEPARATOR.split(cell.text) if cell.name in columns.word_lists else [cell.text])
    )
    return find_losses(*location, values, records)


def find_table_losses(data: DataSet, table_name: str) -> Iterator[ParsedRecord]:
    """Yield a loss for each cell of a table that is not imported."""
    for location, row in data.iter_rows(table_name):
        if isinstance(row, RecordError):
            yield row
        else:
            yield from find_row_losses(data, table_name, (location, row), (), ColumnTreatment())


def find_language_losses(data: DataSet, languages: Mapping[str, DataSetLanguage]) -> Iterator[ParsedRecord]:
    """Yield the losses of the language table, of which only codes and the names of new languages are imported."""
    read = {"name"} if has_transcriptions(data) else set()
    for location, row in data.iter_rows("LanguageTable"):
        if isinstance(row, RecordError):
            yield row
            continue
        language = languages.get(row.get("id", ""))
        records = [LocatedRecord(*location, language.new_record)] if language and language.new_record else []
        is_by_glottocode = language is not None and row.get("iso639P3code", "") == ""
        code = {"glottocode"} if is_by_glottocode else {"iso639P3code"} if language else set()
        yield from find_row_losses(data, "LanguageTable", (location, row), records, ColumnTreatment(read | code))


def find_media_losses(data: DataSet) -> Iterator[ParsedRecord]:
    """Yield the losses of the media table: cells that an import of recordings does not read."""
    for location, row in data.iter_rows("MediaTable"):
        if isinstance(row, RecordError):
            yield row
        else:
            is_recording = row.get("mediaType", "").startswith("audio/")
            yield from find_row_losses(
                data, "MediaTable", (location, row), (), ColumnTreatment(RECORDING_COLUMNS if is_recording else ())
            )


def find_metadata_losses(data: DataSet, source: LocatedRecord, converted: Collection[str]) -> Iterator[UnstoredValue]:
    """Yield a loss for each metadata value that the source record lacks, except the `converted` keys."""
    unread = {
        name: value
        for name, value in data.raw_metadata.items()
        if name not in IGNORED_METADATA and name not in converted
    }
    file = data.metadata_file.rpartition("/")[2]
    return find_losses(data.metadata_file, 1, _iter_leaves(file, unread), [source])


def _iter_leaves(path: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _iter_leaves(f"{path}: {name}", inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _iter_leaves(path, inner)
    elif value is not None:
        yield path, str(value)


def find_bibliography_losses(content: ContentStream) -> Iterator[UnstoredValue]:
    """Yield a loss for each field of a bibliography except years; records contain only the short names of works."""
    content.stream.seek(0)
    field = "entry"
    for number, line in enumerate(content.stream, 1):
        text = line.decode("utf-8", "replace").strip()
        match = _BIBTEX_FIELD.fullmatch(text)
        if text.startswith("@"):
            field = "entry"
        elif match:
            field, text = match[1].lower(), match[2]
        value = text.strip('{}", ')
        if value and field != "year":
            yield UnstoredValue(content.name, number, f"{content.base_name}: {field}", value)
