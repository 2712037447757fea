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
from abhidhan.formats.writers.export_source import ExportSource, add_file, open_archive
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.formats.writers.vocabulary_forms import Vocabulary, VocabularyWord
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import FrequencyRecord
from abhidhan.records.kinds.word import MAX_FREQUENCY

COLUMN_HEADINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "word": ("word", "form", "headword", "lemma"),
    "frequency": ("frequency", "per million", "ipm"),
    "count": ("count", "occurrences"),
    "source": ("source", "frequency source"),
}
"""Accepted headings, by column."""

IGNORED_SUFFIXES: Final = (".md", "license", "licence", "readme")
RUNNING_WORDS: Final = re.compile(r"#\s*running words:\s*([0-9][0-9, ]{0,20})", re.ASCII | re.IGNORECASE)

_NUMBER: Final = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,20})?", re.ASCII)

MISSING_COLUMNS: Final = (
    "The first row of {file} must name the columns: word, then frequency (occurrences per million running words) or "
    "count, then source, separated by tabs."
)
MISSING_TOTAL: Final = (
    "How many running words do the counts of {file} refer to? Write it in a line before the first row, such as: "
    "# running words: 8353947"
)
MISSING_SOURCE: Final = (
    "Who counted the words of {file}? Add a column source, or name it, such as: --source corpus --licence …."
)


class FrequencyColumns(NamedTuple):
    """Column indexes of a table, and its divisor: the number of counted running words in millions."""

    word_index: int
    value_index: int
    source_index: int | None
    million_words: float


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
                yield UnstoredValue(content.name, line.number, "comment", line.text)
        elif columns is None and line.text.strip():
            header = _split_cells(line)
            columns = _parse_header(content.name, header, total)
            if columns.source_index is None and not counted_by:
                raise InputError.of("source", MISSING_SOURCE.format(file=content.name))
        elif columns is not None and line.text.strip():
            row = _parse_row(content.name, line, columns, language, counted_by)
            yield row
            if isinstance(row, LocatedRecord):
                yield from _find_losses(row, _split_cells(line), header, columns)


def _find_losses(
    row: LocatedRecord, cells: Sequence[str], header: Sequence[str], columns: FrequencyColumns
) -> Iterator[UnstoredValue]:
    """Yield a loss for each cell of a column that is not imported."""
    for index, cell in enumerate(cells):
        if cell and index not in {columns.word_index, columns.value_index, columns.source_index}:
            heading = header[index] if index < len(header) else ""
            yield UnstoredValue(row.file, row.line, heading or f"column {index + 1}", cell)


def _split_cells(line: TextLine) -> list[str]:
    return [" ".join(cell.split()) for cell in line.text.split("\t")]


def _parse_header(file: str, cells: Sequence[str], total: float) -> FrequencyColumns:
    headings = [cell.casefold().replace("_", " ") for cell in cells]
    indexes = {
        column: next((headings.index(name) for name in names if name in headings), None)
        for column, names in COLUMN_HEADINGS.items()
    }
    word_index, value_index, million_words = indexes["word"], indexes["frequency"], 1.0
    if value_index is None:
        value_index, million_words = indexes["count"], total / 1_000_000
    if word_index is None or value_index is None:
        raise InputError.of("file", MISSING_COLUMNS.format(file=file))
    if not million_words:
        raise InputError.of("file", MISSING_TOTAL.format(file=file))
    return FrequencyColumns(word_index, value_index, indexes["source"], million_words)


def _parse_row(
    file: str, line: TextLine, columns: FrequencyColumns, language: str, counted_by: str
) -> LocatedRecord | RecordError:
    """Parse a row into a record, or into an error if it is invalid."""
    cells = _split_cells(line)
    cells += [""] * (1 + max(columns.word_index, columns.value_index, columns.source_index or 0) - len(cells))
    text, value = cells[columns.word_index], cells[columns.value_index]
    source = (cells[columns.source_index] if columns.source_index is not None else "") or counted_by
    if not text:
        return RecordError(file, line.number, "The line has no word. Write it into the column 'word'.")
    if not _NUMBER.fullmatch(value):
        return RecordError(file, line.number, f"{quoted(value)} is not a number in digits, such as 12.5.")
    if not source:
        return RecordError(file, line.number, MISSING_SOURCE.format(file=file))
    frequency = float(value) / columns.million_words
    if frequency > MAX_FREQUENCY:
        return RecordError(
            file, line.number, f"A word cannot occur {value} times in that many running words. Check both figures."
        )
    return LocatedRecord(file, line.number, FrequencyRecord(language, text, float(f"{frequency:.6g}"), source))


# --- writer ---------------------------------------------------------------------------------------------------------


EXPORT_COLUMNS: Final = ("word", "frequency", "source")
"""The columns that `abhidhan import frequencies` reads: word, occurrences per million running words, and source."""


def write_frequencies(export: ExportSource, target: Path) -> None:
    """Write `CODE.tsv` for each language with word frequencies into a zip file."""
    with open_archive(target) as zip_file, Vocabulary(export, target.parent) as vocabulary:
        for code, words in groupby(vocabulary, key=lambda word: word.language):
            with ExternalSorter(target.parent) as rows, tempfile.TemporaryFile(dir=target.parent) as table:
                if _add_rows(words, rows):
                    _write_table(export, rows, table)
                    add_file(zip_file, f"{code}.tsv", table)
        add_file(zip_file, "SOURCES.txt", (export.format_terms() + "\n").encode())


def _add_rows(words: Iterable[VocabularyWord], rows: ExternalSorter) -> int:
    """Add the rows of words to a sort by descending frequency; return their number."""
    count = 0
    for word in words:
        if word.frequency:
            cells = (word.text, f"{word.frequency:.6g}", word.frequency_source)
            row = "\t".join(" ".join(cell.split()) for cell in cells)
            rows.add(SortItem(struct.pack(">d", MAX_FREQUENCY - word.frequency), row.encode(), 0))
            count += 1
    return count


def _write_table(export: ExportSource, rows: Iterable[SortItem], table: IO[bytes]) -> None:
    for line in (
        *(f"# {' '.join(term.split())}" for term in export.format_terms().splitlines()),
        "\t".join(EXPORT_COLUMNS),
    ):
        table.write(line.encode() + b"\n")
    for row in rows:
        table.write(row.payload + b"\n")
    table.seek(0)
