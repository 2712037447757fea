"""Reader of tables: CSV, TSV, JSON, and sheets of xlsx and ods files, with columns mapped or guessed."""

import io
import json
from collections.abc import Iterator
from itertools import chain, islice
from typing import IO, Any, Final, NamedTuple

from abhidhan.formats.content_streams import ContentStream, as_buffered
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, located_source
from abhidhan.formats.losses import leaves, losses
from abhidhan.formats.tables.columns import MAX_TITLE_ROWS, ColumnGuess, guess_columns, header_index
from abhidhan.formats.tables.ideas import RowReader
from abhidhan.formats.tables.rows import WORKBOOKS, Table, tables_of
from abhidhan.formats.text_decoding import CellRow, encoding_of, first_row_fault
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import Loss, RecordError
from abhidhan.records.kinds import SourceRecord

FILE_SUFFIXES: Final = (".csv", ".tsv", ".tab", ".txt", *WORKBOOKS)

MAX_SHAPES: Final = 1000
"""Maximum number of cached row readers, one for each set of JSON keys."""


def guess_tables(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ColumnGuess]:
    """Yield the guessed columns of tables from their first rows. Raises InputError."""
    for content in _select_tables(contents):
        if content.base_name.lower().endswith(JSON_ENDING):
            first_object = next(
                (item for item in read_objects(content, options.encoding) if not isinstance(item, RecordError)), None
            )
            cells = first_object.cells if first_object else []
            yield _guess(content.name, [name for name, _ in cells], [cell for _, cell in cells], options)
            continue
        for table in tables_of(content, options):
            if isinstance(table, Table):
                _, header, rows = _with_header(table, options)
                if header is not None:
                    first = next((row for row in rows if isinstance(row, CellRow)), None)
                    yield _guess(table.file, header.cells, first.cells if first else [], options)


def _guess(file: str, header: list[str], first: list[str], options: ImportOptions) -> ColumnGuess:
    columns = guess_columns(header, options)
    return ColumnGuess(file, [(name.strip(), columns.get(name)) for name in header], first)


