"""Decoding of text files: encodings, lines, and rows of cells, with line numbers."""

import io
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from abhidhan.formats.content_streams import ContentStream, as_buffered
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.import_records import RecordError

MAX_LINE_LENGTH: Final = 1_000_000
"""Maximum number of characters in a line."""

NOT_UTF8: Final = (
    "The line is not UTF-8 text. Was it typed with an Assamese font from before Unicode (Geetanjali, Ramdhenu, "
    "Luit)? Then convert it to Unicode first. If it is in another encoding, give it with --encoding."
)
NOT_IN_ENCODING: Final = "The line is not valid text in the encoding {encoding}."
MIN_ZERO_BYTES: Final = 2

MAX_CELL_LINES: Final = 100
"""Maximum number of lines in a quoted cell. Limits the damage of a quote that is never closed."""

_NOT_CLOSED: Final = (
    "The quote that opens a cell on line {opened} is not closed by line {last}. Close it, or leave the quotes out; "
    'a quote within a cell in quotes is written twice ("").'
)
_AFTER_QUOTE: Final = (
    "There is more text after the quote that closes a cell. A cell that begins with a quote ends with one, and a "
    'quote within it is written twice ("").'
)
_AFTER_QUOTE_LATER: Final = (
    "The quote that opens a cell on line {opened} is not closed there, and the next quote, on line {line}, does not "
    'end a cell. Close it, or leave the quotes out; a quote within a cell in quotes is written twice ("").'
)
_UNEVEN: Final = (
    "Quotes join the lines up to line {last} into one row, which then has {cells} cells where the first row has "
    "{columns}. Is a quote not closed?"
)

_QUOTED_CELL: Final = re.compile(r'"(?:[^"]++|"")*+"')
_QUOTED_CONTENT: Final = re.compile(r'(?:[^"]++|"")*+')

TOO_LONG: Final = f"The line is longer than {MAX_LINE_LENGTH:,} characters."

_UNDECODED_BYTE: Final = re.compile("[\ud800-\udfff]")
_ENCODING_BY_BOM: Final = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\x00\x00": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}


class TextLine(NamedTuple):
    """A line without its end, and its number from 1."""

    number: int
    text: str


class CellRow(NamedTuple):
    """A row of cells, the number of its first line, and the indexes of cells that are dates."""

    number: int
    cells: list[str]
    date_indexes: frozenset[int] = frozenset()


