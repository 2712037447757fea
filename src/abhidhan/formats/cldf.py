"""CLDF data sets: word lists (forms of concepts) and dictionaries (entries with senses)."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import DefinitionRecord, IdeaRecord, SourceRecord, WordRecord
from abhidhan.errors import InputError, quoted
from abhidhan.formats.files import Content, spool
from abhidhan.formats.parts import part_of_speech
from abhidhan.formats.reading import Found, Options, is_short, placed_source, slug, words_of
from abhidhan.formats.text import first_row_fault, read_rows, surplus

CONCEPTICON: Final = SourceRecord(
    "concepticon", "CLLD Concepticon", "CC-BY-4.0", "https://concepticon.clld.org/", "List et al., CLLD Concepticon"
)

TABLES: Final = {
    "http://cldf.clld.org/v1.0/terms.rdf#" + name: name
    for name in ("FormTable", "LanguageTable", "ParameterTable", "EntryTable", "SenseTable")
}
FILES: Final = {
    "forms.csv": "FormTable",
    "languages.csv": "LanguageTable",
    "parameters.csv": "ParameterTable",
    "entries.csv": "EntryTable",
    "senses.csv": "SenseTable",
}
LARGEST_METADATA: Final = 16 * 1024 * 1024

LICENCES: Final = {
    "https://creativecommons.org/licenses/by/4.0/": "CC-BY-4.0",
    "https://creativecommons.org/licenses/by-sa/4.0/": "CC-BY-SA-4.0",
    "https://creativecommons.org/publicdomain/zero/1.0/": "CC0-1.0",
}


class Described(NamedTuple):
    """A table: its file, and what its columns are called by the last part of their property."""

    file: str
    columns: dict[str, str]


class _Column(msgspec.Struct):
    name: str
    propertyUrl: str | None = None  # noqa: N815  # CSVW's own name


class _Schema(msgspec.Struct):
    columns: list[_Column] = []


class _Table(msgspec.Struct):
    url: str
    conforms_to: str | None = msgspec.field(default=None, name="dc:conformsTo")
    tableSchema: _Schema = msgspec.field(default_factory=_Schema)  # noqa: N815  # CSVW's own name


class _Metadata(msgspec.Struct):
    tables: list[_Table] = []
    licence: str | None = msgspec.field(default=None, name="dc:license")
    title: str | None = msgspec.field(default=None, name="dc:title")
    citation: str | None = msgspec.field(default=None, name="dc:bibliographicCitation")
    address: str | None = msgspec.field(default=None, name="dcat:accessURL")
    identifier: str | None = msgspec.field(default=None, name="rdf:ID")


def read_cldf(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read a data set: its metadata (…-metadata.json) and the tables beside it."""
    with ExitStack() as stack:
        files: dict[str, Content] = {}
        metadata = _Metadata()
        for content in contents:
            if content.base_name.endswith("-metadata.json"):
                metadata = _read_metadata(content)
            elif content.base_name.endswith(".csv"):
                files[content.base_name] = Content(content.name, stack.enter_context(spool(content)))
        tables = _tables(metadata, files)
        source = options.own_source(_source(metadata))
        yield placed_source(source)
        yield placed_source(CONCEPTICON)
        reader = _Reader(files, tables, options, source.code)
        if "FormTable" in tables:
            yield from reader.forms()
        elif "EntryTable" in tables and "SenseTable" in tables:
            yield from reader.senses()
        else:
            raise InputError.of("file", "There is no table of forms, or of entries with senses: is this CLDF?")


def _read_metadata(content: Content) -> _Metadata:
    try:
        return msgspec.json.decode(content.stream.read(LARGEST_METADATA), type=_Metadata)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InputError.of("file", f"{content.name} is not the metadata of a CLDF data set: {error}.") from error


def _tables(metadata: _Metadata, files: dict[str, Content]) -> dict[str, Described]:
    tables = {kind: Described(name, {}) for name, kind in FILES.items() if name in files}
    for table in metadata.tables:
        kind = TABLES.get(table.conforms_to or "")
        file = table.url.rpartition("/")[2].removesuffix(".zip")
        if kind and file in files:
            columns = {
                column.propertyUrl.rpartition("#")[2]: column.name
                for column in table.tableSchema.columns
                if column.propertyUrl
            }
            tables[kind] = Described(file, columns)
    return tables


def _source(metadata: _Metadata) -> SourceRecord | None:
    if not metadata.identifier and not metadata.title:
        return None
    licence = metadata.licence or "see the data set"
    return SourceRecord(
        slug(metadata.identifier or metadata.title or ""),
        metadata.title or metadata.identifier or "",
        LICENCES.get(licence, licence),
        metadata.address,
        metadata.citation,
    )


