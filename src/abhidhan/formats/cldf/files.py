"""Files of a CLDF data set: metadata, tables with columns identified by property, and bibliography."""

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Final, NamedTuple, TypeVar

import msgspec

from abhidhan.formats.content_streams import ContentStream, as_buffered, spool
from abhidhan.formats.text_decoding import first_row_error, read_rows, surplus_error
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import RecordError

T = TypeVar("T")

TABLE_BY_TERM: Final = {
    "http://cldf.clld.org/v1.0/terms.rdf#" + name: name
    for name in (
        *("FormTable", "LanguageTable", "ParameterTable"),
        *("EntryTable", "SenseTable", "ExampleTable", "MediaTable"),
    )
}
TABLE_BY_FILE: Final = {
    "forms.csv": "FormTable",
    "languages.csv": "LanguageTable",
    "parameters.csv": "ParameterTable",
    "entries.csv": "EntryTable",
    "senses.csv": "SenseTable",
    "examples.csv": "ExampleTable",
    "media.csv": "MediaTable",
}
MAX_HEADER_BYTES: Final = 4096
MAX_METADATA_BYTES: Final = 16 * 1024 * 1024


class TableDescription(NamedTuple):
    """A table: its file, its columns by the last part of their property, and the separators of lists.

    `titles` are the display names of columns that have one.
    """

    file: str
    columns: dict[str, str]
    separators: dict[str, str]
    titles: dict[str, str]


class _Column(msgspec.Struct):
    name: str
    propertyUrl: str | None = None  # noqa: N815  # CSVW's own name
    separator: str | None = None
    titles: object = None


class _Schema(msgspec.Struct):
    columns: list[_Column] = []


class _Table(msgspec.Struct):
    url: str
    conforms_to: str | None = msgspec.field(default=None, name="dc:conformsTo")
    tableSchema: _Schema = msgspec.field(default_factory=_Schema)  # noqa: N815  # CSVW's own name


class MetadataSource(msgspec.Struct):
    """A source in the metadata of a data set written by Abhidhan."""

    code: str = msgspec.field(default="", name="dc:identifier")
    name: str = msgspec.field(default="", name="dc:title")
    licence: str = msgspec.field(default="", name="dc:license")
    url: str | None = msgspec.field(default=None, name="dcat:accessURL")
    attribution: str | None = msgspec.field(default=None, name="dc:bibliographicCitation")
    notice: str | None = msgspec.field(default=None, name="dc:description")


class Metadata(msgspec.Struct):
    """The metadata of a data set."""

    tables: list[_Table] = []
    licence: str | None = msgspec.field(default=None, name="dc:license")
    title: str | None = msgspec.field(default=None, name="dc:title")
    citation: str | None = msgspec.field(default=None, name="dc:bibliographicCitation")
    address: str | None = msgspec.field(default=None, name="dcat:accessURL")
    identifier: str | None = msgspec.field(default=None, name="rdf:ID")
    source: object = msgspec.field(default=None, name="dc:source")

    @property
    def sources(self) -> list[MetadataSource]:
        """The sources listed in the metadata of a data set written by Abhidhan; empty for other data sets."""
        try:
            return msgspec.convert(self.source, list[MetadataSource])
        except msgspec.ValidationError:
            return []


def _decode_metadata(content: ContentStream, body: bytes, metadata_type: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=metadata_type)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InputError.of("file", f"{content.name} is not the metadata of a CLDF dataset: {error}.") from error


def _describe_tables(metadata: Metadata, files: dict[str, ContentStream]) -> dict[str, TableDescription]:
    tables = {}
    for table in metadata.tables:
        file = table.url.rpartition("/")[2].removesuffix(".zip")
        if file in files:
            tables[TABLE_BY_TERM.get(table.conforms_to or "") or TABLE_BY_FILE.get(file, file)] = _describe_table(
                file, table
            )
    undescribed = files.keys() - {described.file for described in tables.values()}
    return tables | {TABLE_BY_FILE.get(file, file): TableDescription(file, {}, {}, {}) for file in sorted(undescribed)}


