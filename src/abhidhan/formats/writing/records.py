"""Abhidhan's own JSONL, complete: what is exported and imported into an empty database is exported the same again."""

import gzip
from pathlib import Path

from abhidhan.formats.jsonl import write_jsonl
from abhidhan.formats.writing.book import Book


def write_records(book: Book, target: Path) -> None:
    """Write every record on a line of its own."""
    with target.open("wb") as stream:
        for record in book.records():
            stream.write(write_jsonl(record))


def write_packed_records(book: Book, target: Path) -> None:
    """Write the same, packed by gzip without a time in it."""
    with target.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as stream:
        for record in book.records():
            stream.write(write_jsonl(record))
