"""Files of a CLDF data set: metadata, tables with columns identified by property, and bibliography."""

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Final, NamedTuple, TypeVar

import msgspec

from abhidhan.formats.content_streams import ContentStream, as_buffered, spool
from abhidhan.formats.text_decoding import first_row_fault, read_rows, surplus_error
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import RecordError

T = TypeVar("T")

TABLES: Final = {
    "http://cldf.clld.org/v1.0/terms.rdf#" + name: name
    for name in (
        *("FormTable", "LanguageTable", "ParameterTable"),
        *("EntryTable", "SenseTable", "ExampleTable", "MediaTable"),
    )
}
FILES: Final = {
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


def _decode(content: ContentStream, body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InputError.of("file", f"{content.name} is not the metadata of a CLDF dataset: {error}.") from error


def _tables(metadata: Metadata, files: dict[str, ContentStream]) -> dict[str, TableDescription]:
    tables = {}
    for table in metadata.tables:
        file = table.url.rpartition("/")[2].removesuffix(".zip")
        if file in files:
            tables[TABLES.get(table.conforms_to or "") or FILES.get(file, file)] = _describe_table(file, table)
    undescribed = files.keys() - {described.file for described in tables.values()}
    return tables | {FILES.get(file, file): TableDescription(file, {}, {}, {}) for file in sorted(undescribed)}


def _describe_table(file: str, table: _Table) -> TableDescription:
    columns = table.tableSchema.columns
    named = {one.propertyUrl.rpartition("#")[2]: one.name for one in columns if one.propertyUrl}
    separators = {one.name: one.separator for one in columns if one.separator}
    separators |= {name: separators[column] for name, column in named.items() if column in separators}
    return TableDescription(
        file, named, separators, {one.name: one.titles for one in columns if isinstance(one.titles, str)}
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
        self.description: dict[str, object] = {}
        """The metadata as decoded JSON."""
        self.works: dict[str, str] = {}
        """The short names of the bibliography's works, by key."""
        self.bibliographies: list[ContentStream] = []
        self._files: dict[str, ContentStream] = {}
        self._headers: dict[str, list[str]] = {}
        for content in contents:
            if content.base_name.endswith("-metadata.json"):
                body = content.stream.read(MAX_METADATA_BYTES)
                self.metadata = _decode(content, body, Metadata)
                self.description = _decode(content, body, dict[str, object])
                self.metadata_file = content.name
            elif content.base_name.endswith(".bib"):
                self.bibliographies.append(ContentStream(content.name, stack.enter_context(spool(content))))
                self.works.update(read_works(self.bibliographies[-1]))
            elif content.base_name.endswith(".csv"):
                self._files[content.base_name] = ContentStream(content.name, stack.enter_context(spool(content)))
        self.tables = _tables(self.metadata, self._files)

    @property
    def folder(self) -> str:
        """The folder of the metadata."""
        return self.metadata_file.rpartition("/")[0]

    def columns(self, kind: str) -> frozenset[str]:
        """Return the column names of a table."""
        described = self.tables.get(kind)
        if described is None:
            return frozenset()
        stream = as_buffered(self._files[described.file].stream)
        stream.seek(0)
        first = stream.peek(MAX_HEADER_BYTES)[:MAX_HEADER_BYTES].decode("utf-8-sig", "replace").partition("\n")[0]
        return frozenset(cell.strip('" \t\r') for cell in first.split(","))

    def rows(self, kind: str) -> Iterator[tuple[tuple[str, int], dict[str, str] | RecordError]]:
        """Yield the rows of a table, each with its location and its cells by column name and by property."""
        described = self.tables.get(kind)
        if described is None:
            return
        content = self._files[described.file]
        content.stream.seek(0)
        header: list[str] | None = None
        for row in read_rows(content, ","):
            if isinstance(row, RecordError):
                if header is None:
                    raise first_row_fault(row)
                yield (content.name, row.line), row
            elif header is None:
                header = self._headers[kind] = row.cells
            elif wrong := surplus_error(row.cells, len(header)):
                yield (content.name, row.number), RecordError(content.name, row.number, wrong)
            else:
                cells = dict(zip(header, (cell.strip() for cell in row.cells), strict=False))
                for property_name, column in described.columns.items():
                    cells.setdefault(property_name, cells.get(column, ""))
                yield (content.name, row.number), _usual_names(cells)

    def cells(self, kind: str, row: Mapping[str, str]) -> Iterator[NamedCell]:
        """Yield the non-empty cells of a row."""
        names = {column: name for name, column in self.tables[kind].columns.items()}
        for column in self._headers[kind]:
            if text := row.get(column):
                yield NamedCell(column, names.get(column) or _BY_USUAL_NAME.get(column, column), text)

    def cell_items(self, kind: str, row: Mapping[str, str], name: str) -> list[str]:
        """Return the items of a cell: texts if the metadata define a separator for the column, else IDs."""
        text, separator = row.get(name, ""), self.tables[kind].separators.get(name)
        pieces = text.split(separator) if separator else _ID_SEPARATOR.split(text)
        return [piece.strip() for piece in pieces if piece.strip()]


_ID_SEPARATOR: Final = re.compile(r"[\s;,]+")

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
    "primaryText": "Primary_Text",
    "translatedText": "Translated_Text",
    "metaLanguageReference": "Meta_Language_ID",
    "exampleReference": "Example_IDs",
    "senseReference": "Sense_IDs",
}
"""Default column names by property, for columns without a property in the metadata."""

_BY_USUAL_NAME: Final = {usual: name for name, usual in USUAL.items()}


def _usual_names(cells: dict[str, str]) -> dict[str, str]:
    return cells | {name: cells[usual] for name, usual in USUAL.items() if not cells.get(name) and usual in cells}


# --- BibTeX bibliographies: authors and years of works -------------------------------------------------------------


MAX_BIBLIOGRAPHY_BYTES: Final = 16 * 1024 * 1024

_ENTRY: Final = re.compile(r"^@\w+\s*\{\s*([^,\s]+)\s*,", re.MULTILINE)
_FIELD: Final = re.compile(
    r"""^\s*(author|editor|year)\s*=\s*(?:\{(.*)\}|"(.*)"|(\d+))\s*,?\s*$""", re.MULTILINE | re.IGNORECASE
)
_KEY: Final = re.compile(r"([^\W\d]+?)(\d{4})[A-Za-z]*")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
_MARKS: Final = re.compile(r"[{}]|\\.")
MAX_AUTHORS: Final = 2


def read_works(content: ContentStream) -> dict[str, str]:
    """Return the authors and year of each work ("Marrison 1967") by BibTeX key."""
    text = content.stream.read(MAX_BIBLIOGRAPHY_BYTES).decode("utf-8", "replace")
    return dict(_works(text))


def _works(text: str) -> Iterator[tuple[str, str]]:
    entries = list(_ENTRY.finditer(text))
    for index, entry in enumerate(entries):
        end = entries[index + 1].start() if index + 1 < len(entries) else len(text)
        fields = {
            match[1].lower(): match[2] or match[3] or match[4] or ""
            for match in _FIELD.finditer(text, entry.end(), end)
        }
        yield entry[1], _short_name(entry[1], fields)


def _short_name(key: str, fields: dict[str, str]) -> str:
    """Return the authors and year of a work; missing ones are derived from its key (`Marrison1967`)."""
    names = [
        _surname(name) for name in re.split(r"\s+and\s+", fields.get("author") or fields.get("editor") or "") if name
    ]
    by_key = _KEY.fullmatch(key)
    if by_key and any(not _LATIN.match(name) for name in names):
        names = [by_key[1]]
    who = f"{names[0]} and others" if len(names) > MAX_AUTHORS else " and ".join(names)
    who = who or (by_key[1] if by_key else key)
    year = fields.get("year", "").strip() or (by_key[2] if by_key else "")
    return f"{who} {year}".strip()


def _surname(name: str) -> str:
    plain = _MARKS.sub("", name).strip()
    return plain.partition(",")[0].strip() if "," in plain else plain.split()[-1] if plain.split() else ""
