"""Text out of bytes: encodings, line ends, and rows of cells, each with its line number."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from abhidhan.domain.incoming import Fault
from abhidhan.errors import InputError
from abhidhan.formats.files import Content, as_buffered

MOST_LINE: Final = 1_000_000
"""How many characters a line may have."""

NOT_UTF8: Final = (
    "The line is not UTF-8 text. Was it typed with an Assamese font of before Unicode (Geetanjali, Ramdhenu, Luit)? "
    "Then convert it to Unicode first; if it is in another encoding, name that with --encoding."
)
LEAST_ZEROS: Final = 2

TOO_LONG: Final = f"The line is longer than {MOST_LINE:,} characters."

_UNDECODED: Final = re.compile("[\ud800-\udfff]")
_MARKS: Final = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\x00\x00": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}


class Line(NamedTuple):
    """A line without its end, and its number from 1."""

    number: int
    text: str


class CellRow(NamedTuple):
    """A row of cells, and the number of the line on which it begins."""

    number: int
    cells: list[str]


def encoding_of(head: bytes) -> str:
    """Tell the encoding of a text by its first bytes: UTF-8, unless they say more.

    They do by a mark, or when only one byte of a pair is ever zero: the upper one of tabs, spaces and line ends.
    """
    for mark, name in _MARKS.items():
        if head.startswith(mark):
            return name
    first, second = head[0:200:2].count(0), head[1:200:2].count(0)
    is_often = first + second >= max(LEAST_ZEROS, len(head[:200]) // 40)
    if is_often and not (first and second):
        return "utf-16-be" if first else "utf-16-le"
    return "utf-8"


def read_lines(content: Content, encoding: str | None = None) -> Iterator[Line | Fault]:
    """Read the lines of a text, whatever their ends; a line that cannot be read is told, and the next one read."""
    reader = as_buffered(content.stream)
    chosen = encoding or encoding_of(reader.peek(200)[:200])
    errors = "surrogateescape" if chosen.startswith("utf-8") else "replace"
    try:
        text = io.TextIOWrapper(reader, chosen, errors, newline=None)
    except LookupError:
        raise InputError.of("encoding", f"There is no encoding {chosen!r}.") from None
    number = 0
    while line := text.readline(MOST_LINE + 1):
        number += 1
        if len(line) > MOST_LINE:
            _skip_line(text, line)
            yield Fault(content.name, number, TOO_LONG)
        elif not line.isascii() and _UNDECODED.search(line):
            yield Fault(content.name, number, NOT_UTF8)
        else:
            yield Line(number, line.removesuffix("\n"))
    text.detach()


def _skip_line(text: io.TextIOWrapper, line: str) -> None:
    while line and not line.endswith("\n"):
        line = text.readline(MOST_LINE)


def read_rows(content: Content, delimiter: str | None = None, encoding: str | None = None) -> Iterator[CellRow | Fault]:
    """Read the rows of a CSV or TSV file. Which of the two it is, is seen by the first line unless it is given."""
    lines = _Numbered(read_lines(content, encoding))
    first = next(lines, None)
    if first is None:
        yield from lines.faults
        return
    lines.give_back(first)
    rows = csv.reader(lines, delimiter=delimiter or delimiter_of(first))
    start = 1
    while True:
        lines.forget_start()
        try:
            cells = next(rows)
        except StopIteration:
            break
        except csv.Error as error:
            yield Fault(content.name, lines.start or start, f"The row cannot be read: {error}.")
            continue
        yield from lines.faults
        lines.faults.clear()
        start = lines.start or start
        if any(cell.strip() for cell in cells):
            yield CellRow(start, cells)
    yield from lines.faults


def delimiter_of(line: str) -> str:
    """Tell what separates the cells of a line: a tab, semicolon or comma, whichever is there most often."""
    return max("\t,;", key=line.count)


class _Numbered:
    """Lines for the csv reader, which remembers where the row that is being read began, and what could not be read."""

    def __init__(self, lines: Iterator[Line | Fault]) -> None:
        self._lines = lines
        self._returned: list[tuple[int, str]] = []
        self._number = 0
        self.start: int | None = None
        self.faults: list[Fault] = []

    def __iter__(self) -> "_Numbered":
        return self

    def __next__(self) -> str:
        if self._returned:
            number, text = self._returned.pop()
        else:
            number, text = self._read()
        self._number = number
        if self.start is None:
            self.start = number
        return text

    def give_back(self, text: str) -> None:
        self._returned.append((self._number, text))
        self.start = None

    def forget_start(self) -> None:
        self.start = None

    def _read(self) -> tuple[int, str]:
        for line in self._lines:
            if isinstance(line, Fault):
                self.faults.append(line)
            else:
                return line.number, line.text + "\n"
        raise StopIteration