def _describe_table(file: str, table: _Table) -> TableDescription:
    columns = table.tableSchema.columns
    columns_by_property = {one.propertyUrl.rpartition("#")[2]: one.name for one in columns if one.propertyUrl}
    separators = {one.name: one.separator for one in columns if one.separator}
    separators |= {name: separators[column] for name, column in columns_by_property.items() if column in separators}
    return TableDescription(
        file, columns_by_property, separators, {one.name: one.titles for one in columns if isinstance(one.titles, str)}
    )


class NamedCell(NamedTuple):
    """A non-empty cell: its column, its property (or column, if it has no property), and its text."""

    column: str
    name: str
    text: str


class DataSet:
    """A data set: its metadata and bibliography, and the rows of its tables."""

    def __init__(self, contents: Iterator[ContentStream], stack: ExitStack) -> None:
        """Spool all tables to seekable copies, which live until `stack` closes. Raises InputError."""
        self.metadata = Metadata()
        self.metadata_file = ""
        self.raw_metadata: dict[str, object] = {}
        """The metadata as decoded JSON."""
        self.work_names: dict[str, str] = {}
        """The short names of the bibliography's works, by key."""
        self.bibliographies: list[ContentStream] = []
        self._files: dict[str, ContentStream] = {}
        self._headers: dict[str, list[str]] = {}
        for content in contents:
            if content.base_name.endswith("-metadata.json"):
                body = content.stream.read(MAX_METADATA_BYTES)
                self.metadata = _decode_metadata(content, body, Metadata)
                self.raw_metadata = _decode_metadata(content, body, dict[str, object])
                self.metadata_file = content.name
            elif content.base_name.endswith(".bib"):
                self.bibliographies.append(ContentStream(content.name, stack.enter_context(spool(content))))
                self.work_names.update(read_work_names(self.bibliographies[-1]))
            elif content.base_name.endswith(".csv"):
                self._files[content.base_name] = ContentStream(content.name, stack.enter_context(spool(content)))
        self.tables = _describe_tables(self.metadata, self._files)

    @property
    def folder(self) -> str:
        """The folder of the metadata."""
        return self.metadata_file.rpartition("/")[0]

    def list_columns(self, table_name: str) -> frozenset[str]:
        """Return the column names of a table."""
        table = self.tables.get(table_name)
        if table is None:
            return frozenset()
        stream = as_buffered(self._files[table.file].stream)
        stream.seek(0)
        first = stream.peek(MAX_HEADER_BYTES)[:MAX_HEADER_BYTES].decode("utf-8-sig", "replace").partition("\n")[0]
        return frozenset(cell.strip('" \t\r') for cell in first.split(","))

    def iter_rows(self, table_name: str) -> Iterator[tuple[tuple[str, int], dict[str, str] | RecordError]]:
        """Yield the rows of a table, each with its location and its cells by column name and by property."""
        table = self.tables.get(table_name)
        if table is None:
            return
        content = self._files[table.file]
        content.stream.seek(0)
        header: list[str] | None = None
        for row in read_rows(content, ","):
            if isinstance(row, RecordError):
                if header is None:
                    raise first_row_error(row)
                yield (content.name, row.line), row
            elif header is None:
                header = self._headers[table_name] = row.cells
            elif problem := surplus_error(row.cells, len(header)):
                yield (content.name, row.number), RecordError(content.name, row.number, problem)
            else:
                cells = dict(zip(header, (cell.strip() for cell in row.cells), strict=False))
                for property_name, column in table.columns.items():
                    cells.setdefault(property_name, cells.get(column, ""))
                yield (content.name, row.number), _add_property_names(cells)

    def iter_cells(self, table_name: str, row: Mapping[str, str]) -> Iterator[NamedCell]:
        """Yield the non-empty cells of a row."""
        names = {column: name for name, column in self.tables[table_name].columns.items()}
        for column in self._headers[table_name]:
            if text := row.get(column):
                yield NamedCell(column, names.get(column) or _PROPERTY_BY_USUAL_NAME.get(column, column), text)

    def split_cell(self, table_name: str, row: Mapping[str, str], name: str) -> list[str]:
        """Return the items of a cell: texts if the metadata define a separator for the column, else IDs."""
        text, separator = row.get(name, ""), self.tables[table_name].separators.get(name)
        pieces = text.split(separator) if separator else _ID_SEPARATOR.split(text)
        return [piece.strip() for piece in pieces if piece.strip()]


