"""What people look for and do not find, as editors read it."""

from typing import NamedTuple

from abhidhan.domain.missing_words import MissingWord
from abhidhan.storage import missing_words
from abhidhan.storage.engine.reader import Reader


class MissingPage(NamedTuple):
    """One page of missing words, and how many there are."""

    words: tuple[MissingWord, ...]
    total: int


def list_missing(reader: Reader, limit: int, offset: int) -> MissingPage:
    """List one page of the words that were looked for on several days and are still missing, the most wanted first."""
    words, total = missing_words.list_missing(reader, limit, offset)
    return MissingPage(tuple(words), total)
