"""Word frequencies: reader of tables with frequencies of words in the dictionary, and writer of such tables."""

import re
import struct
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import IO, Final, NamedTuple

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord
from abhidhan.formats.text_decoding import TextLine, read_lines
from abhidhan.formats.writers.export_source import ExportSource, add_file, archive
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.formats.writers.vocabulary_forms import Vocabulary, VocabularyWord
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.import_records import LocatedRecord, Loss, RecordError
from abhidhan.records.kinds import FrequencyRecord
from abhidhan.records.kinds.word import MAX_FREQUENCY

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "word": ("word", "form", "headword", "lemma"),
    "frequency": ("frequency", "per million", "ipm"),
    "count": ("count", "occurrences"),
    "source": ("source", "frequency source"),
}
"""Accepted headings, by column."""

IGNORED_SUFFIXES: Final = (".md", "license", "licence", "readme")
RUNNING_WORDS: Final = re.compile(r"#\s*running words:\s*([0-9][0-9, ]{0,20})", re.ASCII | re.IGNORECASE)

_NUMBER: Final = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,20})?", re.ASCII)

HEADER: Final = (
    "The first row of {file} must name the columns: word, then frequency (occurrences per million running words) or "
    "count, then source, separated by tabs."
)
NO_TOTAL: Final = (
    "How many running words do the counts of {file} refer to? Write it in a line before the first row, such as: "
    "# running words: 8353947"
)
NO_SOURCE: Final = (
    "Who counted the words of {file}? Add a column source, or name it, such as: --source corpus --licence …."
)


class FrequencyColumns(NamedTuple):
    """Column indexes of a table, and its divisor: the number of counted running words in millions."""

    word: int
    figure: int
    source: int | None
    millions: float


def read_frequencies(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read tables of frequencies, whose first row names the columns."""
    for content in contents:
        if not content.base_name.lower().endswith(IGNORED_SUFFIXES):
            yield from _read_file(content, options)


def _read_file(content: ContentStream, options: ImportOptions) -> Iterator[ParsedRecord]:
    language = options.require_language()
    counted_by = options.source.name if options.source else ""
    total = 0.0
    columns: FrequencyColumns | None = None
    header: list[str] = []
    for line in read_lines(content, options.encoding):
        if isinstance(line, RecordError):
            yield line
        elif line.text.startswith("#") and "\t" not in line.text:
            match = RUNNING_WORDS.match(line.text)
            total = float(re.sub("[, ]", "", match[1])) if match else total
            if not match:
                yield Loss(content.name, line.number, "comment", line.text)
        elif columns is None and line.text.strip():
            header = _cells(line)
            columns = _columns(content.name, header, total)
            if columns.source is None and not counted_by:
                raise InputError.of("source", NO_SOURCE.format(file=content.name))
        elif columns is not None and line.text.strip():
            row = _row(content.name, line, columns, language, counted_by)
            yield row
            if isinstance(row, LocatedRecord):
                yield from _losses(row, _cells(line), header, columns)


def _losses(
    row: LocatedRecord, cells: Sequence[str], header: Sequence[str], columns: FrequencyColumns
) -> Iterator[Loss]:
    """Yield a loss for each cell of a column that is not imported."""
    for index, cell in enumerate(cells):
        if cell and index not in {columns.word, columns.figure, columns.source}:
            heading = header[index] if index < len(header) else ""
            yield Loss(row.file, row.line, heading or f"column {index + 1}", cell)


def _cells(line: TextLine) -> list[str]:
    return [" ".join(cell.split()) for cell in line.text.split("\t")]


def _columns(file: str, cells: Sequence[str], total: float) -> FrequencyColumns:
    named = [cell.casefold().replace("_", " ") for cell in cells]
    places = {
        column: next((named.index(name) for name in names if name in named), None) for column, names in COLUMNS.items()
    }
    word, figure, millions = places["word"], places["frequency"], 1.0
    if figure is None:
        figure, millions = places["count"], total / 1_000_000
    if word is None or figure is None:
        raise InputError.of("file", HEADER.format(file=file))
    if not millions:
        raise InputError.of("file", NO_TOTAL.format(file=file))
    return FrequencyColumns(word, figure, places["source"], millions)


def _row(
    file: str, line: TextLine, columns: FrequencyColumns, language: str, counted_by: str
) -> LocatedRecord | RecordError:
    """Parse a row into a record, or into an error if it is invalid."""
    cells = _cells(line)
    cells += [""] * (1 + max(columns.word, columns.figure, columns.source or 0) - len(cells))
    text, figure = cells[columns.word], cells[columns.figure]
    source = (cells[columns.source] if columns.source is not None else "") or counted_by
    if not text:
        return RecordError(file, line.number, "The line has no word. Write it into the column 'word'.")
    if not _NUMBER.fullmatch(figure):
        return RecordError(file, line.number, f"{quoted(figure)} is not a number in digits, such as 12.5.")
    if not source:
        return RecordError(file, line.number, NO_SOURCE.format(file=file))
    frequency = float(figure) / columns.millions
    if frequency > MAX_FREQUENCY:
        return RecordError(
            file, line.number, f"A word cannot occur {figure} times in that many running words. Check both figures."
        )
    return LocatedRecord(file, line.number, FrequencyRecord(language, text, float(f"{frequency:.6g}"), source))


# --- writer ---------------------------------------------------------------------------------------------------------


WRITTEN_COLUMNS: Final = ("word", "frequency", "source")
"""The columns that `abhidhan import frequencies` reads: word, occurrences per million running words, and source."""


def write_frequencies(book: ExportSource, target: Path) -> None:
    """Write `CODE.tsv` for each language with word frequencies into a zip file."""
    with archive(target) as made, Vocabulary(book, target.parent) as vocabulary:
        for code, words in groupby(vocabulary, key=lambda word: word.language):
            with ExternalSorter(target.parent) as rows, tempfile.TemporaryFile(dir=target.parent) as table:
                if _sort(words, rows):
                    _write(book, rows, table)
                    add_file(made, f"{code}.tsv", table)
        add_file(made, "SOURCES.txt", (book.terms() + "\n").encode())


def _sort(words: Iterable[VocabularyWord], rows: ExternalSorter) -> int:
    """Add the rows of words to a sort by descending frequency; return their number."""
    count = 0
    for word in words:
        if word.frequency:
            cells = (word.text, f"{word.frequency:.6g}", word.frequency_source)
            row = "\t".join(" ".join(cell.split()) for cell in cells)
            rows.add(SortItem(struct.pack(">d", MAX_FREQUENCY - word.frequency), row.encode(), 0))
            count += 1
    return count


def _write(book: ExportSource, rows: Iterable[SortItem], table: IO[bytes]) -> None:
    for line in (*(f"# {' '.join(term.split())}" for term in book.terms().splitlines()), "\t".join(WRITTEN_COLUMNS)):
        table.write(line.encode() + b"\n")
    for row in rows:
        table.write(row.name + b"\n")
    table.seek(0)