def detect_encoding(head: bytes) -> str:
    """Detect the encoding of a text by its first bytes; the default is UTF-8.

    UTF-16 has a byte order mark, or zero bytes at only the even or only the odd positions, as in spaces and line ends.
    """
    for mark, name in _ENCODING_BY_BOM.items():
        if head.startswith(mark):
            return name
    first, second = head[0:200:2].count(0), head[1:200:2].count(0)
    has_zero_bytes = first + second >= max(MIN_ZERO_BYTES, len(head[:200]) // 40)
    if has_zero_bytes and not (first and second):
        return "utf-16-be" if first else "utf-16-le"
    return "utf-8"


def read_lines(content: ContentStream, encoding: str | None = None) -> Iterator[TextLine | RecordError]:
    """Yield the lines of a text with any line ends; a line that cannot be decoded becomes an error."""
    reader = as_buffered(content.stream)
    chosen = encoding or detect_encoding(reader.peek(200)[:200])
    errors = "surrogateescape" if chosen.startswith("utf-8") else "replace"
    try:
        text = io.TextIOWrapper(reader, chosen, errors, newline=None)
    except LookupError:
        raise InputError.of("encoding", f"There is no encoding {quoted(chosen)}.") from None
    number = 0
    while line := _read_line(text, content.name, chosen):
        number += 1
        if len(line) > MAX_LINE_LENGTH:
            while line and not line.endswith("\n"):
                line = _read_line(text, content.name, chosen)
            yield RecordError(content.name, number, TOO_LONG)
        elif "\ufffd" in line and errors == "replace":
            yield RecordError(content.name, number, NOT_IN_ENCODING.format(encoding=chosen))
        elif not line.isascii() and _UNDECODED_BYTE.search(line):
            yield RecordError(content.name, number, NOT_UTF8)
        else:
            yield TextLine(number, line.removesuffix("\n"))
    text.detach()


def _read_line(text: io.TextIOWrapper, name: str, encoding: str) -> str:
    try:
        return text.readline(MAX_LINE_LENGTH + 1)
    except UnicodeError as error:
        raise InputError.of("encoding", f"{name} is not text in the encoding {encoding} ({error}).") from error


def read_rows(
    content: ContentStream, delimiter: str | None = None, encoding: str | None = None, *, require_even: bool = True
) -> Iterator[CellRow | RecordError]:
    """Yield the rows of a CSV or TSV file; without `delimiter`, it is detected from the first line.

    An invalid row becomes an error at its first line, and reading continues at the next line. With `require_even`, a
    row of several lines must have as many cells as the first row, which names the columns; TSV always requires this.
    """
    lines = _LineBuffer(read_lines(content, encoding))
    first = lines.peek()
    if first is None:
        yield from lines.errors
        return
    rows = _RowAssembler(lines, delimiter or detect_delimiter(first.text))
    while (line := lines.next()) is not None:
        row = rows.assemble_row(line, require_even=require_even)
        yield from lines.errors
        lines.errors.clear()
        if isinstance(row, str):
            yield RecordError(content.name, line.number, row)
        elif any(cell.strip() for cell in row):
            yield CellRow(line.number, row)
    yield from lines.errors


def detect_delimiter(line: str) -> str:
    """Return the separator of a line's cells: tab, semicolon or comma, whichever is the most frequent."""
    outside = _QUOTED_CELL.sub("", line)
    return max("\t,;", key=(outside if any(mark in outside for mark in "\t,;") else line).count)


def surplus_error(cells: list[str], column_count: int) -> str | None:
    """Return an error if a row has more cells than the first row has columns; None otherwise."""
    last = max((number for number, cell in enumerate(cells, 1) if cell.strip()), default=0)
    if last <= column_count:
        return None
    return (
        f"The row has {last} cells, but the first row names {column_count} columns. Put cells that contain the "
        "separator in quotes, and name every column in the first row."
    )


def first_row_error(error: RecordError) -> InputError:
    """Convert the error of a first row to an InputError, since no row can be read without column names."""
    return InputError.of("file", f"The first row must name the columns, but cannot be read. {error}")


class _BadRowError(Exception):
    """A row has invalid quotes; the message describes the problem."""


class _RowAssembler:
    """Assembles lines into rows, by the rules of RFC 4180 and additions in docs/importing.md."""

    def __init__(self, lines: "_LineBuffer", delimiter: str) -> None:
        self._lines = lines
        self._delimiter = delimiter
        self._unquoted_cell = re.compile(f"[^{delimiter}]*")
        self._width: int | None = None

    def assemble_row(self, line: TextLine, *, require_even: bool) -> list[str] | str:
        """Return the cells of the row that starts with a line, or an error message; consume the row's other lines."""
        if '"' not in line.text:
            return self._set_width(line.text.split(self._delimiter))
        lines = [line]
        try:
            cells = self._split_cells(lines)
            if require_even or self._delimiter == "\t":
                self._check_width(cells, lines)
        except _BadRowError as error:
            self._lines.push_back(lines[1:])
            # Most tab-separated tables have quotes as ordinary characters.
            return self._set_width(line.text.split("\t")) if self._delimiter == "\t" else str(error)
        return self._set_width(cells)

    def _check_width(self, cells: list[str], lines: list[TextLine]) -> None:
        """Raise _BadRowError if quotes join several lines, or cells of a TSV file, into a row of another width."""
        joins = len(lines) > 1 or (self._delimiter == "\t" and any("\t" in cell for cell in cells))
        if joins and self._width not in {None, len(cells)}:
            raise _BadRowError(_UNEVEN.format(last=lines[-1].number, cells=len(cells), columns=self._width))

    def _set_width(self, cells: list[str]) -> list[str]:
        # A line with one cell may be a title above the headings.
        if self._width is None and len(cells) > 1:
            self._width = len(cells)
        return cells

    def _split_cells(self, lines: list[TextLine]) -> list[str]:
        cells = []
        position = 0
        while True:
            if lines[-1].text.startswith('"', position):
                cell, position = self._read_quoted_cell(lines, position + 1)
            else:
                match = self._unquoted_cell.match(lines[-1].text, position)
                cell, position = (match[0], match.end()) if match else ("", position)
            cells.append(cell)
            if position >= len(lines[-1].text):
                return cells
            position += 1

    def _read_quoted_cell(self, lines: list[TextLine], position: int) -> tuple[str, int]:
        """Read a cell after its opening quote; return it, and the position after it in the last of its lines."""
        opening_line = lines[-1].number
        pieces = []
        while True:
            text = lines[-1].text
            match = _QUOTED_CONTENT.match(text, position)
            end = match.end() if match else position
            pieces.append(text[position:end].replace('""', '"'))
            if end < len(text):
                break
            self._append_next_line(lines, opening_line)
            position = 0
        if not text.startswith(self._delimiter, end + 1) and end + 1 < len(text):
            message = _AFTER_QUOTE if lines[-1].number == opening_line else _AFTER_QUOTE_LATER
            raise _BadRowError(message.format(opened=opening_line, line=lines[-1].number))
        if self._delimiter == "\t" and any("\t" in piece for piece in pieces[1:]):
            raise _BadRowError
        return "\n".join(pieces), end + 1

    def _append_next_line(self, lines: list[TextLine], opening_line: int) -> None:
        """Add the next line to a cell whose quote is open. Raises _BadRowError at the end of the file or of a limit."""
        following = self._lines.next() if lines[-1].number - opening_line < MAX_CELL_LINES - 1 else None
        if following is None or following.number != lines[-1].number + 1:
            if following is not None:
                self._lines.push_back([following])
            raise _BadRowError(_NOT_CLOSED.format(opened=opening_line, last=lines[-1].number))
        lines.append(following)
        if sum(len(line.text) for line in lines) > MAX_LINE_LENGTH:
            raise _BadRowError(_NOT_CLOSED.format(opened=opening_line, last=following.number))


class _LineBuffer:
    """An iterator of lines that can be pushed back; it collects the errors between the lines."""

    def __init__(self, lines: Iterator[TextLine | RecordError]) -> None:
        self._lines = lines
        self._pushed_back: list[TextLine] = []
        self.errors: list[RecordError] = []

    def peek(self) -> TextLine | None:
        line = self.next()
        if line is not None:
            self.push_back([line])
        return line

    def next(self) -> TextLine | None:
        if self._pushed_back:
            return self._pushed_back.pop()
        for line in self._lines:
            if isinstance(line, TextLine):
                return line
            self.errors.append(line)
        return None

    def push_back(self, lines: list[TextLine]) -> None:
        self._pushed_back.extend(reversed(lines))
