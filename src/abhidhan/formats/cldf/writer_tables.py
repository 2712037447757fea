"""Tables of a CLDF data set: column descriptions for the metadata, and rows as CSV."""

import csv
import io
from collections.abc import Sequence
from typing import IO, Final, NamedTuple

import msgspec

from abhidhan.formats.writers.export_source import ExportSource
from abhidhan.records.kinds import SourceRecord

CLDF_TERMS_URL: Final = "http://cldf.clld.org/v1.0/terms.rdf#"
DUBLIN_CORE_URL: Final = "http://purl.org/dc/terms/"
ID_SEPARATOR: Final = " "
"""The separator of IDs in a cell."""


class ColumnSpec(NamedTuple):
    """A column: its name and property, the table to whose IDs it refers, and the type of its values.

    A `is_list` column holds any number of IDs.
    """

    name: str
    property: str | None = None
    references: str | None = None
    is_list: bool = False
    datatype: object = "string"
    required: bool = False


class TableSpec(NamedTuple):
    """A table: its file, CLDF component, and columns."""

    file: str
    component: str
    columns: tuple[ColumnSpec, ...]


_ID: Final = ColumnSpec("ID", f"{CLDF_TERMS_URL}id", required=True)
_LANGUAGE: Final = ColumnSpec("Language_ID", f"{CLDF_TERMS_URL}languageReference", "languages.csv")
MEDIA_IDS: Final = ColumnSpec("Media_IDs", f"{CLDF_TERMS_URL}mediaReference", "media.csv", is_list=True)
EXAMPLE_IDS: Final = ColumnSpec("Example_IDs", f"{CLDF_TERMS_URL}exampleReference", "examples.csv", is_list=True)

LANGUAGES: Final = TableSpec(
    "languages.csv",
    "LanguageTable",
    (
        _ID,
        ColumnSpec("Name", f"{CLDF_TERMS_URL}name"),
        ColumnSpec("ISO639P3code", f"{CLDF_TERMS_URL}iso639P3code"),
        ColumnSpec("Code"),
        ColumnSpec("Native_Name"),
        ColumnSpec("Script"),
        ColumnSpec("Direction"),
    ),
)
ENTRIES: Final = TableSpec(
    "entries.csv",
    "EntryTable",
    (
        _ID,
        _LANGUAGE,
        ColumnSpec("Headword", f"{CLDF_TERMS_URL}headword"),
        ColumnSpec("Part_Of_Speech", f"{CLDF_TERMS_URL}partOfSpeech"),
        ColumnSpec("Roman"),
        ColumnSpec("IPA"),
        MEDIA_IDS,
    ),
)
SENSES: Final = TableSpec(
    "senses.csv",
    "SenseTable",
    (
        _ID,
        ColumnSpec("Description", f"{CLDF_TERMS_URL}description"),
        ColumnSpec("Description_Language"),
        ColumnSpec("Entry_ID", f"{CLDF_TERMS_URL}entryReference", "entries.csv"),
        ColumnSpec("Idea"),
        ColumnSpec("Source_Code"),
        ColumnSpec("Licence"),
        ColumnSpec("Attribution"),
        EXAMPLE_IDS,
    ),
)
EXAMPLES: Final = TableSpec(
    "examples.csv",
    "ExampleTable",
    (
        _ID,
        _LANGUAGE,
        ColumnSpec("Primary_Text", f"{CLDF_TERMS_URL}primaryText"),
        ColumnSpec("Translated_Text", f"{CLDF_TERMS_URL}translatedText"),
        ColumnSpec("Idea"),
        MEDIA_IDS,
    ),
)
MEDIA: Final = TableSpec(
    "media.csv",
    "MediaTable",
    (
        ColumnSpec(
            "ID", f"{CLDF_TERMS_URL}id", datatype={"base": "string", "format": r"[a-zA-Z0-9_\-]+"}, required=True
        ),
        ColumnSpec("Name", f"{CLDF_TERMS_URL}name"),
        ColumnSpec("Description", f"{CLDF_TERMS_URL}description"),
        ColumnSpec(
            "Media_Type", f"{CLDF_TERMS_URL}mediaType", datatype={"base": "string", "format": "[^/]+/.+"}, required=True
        ),
        ColumnSpec("Download_URL", f"{CLDF_TERMS_URL}downloadUrl", datatype={"base": "anyURI"}),
        ColumnSpec("Path_In_Zip", f"{CLDF_TERMS_URL}pathInZip"),
        _LANGUAGE,
        ColumnSpec("Speaker", f"{DUBLIN_CORE_URL}contributor"),
        ColumnSpec("Place", f"{DUBLIN_CORE_URL}spatial"),
        ColumnSpec("Licence", f"{DUBLIN_CORE_URL}license"),
        ColumnSpec("Milliseconds", f"{DUBLIN_CORE_URL}extent", datatype="integer"),
    ),
)


class TableWriter:
    """A CSV file as CSVW defines it: UTF-8, commas, lines ending with CR LF."""

    def __init__(self, stream: IO[bytes], spec: TableSpec, excluded: Sequence[ColumnSpec] = ()) -> None:
        """Write the header to a stream; the columns in `excluded` are skipped in every row."""
        columns = tuple(column for column in spec.columns if column not in excluded)
        self.stream = stream
        self.spec = spec._replace(columns=columns)
        self.row_count = 0
        self._included = [column not in excluded for column in spec.columns]
        self._write_cells([column.name for column in columns])

    def write_row(self, row: Sequence[str]) -> None:
        """Write a row."""
        self.row_count += 1
        self._write_cells([cell for cell, is_kept in zip(row, self._included, strict=True) if is_kept])

    def _write_cells(self, cells: Sequence[str]) -> None:
        line = io.StringIO(newline="")
        csv.writer(line).writerow(cells)
        self.stream.write(line.getvalue().encode())


def encode_metadata(export: ExportSource, tables: Sequence[TableSpec]) -> bytes:
    """Encode the metadata of a data set."""
    document = {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}],
        "dc:conformsTo": f"{CLDF_TERMS_URL}Dictionary",
        "dc:title": export.title,
        "dc:license": export.format_licences(),
        "dc:bibliographicCitation": export.format_terms(),
        "dc:created": f"{export.date:%Y-%m-%d}",
        "dc:source": [_describe_source(source) for source in export.sources],
        "dialect": {"commentPrefix": None},
        "tables": [_describe_table(table) for table in tables],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _describe_source(source: SourceRecord) -> dict[str, str]:
    values = {
        "dc:identifier": source.code,
        "dc:title": source.name,
        "dc:license": source.licence,
        "dcat:accessURL": source.url,
        "dc:bibliographicCitation": source.attribution,
        "dc:description": source.notice,
    }
    return {name: text for name, text in values.items() if text}


def _describe_table(table: TableSpec) -> dict[str, object]:
    keys = [
        {"columnReference": [column.name], "reference": {"resource": column.references, "columnReference": ["ID"]}}
        for column in table.columns
        if column.references
    ]
    columns = [
        {
            "name": column.name,
            "datatype": column.datatype,
            **({"propertyUrl": column.property} if column.property else {}),
            **({"separator": ID_SEPARATOR} if column.is_list else {}),
            "required": column.required,
        }
        for column in table.columns
    ]
    return {
        "url": table.file,
        "dc:conformsTo": CLDF_TERMS_URL + table.component,
        "tableSchema": {"columns": columns, "primaryKey": ["ID"], "foreignKeys": keys},
    }
