"""A list of words as CSV: the rows that a page of lists knows again, nothing in them a formula."""

import csv
import io
from collections.abc import Iterable
from typing import Final, NamedTuple

from abhidhan.formats.formula_injection import shielded

COLUMNS: Final = ("id", "word", "language", "roman", "meaning", "meaning_language")


class ListRow(NamedTuple):
    """A word of a list, with what it means in a few words; languages by their codes."""

    id: int
    word: str
    language: str
    roman: str
    meaning: str
    meaning_language: str


def write_word_list(rows: Iterable[ListRow]) -> bytes:
    """Write a list of words (UTF-8 with a byte order mark, by which Excel knows it)."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    writer.writerows([shielded(str(cell)) for cell in row] for row in rows)
    return stream.getvalue().encode("utf-8-sig")
