"""Tables of a CLDF data set: column descriptions for the metadata, and rows as CSV."""

import csv
import io
from collections.abc import Sequence
from typing import IO, Final, NamedTuple

import msgspec

from abhidhan.formats.writers.export_source import Book
from abhidhan.records.kinds import SourceRecord

TERMS: Final = "http://cldf.clld.org/v1.0/terms.rdf#"
DUBLIN_CORE: Final = "http://purl.org/dc/terms/"
SEPARATOR: Final = " "
"""The separator of IDs in a cell."""


class Column(NamedTuple):
    """A column: its name and property, the table to whose IDs it refers, and the type of its values.

    A `listed` column holds any number of IDs.
    """

    name: str
    property: str | None = None
    references: str | None = None
    listed: bool = False
    datatype: object = "string"
    required: bool = False


class Described(NamedTuple):
    """A table: its file, CLDF component, and columns."""

    file: str
    component: str
    columns: tuple[Column, ...]


_ID: Final = Column("ID", f"{TERMS}id", required=True)
_LANGUAGE: Final = Column("Language_ID", f"{TERMS}languageReference", "languages.csv")
MEDIA_IDS: Final = Column("Media_IDs", f"{TERMS}mediaReference", "media.csv", listed=True)
EXAMPLE_IDS: Final = Column("Example_IDs", f"{TERMS}exampleReference", "examples.csv", listed=True)

LANGUAGES: Final = Described(
    "languages.csv",
    "LanguageTable",
    (
        _ID,
        Column("Name", f"{TERMS}name"),
        Column("ISO639P3code", f"{TERMS}iso639P3code"),
        Column("Code"),
        Column("Native_Name"),
        Column("Script"),
        Column("Direction"),
    ),
)
ENTRIES: Final = Described(
    "entries.csv",
    "EntryTable",
    (
        _ID,
        _LANGUAGE,
        Column("Headword", f"{TERMS}headword"),
        Column("Part_Of_Speech", f"{TERMS}partOfSpeech"),
        Column("Roman"),
        Column("IPA"),
        MEDIA_IDS,
    ),
)
SENSES: Final = Described(
    "senses.csv",
    "SenseTable",
    (
        _ID,
        Column("Description", f"{TERMS}description"),
        Column("Description_Language"),
        Column("Entry_ID", f"{TERMS}entryReference", "entries.csv"),
        Column("Idea"),
        Column("Source_Code"),
        Column("Licence"),
        Column("Attribution"),
        EXAMPLE_IDS,
    ),
)
EXAMPLES: Final = Described(
    "examples.csv",
    "ExampleTable",
    (
        _ID,
        _LANGUAGE,
        Column("Primary_Text", f"{TERMS}primaryText"),
        Column("Translated_Text", f"{TERMS}translatedText"),
        Column("Idea"),
        MEDIA_IDS,
    ),
)
MEDIA: Final = Described(
    "media.csv",
    "MediaTable",
    (
        Column("ID", f"{TERMS}id", datatype={"base": "string", "format": r"[a-zA-Z0-9_\-]+"}, required=True),
        Column("Name", f"{TERMS}name"),
        Column("Description", f"{TERMS}description"),
        Column("Media_Type", f"{TERMS}mediaType", datatype={"base": "string", "format": "[^/]+/.+"}, required=True),
        Column("Download_URL", f"{TERMS}downloadUrl", datatype={"base": "anyURI"}),
        Column("Path_In_Zip", f"{TERMS}pathInZip"),
        _LANGUAGE,
        Column("Speaker", f"{DUBLIN_CORE}contributor"),
        Column("Place", f"{DUBLIN_CORE}spatial"),
        Column("Licence", f"{DUBLIN_CORE}license"),
        Column("Milliseconds", f"{DUBLIN_CORE}extent", datatype="integer"),
    ),
)


class Table:
    """A CSV file as CSVW defines it: UTF-8, commas, lines ending with CR LF."""

    def __init__(self, stream: IO[bytes], described: Described, left_out: Sequence[Column] = ()) -> None:
        """Write the header to a stream; the columns in `left_out` are skipped in every row."""
        kept = tuple(column for column in described.columns if column not in left_out)
        self.stream = stream
        self.described = described._replace(columns=kept)
        self.rows = 0
        self._kept = [column not in left_out for column in described.columns]
        self._write([column.name for column in kept])

    def write(self, row: Sequence[str]) -> None:
        """Write a row."""
        self.rows += 1
        self._write([cell for cell, is_kept in zip(row, self._kept, strict=True) if is_kept])

    def _write(self, cells: Sequence[str]) -> None:
        line = io.StringIO(newline="")
        csv.writer(line).writerow(cells)
        self.stream.write(line.getvalue().encode())


def metadata(book: Book, tables: Sequence[Described]) -> bytes:
    """Encode the metadata of a data set."""
    whole = {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}],
        "dc:conformsTo": f"{TERMS}Dictionary",
        "dc:title": book.title,
        "dc:license": book.licences(),
        "dc:bibliographicCitation": book.terms(),
        "dc:created": f"{book.date:%Y-%m-%d}",
        "dc:source": [_source(one) for one in book.sources],
        "dialect": {"commentPrefix": None},
        "tables": [_description(table) for table in tables],
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"


def _source(source: SourceRecord) -> dict[str, str]:
    described = {
        "dc:identifier": source.code,
        "dc:title": source.name,
        "dc:license": source.licence,
        "dcat:accessURL": source.url,
        "dc:bibliographicCitation": source.attribution,
        "dc:description": source.notice,
    }
    return {name: text for name, text in described.items() if text}


def _description(table: Described) -> dict[str, object]:
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
            **({"separator": SEPARATOR} if column.listed else {}),
            "required": column.required,
        }
        for column in table.columns
    ]
    return {
        "url": table.file,
        "dc:conformsTo": TERMS + table.component,
        "tableSchema": {"columns": columns, "primaryKey": ["ID"], "foreignKeys": keys},
    }
