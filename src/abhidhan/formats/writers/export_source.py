"""The input of writers: the dictionary as streams of records, with its sources and licences."""

import gzip
import io
import re
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import IO, Final, NamedTuple, Protocol, TextIO, cast

from abhidhan.records.kinds import (
    CardSetRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    NumberedForms,
    NumberedIdea,
    Record,
    SourceRecord,
    WordRecord,
)
from abhidhan.records.languages import Language
from abhidhan.records.lift_entries import LiftEdits, LiftEntry
from abhidhan.records.recordings import RECORDING_EXTENSION
from abhidhan.records.words import Meaning, Word

MAX_CARD_RECORDINGS: Final = 3
"""Maximum number of recordings per word of a flashcard."""


class SpokenText(NamedTuple):
    """Spoken text: the code of its language, and the word or example itself."""

    language: str
    text: str


class ExportRecording(NamedTuple):
    """An approved recording: its ID, the speaker, the speaker's place, the licence, and the length."""

    id: int
    speaker: str | None
    place: str | None
    licence: str | None
    milliseconds: int

    @property
    def credit(self) -> str:
        """The credit of the recording, with its licence."""
        return format_credit(self.speaker, self.place, self.licence)


def get_word_terms(word: WordRecord, source: SourceRecord | None) -> list[str]:
    """Return the licence of a word, its own if it is a contribution, and the attribution of its source."""
    licence, attribution = (source.licence, source.attribution or source.name) if source else ("", "")
    return [word.licence or licence, attribution]


def format_credit(*parts: str | None) -> str:
    """Format the credit of a recording from its speaker, place and licence; missing ones are skipped."""
    return ", ".join(part for part in parts if part)


class ExportRecordings(NamedTuple):
    """The approved recordings of an export.

    `read` returns the bytes of a recording; None if it is unavailable. If `base_url` is set, files link to the
    recordings on the server instead of containing them. `licences` are those of all recordings.
    """

    find_by_words: Callable[[Collection[SpokenText]], Mapping[SpokenText, Sequence[ExportRecording]]]
    find_by_example: Callable[[SpokenText], Sequence[ExportRecording]]
    read: Callable[[int], bytes | None]
    base_url: str | None
    licences: tuple[str, ...]


class DeckRecording(NamedTuple):
    """A recording in a deck: file name, a function that reads its bytes, and the credit.

    The function returns None if the recording is unavailable.
    """

    name: str
    read: Callable[[], bytes | None]
    credit: str = ""


def get_sound_name(recording_id: int) -> str:
    """Return the file name of a recording in every deck, since Anki stores the files of all decks in one folder."""
    return f"abhidhan-{recording_id}.{RECORDING_EXTENSION}"


# --- the dictionary -------------------------------------------------------------------------------------------------


