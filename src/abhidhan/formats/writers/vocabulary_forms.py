"""The words of each language, each once, with its known forms, those by rule and how common it is."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

import msgspec

from abhidhan.formats.writers.export_source import Book
from abhidhan.formats.writers.external_sort import Entry, Sorted
from abhidhan.records.kinds import FormsRecord, IdeaRecord, ListItemRecord
from abhidhan.records.lookup_lists import ListName
from assamese.inflected_forms import cells_of, kinds_of
from assamese.keys import exact_key
from assamese.paradigms import Cell, Headword
from assamese.word_frequency import counted_frequency

INFLECTED_BY_RULE: Final = "as"
"""The one language (BCP 47) that has rules by which forms are made."""

COUNTED_BY: Final = "Abhidhan's count of running text"
"""Who has counted the words that have no frequency of a file or an editor."""


class Told(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """What one record tells of a word. Forms are pairs of a form and what form it is, empty where nobody said."""

    pos: str = ""
    definitive: str = ""
    plural: str = ""
    frequency: float = 0
    frequency_source: str = ""
    forms: tuple[tuple[str, str], ...] = ()
    countable: bool | None = None


class Known(NamedTuple):
    """A word with everything that is known of its forms, and its occurrences in a million running words."""

    language: str
    text: str
    stored: Mapping[str, str]
    cells: tuple[Cell, ...]
    frequency: float | None
    frequency_source: str


class Vocabulary:
    """The words of the languages of a book, by language and spelling; what does not fit into memory is on the disk."""

    def __init__(self, book: Book, folder: Path) -> None:
        """Read the book once; a folder has the temporary file."""
        self._sorted = Sorted(folder)
        self._codes = {language.code for language in book.languages}
        self._classes: dict[str, str | None] = {}
        self._read(book)

    def __iter__(self) -> Iterator[Known]:
        """Yield each word once."""
        for key, of_word in groupby(self._sorted, key=lambda entry: entry.key):
            language, _, text = key.decode().partition("\0")
            yield self._known(language, text, [_TOLD.decode(entry.name) for entry in of_word])

    def _read(self, book: Book) -> None:
        for record in book.records():
            if isinstance(record, ListItemRecord) and record.list == ListName.PARTS_OF_SPEECH:
                self._classes[record.value] = record.code
            elif isinstance(record, IdeaRecord):
                self._read_idea(record)
            elif isinstance(record, FormsRecord):
                self._add(record.language, record.text, Told(forms=tuple(record.forms)))

    def _read_idea(self, idea: IdeaRecord) -> None:
        for word in idea.words:
            frequency = word.frequency or 0
            about = (word.definitive or "", word.plural or "", frequency, word.frequency_source or "")
            forms = tuple((one, "") for one in word.forms)
            self._add(word.language, word.text, Told(idea.pos or "", *about, forms, word.countable))

    def _add(self, language: str, text: str, told: Told) -> None:
        if language in self._codes:
            self._sorted.add(Entry(f"{language}\0{text}".encode(), msgspec.msgpack.encode(told), 0))

    def _known(self, language: str, text: str, told: list[Told]) -> Known:
        stored: dict[str, str] = {}
        for form, tag in (pair for one in told for pair in one.forms):
            stored[form] = stored.get(form) or tag
        cells: list[Cell] = []
        if language == INFLECTED_BY_RULE:
            kinds = kinds_of((one.pos, self._classes.get(one.pos)) for one in told if one.pos)
            definitive, plural = (max(getattr(one, name) for one in told) for name in ("definitive", "plural"))
            countable = next((one.countable for one in told if one.countable is not None), None)
            cells = cells_of(Headword(text, kinds, definitive, plural, frozenset(stored), countable))
        said = next((one for one in told if one.frequency), None)
        frequency = said.frequency if said else counted_frequency(exact_key(text), language)
        source = (said.frequency_source if said else COUNTED_BY) if frequency else ""
        return Known(language, text, stored, tuple(cells), frequency, source)

    def __enter__(self) -> Self:
        """Use it in a `with` block."""
        self._sorted.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the temporary file."""
        self._sorted.__exit__(kind, error, trace)


_TOLD: Final = msgspec.msgpack.Decoder(Told)
