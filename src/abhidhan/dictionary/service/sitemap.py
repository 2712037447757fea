"""The sitemap: how many files list the words, and the words of one."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from abhidhan.dictionary.store import sitemap
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import NotFoundError, sentence

T = TypeVar("T")

WORDS_A_FILE = 10_000
"""The protocol allows 50,000 addresses and 50 MB; smaller files are ready sooner."""


def count_files(reader: Reader) -> int:
    """Return how many files the words fill."""
    return -(-sitemap.greatest_id(reader) // WORDS_A_FILE)


def read_file(reader: Reader, number: int, shape: Callable[[Iterable[tuple[str, int]]], T]) -> T:
    """Return a file of the sitemap as `shape` writes it. Raises NotFoundError."""
    return shape(words_of_file(reader, number))


def words_of_file(reader: Reader, number: int) -> Iterable[tuple[str, int]]:
    """List the words of a file (1 is the first): spelling, and when it was changed. Raises NotFoundError."""
    if not 1 <= number <= count_files(reader):
        raise NotFoundError(sentence("The sitemap has no part %(number)s.", number=number))
    return sitemap.words(reader, (number - 1) * WORDS_A_FILE, number * WORDS_A_FILE)