DEFAULT_TITLE: Final = "Abhidhan"
ARCHIVE_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, the earliest that zip allows, so that archives are reproducible."""


class FontCoverage(Protocol):
    """Letters covered by the available fonts, so that printed pages lack no glyphs. `folder` has the bundled fonts."""

    folder: Path

    def add_fonts(self, fonts: Iterable[tuple[Path, int]]) -> None:
        """Add fonts, as files with the index of the font."""
        ...

    def covers(self, text: str) -> bool:
        """Return whether the fonts together have every letter of a text."""
        ...


class ExportSource(NamedTuple):
    """The dictionary, or a selection of it, as the input of writers. `moment` is the time of its last change.

    `numbered_ideas` and `numbered_forms` include IDs. `stored_forms` maps word IDs to stored inflected forms with their
    tags, or "". `name` is the base of file names; `recordings` is None if there are none or the format does not
    support them; `base_url` is the URL of the site, if known. `font_coverage` is for printing.
    `lift_entries` are those imported from LIFT, and `lift_edits` the users' edits of them.
    """

    title: str
    moment: int
    languages: tuple[Language, ...]
    sources: tuple[SourceRecord, ...]
    records: Callable[[], Iterator[Record]]
    ideas: Callable[[], Iterator[IdeaRecord]]
    numbered_ideas: Callable[[], Iterator[NumberedIdea]]
    numbered_forms: Callable[[], Iterator[NumberedForms]]
    words: Callable[[int], Iterator[Word]]
    stored_forms: Callable[[Sequence[int]], Mapping[int, Mapping[str, str]]]
    card_sets: Callable[[], Iterator[CardSetRecord]]
    name: str = "abhidhan"
    recordings: ExportRecordings | None = None
    base_url: str = ""
    font_coverage: FontCoverage | None = None
    lift_entries: Callable[[], Iterator[LiftEntry]] = lambda: iter(())
    lift_edits: Callable[[], LiftEdits] = LiftEdits

    @property
    def date(self) -> datetime:
        """The time of the last change, in UTC."""
        return datetime.fromtimestamp(self.moment, tz=UTC)

    def format_terms(self) -> str:
        """Return the sources and terms of the data, one per line."""
        lines = [format_source_statement(source) for source in self.sources]
        if self.recordings:
            lines.append(
                f"recordings: Spoken by the people named with each. Licence: {self._format_recording_licences()}."
            )
        return "\n".join(lines)

    def format_licences(self) -> str:
        """Return the licences without duplicates."""
        recording_licences = self.recordings.licences if self.recordings else ()
        return "; ".join(sorted({*(source.licence for source in self.sources), *recording_licences}))

    def _format_recording_licences(self) -> str:
        return "; ".join(self.recordings.licences) if self.recordings else ""


_LEADING_RECORDS: Final = (LanguageRecord, ListItemRecord, SourceRecord)


class ExportLists:
    """All languages of an export by ID, including those that only translations use, and the items of lists."""

    def __init__(self, export: ExportSource) -> None:
        """Read the languages and lists from the export."""
        self.languages: dict[int, LanguageRecord] = {}
        self.items: list[ListItemRecord] = []
        for record in takewhile(lambda one: isinstance(one, _LEADING_RECORDS), export.records()):
            if isinstance(record, LanguageRecord):
                self.languages[record.id] = record
            elif isinstance(record, ListItemRecord):
                self.items.append(record)

    @property
    def codes(self) -> dict[int, str]:
        """The language codes (BCP 47) by ID."""
        return {number: language.code for number, language in self.languages.items()}


class FormatWriter(Protocol):
    """Function that writes an export into one file."""

    def __call__(self, export: ExportSource, target: Path) -> None:
        """Write the file; `target` is new, and complete only on return."""
        ...


def format_source_statement(source: SourceRecord) -> str:
    """Format the attribution of a source: its code, name, attribution, licence, URL and notice."""
    parts = (source.name, source.attribution, f"Licence: {source.licence}", source.url, source.notice)
    return f"{source.code}: " + ". ".join(part.rstrip(".") for part in parts if part) + "."


@contextmanager
def open_binary(target: Path) -> Iterator[IO[bytes]]:
    """Open a new file for writing; if its name ends with `.gz`, it is compressed, without a timestamp."""
    with target.open("wb") as file:
        if target.suffix != ".gz":
            yield file
            return
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            yield cast("IO[bytes]", packed)


@contextmanager
def open_text(target: Path, encoding: str = "utf-8", newline: str = "\n") -> Iterator[TextIO]:
    """Open a new text file for writing; if its name ends with `.gz`, it is compressed."""
    with open_binary(target) as file, io.TextIOWrapper(file, encoding, newline=newline) as stream:
        yield stream


@contextmanager
def open_archive(target: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip file whose bytes depend only on its contents."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as zip_file:
        yield zip_file


def add_file(zip_file: zipfile.ZipFile, name: str, content: bytes | IO[bytes]) -> None:
    """Add a file to an archive."""
    information = zipfile.ZipInfo(name, ARCHIVE_DATE)
    information.compress_type = zipfile.ZIP_DEFLATED
    information.external_attr = 0o644 << 16
    stream = io.BytesIO(content) if isinstance(content, bytes) else content
    with zip_file.open(information, "w", force_zip64=True) as member:
        while chunk := stream.read(1024 * 1024):
            member.write(chunk)


def iter_meaning_lines(meaning: Meaning) -> Iterator[tuple[str, str]]:
    """Yield the parts of a meaning as (kind, text): label, definitions, words by language, examples."""
    label = "-".join(part.value for part in (meaning.pos, meaning.gender) if part)
    contexts = ", ".join(context.value for context in meaning.contexts)
    if label or contexts:
        yield "label", "; ".join(part for part in (label, contexts) if part)
    for definition in meaning.definitions:
        yield "definition", definition.text
    words: dict[str, list[str]] = {}
    for translation in meaning.translations:
        words.setdefault(translation.language, []).append(translation.word)
    for language, texts in words.items():
        yield "words", f"{language}: {', '.join(texts)}"
    for example in meaning.examples:
        yield "example", example.text + (f" — {example.translation}" if example.translation else "")


_FORBIDDEN_CHARACTERS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def escape(text: str) -> str:
    """Escape a text for XML and HTML, and drop characters that XML forbids."""
    plain = _FORBIDDEN_CHARACTERS.sub("", text)
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def format_attributes(values: Mapping[str, str | None]) -> str:
    """Format the attributes of an element, without those that have no value."""
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items() if value)