class _Reader:
    """Reads the tables of one data set."""

    def __init__(self, files: dict[str, Content], tables: dict[str, Described], options: Options, source: str) -> None:
        self._files = files
        self._tables = tables
        self._options = options
        self._source = source
        self._languages = self._language_codes()

    def forms(self) -> Iterator[Found]:
        """Read the forms, each a word for its concept; concepts that Concepticon knows are joined by its number."""
        concepts = dict(self._concepts())
        for place, row in self._rows("FormTable"):
            if isinstance(row, Fault):
                yield row
                continue
            concept = concepts.get(row.get("parameterReference", ""))
            language = self._languages.get(row.get("languageReference", ""))
            text = row.get("form", "") or row.get("value", "")
            if concept is None or language is None or not text:
                yield Fault(*place, self._missing(row, concept, language))
                continue
            native = row.get("native_script", "")
            word = WordRecord(
                language,
                native or text,
                roman=text if native else None,
                ipa=(row.get("phon_form") or None) if native else None,
                source=self._source if concept.source != self._source else None,
            )
            yield Placed(*place, msgspec.structs.replace(concept, words=(word,)))

    def senses(self) -> Iterator[Found]:
        """Read the senses of a dictionary."""
        entries: dict[str, dict[str, str]] = {}
        places: dict[str, tuple[str, int]] = {}
        for place, row in self._rows("EntryTable"):
            if isinstance(row, Fault):
                yield row
            else:
                entries[row.get("id", "")], places[row.get("id", "")] = row, place
        target = self._options.code(self._options.target or "en")
        for place, row in self._rows("SenseTable"):
            if isinstance(row, Fault):
                yield row
                continue
            entry = entries.get(row.get("entryReference", ""))
            places.pop(row.get("entryReference", ""), None)
            language = self._languages.get(entry.get("languageReference", "")) if entry else None
            if entry is None or language is None or not entry.get("headword"):
                yield Fault(*place, "The sense has no entry, or its entry no headword or no language with an ISO code.")
                continue
            meaning = row.get("description", "")
            translations = words_of(target, meaning) if is_short(meaning) and language != target else ()
            yield Placed(
                *place,
                IdeaRecord(
                    self._source,
                    row.get("id", ""),
                    part_of_speech(entry.get("partOfSpeech"), self._options),
                    (WordRecord(language, entry["headword"]), *translations),
                    definitions=() if translations or not meaning else (DefinitionRecord(target, meaning),),
                ),
            )
        for place in places.values():
            yield Fault(*place, "The entry has no sense.")

    def _missing(self, row: dict[str, str], concept: object, language: object) -> str:
        if concept is None:
            return f"There is no concept {quoted(row.get('parameterReference', ''))}."
        if language is None:
            name = row.get("languageReference", "")
            return f"The language {quoted(name)} has no ISO 639-3 code: map it with --map language:{name}=…."
        return "The row has no form."

    def _language_codes(self) -> dict[str, str]:
        codes = {}
        for _, row in self._rows("LanguageTable"):
            if not isinstance(row, Fault):
                mapped = self._options.values.get("language", {}).get(row.get("id", ""))
                code = mapped or row.get("iso639P3code", "")
                if code:
                    codes[row.get("id", "")] = self._options.code(code)
        return codes

    def _concepts(self) -> Iterator[tuple[str, IdeaRecord]]:
        for _, row in self._rows("ParameterTable"):
            if isinstance(row, Fault):
                continue
            known = row.get("concepticonReference", "")
            definition = row.get("Concepticon_Definition", "") or row.get("description", "")
            name = row.get("name", "") or row.get("Concepticon_Gloss", "")
            yield (
                row.get("id", ""),
                IdeaRecord(
                    CONCEPTICON.code if known else self._source,
                    known or row.get("id", ""),
                    None,
                    (),
                    definitions=tuple(DefinitionRecord("en", text) for text in (definition or name,) if text),
                ),
            )

    def _rows(self, kind: str) -> Iterator[tuple[tuple[str, int], dict[str, str] | Fault]]:
        """Read the rows of a table; columns are found by their property as well as by their name."""
        described = self._tables.get(kind)
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
    "parameterReference": "Parameter_ID",
    "languageReference": "Language_ID",
    "concepticonReference": "Concepticon_ID",
    "form": "Form",
    "value": "Value",
    "headword": "Headword",
    "entryReference": "Entry_ID",
    "description": "Description",
    "partOfSpeech": "Part_Of_Speech",
}
"""What columns are called where the metadata does not say their property."""


def _usual_names(cells: dict[str, str]) -> dict[str, str]:
    return cells | {name: cells[usual] for name, usual in USUAL.items() if not cells.get(name) and usual in cells}
