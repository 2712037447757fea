"""Reader of tables: CSV, TSV, JSON, and sheets of xlsx and ods files, with columns mapped or guessed."""

import io
import json
from collections.abc import Iterator
from itertools import chain, islice
from typing import IO, Any, Final, NamedTuple

from abhidhan.formats.content_streams import ContentStream, as_buffered
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, wrap_source
from abhidhan.formats.losses import find_losses, list_leaves
from abhidhan.formats.tables.columns import MAX_TITLE_ROWS, ColumnGuess, find_header_index, guess_columns
from abhidhan.formats.tables.ideas import RowReader
from abhidhan.formats.tables.rows import WORKBOOK_SUFFIXES, Table, iter_tables
from abhidhan.formats.text_decoding import CellRow, detect_encoding, first_row_error
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import RecordError, UnstoredValue
from abhidhan.records.kinds import SourceRecord

FILE_SUFFIXES: Final = (".csv", ".tsv", ".tab", ".txt", *WORKBOOK_SUFFIXES)

MAX_CACHED_READERS: Final = 1000
"""Maximum number of cached row readers, one for each set of JSON keys."""


def guess_tables(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ColumnGuess]:
    """Yield the guessed columns of tables from their first rows. Raises InputError."""
    for content in _select_tables(contents):
        if content.base_name.lower().endswith(JSON_SUFFIX):
            first_object = next(
                (item for item in read_objects(content, options.encoding) if not isinstance(item, RecordError)), None
            )
            cells = first_object.cells if first_object else []
            yield _build_guess(content.name, [name for name, _ in cells], [cell for _, cell in cells], options)
            continue
        for table in iter_tables(content, options):
            if isinstance(table, Table):
                _, header, rows = _split_header(table, options)
                if header is not None:
                    first = next((row for row in rows if isinstance(row, CellRow)), None)
                    yield _build_guess(table.file, header.cells, first.cells if first else [], options)


def _build_guess(file: str, header: list[str], first_row: list[str], options: ImportOptions) -> ColumnGuess:
    columns = guess_columns(header, options)
    return ColumnGuess(file, [(name.strip(), columns.get(name)) for name in header], first_row)


