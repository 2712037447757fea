"""Tables: CSV, TSV, JSON, and sheets of xlsx and ods files. A mapping says what the columns are; else it is guessed."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from abhidhan.formats.content_streams import Content, as_buffered
from abhidhan.formats.importer_api import Found, Options, placed_source
from abhidhan.formats.json_rows import ENDING as JSON
from abhidhan.formats.json_rows import is_array, read_objects
from abhidhan.formats.losses import losses
from abhidhan.formats.tables.columns import MOST_TITLE_ROWS, Guess, guess_columns, header_place
from abhidhan.formats.tables.ideas import RowReader
from abhidhan.formats.tables.rows import WORKBOOKS, Table, tables_of
from abhidhan.formats.text_decoding import CellRow, first_row_fault
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import Fault, Loss
from abhidhan.records.kinds import SourceRecord

ENDINGS: Final = (".csv", ".tsv", ".tab", ".txt", *WORKBOOKS)

MOST_SHAPES: Final = 1000
"""How many kinds of objects, by their keys, are held ready."""


def guess_tables(contents: Iterator[Content], options: Options) -> Iterator[Guess]:
    """Read the first rows of tables, and tell what their columns would be taken for. Raises InputError."""
    for content in _tables_among(contents):
        if content.base_name.lower().endswith(JSON):
            first_object = next(
                (one for one in read_objects(content, options.encoding) if not isinstance(one, Fault)), None
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


def _guess(file: str, header: list[str], first: list[str], options: Options) -> Guess:
    found = guess_columns(header, options)
    return Guess(file, [(name.strip(), found.get(name)) for name in header], first)


def read_tables(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read tables whose headings name the columns, or of which the person who imports has said what these hold."""
    source = options.own_source()
    yield placed_source(source)
    for content in _tables_among(contents):
        if content.base_name.lower().endswith(JSON):
            yield from _read_objects(content, options, source)
        else:
            yield from _read_file(content, options, source)


def _tables_among(contents: Iterator[Content]) -> Iterator[Content]:
    for content in contents:
        name = content.base_name.lower()
        if name.endswith(ENDINGS):
            yield content
        elif name.endswith(JSON):
            buffered = content._replace(stream=as_buffered(content.stream))
            if is_array(buffered):
                yield buffered


def _read_file(content: Content, options: Options, source: SourceRecord) -> Iterator[Found]:
    """Read the tables of a file. Raises InputError for one in which no table has words."""
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
            yield from _wordless(table.file, chain(titles, [header], rows), source)
            continue
        has_words = True
        yield from _losses_of(table.file, "title", titles)
        for row in rows:
            if isinstance(row, Fault):
                yield row
            else:
                yield from reader.read(row)
    if wordless is not None and not has_words:
        raise wordless


def _with_header(table: Table, options: Options) -> tuple[list[CellRow], CellRow | None, Iterator[CellRow | Fault]]:
    """Part a table into its titles, its headings, and its other rows. Raises InputError for a row that hides them."""
    if options.header:
        return [], CellRow(0, list(options.header)), table.rows
    first = list(islice(table.rows, MOST_TITLE_ROWS))
    head = [row for row in first if isinstance(row, CellRow)]
    if not first:
        return [], None, table.rows
    if isinstance(first[0], Fault):
        raise first_row_fault(first[0])
    header = head[header_place([row.cells for row in head], options) or 0]
    place = first.index(header)
    for row in first[:place]:
        if isinstance(row, Fault):
            raise first_row_fault(row)
    titles = [row for row in first[:place] if isinstance(row, CellRow)]
    return titles, header, chain(first[place + 1 :], table.rows)


def _losses_of(file: str, field: str, rows: list[CellRow]) -> Iterator[Loss]:
    for row in rows:
        yield from (Loss(file, row.number, field, cell) for cell in row.cells if cell.strip())


def _wordless(file: str, rows: Iterator[CellRow | Fault], source: SourceRecord) -> Iterator[Found]:
    """Report the cells of a sheet without words, by its first row, but for what the source says too."""
    names: list[str] | None = None
    for row in rows:
        if isinstance(row, Fault):
            yield row
            continue
        names = names or row.cells
        cells = ((place, cell.strip()) for place, cell in enumerate(row.cells) if cell.strip())
        headed = [(names[place] if place < len(names) else "", place, cell) for place, cell in cells]
        values = [(f"{file}: {name or f'column {place + 1}'}", cell) for name, place, cell in headed]
        if row.cells is not names:
            yield from losses(file, row.number, values, [placed_source(source)])


def _read_objects(content: Content, options: Options, source: SourceRecord) -> Iterator[Found]:
    """Read a table of JSON. Raises InputError if its first object has no words."""
    readers: dict[tuple[str, ...], RowReader] = {}
    for row in read_objects(content, options.encoding):
        if isinstance(row, Fault):
            yield row
            continue
        names = tuple(name for name, _ in row.cells)
        if names not in readers:
            try:
                reader = RowReader(names, options, source, content.name)
            except InputError as error:
                if not readers:
                    raise
                yield Fault(content.name, row.number, str(error), error.problems)
                continue
            if len(readers) >= MOST_SHAPES:
                readers.clear()
            readers[names] = reader
        yield from readers[names].read(CellRow(row.number, [cell for _, cell in row.cells]))
