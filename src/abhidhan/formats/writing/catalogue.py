"""What stands before the ideas in a book: its languages and the values of lists, for writers that name them."""

from itertools import takewhile
from typing import Final

from abhidhan.domain.records import LanguageRecord, ListItemRecord, SourceRecord
from abhidhan.formats.writing.book import Book

_BEFORE_IDEAS: Final = (LanguageRecord, ListItemRecord, SourceRecord)


class Catalogue:
    """Languages by their IDs, also those whose words only stand beside others, and the values of lists."""

    def __init__(self, book: Book) -> None:
        """Read it from the book."""
        self.languages: dict[int, LanguageRecord] = {}
        self.values: list[ListItemRecord] = []
        for record in takewhile(lambda one: isinstance(one, _BEFORE_IDEAS), book.records()):
            if isinstance(record, LanguageRecord):
                self.languages[record.id] = record
            elif isinstance(record, ListItemRecord):
                self.values.append(record)

    @property
    def codes(self) -> dict[int, str]:
        """The codes of languages (BCP 47) by their IDs."""
        return {number: one.code for number, one in self.languages.items()}