_ID_SEPARATOR: Final = re.compile(r"[\s;,]+")

USUAL_COLUMN_NAMES: Final = {
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
    "primaryText": "Primary_Text",
    "translatedText": "Translated_Text",
    "metaLanguageReference": "Meta_Language_ID",
    "exampleReference": "Example_IDs",
    "senseReference": "Sense_IDs",
}
"""Default column names by property, for columns without a property in the metadata."""

_PROPERTY_BY_USUAL_NAME: Final = {usual: name for name, usual in USUAL_COLUMN_NAMES.items()}


def _add_property_names(cells: dict[str, str]) -> dict[str, str]:
    return cells | {
        name: cells[usual] for name, usual in USUAL_COLUMN_NAMES.items() if not cells.get(name) and usual in cells
    }


# --- BibTeX bibliographies: authors and years of works -------------------------------------------------------------


MAX_BIBLIOGRAPHY_BYTES: Final = 16 * 1024 * 1024

_BIBTEX_ENTRY: Final = re.compile(r"^@\w+\s*\{\s*([^,\s]+)\s*,", re.MULTILINE)
_BIBTEX_FIELD: Final = re.compile(
    r"""^\s*(author|editor|year)\s*=\s*(?:\{(.*)\}|"(.*)"|(\d+))\s*,?\s*$""", re.MULTILINE | re.IGNORECASE
)
_AUTHOR_YEAR_KEY: Final = re.compile(r"([^\W\d]+?)(\d{4})[A-Za-z]*")
_LATIN_LETTER: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
_TEX_MARKUP: Final = re.compile(r"[{}]|\\.")
MAX_AUTHORS: Final = 2


def read_work_names(content: ContentStream) -> dict[str, str]:
    """Return the authors and year of each work ("Marrison 1967") by BibTeX key."""
    text = content.stream.read(MAX_BIBLIOGRAPHY_BYTES).decode("utf-8", "replace")
    return dict(_iter_work_names(text))


def _iter_work_names(text: str) -> Iterator[tuple[str, str]]:
    entries = list(_BIBTEX_ENTRY.finditer(text))
    for index, entry in enumerate(entries):
        end = entries[index + 1].start() if index + 1 < len(entries) else len(text)
        fields = {
            match[1].lower(): match[2] or match[3] or match[4] or ""
            for match in _BIBTEX_FIELD.finditer(text, entry.end(), end)
        }
        yield entry[1], _format_short_name(entry[1], fields)


def _format_short_name(key: str, fields: dict[str, str]) -> str:
    """Return the authors and year of a work; missing ones are derived from its key (`Marrison1967`)."""
    names = [
        _parse_surname(name)
        for name in re.split(r"\s+and\s+", fields.get("author") or fields.get("editor") or "")
        if name
    ]
    key_match = _AUTHOR_YEAR_KEY.fullmatch(key)
    if key_match and any(not _LATIN_LETTER.match(name) for name in names):
        names = [key_match[1]]
    authors = f"{names[0]} and others" if len(names) > MAX_AUTHORS else " and ".join(names)
    authors = authors or (key_match[1] if key_match else key)
    year = fields.get("year", "").strip() or (key_match[2] if key_match else "")
    return f"{authors} {year}".strip()


def _parse_surname(name: str) -> str:
    plain = _TEX_MARKUP.sub("", name).strip()
    return plain.partition(",")[0].strip() if "," in plain else plain.split()[-1] if plain.split() else ""