def read_tables(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read tables with headings, or with columns described by the user."""
    source = options.require_source()
    yield located_source(source)
    for content in _select_tables(contents):
        if content.base_name.lower().endswith(JSON_ENDING):
            yield from _read_objects(content, options, source)
        else:
            yield from _read_file(content, options, source)


def _select_tables(contents: Iterator[ContentStream]) -> Iterator[ContentStream]:
    for content in contents:
        name = content.base_name.lower()
        if name.endswith(FILE_SUFFIXES):
            yield content
        elif name.endswith(JSON_ENDING):
            buffered = content._replace(stream=as_buffered(content.stream))
            if is_array(buffered):
                yield buffered


def _read_file(content: ContentStream, options: ImportOptions, source: SourceRecord) -> Iterator[ParsedRecord]:
    """Read the tables of a file. Raises InputError if none of them has words."""
    wordless: InputError | None = None
    has_words = False
    for table in tables_of(content, options):
        if isinstance(table, Loss):
            yield table
            continue
        titles, header, rows = _with_header(table, options)
        if header is None:
            continue
        try:
            reader = RowReader(header.cells, options, source, table.file)
        except InputError as error:
            wordless = wordless or error
            yield from _losses_of_wordless(table.file, chain(titles, [header], rows), source)
            continue
        has_words = True
        yield from _losses_of(table.file, "title", titles)
        for row in rows:
            if isinstance(row, RecordError):
                yield row
            else:
                yield from reader.read(row)
    if wordless is not None and not has_words:
        raise wordless


def _with_header(
    table: Table, options: ImportOptions
) -> tuple[list[CellRow], CellRow | None, Iterator[CellRow | RecordError]]:
    """Split a table into titles, headings and other rows. Raises InputError for an invalid row before the headings."""
    if options.header:
        return [], CellRow(0, list(options.header)), table.rows
    first = list(islice(table.rows, MAX_TITLE_ROWS))
    head = [row for row in first if isinstance(row, CellRow)]
    if not first:
        return [], None, table.rows
    if isinstance(first[0], RecordError):
        raise first_row_fault(first[0])
    header = head[header_index([row.cells for row in head], options) or 0]
    index = first.index(header)
    for row in first[:index]:
        if isinstance(row, RecordError):
            raise first_row_fault(row)
    titles = [row for row in first[:index] if isinstance(row, CellRow)]
    return titles, header, chain(first[index + 1 :], table.rows)


def _losses_of(file: str, field: str, rows: list[CellRow]) -> Iterator[Loss]:
    for row in rows:
        yield from (Loss(file, row.number, field, cell) for cell in row.cells if cell.strip())


def _losses_of_wordless(
    file: str, rows: Iterator[CellRow | RecordError], source: SourceRecord
) -> Iterator[ParsedRecord]:
    """Report the cells of a sheet without a column of words as losses, except its headings and source data."""
    names: list[str] | None = None
    for row in rows:
        if isinstance(row, RecordError):
            yield row
            continue
        names = names or row.cells
        cells = ((index, cell.strip()) for index, cell in enumerate(row.cells) if cell.strip())
        headed = [(names[index] if index < len(names) else "", index, cell) for index, cell in cells]
        values = [(f"{file}: {name or f'column {index + 1}'}", cell) for name, index, cell in headed]
        if row.cells is not names:
            yield from losses(file, row.number, values, [located_source(source)])


def _read_objects(content: ContentStream, options: ImportOptions, source: SourceRecord) -> Iterator[ParsedRecord]:
    """Read a table from a JSON file. Raises InputError if its first object has no words."""
    readers: dict[tuple[str, ...], RowReader] = {}
    for row in read_objects(content, options.encoding):
        if isinstance(row, RecordError):
            yield row
            continue
        names = tuple(name for name, _ in row.cells)
        if names not in readers:
            try:
                reader = RowReader(names, options, source, content.name)
            except InputError as error:
                if not readers:
                    raise
                yield RecordError(content.name, row.number, str(error), error.problems)
                continue
            if len(readers) >= MAX_SHAPES:
                readers.clear()
            readers[names] = reader
        yield from readers[names].read(CellRow(row.number, [cell for _, cell in row.cells]))


# --- arrays of JSON objects -----------------------------------------------------------------------------------------


JSON_ENDING: Final = ".json"
MAX_OBJECT_LENGTH: Final = 1_000_000
"""Maximum number of characters in an object."""

CHUNK_SIZE: Final = 65_536

_DECODER: Final = json.JSONDecoder(parse_float=str, parse_int=str)
_NOT_OBJECT: Final = "The element of the array is not an object: write each row as an object."
_BROKEN: Final = "The text is not valid JSON from here on ({error}): the rest is not read."


class ObjectRow(NamedTuple):
    """A JSON object: its first line, and its texts with their keys; all texts of a list have the list's key."""

    number: int
    cells: list[tuple[str, str]]


def is_array(content: ContentStream) -> bool:
    """Return whether a JSON file is an array, as tables are."""
    return as_buffered(content.stream).peek(CHUNK_SIZE)[:CHUNK_SIZE].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def read_objects(content: ContentStream, encoding: str | None) -> Iterator[ObjectRow | RecordError]:
    """Yield the objects of an array one by one. Raises InputError for a file that is not text."""
    stream = as_buffered(content.stream)
    text = io.TextIOWrapper(stream, encoding or encoding_of(stream.peek(200)[:200]))
    try:
        for line, value in _elements(text):
            if isinstance(value, dict):
                yield ObjectRow(line, [(name, cell) for name, cell in leaves(value) if cell.strip()])
            else:
                yield RecordError(content.name, line, _NOT_OBJECT)
    except _BrokenJSONError as error:
        yield RecordError(content.name, error.line, _BROKEN.format(error=error))
    except (UnicodeError, LookupError) as error:
        raise InputError.of("encoding", f"{content.name} cannot be read as text ({error}).") from error
    text.detach()


class _BrokenJSONError(Exception):
    """A text is not valid JSON; the message says why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def _elements(text: IO[str]) -> Iterator[tuple[int, Any]]:
    """Yield the elements of an array, each with its line. Raises _BrokenJSONError."""
    line, buffer, opened = 1, "", False
    while True:
        more = text.read(CHUNK_SIZE)
        buffer += more
        while True:
            start = len(buffer) - len(buffer.lstrip(" \t\r\n," if opened else " \t\r\n["))
            opened = opened or "[" in buffer[:start]
            line += buffer.count("\n", 0, start)
            buffer = buffer[start:]
            if buffer.startswith("]") and buffer.strip() != "]":
                raise _BrokenJSONError(line, "there is more text after the array")
            if not buffer or buffer[0] == "]":
                break
            try:
                value, end = _DECODER.raw_decode(buffer)
            except json.JSONDecodeError as error:
                # The rest of an object may not have been read yet.
                if more and len(buffer) <= MAX_OBJECT_LENGTH:
                    break
                raise _BrokenJSONError(line, error.msg) from error
            except RecursionError as error:
                raise _BrokenJSONError(line, "it is nested too deeply") from error
            yield line, value
            line += buffer.count("\n", 0, end)
            buffer = buffer[end:]
        if not more:
            if not buffer:
                raise _BrokenJSONError(line, "the array is not closed")
            return
