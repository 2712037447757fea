"""Frequencies: for each language a table of its words that have been counted, the commonest first."""

import struct
import tempfile
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import IO, Final

from abhidhan.formats.writers.export_source import Book, add_file, archive
from abhidhan.formats.writers.external_sort import Entry, Sorted
from abhidhan.formats.writers.vocabulary_forms import Known, Vocabulary
from abhidhan.records.kinds.word import MOST_FREQUENCY

COLUMNS: Final = ("word", "frequency", "source")
"""The columns that `abhidhan import frequencies` reads: occurrences in a million running words, and who counted."""


def write_frequencies(book: Book, target: Path) -> None:
    """Write `CODE.tsv` of each language that has counted words into a zip file."""
    with archive(target) as made, Vocabulary(book, target.parent) as vocabulary:
        for code, words in groupby(vocabulary, key=lambda word: word.language):
            with Sorted(target.parent) as rows, tempfile.TemporaryFile(dir=target.parent) as table:
                if _sort(words, rows):
                    _write(book, rows, table)
                    add_file(made, f"{code}.tsv", table)
        add_file(made, "SOURCES.txt", (book.terms() + "\n").encode())


def _sort(words: Iterable[Known], rows: Sorted) -> int:
    """Sort the rows of words by how common they are; count them."""
    count = 0
    for word in words:
        if word.frequency:
            cells = (word.text, f"{word.frequency:.6g}", word.frequency_source)
            row = "\t".join(" ".join(cell.split()) for cell in cells)
            rows.add(Entry(struct.pack(">d", MOST_FREQUENCY - word.frequency), row.encode(), 0))
            count += 1
    return count


def _write(book: Book, rows: Iterable[Entry], table: IO[bytes]) -> None:
    for line in (*(f"# {' '.join(term.split())}" for term in book.terms().splitlines()), "\t".join(COLUMNS)):
        table.write(line.encode() + b"\n")
    for row in rows:
        table.write(row.name + b"\n")
    table.seek(0)