def read_tables(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read tables with headings, or with columns described by the user."""
    source = options.require_source()
    yield wrap_source(source)
    for content in _select_tables(contents):
        if content.base_name.lower().endswith(JSON_SUFFIX):
            yield from _read_objects(content, options, source)
        else:
            yield from _read_file(content, options, source)


def _select_tables(contents: Iterator[ContentStream]) -> Iterator[ContentStream]:
    for content in contents:
        name = content.base_name.lower()
        if name.endswith(FILE_SUFFIXES):
            yield content
        elif name.endswith(JSON_SUFFIX):
            buffered = content._replace(stream=as_buffered(content.stream))
            if is_array(buffered):
                yield buffered


def _read_file(content: ContentStream, options: ImportOptions, source: SourceRecord) -> Iterator[ParsedRecord]:
    """Read the tables of a file. Raises InputError if none of them has words."""
    no_words_error: InputError | None = None
    has_words = False
    for table in iter_tables(content, options):
        if isinstance(table, UnstoredValue):
            yield table
            continue
        titles, header, rows = _split_header(table, options)
        if header is None:
            continue
        try:
            reader = RowReader(header.cells, options, source, table.file)
        except InputError as error:
            no_words_error = no_words_error or error
            yield from _find_wordless_losses(table.file, chain(titles, [header], rows), source)
            continue
        has_words = True
        yield from _find_row_losses(table.file, "title", titles)
        for row in rows:
            if isinstance(row, RecordError):
                yield row
            else:
                yield from reader.read(row)
    if no_words_error is not None and not has_words:
        raise no_words_error


def _split_header(
    table: Table, options: ImportOptions
) -> tuple[list[CellRow], CellRow | None, Iterator[CellRow | RecordError]]:
    """Split a table into titles, headings and other rows. Raises InputError for an invalid row before the headings."""
    if options.header:
        return [], CellRow(0, list(options.header)), table.rows
    first_rows = list(islice(table.rows, MAX_TITLE_ROWS))
    head = [row for row in first_rows if isinstance(row, CellRow)]
    if not first_rows:
        return [], None, table.rows
    if isinstance(first_rows[0], RecordError):
        raise first_row_error(first_rows[0])
    header = head[find_header_index([row.cells for row in head], options) or 0]
    index = first_rows.index(header)
    for row in first_rows[:index]:
        if isinstance(row, RecordError):
            raise first_row_error(row)
    titles = [row for row in first_rows[:index] if isinstance(row, CellRow)]
    return titles, header, chain(first_rows[index + 1 :], table.rows)


def _find_row_losses(file: str, field: str, rows: list[CellRow]) -> Iterator[UnstoredValue]:
    for row in rows:
        yield from (UnstoredValue(file, row.number, field, cell) for cell in row.cells if cell.strip())


def _find_wordless_losses(
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
            yield from find_losses(file, row.number, values, [wrap_source(source)])


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
            if len(readers) >= MAX_CACHED_READERS:
                readers.clear()
            readers[names] = reader
        yield from readers[names].read(CellRow(row.number, [cell for _, cell in row.cells]))


# --- arrays of JSON objects -----------------------------------------------------------------------------------------


JSON_SUFFIX: Final = ".json"
MAX_OBJECT_LENGTH: Final = 1_000_000
"""Maximum number of characters in an object."""

CHUNK_SIZE: Final = 65_536

_DECODER: Final = json.JSONDecoder(parse_float=str, parse_int=str)
_NOT_OBJECT: Final = "The element of the array is not an object: write each row as an object."
_INVALID_JSON: Final = "The text is not valid JSON from here on ({error}): the rest is not read."


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
    text = io.TextIOWrapper(stream, encoding or detect_encoding(stream.peek(200)[:200]))
    try:
        for line, value in _iter_elements(text):
            if isinstance(value, dict):
                yield ObjectRow(line, [(name, cell) for name, cell in list_leaves(value) if cell.strip()])
            else:
                yield RecordError(content.name, line, _NOT_OBJECT)
    except _InvalidJSONError as error:
        yield RecordError(content.name, error.line, _INVALID_JSON.format(error=error))
    except (UnicodeError, LookupError) as error:
        raise InputError.of("encoding", f"{content.name} cannot be read as text ({error}).") from error
    text.detach()


class _InvalidJSONError(Exception):
    """A text is not valid JSON; the message says why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def _iter_elements(text: IO[str]) -> Iterator[tuple[int, Any]]:
    """Yield the elements of an array, each with its line. Raises _BrokenJSONError."""
    line, buffer, is_open = 1, "", False
    while True:
        chunk = text.read(CHUNK_SIZE)
        buffer += chunk
        while True:
            start = len(buffer) - len(buffer.lstrip(" \t\r\n," if is_open else " \t\r\n["))
            is_open = is_open or "[" in buffer[:start]
            line += buffer.count("\n", 0, start)
            buffer = buffer[start:]
            if buffer.startswith("]") and buffer.strip() != "]":
                raise _InvalidJSONError(line, "there is more text after the array")
            if not buffer or buffer[0] == "]":
                break
            try:
                value, end = _DECODER.raw_decode(buffer)
            except json.JSONDecodeError as error:
                # The rest of an object may not have been read yet.
                if chunk and len(buffer) <= MAX_OBJECT_LENGTH:
                    break
                raise _InvalidJSONError(line, error.msg) from error
            except RecursionError as error:
                raise _InvalidJSONError(line, "it is nested too deeply") from error
            yield line, value
            line += buffer.count("\n", 0, end)
            buffer = buffer[end:]
        if not chunk:
            if not buffer:
                raise _InvalidJSONError(line, "the array is not closed")
            return
