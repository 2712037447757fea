"""The files of a CLDF data set: its metadata, and the tables beside it, whose columns it names by their properties."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.incoming import Fault
from abhidhan.errors import InputError
from abhidhan.formats.bibliographies import read_works
from abhidhan.formats.contents import Content, as_buffered, spool
from abhidhan.formats.text import first_row_fault, read_rows, surplus

TABLES: Final = {
    "http://cldf.clld.org/v1.0/terms.rdf#" + name: name
    for name in ("FormTable", "LanguageTable", "ParameterTable", "EntryTable", "SenseTable", "MediaTable")
}
FILES: Final = {
    "forms.csv": "FormTable",
    "languages.csv": "LanguageTable",
    "parameters.csv": "ParameterTable",
    "entries.csv": "EntryTable",
    "senses.csv": "SenseTable",
    "media.csv": "MediaTable",
}
MOST_OF_HEADER: Final = 4096
LARGEST_METADATA: Final = 16 * 1024 * 1024


class Described(NamedTuple):
    """A table: its file, what its columns are called by the last part of their property, and what separates values."""

    file: str
    columns: dict[str, str]
    separators: dict[str, str]


class _Column(msgspec.Struct):
    name: str
    propertyUrl: str | None = None  # noqa: N815  # CSVW's own name
    separator: str | None = None


class _Schema(msgspec.Struct):
    columns: list[_Column] = []


class _Table(msgspec.Struct):
    url: str
    conforms_to: str | None = msgspec.field(default=None, name="dc:conformsTo")
    tableSchema: _Schema = msgspec.field(default_factory=_Schema)  # noqa: N815  # CSVW's own name


class Metadata(msgspec.Struct):
    """What the metadata of a data set tell of it."""

    tables: list[_Table] = []
    licence: str | None = msgspec.field(default=None, name="dc:license")
    title: str | None = msgspec.field(default=None, name="dc:title")
    citation: str | None = msgspec.field(default=None, name="dc:bibliographicCitation")
    address: str | None = msgspec.field(default=None, name="dcat:accessURL")
    identifier: str | None = msgspec.field(default=None, name="rdf:ID")


def _read_metadata(content: Content) -> Metadata:
    try:
        return msgspec.json.decode(content.stream.read(LARGEST_METADATA), type=Metadata)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InputError.of("file", f"{content.name} is not the metadata of a CLDF data set: {error}.") from error


def _tables(metadata: Metadata, files: dict[str, Content]) -> dict[str, Described]:
    tables = {kind: Described(name, {}, {}) for name, kind in FILES.items() if name in files}
    for table in metadata.tables:
        kind = TABLES.get(table.conforms_to or "")
        file = table.url.rpartition("/")[2].removesuffix(".zip")
        if kind and file in files:
            named = {
                column.propertyUrl.rpartition("#")[2]: column
                for column in table.tableSchema.columns
                if column.propertyUrl
            }
            columns = {name: column.name for name, column in named.items()}
            separators = {name: column.separator for name, column in named.items() if column.separator}
            tables[kind] = Described(file, columns, separators)
    return tables


class DataSet:
    """A data set: its metadata, where they are, and the rows of its tables."""

    def __init__(self, contents: Iterator[Content], stack: ExitStack) -> None:
        """Keep all tables where they can be read from any place, until `stack` ends. Raises InputError."""
        self.metadata = Metadata()
        self.folder = ""
        self.works: dict[str, str] = {}
        """The works of its bibliography, by their keys."""
        self._files: dict[str, Content] = {}
        for content in contents:
            if content.base_name.endswith("-metadata.json"):
                self.metadata = _read_metadata(content)
                self.folder = content.name.rpartition("/")[0]
            elif content.base_name.endswith(".bib"):
                self.works.update(read_works(content))
            elif content.base_name.endswith(".csv"):
                self._files[content.base_name] = Content(content.name, stack.enter_context(spool(content)))
        self.tables = _tables(self.metadata, self._files)

    def columns(self, kind: str) -> frozenset[str]:
        """Return what the columns of a table are called. Its rows are still to be read."""
        described = self.tables.get(kind)
        if described is None:
            return frozenset()
        stream = as_buffered(self._files[described.file].stream)
        first = stream.peek(MOST_OF_HEADER)[:MOST_OF_HEADER].decode("utf-8-sig", "replace").partition("\n")[0]
        return frozenset(cell.strip('" \t\r') for cell in first.split(","))

    def rows(self, kind: str) -> Iterator[tuple[tuple[str, int], dict[str, str] | Fault]]:
        """Read the rows of a table; columns are found by their property as well as by their name."""
        described = self.tables.get(kind)
        if described is None:
            return
        content = self._files[described.file]
        header: list[str] | None = None
        for row in read_rows(content, ","):
            if isinstance(row, Fault):
                if header is None:
                    raise first_row_fault(row)
                yield (content.name, row.line), row
            elif header is None:
                header = row.cells
            elif wrong := surplus(row.cells, len(header)):
                yield (content.name, row.number), Fault(content.name, row.number, wrong)
            else:
                cells = dict(zip(header, (cell.strip() for cell in row.cells), strict=False))
                for property_name, column in described.columns.items():
                    cells.setdefault(property_name, cells.get(column, ""))
                yield (content.name, row.number), _usual_names(cells)


USUAL: Final = {
    "id": "ID",
    "name": "Name",
    "iso639P3code": "ISO639P3code",
    "glottocode": "Glottocode",
    "parameterReference": "Parameter_ID",
    "languageReference": "Language_ID",
    "concepticonReference": "Concepticon_ID",
    "form": "Form",
    "value": "Value",
    "segments": "Segments",
    "source": "Source",
    "comment": "Comment",
    "headword": "Headword",
    "entryReference": "Entry_ID",
    "description": "Description",
    "partOfSpeech": "Part_Of_Speech",
    "mediaReference": "Media_IDs",
    "mediaType": "Media_Type",
    "downloadUrl": "Download_URL",
    "pathInZip": "Path_In_Zip",
}
"""What columns are called where the metadata does not say their property."""


def _usual_names(cells: dict[str, str]) -> dict[str, str]:
    return cells | {name: cells[usual] for name, usual in USUAL.items() if not cells.get(name) and usual in cells}
