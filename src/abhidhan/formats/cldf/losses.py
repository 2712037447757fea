"""Lost values of a CLDF import: metadata, references and cells that no record contains."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from abhidhan.formats.cldf.files import DataSet
from abhidhan.formats.cldf.languages import DataSetLanguage, has_transcriptions
from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ParsedRecord
from abhidhan.formats.losses import losses
from abhidhan.records.import_records import LocatedRecord, Loss, RecordError

Location = tuple[str, int]
"""A file name and a line number."""

RECORDING_COLUMNS: Final = frozenset(
    {"id", "mediaType", "downloadUrl", "pathInZip", "languageReference", "Speaker", "Place", "Licence", "License"}
)
"""Columns that an import of recordings reads."""

IGNORED_METADATA: Final = frozenset({"@context", "dialect", "tables", "dc:conformsTo", "rdf:type"})
"""Metadata keys that describe the file format instead of the content."""

_FIELD: Final = re.compile(r"\s*(\w+)\s*=\s*(.*)")
_WORD_SEPARATOR: Final = re.compile(r"[|;,()\[\]<>।]")


class ColumnTreatment(NamedTuple):
    """Columns with special treatment: `converted` ones cause no losses, `word_lists` are compared word by word."""

    read: Collection[str] = ()
    lists: Collection[str] = ()


def losses_of_row(
    data: DataSet,
    kind: str,
    located_row: tuple[Location, Mapping[str, str]],
    records: Iterable[ParsedRecord],
    columns: ColumnTreatment,
) -> Iterator[Loss]:
    """Yield a loss for each value of a row that its records lack."""
    location, row = located_row
    values = (
        (f"{data.tables[kind].file}: {cell.column}", piece.strip())
        for cell in data.cells(kind, row)
        if cell.name not in columns.read
        for piece in (_WORD_SEPARATOR.split(cell.text) if cell.name in columns.lists else [cell.text])
    )
    return losses(*location, values, records)


def losses_of_table(data: DataSet, kind: str) -> Iterator[ParsedRecord]:
    """Yield a loss for each cell of a table that is not imported."""
    for location, row in data.rows(kind):
        if isinstance(row, RecordError):
            yield row
        else:
            yield from losses_of_row(data, kind, (location, row), (), ColumnTreatment())


def losses_of_languages(data: DataSet, languages: Mapping[str, DataSetLanguage]) -> Iterator[ParsedRecord]:
    """Yield the losses of the language table, of which only codes and the names of new languages are imported."""
    read = {"name"} if has_transcriptions(data) else set()
    for location, row in data.rows("LanguageTable"):
        if isinstance(row, RecordError):
            yield row
            continue
        language = languages.get(row.get("id", ""))
        records = [LocatedRecord(*location, language.new)] if language and language.new else []
        is_by_glottocode = language is not None and row.get("iso639P3code", "") == ""
        code = {"glottocode"} if is_by_glottocode else {"iso639P3code"} if language else set()
        yield from losses_of_row(data, "LanguageTable", (location, row), records, ColumnTreatment(read | code))


def losses_of_media(data: DataSet) -> Iterator[ParsedRecord]:
    """Yield the losses of the media table: cells that an import of recordings does not read."""
    for location, row in data.rows("MediaTable"):
        if isinstance(row, RecordError):
            yield row
        else:
            is_recording = row.get("mediaType", "").startswith("audio/")
            yield from losses_of_row(
                data, "MediaTable", (location, row), (), ColumnTreatment(RECORDING_COLUMNS if is_recording else ())
            )


def losses_of_metadata(data: DataSet, source: LocatedRecord, read: Collection[str]) -> Iterator[Loss]:
    """Yield a loss for each metadata value that the source record lacks, except the `converted` keys."""
    unread = {
        name: value for name, value in data.description.items() if name not in IGNORED_METADATA and name not in read
    }
    file = data.metadata_file.rpartition("/")[2]
    return losses(data.metadata_file, 1, _leaves(file, unread), [source])


def _leaves(path: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(f"{path}: {name}", inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(path, inner)
    elif value is not None:
        yield path, str(value)


def losses_of_works(content: ContentStream) -> Iterator[Loss]:
    """Yield a loss for each field of a bibliography except years; records contain only the short names of works."""
    content.stream.seek(0)
    field = "entry"
    for number, line in enumerate(content.stream, 1):
        text = line.decode("utf-8", "replace").strip()
        match = _FIELD.fullmatch(text)
        if text.startswith("@"):
            field = "entry"
        elif match:
            field, text = match[1].lower(), match[2]
        value = text.strip('{}", ')
        if value and field != "year":
            yield Loss(content.name, number, f"{content.base_name}: {field}", value)
